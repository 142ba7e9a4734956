from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from dataclasses import replace
from itertools import pairwise

import pytest

from qdash_jupyter.agent.ledger import SentRequest, TurnLedger, token_breakdown
from qdash_jupyter.agent.prompt import instructions
from qdash_jupyter.agent.window import ContextWindow
from qdash_jupyter.config.manifest import PriceSection
from qdash_jupyter.domain.answer import JsonObject, Usage
from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.errors import ModelBroken
from qdash_jupyter.llm.client import ModelCard, ModelRequest, ReplyPart
from qdash_jupyter.llm.scripted import ScriptedLLM, Step, call_reply, text_reply
from tests.agent.test_prompt import DEMO
from tests.agent.turns import Stage

INSTRUCTIONS = "# Role\nYou help.\n\n# Now\n- Now: 今日.\n"
TOOL: JsonObject = {"type": "function", "name": "echo"}


def message(text: str, role: str = "user") -> JsonObject:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}


def output(call_id: str, text: str) -> JsonObject:
    return {"type": "function_call_output", "call_id": call_id, "output": text}


def call(call_id: str, name: str) -> JsonObject:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": "{}"}


ITEMS = (
    message("Digest of the first 2 questions"),
    message("Before?"),
    message("Yes.", "assistant"),
    message("Which qubits?"),
    {"type": "reasoning", "encrypted_content": "gAAAA"},
    call("1", "echo"),
    call("2", "draw"),
    output("1", "a" * 50),
    output("2", "b" * 70),
    message("No more tools: the limit"),
)


def sent(usage: Usage | None = None, instructions: str = INSTRUCTIONS) -> SentRequest:
    request = ModelRequest(instructions, ITEMS, (TOOL, TOOL), {"type": "object"})
    made = SentRequest(request, len(ITEMS), question_at=3, digested=True, estimate=1000, begun=True)
    if usage is not None:
        made.replied(usage)
    return made


def compact(*values: object) -> int:
    return sum(len(json.dumps(value, ensure_ascii=False, separators=(",", ":"))) for value in values)


class Speaking(ScriptedLLM):
    """A script that counts as a language model."""

    @property
    def card(self) -> ModelCard:
        return ModelCard("m", "lab")


def spoken(*steps: Step, **settings: object) -> Stage:
    return Stage(Speaking(steps), **settings)  # pyrefly: ignore[bad-argument-type]


def test_every_part_of_a_request_has_its_characters() -> None:
    sizes = {(size.group, size.name): size.characters for size in token_breakdown([sent()])}

    assert sizes == {
        ("instructions", "Role"): len("# Role\nYou help.\n\n"),
        ("instructions", "Now"): len("# Now\n- Now: 今日.\n"),
        ("tool schemas", ""): compact(TOOL, TOOL),
        ("answer schema", ""): compact({"type": "object"}),
        ("digest", ""): compact(ITEMS[0]),
        ("earlier turns", ""): compact(*ITEMS[1:3]),
        ("question", ""): compact(ITEMS[3]),
        ("model items", ""): compact(*ITEMS[4:7]),
        ("tool results", "echo"): compact(ITEMS[7]),
        ("tool results", "draw"): compact(ITEMS[8]),
        ("notes of the loop", ""): compact(ITEMS[9]),
    }


@pytest.mark.parametrize("tokens", [1, 7, 1_234, 99_999])
def test_the_tokens_of_the_parts_are_those_of_the_request(tokens: int) -> None:
    parts = token_breakdown([sent(Usage(tokens, 5, 1))])

    assert sum(part.tokens for part in parts) == tokens
    # "Now" has Japanese in it: more bytes than characters
    by_size = sorted((part for part in parts if part.name != "Now"), key=lambda part: part.characters)
    assert all(smaller.tokens <= larger.tokens + 1 for smaller, larger in pairwise(by_size))


def test_parts_of_several_requests_are_added_up() -> None:
    one, two = token_breakdown([sent()]), token_breakdown([sent(), sent()])

    assert [(p.group, p.name, p.characters * 2, p.tokens * 2) for p in one] == [
        (p.group, p.name, p.characters, p.tokens) for p in two
    ]


def test_the_parts_of_the_instructions_are_the_parts_of_the_prompt() -> None:
    text = instructions(DEMO)
    parts = [part for part in token_breakdown([sent(instructions=text)]) if part.group == "instructions"]

    assert [part.name for part in parts] == ["Role", "Tools", "Language", "Thresholds", "Answer"]
    assert sum(part.characters for part in parts) == len(text)


def test_instructions_without_a_heading_are_one_part() -> None:
    [part] = [part for part in token_breakdown([sent(instructions="You help.")]) if part.group == "instructions"]

    assert (part.name, part.characters) == ("(without a heading)", 9)


def test_a_turn_keeps_its_requests_as_they_were() -> None:
    first = call_reply(("echo", {"text": "a"}))
    made = spoken(replace(first, usage=Usage(700, 30, 1)), replace(text_reply("ok"), usage=Usage(900, 20, 1)))

    made.ask("How is Q7?")

    [ledger] = made.ledgers
    assert isinstance(made.llm, ScriptedLLM)
    assert [kept.request for kept in ledger.requests] == made.llm.requests
    assert [len(kept.request.items) for kept in ledger.requests] == [1, 3]
    assert ledger.requests[0].shared is ledger.requests[1].shared
    assert (ledger.input_tokens, ledger.output_tokens, ledger.is_counted) == (1600, 50, True)
    groups = {part.group for part in token_breakdown(ledger.requests[1:])}
    assert groups == {"instructions", "tool schemas", "answer schema", "question", "model items", "tool results"}


def test_the_second_question_has_earlier_turns() -> None:
    made = spoken(text_reply("One."), text_reply("Two."))
    made.ask("How is Q7?")
    made.ask("And Q8?")

    sizes = {part.group: part.characters for part in token_breakdown(made.ledgers[1].requests)}

    assert sizes["earlier turns"] == compact(*made.transcript.items[:2])
    assert sizes["question"] == compact(made.transcript.items[2])


def test_where_the_server_does_not_count_tokens_are_estimated() -> None:
    made = spoken(text_reply("One two three."))
    made.ask("How is Q7?")

    [ledger] = made.ledgers
    [kept] = ledger.requests
    size = compact(list(kept.request.items), list(kept.request.tools), kept.request.answer_schema) + len("You help.")
    assert ledger.input_tokens == pytest.approx(size / 3.5, rel=0.02)
    assert ledger.output_tokens > 0
    assert not ledger.is_counted


def test_what_the_server_counts_corrects_the_next_estimate_within_bounds() -> None:
    window = ContextWindow()
    assert window.tokens(3500) == 1000

    window.counted(3500, 1300)
    assert window.tokens(7000) == 2600
    assert window.size(2600) == 7000
    window.counted(3500, 0)
    assert window.tokens(7000) == 2600
    window.counted(3500, 3)
    assert window.tokens(7000) == 1000
    window.counted(3500, 1_000_000)
    assert window.tokens(7000) == 6000


def test_a_script_and_the_offline_planner_take_no_tokens() -> None:
    made = Stage(ScriptedLLM([text_reply("ok")]))
    made.ask()

    assert (made.ledgers[0].tokens, made.ledgers[0].is_language_model, made.ledgers[0].is_counted) == (0, False, True)


def test_a_refused_request_costs_nothing_and_a_reply_that_broke_off_costs_what_was_read() -> None:
    class Breaking(Speaking):
        async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
            self.requests.append(request)
            if len(self.requests) == 2:
                yield TextDelta("Half a sentence")
            raise ModelBroken("The connection broke.")

    made = Stage(Breaking([]))
    for _ in range(2):
        with pytest.raises(ModelBroken):
            made.ask()

    refused, broken = made.ledgers
    assert refused.tokens == 0
    assert broken.requests[0].input_tokens == broken.requests[0].estimate > 0
    assert broken.output_tokens > 0


def test_money_is_tokens_times_price() -> None:
    ledger = TurnLedger(price=PriceSection(input=2.0, output=8.0, currency="EUR"))
    ledger.requests += (sent(Usage(500_000, 250_000, 1)),)

    assert ledger.money == pytest.approx(3.0)
    assert TurnLedger().money is None
