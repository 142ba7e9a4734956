"""The file: exact round trips, readable, changed by hand, broken."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from qdash_jupyter.domain.answer import JsonObject, Usage
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.errors import CassetteError
from qdash_jupyter.llm.cassette.canonical import canonical, canonical_items
from qdash_jupyter.llm.cassette.spelling import spelled_out, spread
from qdash_jupyter.llm.cassette.tape import Tape
from qdash_jupyter.llm.client import ModelRequest, Reply
from qdash_jupyter.llm.scripted import call_reply, text_reply

CODE = "import numpy as np\n\n\nmedian = np.median([1, 2])\nprint('μs', median)\n"
LONG = "You are the copilot.\n" + "Be careful with units.\n" * 20


def user(text: str) -> JsonObject:
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}


def outputs(reply: Reply, output: str) -> tuple[JsonObject, ...]:
    return tuple({"type": "function_call_output", "call_id": c.call_id, "output": output} for c in reply.calls)


def request(*items: JsonObject, instructions: str = LONG) -> ModelRequest:
    return ModelRequest(instructions, items, answer_schema={"type": "object"}, language="en")


def two_questions() -> list[tuple[ModelRequest, Reply]]:
    """A conversation of three rounds: a call, its answer, and a second question."""
    call = call_reply(("execute_python_analysis", {"code": CODE, "purpose": "Median"}))
    answer = text_reply('{"blocks":[{"type":"text","content":"**1.5 μs**\\n\\n- ok","chart":null}],"assessment":null}')
    items: tuple[JsonObject, ...] = (user("中央値は?"),)
    pairs = [(request(*items), call)]
    items += (*call.items, *outputs(call, '{"status": "ok", "result": 1.5}'))
    pairs.append((request(*items), answer))
    items += (*answer.items, user("And now?"))
    return [*pairs, (request(*items), text_reply("Plain."))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    tape = Tape(tmp_path / "conversation.yaml", model="gpt-test")
    for asked, reply in two_questions():
        tape.add(canonical(asked), reply, streamed=reply.text, reasoning="")
    return tape.path


def documents(path: Path) -> list[Any]:
    return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))


def test_what_is_written_is_read_again(path: Path) -> None:
    tape = Tape.load(path)
    assert tape.model == "gpt-test"
    assert [(one.request, one.reply) for one in tape.recordings] == [(canonical(r), a) for r, a in two_questions()]
    assert [one.head for one in tape.recordings] == [("中央値は?", 1), ("中央値は?", 2), ("And now?", 1)]


def test_it_reads_as_a_conversation(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# A recorded conversation")
    head, part, first, second, third = documents(path)
    assert head == {"cassette": 1, "model": "gpt-test"}
    assert part["value"] == LONG
    assert text.count("Be careful with units.") == 20, "what all requests share stands once"
    assert [list(each)[:2] for each in (first, second, third)] == [["question", "round"]] * 3
    assert (second["question"], second["round"]) == ("中央値は?", 2)
    # What continues an earlier request says so, and holds the new items only.
    assert [each["request"].get("after") for each in (first, second, third)] == [None, first["id"], second["id"]]
    assert [item["type"] for item in second["request"]["items"]] == ["function_call_output"]
    assert second["request"]["items"][0]["output"] == {"status": "ok", "result": 1.5}
    # Code and Markdown have their lines.
    assert "          import numpy as np\n\n\n          median = np.median([1, 2])\n" in text
    assert "中央値は?" in text
    assert max(map(len, text.splitlines())) <= 140


def test_recording_again_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    again = Tape(tmp_path / "again.yaml", model="gpt-test")
    for asked, reply in two_questions():
        again.add(canonical(asked), reply, streamed=reply.text)
    assert again.path.read_bytes() == path.read_bytes()


def test_adding_keeps_what_a_person_wrote(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace(
        "\n---\nquestion: And now?", "\n# our favourite\n---\nquestion: And now?"
    )
    path.write_text(text, encoding="utf-8")
    tape = Tape.load(path)
    tape.add(canonical(request(user("New?"))), text_reply("Yes."), streamed="Yes.")
    grown = path.read_text(encoding="utf-8")
    assert grown.startswith(text)
    assert "# our favourite" in grown
    assert [one.reply.text for one in Tape.load(path).recordings][-2:] == ["Plain.", "Yes."]


def test_a_reply_changed_by_hand_is_played_and_what_follows_still_fits(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("**1.5 μs**", "**2026-06-30: 1.6 μs**"), encoding="utf-8")
    _, second, third = Tape.load(path).recordings
    assert "1.6 μs" in second.reply.text
    (asked, _), *_ = [pair for pair in two_questions() if pair[1].text == "Plain."]
    now = canonical(request(*asked.items[:3], *second.reply.items, asked.items[-1]))
    assert third.request == now


def test_dates_without_quotes_stay_texts(path: Path) -> None:
    text = path.read_text(encoding="utf-8").replace("result: 1.5", "result: 2026-06-30")
    path.write_text(text, encoding="utf-8")
    output = Tape.load(path).recordings[1].request["items"][-1]["output"]
    assert output["result"] == "2026-06-30"
    assert Tape.load(path).recordings[1].key


def test_the_last_entries_may_be_taken_out_by_hand(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.rindex("---\nquestion")], encoding="utf-8")
    assert len(Tape.load(path).recordings) == 2


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("question: And now?", "question: [And now?"), "line"),
        (("\nround: 2\n", "\nround: two\n"), "round"),
        (("\nreply:\n", "\nanswer:\n"), "answer"),
        (("cassette: 1", "cassette: 99"), "cassette"),
        (("part: instructions", "part: other"), "instructions"),
    ],
)
def test_a_broken_file_is_told_with_its_place(path: Path, change: tuple[str, str], why: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert change[0] in text
    path.write_text(text.replace(*change, 1), encoding="utf-8")
    with pytest.raises(CassetteError) as caught:
        Tape.load(path)
    assert str(path) in str(caught.value.message)
    assert "broken" in str(caught.value.message)
    assert why in str(caught.value.message)
    assert caught.value.hint


def test_an_entry_without_the_one_it_comes_after(path: Path) -> None:
    parts = path.read_text(encoding="utf-8").split("---\n")
    path.write_text("---\n".join([*parts[:3], *parts[4:]]), encoding="utf-8")
    with pytest.raises(CassetteError, match=r"Document 3 .* it follows '\w{8}', which isn't earlier in the file"):
        Tape.load(path)


@pytest.mark.parametrize("content", ["just words", "- a\n- list", "\x00", "question: ["])
def test_what_is_no_cassette(tmp_path: Path, content: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(CassetteError, match="is broken"):
        Tape.load(path)


def test_no_file_no_text_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(CassetteError, match="doesn't exist") as caught:
        Tape.load(tmp_path / "none.yaml")
    assert "QDASH_CASSETTE=record" in str(caught.value.hint)
    (tmp_path / "latin.yaml").write_bytes(b"caf\xe9: 1")
    for name in ("", "latin.yaml"):
        with pytest.raises(CassetteError, match="Can't read the cassette"):
            Tape.load(tmp_path / name)


def test_a_file_that_cannot_be_written_stays_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()
    tape = Tape.load(path)

    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(CassetteError, match=r"Can't write the cassette .*: No space left on device"):
        tape.add(canonical(request(user("New?"))), text_reply("Yes."))
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name], "no temporary file is left"


def test_the_mode_of_a_file_is_kept(path: Path) -> None:
    path.chmod(0o640)
    Tape.load(path).add(canonical(request(user("New?"))), text_reply("Yes."))
    assert path.stat().st_mode & 0o777 == 0o640


def test_text_and_calls_that_do_not_follow_from_the_items(tmp_path: Path) -> None:
    commented = {"type": "message", "role": "assistant", "phase": "commentary", "content": [{"text": "Hm. "}]}
    replies = [
        Reply("Answer", (), (commented, *text_reply("Answer").items), Usage(100, 20, 2), "content_filter"),
        Reply("said", (ToolCall("c1", "get_chip_summary", "{"),), ()),
    ]
    tape = Tape(tmp_path / "c.yaml", model="m")
    for number, reply in enumerate(replies):
        tape.add(canonical(request(user(str(number)))), reply, streamed=f"Hm. {reply.text}", reasoning="Let me see.")
    read = Tape.load(tape.path).recordings
    assert [one.reply for one in read] == replies
    assert [one.streamed for one in read] == ["Hm. Answer", "Hm. said"]
    assert {one.reasoning for one in read} == {"Let me see."}


AWKWARD = "abc 0 \n\t\\\"':#-{}[]&*!|>%@`?,~=\u00a0\u0085\u2028\ufeff\u200b\x07量μ😀\r"


def test_any_text_comes_back_exactly(tmp_path: Path) -> None:
    chance = random.Random(5)  # noqa: S311 - no secrets are made here
    texts = ["", " ", "\n", "\n\n x", " a\n b \n", "yes", "1e5", "0x1f", "12:30", "2026-06-30", "~", "---\n", "<<", "="]
    texts += ["".join(chance.choices(AWKWARD, k=chance.randint(1, 40))) for _ in range(400)]
    tape = Tape(tmp_path / "c.yaml", model="m")
    call = call_reply(*(("tool", {"code": text, text or "k": [text, None, 1.5, True]}) for text in texts))
    reply = Reply(text_reply("\n".join(texts)).text, call.calls, (*text_reply("\n".join(texts)).items, *call.items))
    asked = canonical(request(user("Which?"), *(user(text) for text in texts), *call.items))
    tape.add(asked, reply, streamed=reply.text)
    (read,) = Tape.load(tape.path).recordings
    assert read.reply == reply
    assert read.request == asked


@pytest.mark.parametrize("style", [{}, {"ensure_ascii": False}, {"separators": (",", ":")}, {"indent": 1}])
def test_json_texts_come_back_as_they_were_spelled(style: dict[str, Any]) -> None:
    value = {"code": "a\nb", "μ": [1, 1.5, None, True, "量"], "n": 10**30}
    item = {"type": "function_call", "arguments": json.dumps(value, **style), "text": "{not JSON}"}
    assert spelled_out(spread(item)) == item
    assert (spread(item) == item) is ("indent" in style), "unusual spellings stay texts"


def test_json_whose_numbers_python_writes_otherwise_stays_a_text() -> None:
    for text in ('{"a": 1e5}', '{"a": 1.50}', '{"a": 1, "a": 2}', '{"a": -0.0e0}'):
        assert spread({"arguments": text}) == {"arguments": text}


def test_a_history_that_was_shortened_is_written_in_full(path: Path) -> None:
    tape = Tape.load(path)
    short = canonical(request(user("(earlier: the median was asked)"), user("And then?")))
    tape.add(short, text_reply("Then."))
    assert "after" not in documents(path)[-1]["request"]
    assert Tape.load(path).recordings[-1].request == short


def test_a_long_conversation_grows_with_its_length_and_not_with_its_square(tmp_path: Path) -> None:
    tape = Tape(tmp_path / "c.yaml", model="m")
    items: list[JsonObject] = []
    sizes = []
    for number in range(40):
        items.append(user(f"Question {number}?"))
        reply = text_reply(f"Answer {number}.")
        tape.add(canonical(request(*items)), reply, streamed=reply.text)
        items.extend(reply.items)
        sizes.append(tape.path.stat().st_size)
    grown = [after - before for before, after in pairwise(sizes[5:])]
    assert max(grown) <= min(grown) * 1.2
    assert canonical_items(items)[:-1] == Tape.load(tape.path).recordings[-1].request["items"]
