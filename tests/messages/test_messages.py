"""A text is a value until it is shown."""

from __future__ import annotations

import ast
import copy
import logging
import pickle
from pathlib import Path
from typing import get_args

import pytest

from qdash_jupyter.data.records import NoteKind
from qdash_jupyter.messages import languages
from qdash_jupyter.messages.message import (
    Field,
    Message,
    all_of,
    cut,
    lines,
    number_text,
    of_json,
    one_of,
    sentences,
    text_in,
    with_minus_signs,
)
from qdash_jupyter.store.listing import listing_html
from qdash_jupyter.tools.executions import ExecutionStatus
from qdash_jupyter.tools.task_results import TaskStatus
from qdash_jupyter.ui.display import markdown
from scripts.messages import PAGE, headings, page

NESTED = Message(
    "not-found-there",
    what=Message("kind-task"),
    asked="CheckT1",
    where=Message("on-chip", chip="{ $chip } ありません。"),
)


def test_the_page_has_all_messages() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run make docs"


def test_headings_of_tables_are_messages_whose_use_is_checked() -> None:
    said = ast.parse('f"element median~ {which}~ measured=t no-such"', mode="eval").body
    assert [*headings(said)] == [("plan-heading-measured",), ("plan-heading-no-such",)]


def test_words_come_from_the_language_of_the_reader_and_those_of_others_stay() -> None:
    assert str(NESTED) == NESTED.of("en") == "There is no task 'CheckT1' on chip { $chip } ありません."
    assert NESTED.of("ja") == "チップ{ $chip } ありません。にタスク「CheckT1」はありません。"
    assert text_in("温度が high.", "ja") == "温度が high."


def test_the_reader_is_whoever_looks_at_the_last_page_or_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for locale, language in {"C.UTF-8": "en", "ja_JP.UTF-8": "ja", "ja": "ja", "tlh_XX": "en", "": "en"}.items():
        monkeypatch.setenv("LC_ALL", locale)
        assert languages.reader() == language
    languages.show_in("ja")
    assert languages.reader() == "ja"
    assert "Pythonでの名前" in listing_html([])
    assert "使用中" in markdown(Message("magics-help"))["text/plain"]


@pytest.mark.parametrize(
    ("field", "english", "japanese"),
    [
        (12345, "12,345", "12,345"),
        (-3, "−3", "−3"),
        (-0.001234567, "−0.00123457", "−0.00123457"),
        (("Q07", "Q31"), "Q07, Q31", "Q07、Q31"),
        ((), "", ""),
        (all_of(["a", "b", "c"]), "a, b and c", "a、b、c"),
        (one_of(["a", "b"]), "a or b", "a、b"),
        (one_of(["a"]), "a", "a"),
        (cut(["a", "b", "c"], 2), "a, b and 1 more", "a、bほか1個"),
        (cut(["a", "b"], 2, more=1200), "a, b and 1,200 more", "a、bほか1,200個"),
        (cut(["a", "b"], 2), "a, b", "a、b"),
    ],
)
def test_fields(field: Field, english: str, japanese: str) -> None:
    shown = Message("not-found-known", names=field)
    assert (str(shown), shown.of("ja")) == (f"Known: {english}.", f"候補：{japanese}。")


def test_numbers_have_real_minus_signs_and_nothing_else_has() -> None:
    shown = "−44 % (−0.2 to 1e−08), −1,000 rows; Q36-Q38 4-1 2026-06-10 20260629-000 x-1 --wait - 3 `data[-1]`"
    assert with_minus_signs(shown.replace("−", "-").replace("`data[−1]`", "`data[-1]`")) == shown
    assert str(Message("plan-amount", value="-5.97", unit="MHz")) == "−5.97 MHz"
    assert str(Message("option-write", text="--top -3")) == "Write `--top -3`."


def test_what_tools_tell_as_codes_has_words() -> None:
    statuses = {*get_args(TaskStatus), *get_args(ExecutionStatus), "open", "closed"}
    for language in ("en", "ja"):
        words = {Message("task-status", status=status).of(language) for status in statuses}
        assert len(words) == len(statuses)
        assert language == "en" or not words & statuses
        kinds = {Message("note-kind", kind=kind).of(language) for kind in get_args(NoteKind)}
        assert len(kinds) == len(get_args(NoteKind))


def test_sentences_and_lines() -> None:
    both = sentences("", Message("no-chip"), Message("no-chip-hint"))
    assert text_in(both, "en") == "The database has no chips. Check the database name and the project."
    assert text_in(both, "ja") == "データベースにチップがありません。データベース名とプロジェクトを確認してください。"
    assert text_in(sentences("HTTP 500", Message("no-chip")), "ja") == "HTTP 500。データベースにチップがありません。"
    assert (
        text_in(sentences("it was `refused`", Message("no-chip")), "en")
        == "it was `refused`. The database has no chips."
    )
    assert text_in(sentences('He said "no."', Message("no-chip")), "en") == 'He said "no." The database has no chips.'
    assert text_in(lines("a", Message("no-chip"), ""), "en") == "a\nThe database has no chips."
    assert (sentences(), lines("a")) == ("", "a")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_nothing_is_cut(language: str) -> None:
    """Fluent itself refuses texts beyond 2,500 characters, and numbers beyond 28 digits."""
    said = "GPU 7 fell off the bus. " * 4000
    for text in (said, "a\0b", "\x000\x00", said + "\x000\x00"):
        shown = Message("key-failed", key="\x000\x00", problem=text).of(language)
        assert text in shown
        assert "\x000\x00: " in shown
    names = [f"Q{number:04}" for number in range(5000)]
    assert all(name in Message("not-found-known", names=all_of(names)).of(language) for name in names[::99])
    answer = lines(*(sentences(Message("no-chip"), said) for _ in range(9)))
    assert text_in(answer, language).count(said.strip()) == 9
    for number in (10**30, 1e300, float("inf"), float("nan"), -(10**30), 0.0):
        assert number_text(number) in Message("not-found-known", names=number).of(language)


def test_a_sentence_of_somebody_else_ends_once() -> None:
    assert str(Message("unreadable-file", file="a", reason="No such file.")).count("No such file.") == 1
    assert ".." not in str(Message("unreadable-file", file="a", reason="No such file."))
    assert str(Message("tool-failed-with", why="It is warm.")).endswith("It is warm.")


def test_a_log_may_hold_anything() -> None:
    for odd in ({"message": "x", "fields": 3}, {"message": "x"}, {"message": "x", "fields": {}, "more": 1}):
        assert of_json(odd) == odd
    for field in (None, True, {"a": 1}, [None, 2.5]):
        assert "There is no" in str(of_json({"message": "not-found", "fields": {"what": field, "asked": "x"}}))


def test_another_language_has_a_code_and_a_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="isn't the code"):
        languages.add_language("Klingon lab", "Klingon", tmp_path / "tlh.ftl")
    with pytest.raises(FileNotFoundError):
        languages.add_language("tlh", "Klingon", tmp_path / "tlh.ftl")
    assert "tlh" not in languages.LANGUAGES


def test_a_message_is_a_value() -> None:
    assert of_json(NESTED.as_json()) == pickle.loads(pickle.dumps(NESTED)) == copy.deepcopy(NESTED) == NESTED  # noqa: S301
    assert hash(NESTED) != hash(Message("no-chip"))
    listed = Message("withheld", names=("a", "b"), setting="x")
    assert of_json(listed.as_json()) == listed
    assert of_json({"message": "x"}) == {"message": "x"}
    assert repr(Message("on-chip", chip="c")) == "Message('on-chip', chip='c')"


def test_another_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "de.ftl"
    file.write_text(
        """\
list = { $first }, { $next }
list-or = { $first } oder { $last }
kind-task = Aufgabe
on-chip = auf dem Chip { $chip }
not-found-there = { $where } gibt es keine { $what } „{ $asked }“.
not-found-nearest = Meinten Sie { $names }?
calibration-notes-without = Die { $count ->
    [one] neueste Notiz erwähnt
   *[other] { $count } neuesten Notizen erwähnen
 } { $qid } nicht.
""",
        encoding="utf-8",
    )
    monkeypatch.setattr(languages, "LANGUAGES", dict(languages.LANGUAGES))
    monkeypatch.setitem(languages.FILES, "de", file)
    languages.add_language("de", "German", file)
    shown = Message("not-found-there", what=Message("kind-task"), asked="T1", where=Message("on-chip", chip="A"))
    assert shown.of("de") == "auf dem Chip A gibt es keine Aufgabe „T1“."
    assert Message("not-found-nearest", names=one_of("abc")).of("de") == "Meinten Sie a, b oder c?"
    counted = [Message("calibration-notes-without", count=n, qid="Q07").of("de") for n in (1, 1000)]
    assert counted == ["Die neueste Notiz erwähnt Q07 nicht.", "Die 1.000 neuesten Notizen erwähnen Q07 nicht."]
    assert Message("no-chip").of("de") == "The database has no chips."


def test_what_is_wrong_is_logged_and_never_raised(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, logger="qdash_jupyter"):
        assert str(Message("of-no-catalogue", name="x")) == "of-no-catalogue"
        assert Message("on-chip").of("xx") == "on chip chip"
    assert "of-no-catalogue" in caplog.text
    assert "chip" in caplog.text
