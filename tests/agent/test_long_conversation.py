"""Conversations longer than the model's window, over a socket with the real client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from math import ceil
from typing import Any

import pytest

from qdash_jupyter.config.manifest import ModelSection
from qdash_jupyter.domain.answer import Answer, JsonObject
from qdash_jupyter.domain.events import AnswerReady, TextDelta
from qdash_jupyter.errors import ModelContextExceeded
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.agent.turns import FETCH, TOOLS, Stage
from tests.scripted_server import (
    Call,
    HttpError,
    Script,
    ScriptedServer,
    Text,
    Thought,
    call_turn,
    error_turn,
    http_error,
    reply_turn,
    text_turn,
)

WINDOW = 12_000
TURNS = 100
TOO_LONG = http_error(400, "Your input exceeds the context window.", code="context_length_exceeded", param="input")
IN_WORDS = HttpError(400, {"message": "This model's maximum context length is 4096 tokens.", "code": 400})


@dataclass
class Talk(Stage):
    """A conversation in one event loop, so that the client keeps its connections."""

    runner: asyncio.Runner = field(default_factory=asyncio.Runner)

    def ask(self, question: str = "How is Q7?") -> Answer:
        self.runner.run(self.run(question))
        assert isinstance(self.events[-1], AnswerReady)
        return self.events[-1].answer


@contextmanager
def talk(server: ScriptedServer, window: int = WINDOW, **settings: Any) -> Iterator[Talk]:
    llm = ResponsesLLM(ModelSection(name="m", base_url=server.base_url), api_key=lambda: "sk-1234567890")
    made = Talk(llm, specs=(*TOOLS, FETCH), window=window, **settings)
    with made.runner:
        yield made
        made.runner.run(llm.close())


def counted(body: JsonObject) -> int:
    """Tokens as a server with another tokenizer than our guess counts them."""
    sent = [body["input"], body["instructions"], body.get("tools", []), body["text"]]
    return ceil(len(json.dumps(sent, ensure_ascii=False).encode()) / 2.8)


def words(number: int) -> str:
    return f"Qubit {number} lost some of its T1, as far as can be seen. " * 12


def tool_round(number: int) -> Any:
    def turn(body: JsonObject) -> Script:
        calls: list[tuple[str, JsonObject]] = [("fetch", {"text": f"series_{number}"})]
        if number % 10 == 0:
            calls.append(("compute", {"text": str(number)}))
        thought = Thought(f"gAAAA{number}" + "x" * 200)
        return reply_turn(thought, *call_parts(calls), usage=(counted(body), 60))

    return turn


def call_parts(calls: list[tuple[str, JsonObject]]) -> list[Any]:
    return [Call(name, arguments) for name, arguments in calls]


def answer_round(number: int) -> Any:
    return lambda body: reply_turn(Text(words(number)), usage=(counted(body), 90))


def open_calls(items: list[JsonObject]) -> list[str]:
    waiting: list[str] = []
    for item in items:
        if item["type"] == "function_call":
            waiting.append(item["call_id"])
        elif item["type"] == "function_call_output":
            waiting.remove(item["call_id"])
    return waiting


def test_a_hundred_questions_stay_within_the_window_and_lose_no_handle() -> None:
    script = [turn for number in range(TURNS) for turn in (tool_round(number), answer_round(number))]
    with ScriptedServer(script) as server, talk(server) as made:
        for number in range(TURNS):
            made.ask(f"What about qubit {number}?")
        bodies = [request.body for request in server.requests]

    # nothing is lost in the conversation itself
    kinds = [item["type"] for item in made.transcript.items]
    assert len(bodies) == 2 * TURNS
    assert kinds.count("reasoning") == TURNS
    assert kinds.count("function_call") == kinds.count("function_call_output") == TURNS + TURNS // 10
    assert made.transcript.sent_size < sum(len(json.dumps(item)) for item in made.transcript.items) / 5
    # every request fits, and is one that a server accepts
    assert max(map(counted, bodies)) <= 0.8 * WINDOW * 1.02  # the estimate lags one request behind the count
    for body in bodies:
        assert open_calls(body["input"]) == []
        for before, item in pairwise(body["input"]):
            assert before["type"] != "reasoning" or item["type"] == "function_call"
    # every handle is known to the last request
    last = json.dumps(bodies[-1]["input"])
    for number in range(TURNS - 1):
        assert f"data['series_{number}']" in last or f'\\"data_key\\":\\"series_{number}\\"' in last
        assert number % 10 or f"cell-{number} " in last or f'\\"text\\": \\"{number}\\"' in last
    # what servers keep in their caches
    changes = sum(body["input"][: len(before["input"])] != before["input"] for before, body in pairwise(bodies))
    assert 2 <= changes <= 20
    assert "Digest of the first" in bodies[-1]["input"][0]["content"][0]["text"]


def test_without_a_full_window_nothing_is_replaced() -> None:
    with (
        ScriptedServer([turn for n in range(5) for turn in (tool_round(n), answer_round(n))]) as server,
        talk(server, window=128_000) as made,
    ):
        for number in range(5):
            made.ask(f"What about qubit {number}?")
        sent = server.requests[-1].body["input"]

    assert made.transcript.replaced == 0
    assert sent == list(made.transcript.items[:-1])


@pytest.mark.parametrize(
    "refusal",
    [
        TOO_LONG,
        IN_WORDS,
        HttpError(413, "<html>Payload too large</html>"),
        error_turn("Too long.", "context_length_exceeded"),
    ],
    ids=["by its code", "in words", "by the gateway", "within the stream"],
)
def test_a_request_that_is_too_long_for_the_server_is_shortened_and_sent_once_more(refusal: Any) -> None:
    script = [turn for n in range(4) for turn in (tool_round(n), answer_round(n))]
    with (
        ScriptedServer([*script, refusal, text_turn("Short enough."), text_turn("And on.")]) as server,
        talk(server, window=128_000) as made,
    ):
        for number in range(4):
            made.ask(f"What about qubit {number}?")
        answer = made.ask("All together?")
        deltas = "".join(event.text for event in made.events if isinstance(event, TextDelta))
        following = made.ask("And now?")
        bodies = [request.body for request in server.requests]

    assert answer.text == deltas == "Short enough."
    assert following.text == "And on."
    assert len(bodies) == 11
    shortened, refused = bodies[9], bodies[8]
    assert counted(shortened) < counted(refused)
    assert "Digest of the first" in shortened["input"][0]["content"][0]["text"]
    assert shortened["input"][-1] == refused["input"][-1]
    assert all(f"series_{number}" in json.dumps(shortened["input"]) for number in range(4))
    # the question stands in the conversation once, and what goes on is made of the shortened one
    questions = [item for item in made.transcript.items if item.get("role") == "user"]
    assert [item["content"][0]["text"] for item in questions][-2:] == ["All together?", "And now?"]
    assert len(questions) == 6
    assert bodies[10]["input"][: len(shortened["input"])] == shortened["input"]
    assert [sent.begun for sent in made.ledgers[4].requests] == [False, True]
    assert made.ledgers[4].tokens == 18


def test_in_one_question_a_request_is_sent_again_once_only() -> None:
    script = [
        tool_round(0),
        answer_round(0),
        tool_round(1),
        answer_round(1),
        TOO_LONG,
        call_turn(("echo", {"text": "a"})),
    ]
    with ScriptedServer([*script, TOO_LONG, text_turn("Fine.")]) as server, talk(server, window=128_000) as made:
        made.ask("What about qubit 0?")
        made.ask("What about qubit 1?")
        with pytest.raises(ModelContextExceeded):
            made.ask("Both?")
        assert len(server.requests) == 7
        assert made.open_calls() == []

        assert made.ask("Less?").text == "Fine."
