"""What is done once stays in the conversation; what is done before each request is done to copies."""

from __future__ import annotations

from copy import deepcopy
from datetime import UTC, datetime, timedelta

from qdash_jupyter.agent.digest import TurnMemory
from qdash_jupyter.agent.transcript import MadeCall, Transcript
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.context import CONTENT, Attachment, attached
from qdash_jupyter.domain.tool_call import ToolCall, ToolResult
from qdash_jupyter.llm.openai_server.items import CHAT_REASONING

AT = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
NOW: JsonObject = {"now": "2026-11-22 09:00 UTC", "database": "demo"}
PICTURE = attached(Attachment("map.png", "image/png", "map.png"), {"type": "input_image", "image_url": "data:…"})


def call(call_id: str, name: str = "look") -> JsonObject:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": "{}", "id": "fc_1"}


def result(call_id: str, minutes: int = 0, content: str = '{"a":1}', name: str = "look") -> ToolResult:
    return ToolResult(ToolCall(call_id, name, "{}"), content, produced_at=AT + timedelta(minutes=minutes))


def talk() -> Transcript:
    """Two turns, of which the first has read a file and a picture, and waited for an hour."""
    transcript = Transcript(model="one")
    transcript.ask(
        "One?", situation=NOW, calls=[MadeCall(CONTENT, {"path": "map.png"}, {"text": "x" * 500}, [PICTURE])]
    )
    transcript.add_reply([{"type": CHAT_REASONING, "text": "Hm.", "field": "reasoning"}, call("a"), call("b", CONTENT)])
    transcript.add_results([result("a", 60), result("b", 61, '{"text":"long"}', CONTENT)])
    transcript.add_reply([{"type": "message", "role": "assistant", "id": "m1", "content": "Done."}])
    transcript.speaks_with("other")
    transcript.ask("Two?", situation=NOW)
    return transcript


def test_the_second_tier_never_mutates() -> None:
    transcript = talk()
    before = deepcopy(transcript.items)
    once = transcript.sent_items
    assert transcript.leave_out_contents()
    later = transcript.sent_items
    transcript.replace_first(1, "Digest.")
    digested = transcript.sent_items

    assert transcript.items == before
    assert len({str(sent) for sent in (before, once, later, digested)}) == 4


def test_a_result_that_came_later_than_the_time_that_was_told_says_when() -> None:
    outputs = [item["output"] for item in talk().sent_items if item.get("call_id") in {"a", "b"} and "output" in item]
    assert outputs == ['{"a":1,"produced_at":"2026-11-22 10:00 UTC"}', '{"text":"long"}']
    assert '"produced_at"' not in str(talk().items)


def test_after_a_restart_old_turns_have_their_own_times() -> None:
    before = talk()
    memory = TurnMemory("One?", AT, (result("a", 60), result("b", 61, name=CONTENT)))
    after = Transcript(before.items, {0: memory, 9: TurnMemory("Two?", AT)}, "other")

    assert [item["output"] for item in after.sent_items if item.get("call_id") == "a" and "output" in item] == [
        '{"a":1,"produced_at":"2026-11-22 10:00 UTC"}'
    ]
    assert '"now":"2026-11-22 09:00 UTC"' in str(after.sent_items)


def test_what_old_turns_read_goes_first() -> None:
    transcript = talk()
    size = transcript.sent_size
    assert transcript.leave_out_contents()
    sent = transcript.sent_items
    assert transcript.sent_size < size - 400
    texts = [item["output"] for item in sent if item.get("type") == "function_call_output"]
    assert ["left_out" in text for text in texts] == [True, False, True]
    assert "not sent again" in str(sent)
    assert not transcript.leave_out_contents()


def test_the_question_is_found_behind_calls_that_the_program_made() -> None:
    transcript = Transcript()
    transcript.ask("One?", calls=[MadeCall(CONTENT, {"path": "map.png"}, {"attached": True}, [PICTURE])])
    assert transcript.items[transcript.question_at]["content"][0]["text"] == "One?"
    assert [item["call_id"] for item in transcript.items if "call_id" in item] == ["made00000"] * 2
