"""The conversations on disk: listed, found, renamed, gone on with, deleted; and the way back from a new one."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.errors import PersonError
from qdash_jupyter.llm.scripted import ScriptedLLM, text_reply
from qdash_jupyter.session.conversation import Conversation
from qdash_jupyter.session.journal import Journal
from qdash_jupyter.session.kept import KeptConversations
from qdash_jupyter.session.past import UnusableLog, past_of, read_log
from qdash_jupyter.session.writer import Writer
from tests.session.conversation import made, parts_with, without_settings

Begin = Callable[..., Conversation]
ANSWERS = ["Q07 lost T1.", "読み出しは良好です。", "Fine."]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    without_settings(monkeypatch, tmp_path)
    monkeypatch.setenv("JPY_SESSION_NAME", "/lab/Study.ipynb")
    return tmp_path / "conversations"


@pytest.fixture
def begin(shell: InteractiveShell, snapshot: Path, folder: Path) -> Begin:
    def conversation(*questions: str, answers: list[str] = ANSWERS) -> Conversation:
        def journal(conversation_id: str | None, notebook: Path | None) -> Journal:
            return Journal.open(conversation_id, notebook, folder=folder)

        llm = ScriptedLLM([text_reply(answer) for answer in answers])
        copilot = made(shell, parts_with(llm, snapshot), journal=journal)
        inside: Conversation = copilot._conversation
        for question in questions:
            ask(inside, question, folder)
        return inside

    return conversation


def ask(conversation: Conversation, question: str, folder: Path) -> None:
    """Ask, and wait for the end of the answer in the log, which a thread of its own writes."""
    conversation.start(question, inline=True).wait()
    path, last = folder / f"{conversation.conversation_id}.jsonl", conversation.turns[-1].events[-1]
    ends = time.monotonic() + 30
    while not path.exists() or last.seq not in _logged(path, last.turn_id):
        assert time.monotonic() < ends, "the answer is not written"
        time.sleep(0.005)


def _logged(path: Path, turn_id: str) -> set[int]:
    with suppress(UnusableLog):  # only begun
        past = past_of(read_log(path)[1])
        return {event.seq for turn in past.turns if turn.began.turn_id == turn_id for event in turn.events}
    return set()


@pytest.fixture
def kept(folder: Path) -> KeptConversations:
    return KeptConversations(folder)


def test_without_a_folder_they_are_in_the_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    kept = KeptConversations()
    assert kept.listed() == []
    assert kept._folder == tmp_path / "qdash-jupyter" / "conversations"


def test_the_newest_first_by_their_first_question(begin: Begin, kept: KeptConversations, folder: Path) -> None:
    assert kept.listed() == []
    one = begin("Which qubits lost T1?", "And T2?")
    first = one.conversation_id
    one.new()
    one.start("読み出しは?", inline=True).wait()
    one.close()
    assert first is not None
    os.utime(folder / f"{first}.jsonl", (1_000_000, 1_000_000))
    (folder / "nonsense.jsonl").write_text("{}\n")
    (folder / f"{'0' * 32}.jsonl").write_bytes(b"\xff\xfe no log\n")
    newest, oldest = kept.listed()
    assert (newest["title"], oldest["title"]) == ("読み出しは?", "Which qubits lost T1?")
    assert oldest["id"] == first
    assert oldest["notebook"] == "Study.ipynb"
    assert oldest["chip"]
    assert oldest["changed_at"] == 1_000_000


def test_another_conversation_has_another_session(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    one, ended = begin("Which qubits lost T1?"), list[str]()
    monkeypatch.setattr(one.kernel, "close", lambda: ended.append("session"))
    one.new()
    assert ended == ["session"]
    one.close()


def test_found_by_words_of_questions_answers_and_names(begin: Begin, kept: KeptConversations) -> None:
    one = begin("Which qubits lost T1?")
    one.new()
    one.start("読み出しは?", inline=True).wait()
    one.close()
    wanted = {
        "t1": 1,
        "LOST q07": 1,
        "読み出し": 1,
        "良好": 1,
        "study": 2,
        "no such word": 0,
        "t1 良好": 0,
        "": 2,
    }
    assert {words: len(kept.listed(words)) for words in wanted} == wanted


def test_a_hit_is_the_first_place_of_words_that_the_title_lacks(begin: Begin, kept: KeptConversations) -> None:
    long = f"{'Much. ' * 20}The amplifier\nwas replaced. {'More. ' * 40}"
    one = begin("Which qubits lost T1?", "And why?", answers=["Q07 lost T1.", long])
    first, second = (turn.turn_id for turn in one.turns)
    one.close()
    assert [(each["turn_id"], each["snippet"]) for each in kept.listed("lost q07") if each["turn_id"]] == [
        (first, "Q07 lost T1.")
    ]
    [found] = [each for each in kept.listed("AMPLIFIER why") if each["turn_id"]]
    assert (found["turn_id"], found["snippet"]) == (second, "And why?")
    [found] = [each for each in kept.listed("replaced t1") if each["turn_id"]]
    assert found["turn_id"] == second
    assert found["snippet"].startswith("…")
    assert "The amplifier was replaced. More." in found["snippet"]
    assert found["snippet"].endswith("…")
    assert [each["turn_id"] for each in kept.listed("t1")] == [""]


def test_a_title_and_the_first_question_again(begin: Begin, kept: KeptConversations, folder: Path) -> None:
    one = begin("Which qubits lost T1?")
    one.close()
    name = str(one.conversation_id)
    kept.rename(name, "  The warm-up\nof June  ")
    assert [each["title"] for each in kept.listed()] == ["The warm-up of June"]
    assert len(kept.listed("warm-up")) == 1
    kept.rename(name, " ")
    assert [each["title"] for each in kept.listed()] == ["Which qubits lost T1?"]
    for hostile in ("../../etc/passwd", "0" * 32):
        with pytest.raises(PersonError, match="This conversation no longer exists"):
            kept.rename(hostile, "x")


def test_deleted_it_is_gone_with_its_title(begin: Begin, kept: KeptConversations, folder: Path) -> None:
    one = begin("Which qubits lost T1?")
    name = str(one.conversation_id)
    kept.rename(name, "June")
    with pytest.raises(PersonError, match="Another kernel"):
        kept.delete(name)  # it is still written
    one.new()
    kept.delete(name)
    assert kept.listed() == []
    assert list(folder.iterdir()) == []
    one.close()


def test_after_a_year_they_are_forgotten_but_for_those_that_are_open(
    begin: Begin, kept: KeptConversations, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = begin("Which qubits lost T1?")
    forgotten = str(one.conversation_id)
    kept.rename(forgotten, "June")
    one.new()
    ask(one, "And T2?", folder)
    still_open = str(one.conversation_id)
    Journal.open(forgotten, None, folder=folder).close()  # young enough
    for name in (forgotten, still_open):
        os.utime(folder / f"{name}.jsonl", (time.time() - 366 * 86_400,) * 2)
    Journal.open(forgotten, None, folder=folder).close()  # it is gone on with, and so not forgotten
    assert len(kept.listed()) == 2
    os.utime(folder / f"{forgotten}.jsonl", (time.time() - 366 * 86_400,) * 2)
    Journal.open(None, Path("/lab/Other.ipynb"), folder=folder).close()
    assert [each["id"] for each in kept.listed()] == [still_open]
    assert [each.name for each in folder.iterdir()] == [f"{still_open}.jsonl"]
    one.close()


def test_gone_on_with(begin: Begin, kept: KeptConversations) -> None:
    one = begin("Which qubits lost T1?")
    first = str(one.conversation_id)
    one.new()
    one.start("And T2?", inline=True).wait()
    asyncio.run(one.go_on_with(first))
    assert one.conversation_id == first
    assert [turn.question for turn in one.turns] == ["Which qubits lost T1?"]
    one.start("And now?", inline=True).wait()
    assert [turn.question for turn in one.turns] == ["Which qubits lost T1?", "And now?"]
    assert "Which qubits lost T1?" in str(one.transcript.items)
    one.close()
    assert len(kept.listed()) == 2
    with pytest.raises(PersonError):
        asyncio.run(one.go_on_with("0" * 32))
    assert one.conversation_id == first


def test_a_log_that_was_just_left_is_no_other_kernels(
    begin: Begin, kept: KeptConversations, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine its last lines are written when it is chosen again."""
    let_go = Writer._let_go

    def late(writer: Writer) -> None:
        time.sleep(0.2)
        let_go(writer)

    monkeypatch.setattr(Writer, "_let_go", late)
    one = begin("Which qubits lost T1?")
    first = str(one.conversation_id)
    one.new()
    one.start("And T2?", inline=True).wait()
    asyncio.run(one.go_on_with(first))
    assert one.conversation_id == first
    one.close()
    assert len(kept.listed()) == 2


def test_a_new_one_is_undone_with_what_the_model_has_seen(begin: Begin, kept: KeptConversations) -> None:
    one = begin("Which qubits lost T1?")
    first = one.conversation_id
    one.new()
    one.new()  # twice on the button
    assert [each.question for each in one.turns] == []
    one.undo_new()
    assert one.conversation_id == first
    one.start("And T2?", inline=True).wait()
    assert [each.question for each in one.turns] == ["Which qubits lost T1?", "And T2?"]
    one.close()
    (only,) = kept.listed()
    assert only["id"] == first
    again = begin(answers=["Yes."])
    asyncio.run(again.adopt(first))
    assert len(again.turns) == 2
    again.close()


def test_there_is_no_way_back_once_something_was_asked(begin: Begin) -> None:
    one = begin("Which qubits lost T1?")
    one.new()
    one.start("And T2?", inline=True).wait()
    with pytest.raises(PersonError, match="can't be restored"):
        one.undo_new()
    assert [turn.question for turn in one.turns] == ["And T2?"]
    one.close()
