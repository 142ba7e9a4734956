"""One conversation with several models, over a socket each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.connect import open_copilot
from qdash_jupyter.errors import PersonError
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.ui.display import models_table
from tests.scripted_server import ScriptedServer, Thought, call_turn, text_turn


@pytest.fixture
def servers() -> Iterator[tuple[ScriptedServer, ScriptedServer]]:
    thought = Thought("secret of one", ["First the chip."])
    with (
        ScriptedServer(
            [call_turn(("get_chip_summary", {}), thought=thought), text_turn("One."), text_turn("Again.")]
        ) as one,
        ScriptedServer([text_turn("Two."), text_turn("Three.")]) as other,
    ):
        yield one, other


@pytest.fixture
def copilot(
    shell: InteractiveShell, snapshot: Path, servers: tuple[ScriptedServer, ScriptedServer]
) -> Iterator[Copilot]:
    one, other = servers
    settings: dict[str, Any] = {
        "model": "one",
        "models": {
            "one": {"name": "m-one", "base_url": one.base_url, "api_style": "responses"},
            "other": {
                "name": "m-other",
                "base_url": other.base_url,
                "api_style": "responses",
                "price": {"input": 0.5, "output": 2, "currency": "EUR"},
            },
        },
        "database": {"snapshot": str(snapshot)},
    }
    made = open_copilot(shell, settings=settings)
    yield made
    made.close()


def test_what_was_said_and_fetched_stays_and_what_is_one_model_s_own_does_not_go_out(
    copilot: Copilot, servers: tuple[ScriptedServer, ScriptedServer]
) -> None:
    one, other = servers
    copilot.ask("How is the chip?")
    copilot.use_model("other")
    assert copilot.ask("And now?").text == "Two."
    assert copilot.ask("And then?").text == "Three."
    assert "chip_summary" in copilot.data
    assert copilot.status().model == "m-other"

    first, second = (request.body["input"] for request in other.requests)
    assert [item["type"] for item in first] == [
        *("message", "function_call", "function_call_output", "message", "message"),
    ]
    assert "secret of one" not in str(first) + str(second)
    assert not any("id" in item for item in first)
    assert second[: len(first)] == first, "the beginning stays the same, for the server's cache"
    assert "reasoning" in [item["type"] for item in one.requests[1].body["input"]]

    copilot.use_model("one")
    assert copilot.ask("Once more?").text == "Again."
    assert "reasoning" not in [item["type"] for item in one.requests[2].body["input"]]
    assert "reasoning" in [item["type"] for item in copilot._conversation.transcript.items], "the log keeps what came"


def test_the_planner_can_take_over_and_give_back(copilot: Copilot) -> None:
    copilot.ask("How is the chip?")
    copilot.use_model("offline")
    assert not copilot.status().is_language_model
    assert copilot.ask("Which qubits have the worst T1?").blocks
    copilot.use_model("other")
    assert copilot.ask("Thanks.").text == "Two."


@pytest.mark.parametrize("name", ["tow", "gpt-test", ""])
def test_only_models_of_the_settings_are_asked(copilot: Copilot, name: str) -> None:
    with pytest.raises(PersonError, match="Known: offline, one, other"):
        copilot.use_model(name)
    assert copilot.status().model == "m-one"


def test_the_table_marks_the_one_that_is_asked(
    copilot: Copilot, servers: tuple[ScriptedServer, ScriptedServer]
) -> None:
    copilot.use_model("other")
    rows = models_table(copilot._conversation.parts()).splitlines()
    asked = [row for row in rows if "**in use**" in row]
    assert len(asked) == 1
    assert "m-other" in asked[0]
    assert servers[1].base_url.split("/")[2] in asked[0]
    assert "0.5 / 2 EUR" in asked[0]
    assert "`%copilot model one`" in rows[3]
    assert "no language model" in rows[2]


def test_a_conversation_that_goes_on_with_another_model_after_a_restart() -> None:
    reasoning = {"type": "reasoning", "id": "rs_1", "encrypted_content": "secret"}
    said = {"type": "message", "role": "assistant", "id": "msg_1", "content": [{"type": "output_text", "text": "Hm."}]}
    figure: dict[str, Any] = {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_image", "image_url": "data:image/png;base64,"}],
    }
    kept: list[dict[str, Any]]
    emptied: dict[str, Any] = figure | {"content": []}
    for model, kept in (("m at a", [figure, reasoning, said]), ("m at b", [emptied, said])):
        transcript = Transcript([figure, reasoning, said], model="m at a")
        transcript.speaks_with(model)
        transcript.ask("Next?")
        *before, question = (dict(item) for item in transcript.sent_items)
        assert [item["type"] for item in before] == [item["type"] for item in kept]
        assert ("id" in before[-1]) == (model == "m at a")
        assert before[0]["content"] == kept[0]["content"]
        assert transcript.sent_items[transcript.question_at] == question
        assert transcript.items[1] == reasoning
