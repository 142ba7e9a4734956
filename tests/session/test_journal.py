"""The log as a file: what is in it, who may read it, and what becomes of it when something is wrong."""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter import __version__
from qdash_jupyter.domain.answer import Answer, ChartBlock, TextBlock
from qdash_jupyter.domain.events import AnswerReady, ReasoningDelta, StageChanged, StampedEvent, TextDelta
from qdash_jupyter.session import past, writer
from qdash_jupyter.session.codec import Decoder
from qdash_jupyter.session.journal import Journal, notebook_path
from qdash_jupyter.session.jsonl import LineFile
from qdash_jupyter.session.records import AskedFrom, ItemsAdded, TurnBegan
from tests.patience import PATIENCE_S, until
from tests.session.conversation import without_settings

NOTEBOOK = Path("/lab/T1 study.ipynb")
COPY = Path("/lab/T1 study-Copy1.ipynb")
NOW = datetime(2026, 11, 22, 5, 0, tzinfo=UTC)
BEGAN = TurnBegan("t1", "Which qubits lost T1?", NOW, "en", AskedFrom("tab", "cell", "ask"))
ITEMS = ItemsAdded("t1", ({"type": "message", "role": "user", "content": "?"},))


def at(seq: int, event: Any, turn_id: str = "t1") -> StampedEvent:
    return StampedEvent(turn_id, seq, NOW, event)


THINKING = at(1, StageChanged("thinking", "Thinking…"))
ANSWERED = at(2, AnswerReady(Answer((TextBlock("Q07."),))))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    without_settings(monkeypatch, tmp_path)
    return tmp_path / "data" / "conversations"


Open = Callable[..., Journal]


@pytest.fixture
def open_log(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Opens logs, and closes them in the end."""
    monkeypatch.setattr("qdash_jupyter.session.writer._CLOSE_S", PATIENCE_S)
    opened: list[Journal] = []

    def opening(conversation_id: str | None = None, notebook: Path | None = NOTEBOOK) -> Journal:
        journal = Journal.open(conversation_id, notebook, folder=folder)
        opened.append(journal)
        return journal

    yield opening
    for journal in opened:
        journal.close()


def written(open_log: Open, *records: Any, notebook: Path = NOTEBOOK) -> str:
    """A log with these records; returns its id."""
    journal = open_log(None, notebook).successor()
    conversation_id = journal.conversation_id
    assert conversation_id is not None
    for record in records or (BEGAN, THINKING, ITEMS, ANSWERED):
        journal.write(record)
    journal.close()
    return conversation_id


def lines_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_written_comes_back(open_log: Open, folder: Path) -> None:
    conversation_id = written(open_log)
    header, *_ = lines_of(folder / f"{conversation_id}.jsonl")

    again = open_log(conversation_id)

    assert again.conversation_id == conversation_id
    assert again.problem == ""
    (turn,) = again.past.turns
    assert (turn.began, turn.events) == (BEGAN, (THINKING, ANSWERED))
    assert again.past.items == ITEMS.items
    assert header.pop("created_at").endswith("+00:00")
    assert header == {
        "type": "conversation",
        "v": 1,
        "conversation": conversation_id,
        "notebook": str(NOTEBOOK),
        "version": __version__,
    }


def test_nothing_is_written_before_the_first_record(open_log: Open, folder: Path) -> None:
    journal = open_log()
    assert journal.conversation_id is not None
    journal.close()
    assert not folder.exists()


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_the_owner_alone_can_read_it_from_its_first_moment(
    open_log: Open, folder: Path, umask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[int] = []
    real = os.open

    def watched(path: Any, *arguments: Any, **options: Any) -> int:
        descriptor = real(path, *arguments, **options)
        opened.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        return descriptor

    folder.parent.mkdir()
    before = os.umask(umask)
    try:
        monkeypatch.setattr(os, "open", watched)
        conversation_id = written(open_log)
    finally:
        os.umask(before)
    assert [found & 0o177 for found in opened] == [0]
    assert mode(folder / f"{conversation_id}.jsonl") == 0o600
    assert mode(folder) == 0o700


def test_a_folder_that_others_could_read_is_closed_to_them(open_log: Open, folder: Path) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o755)
    written(open_log)
    assert mode(folder) == 0o700


def test_streamed_text_is_written_in_pieces_and_reasoning_is_not(
    open_log: Open, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "TEXT_S", 0.3)
    journal = open_log()
    path = folder / f"{journal.conversation_id}.jsonl"
    journal.write(BEGAN)
    journal.write(at(1, ReasoningDelta("Hmm. ")))
    for seq in range(2, 502):
        journal.write(at(seq, TextDelta("word ")))

    # Nothing follows, as when the kernel is killed now: it is written within the second.
    until(lambda: path.exists() and "text_delta" in path.read_text())
    texts = [line for line in lines_of(path) if line["type"] == "event"]
    assert len(texts) <= 3
    journal.write(at(502, TextDelta("last")))
    journal.write(at(503, StageChanged("complete", "Done")))
    journal.close()

    (turn,) = open_log(journal.conversation_id).past.turns
    *words, stage = turn.events
    assert "".join(each.event.text for each in words if isinstance(each.event, TextDelta)) == "word " * 500 + "last"
    assert [each.seq for each in turn.events] == sorted({each.seq for each in turn.events})
    assert words[-1].seq == 502
    assert isinstance(stage.event, StageChanged)


def test_a_torn_last_line_is_passed_over_and_cut_off(open_log: Open, folder: Path) -> None:
    conversation_id = written(open_log)
    path = folder / f"{conversation_id}.jsonl"
    whole = path.read_bytes()
    for torn in (
        b'{"type": "event", "turn_id": "t1", "se',
        b"\xff" * 200_000,
        b'{"type":"items","turn_id":"t","items":[]}',
    ):
        path.write_bytes(whole + torn)

        again = open_log(conversation_id)
        assert len(again.past.turns[0].events) == 2
        assert path.read_bytes() == whole + torn  # only looked at
        again.write(at(3, StageChanged("complete", "Done")))
        again.close()

        assert path.read_bytes().startswith(whole + b'{"type":"event"')
        assert len(lines_of(path)) == 6
        last = open_log(conversation_id)
        assert len(last.past.turns[0].events) == 3
        last.close()
        path.write_bytes(whole)


def test_lines_that_say_nothing_are_passed_over(open_log: Open, folder: Path) -> None:
    conversation_id = written(open_log)
    path = folder / f"{conversation_id}.jsonl"
    header, began, *rest = path.read_bytes().splitlines(keepends=True)
    nonsense = [
        b"\n",
        b"no JSON\n",
        b"[" * 100_000 + b"\n",
        b"\xff\xfe\n",
        b'{"type":"hologram"}\n',
        b'{"type":"event","turn_id":"unknown","seq":1,"at":"2026-11-22T05:00:00+00:00"}\n',
        began,
        b'{"type":"items","turn_id":"t1","items":7}\n',
    ]
    path.write_bytes(b"".join([header, began, *nonsense, *rest]))

    again = open_log(conversation_id)

    assert again.problem == ""
    (turn,) = again.past.turns
    assert turn.events == (THINKING, ANSWERED)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "damaged"),
        (b"\x00" * 5000, "damaged"),
        (b"<html>\n", "damaged"),
        (b'{"type":"conversation","v":1}\n', "damaged"),
        (b"[" * 100_000 + b"\n", "damaged"),
        ("other version", "another version"),
        ("other name", "damaged"),
        ("long", "longer than"),
    ],
)
def test_a_log_that_cannot_be_read_is_left_alone(
    open_log: Open, folder: Path, content: bytes | str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation_id = written(open_log)
    path = folder / f"{conversation_id}.jsonl"
    if content == "other version":
        content = path.read_bytes().replace(b'"v":1', b'"v":2', 1)
    elif content == "other name":
        content = path.read_bytes().replace(conversation_id.encode(), b"0" * 32, 1)
    elif content == "long":
        monkeypatch.setattr("qdash_jupyter.session.past.MOST_BYTES", 10_000_000)
        content = path.read_bytes() + b"x" * 10_000_000
    assert isinstance(content, bytes)
    path.write_bytes(content)

    journal = open_log(conversation_id)

    assert journal.conversation_id not in {None, conversation_id}
    assert why in str(journal.problem)
    assert str(path) in str(journal.problem)
    assert journal.past.turns == ()
    journal.write(BEGAN)
    journal.close()
    assert path.read_bytes() == content
    assert len(list(folder.iterdir())) == 2


def test_a_folder_in_place_of_a_log(open_log: Open, folder: Path) -> None:
    conversation_id = uuid.uuid4().hex
    (folder / f"{conversation_id}.jsonl").mkdir(parents=True)
    journal = open_log(conversation_id)
    assert journal.conversation_id not in {None, conversation_id}
    assert journal.problem


@pytest.mark.parametrize("hostile", ["../../etc/passwd", "", "A" * 32, "a" * 33, "a" * 31 + "\n", "/" + "a" * 31])
def test_an_id_that_is_none(open_log: Open, folder: Path, hostile: str) -> None:
    journal = open_log(hostile)
    assert journal.conversation_id is not None
    assert len(journal.conversation_id) == 32
    assert "invalid conversation" in str(journal.problem)
    journal.write(BEGAN)
    journal.close()
    assert [path.stem for path in folder.iterdir()] == [journal.conversation_id]


def test_an_id_whose_log_is_not_here_is_kept(open_log: Open) -> None:
    conversation_id = uuid.uuid4().hex
    journal = open_log(conversation_id)
    assert (journal.conversation_id, journal.problem) == (conversation_id, "")


def test_two_kernels_with_one_new_id(open_log: Open, folder: Path) -> None:
    conversation_id = uuid.uuid4().hex
    first, second = open_log(conversation_id), open_log(conversation_id)
    first.write(BEGAN)
    first.close()
    second.write(BEGAN)
    second.close()
    assert second.conversation_id not in {None, conversation_id}
    assert len(list(folder.iterdir())) == 2


def test_a_copied_notebook_goes_on_with_a_copy(open_log: Open, folder: Path) -> None:
    conversation_id = written(open_log)
    original = (folder / f"{conversation_id}.jsonl").read_bytes()

    copied = open_log(conversation_id, COPY)

    assert copied.conversation_id not in {None, conversation_id}
    assert copied.problem == ""
    assert len(copied.past.turns) == 1
    path = folder / f"{copied.conversation_id}.jsonl"
    header, *rest = lines_of(path)  # there already: the id may be saved in the notebook before anything is asked
    assert (header["forked_from"], header["notebook"]) == (conversation_id, str(COPY))
    assert rest == [json.loads(line) for line in original.splitlines()[1:]]
    assert mode(path) == 0o600
    copied.write(TurnBegan("t2", "And now?", NOW))
    copied.close()
    assert (folder / f"{conversation_id}.jsonl").read_bytes() == original
    assert len(open_log(copied.conversation_id, COPY).past.turns) == 2
    assert len(open_log(conversation_id).past.turns) == 1


def test_a_notebook_that_is_not_known_goes_on_with_its_id(open_log: Open) -> None:
    conversation_id = written(open_log)
    assert open_log(conversation_id, None).conversation_id == conversation_id


def test_without_an_id_the_latest_log_of_the_notebook(open_log: Open, folder: Path) -> None:
    old, new, other = written(open_log), written(open_log), written(open_log, notebook=COPY)
    hour = 3600
    for conversation_id, age in ((old, 5 * hour), (new, 2 * hour), (other, hour)):
        then = time.time() - age
        os.utime(folder / f"{conversation_id}.jsonl", (then, then))
    (folder / "notes.jsonl").write_text("not ours\n")
    (folder / f"{'0' * 32}.jsonl").mkdir()

    found = open_log()
    assert found.conversation_id == new
    assert len(found.past.turns) == 1
    found.close()

    then = time.time() - 25 * hour
    for conversation_id in (old, new):
        os.utime(folder / f"{conversation_id}.jsonl", (then, then))
    assert open_log().conversation_id not in {old, new, other}


def test_without_an_id_and_a_notebook_nothing_is_kept(open_log: Open, folder: Path) -> None:
    journal = open_log(None, None)
    journal.write(BEGAN)
    journal.close()
    assert journal.conversation_id is None
    assert journal.problem == ""
    assert not folder.exists()


def test_a_second_kernel_goes_on_with_a_copy(open_log: Open, folder: Path) -> None:
    conversation_id = written(open_log)
    script = (
        "import sys\nfrom pathlib import Path\nfrom qdash_jupyter.session.journal import Journal\n"
        f"journal = Journal.open({conversation_id!r}, Path({str(NOTEBOOK)!r}), folder=Path({str(folder)!r}))\n"
        "print(journal.conversation_id, flush=True)\nsys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline().strip() == conversation_id

        second = open_log(conversation_id)
        assert second.conversation_id not in {None, conversation_id}
        assert "Another kernel" in str(second.problem)
        assert len(second.past.turns) == 1
        third = open_log()  # by the path: the copy is in use too
        assert third.conversation_id not in {None, conversation_id, second.conversation_id}
        third.close()
        other.stdin.close()
        assert other.wait(PATIENCE_S) == 0

    # The lock went with the process.
    assert open_log(conversation_id).conversation_id == conversation_id


def test_closed_and_written_again(open_log: Open) -> None:
    journal = open_log()
    journal.write(BEGAN)
    journal.close()
    journal.close()
    journal.write(THINKING)
    journal.close()
    (turn,) = open_log(journal.conversation_id).past.turns
    assert turn.events == (THINKING,)


def test_closed_and_written_again_at_once(open_log: Open) -> None:
    journal = open_log()
    journal.write(BEGAN)
    for number in range(200):
        journal.write(at(number, StageChanged("thinking", "Thinking…")))
        journal.close()
    journal.close()
    (turn,) = open_log(journal.conversation_id).past.turns
    assert [stamped.seq for stamped in turn.events] == list(range(200))


def test_closed_and_taken_up_by_another_kernel(open_log: Open) -> None:
    journal = open_log()
    journal.write(BEGAN)
    journal.close()
    other = open_log(journal.conversation_id)
    journal.write(THINKING)
    journal.close()
    assert "another kernel" in str(journal.problem)
    assert journal.conversation_id is None
    other.close()


def test_a_disk_that_is_full(open_log: Open, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = open_log()
    journal.write(BEGAN)
    path = folder / f"{journal.conversation_id}.jsonl"
    until(lambda: path.exists() and path.read_bytes().count(b"\n") == 2)
    before = path.read_bytes()
    real, calls = os.write, []

    def full(descriptor: int, data: Any) -> int:
        calls.append(1)
        if len(calls) == 1:
            return real(descriptor, bytes(data)[:20])  # a part of the line fits
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    journal.write(THINKING)
    journal.write(ANSWERED)
    journal.close()

    assert "No space left on device" in str(journal.problem)
    assert journal.conversation_id is None
    assert path.read_bytes() == before
    assert len(calls) == 2


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
@pytest.mark.parametrize("what", ["folder", "parent"])
def test_a_folder_in_which_nothing_can_be_made(
    open_log: Open, folder: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may write everywhere: what the system says is said for it."""
    real_open, real_mkdir = os.open, Path.mkdir

    def refuse(path: object) -> None:
        raise PermissionError(errno.EROFS, "Read-only file system", str(path))

    if what == "folder":
        folder.mkdir(parents=True)
        monkeypatch.setattr(
            os, "open", lambda path, *a, **o: refuse(path) if "conversations" in str(path) else real_open(path, *a, **o)
        )
    else:
        monkeypatch.setattr(
            Path, "mkdir", lambda path, *a, **o: refuse(path) if path == folder else real_mkdir(path, *a, **o)
        )
    journal = open_log()
    assert journal.problem == ""
    journal.write(BEGAN)
    journal.write(THINKING)
    until(lambda: journal.problem)
    assert "Read-only file system" in str(journal.problem)
    journal.write(ANSWERED)
    journal.close()
    assert journal.conversation_id is None


def test_a_log_that_can_only_be_read(open_log: Open, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation_id = written(open_log)

    def refused(*_: object) -> LineFile:
        raise PermissionError(errno.EACCES, "Permission denied", "the log")

    monkeypatch.setattr(LineFile, "open", refused)

    journal = open_log(conversation_id)

    assert len(journal.past.turns) == 1
    assert journal.conversation_id is None
    assert "Permission denied" in str(journal.problem)


def test_a_copy_that_cannot_be_made(open_log: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation_id = written(open_log)

    def refused(*_: object) -> LineFile:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(LineFile, "create", refused)

    journal = open_log(conversation_id, COPY)

    assert len(journal.past.turns) == 1
    assert journal.conversation_id is None
    assert "No space" in str(journal.problem)


def test_an_event_that_is_too_large_is_kept_without_its_charts(open_log: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LONGEST_LINE", 2_000)
    large = ChartBlock(({"y": list(range(2_000))},), {}, "Large")
    small = ChartBlock(({"y": [1]},), {}, "Small")
    journal = open_log()
    journal.write(BEGAN)
    journal.write(at(1, AnswerReady(Answer((TextBlock("a"), large)))))
    journal.write(at(2, AnswerReady(Answer((small, TextBlock("b"))))))
    journal.close()

    first, second = open_log(journal.conversation_id).past.turns[0].events
    assert isinstance(first.event, AnswerReady)
    assert "a\n\n*A chart was too large" in first.event.answer.text
    assert isinstance(second.event, AnswerReady)
    assert second.event.answer.charts == (small,)


@dataclass(frozen=True)
class Unnamed:
    """Not in the list of names."""


def test_a_mistake_of_ours_costs_one_line(
    open_log: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    journal = open_log()
    journal.write(BEGAN)
    journal.write(at(1, Unnamed()))
    journal.write(ANSWERED)
    journal.close()
    (turn,) = open_log(journal.conversation_id).past.turns
    assert turn.events == (ANSWERED,)
    assert "could not be written" in caplog.text


@pytest.mark.parametrize("how", ["environment", "file", "broken file"])
def test_switched_off(open_log: Open, folder: Path, how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation_id = written(open_log)
    before = {path: path.read_bytes() for path in folder.iterdir()}
    if how == "environment":
        monkeypatch.setenv("QDASH_COPILOT_HISTORY", "off")
    elif how == "file":
        (tmp_path / "copilot.yaml").write_text("history: false\n")
    else:
        (tmp_path / "copilot.yaml").write_text("histry: false\n")

    for asked in (conversation_id, None):
        journal = open_log(asked)
        assert journal.conversation_id is None
        assert journal.past.turns == ()
        assert bool(journal.problem) == (how == "broken file")
        journal.write(BEGAN)
        journal.close()
        assert journal.successor().conversation_id is None
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_the_environment_switches_it_on_again(open_log: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "copilot.yaml").write_text("history: false\n")
    monkeypatch.setenv("QDASH_COPILOT_HISTORY", "on")
    assert open_log().conversation_id is not None


def test_where_logs_are_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / "share" / name)
    journal = Journal.open(None, NOTEBOOK)
    journal.write(BEGAN)
    journal.close()
    assert (tmp_path / "share" / "qdash-jupyter" / "conversations" / f"{journal.conversation_id}.jsonl").is_file()


def test_an_empty_conversation_of_the_same_notebook(open_log: Open, folder: Path) -> None:
    first = open_log(written(open_log))
    second = first.successor()
    assert second.past.turns == ()
    assert second.conversation_id not in {None, first.conversation_id}
    second.write(BEGAN)
    second.close()
    assert lines_of(folder / f"{second.conversation_id}.jsonl")[0]["notebook"] == str(NOTEBOOK)


def test_which_notebook_this_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    where = partial(notebook_path, tmp_path)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert where() is None
    assert where("study/T1.ipynb") == tmp_path / "T1.ipynb"
    monkeypatch.setenv("JPY_SESSION_NAME", "study/T2.ipynb")
    assert where("study/T1.ipynb") == tmp_path / "T2.ipynb"
    monkeypatch.setenv("JPY_SESSION_NAME", str(tmp_path / "deep" / "T3.ipynb"))
    assert where("study/T1.ipynb") == tmp_path / "deep" / "T3.ipynb"


def test_keys_and_passwords_are_left_out(open_log: Open, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDASH_MONGO_URI", "mongodb://reader:p%40ss-W0rd@db.lab:27017/qdash")
    monkeypatch.setenv("MONGO_INITDB_ROOT_PASSWORD", 'ro"ot-9000')
    monkeypatch.setenv("QDASH_COPILOT_TRUST", str(Path.cwd()))
    (Path.cwd() / "copilot.yaml").write_text(
        "model: lab\nmodels:\n  lab: {name: m, api_key_env: LAB_KEY, headers: {X-Key: gateway-key-1}}\n"
    )
    journal = open_log()
    monkeypatch.setenv("LAB_KEY", "lab-key-0123456789")  # in a cell, after loading
    secrets = ["p%40ss-W0rd", "p@ss-W0rd", 'ro"ot-9000', "gateway-key-1", "lab-key-0123456789", "hunter22!"]
    said = f"my {' '.join(secrets[:5])} sk-proj-Abc123def456ghi789 mongodb://me:hunter22!@db/x?a=b https://x.y/z:8/@q"
    journal.write(TurnBegan("t1", said, NOW))
    journal.write(ItemsAdded("t1", ({"type": "message", "content": said},)))
    journal.write(at(1, TextDelta(said)))
    journal.close()

    content = (folder / f"{journal.conversation_id}.jsonl").read_text(encoding="utf-8")
    for secret in [*secrets, "Abc123def456"]:
        assert secret not in content
        assert json.dumps(secret)[1:-1] not in content
    (turn,) = open_log(journal.conversation_id).past.turns
    assert turn.began.question.startswith("my [hidden] [hidden]")
    assert turn.began.question.endswith("mongodb://me:[hidden]@db/x?a=b https://x.y/z:8/@q")


def test_short_and_plain_words_are_no_secrets(open_log: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONGO_INITDB_ROOT_PASSWORD", "calibration")
    monkeypatch.setenv("OPENAI_API_KEY", "x1")
    journal = open_log()
    journal.write(TurnBegan("t1", "Is the calibration of x1 good?", NOW))
    journal.close()
    (turn,) = open_log(journal.conversation_id).past.turns
    assert turn.began.question == "Is the calibration of x1 good?"


def test_of_a_long_log_every_line_is_read_once(open_log: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = open_log()
    journal.write(BEGAN)
    for seq in range(2_000):
        journal.write(at(seq, StageChanged("thinking", "Thinking about the qubits…")))
    journal.close()
    decoded, decode = [0], Decoder.decode

    def counted(decoder: Decoder, line: bytes) -> object:
        decoded[0] += 1
        return decode(decoder, line)

    monkeypatch.setattr(Decoder, "decode", counted)
    (turn,) = open_log(journal.conversation_id).past.turns
    assert len(turn.events) == 2_000
    assert decoded[0] == 2_002, "the header, the question, and the events"
    assert past.VERSION == 1
