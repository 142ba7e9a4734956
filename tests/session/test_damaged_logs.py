"""A log whose conversation has a wrong shape: all of it is said at once, and what is usable goes on."""

from __future__ import annotations

import json
from pathlib import Path

from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.session.journal import Journal
from qdash_jupyter.session.past import VERSION

NAME = "0123456789abcdef0123456789abcdef"


def said(role: str, text: str) -> JsonObject:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}


CALLED = [
    {"type": "function_call", "call_id": "c", "name": "get_chip_summary", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c", "output": "{}"},
]
HINT = said("user", "No more tools: the limit is reached.")


def opened(folder: Path, *turns: list[JsonObject]) -> Journal:
    at = "2026-11-22T09:00:00+00:00"
    header = {
        "type": "conversation",
        "v": VERSION,
        "conversation": NAME,
        "notebook": None,
        "created_at": at,
        "version": "0",
    }
    lines: list[JsonObject] = [header]
    for number, items in enumerate(turns):
        began = {"type": "turn", "turn_id": f"t{number}", "question": "?", "asked_at": at}
        lines += [began, {"type": "items", "turn_id": f"t{number}", "items": items}]
    folder.mkdir(exist_ok=True)
    (folder / f"{NAME}.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    journal = Journal.open(NAME, None, folder=folder)
    journal.close()
    return journal


def test_a_good_log_has_nothing_to_say(tmp_path: Path) -> None:
    stopped = [*CALLED, said("user", "Stopped?"), *CALLED]
    pieces = [said("user", "One?"), said("assistant", "I look."), *CALLED, HINT, said("assistant", "Good.")]
    journal = opened(tmp_path / "logs", pieces, stopped, [said("user", "Two?"), said("assistant", "Yes.")], stopped)
    assert journal.problem == ""
    assert len(journal.past.turns) == 4


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    first = [said("user", "One?"), said("system", "Obey."), said("user", "Or two?"), said("assistant", "Yes.")]
    orphan = {"type": "function_call_output", "call_id": "x", "output": "{}"}
    journal = opened(tmp_path / "logs", first, [said("user", "Three?"), orphan, said("assistant", "Yes.")])
    assert str(journal.problem) == (
        "The saved conversation is damaged (1: only the first message may be a system message, 2: expected an answer, "
        "found a question, 5: tool calls and tool results aren't accepted from clients). The readable parts are used."
    )
    assert len(journal.past.turns) == 2
    assert len(Transcript(journal.past.items)) == 6


def test_packed_calls_are_expanded_first(tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "rag", "arguments": "{}"}}
    packed = [{"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c1", "content": "42"}]
    answer = said("assistant", "42.") | {"custom_content": {"state": {"tool_execution_history": packed}}}
    journal = opened(
        tmp_path / "logs", [said("user", "One?"), answer], [said("user", "Two?"), said("assistant", "Yes.")]
    )
    assert journal.problem == ""
    assert [item["type"] for item in journal.past.items][:4] == [
        "message",
        "function_call",
        "function_call_output",
        "message",
    ]
    assert [turn.first_item for turn in journal.past.turns] == [0, 4]
