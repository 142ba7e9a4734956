"""The conversations in the user's data folder: listed, found, renamed, deleted."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from qdash_jupyter.config.disk import reason
from qdash_jupyter.domain.analysis import situation_in
from qdash_jupyter.domain.events import AnswerReady, StampedEvent
from qdash_jupyter.domain.wire import panel
from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.codec import Decoder
from qdash_jupyter.session.jsonl import PRIVATE_FILE, FileInUse, LineFile
from qdash_jupyter.session.past import (
    UnusableLog,
    conversations_folder,
    is_conversation_id,
    log_path,
    logs_in,
    past_of,
    read_log,
)
from qdash_jupyter.session.records import Header, ItemsAdded, Past, Record, TurnBegan

MOST_LISTED = 200
MOST_TITLE_CHARS = 120
_FIRST_LINES = 12
"""Among which a log says what its first question was, and of which chip."""
_SPOKEN = (b'"turn"', b'"answer_ready"')
"""In lines that say what was asked and answered."""
_LONGEST_LINE = 1 << 20
_SNIPPET_BEFORE, _SNIPPET_AFTER = 24, 80
"""Letters of a text that are shown before and from a word that was looked for."""
_DAY_S = 24 * 3600


class KeptConversations:
    """All methods block. The files are the user's own: whoever else reads them is no concern of ours."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is where logs are; None is the user's data folder."""
        self._folder = folder or conversations_folder()

    def listed(self, words: str = "") -> list[panel.Kept]:
        """Those in whose title, questions and answers all words stand, newest first."""
        wanted = words.lower().split()
        summaries = ((path, found) for _, path in logs_in(self._folder) if (found := _summary(path)) is not None)
        fitting = (fits for path, found in summaries if (fits := _fitting(path, found, wanted)) is not None)
        return list(islice(fitting, MOST_LISTED))

    def title_of(self, conversation_id: str) -> str:
        """Return the title that the user gave; empty without one."""
        with contextlib.suppress(OSError, UnicodeError, PersonError):
            return _given_title(self._path(conversation_id))
        return ""

    def rename(self, conversation_id: str, title: str) -> None:
        """Give it another title; an empty one gives it back its first question.

        Raises:
            PersonError: there is no such conversation, or the title cannot be kept.
        """
        path = _title_file(self._path(conversation_id))
        try:
            if title.strip():
                path.write_text(" ".join(title.split())[:MOST_TITLE_CHARS], encoding="utf-8")
                path.chmod(PRIVATE_FILE)
            else:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise PersonError.with_hint("title-not-kept", why=reason(error), path=str(path.parent)) from None

    def delete(self, conversation_id: str) -> None:
        """Forget it for good.

        Raises:
            PersonError: there is no such conversation, another kernel has it open, or it cannot be deleted.
        """
        path = self._path(conversation_id)
        try:
            LineFile.open(path).close()  # nobody has it open
            path.unlink()
            _title_file(path).unlink(missing_ok=True)
        except FileInUse:
            raise PersonError.with_hint("conversation-in-use") from None
        except OSError as error:
            message = Message("conversation-not-deleted", why=reason(error))
            raise PersonError(message, Message("conversation-file", path=str(path))) from None

    def read(self, conversation_id: str) -> tuple[str, Past]:
        """Its chip, empty where none was chosen, and what was asked and answered.

        Raises:
            PersonError: there is no such conversation, or it cannot be read.
        """
        path = self._path(conversation_id)
        try:
            _, lines = read_log(path)
        except UnusableLog as problem:
            raise PersonError(
                Message("conversation-unreadable", why=problem.why), Message("conversation-file", path=str(path))
            ) from None
        found = _summary(path)
        return "" if found is None else found["chip"], past_of(lines)

    def forget_older(self, days: float, but: str) -> None:
        """Delete those that were not written for so many days, except for one, and for those that are open."""
        for written, path in logs_in(self._folder):
            if path.stem != but and time.time() - written > days * _DAY_S:
                with contextlib.suppress(PersonError):
                    self.delete(path.stem)

    def _path(self, conversation_id: str) -> Path:
        path = log_path(self._folder, conversation_id)
        if not is_conversation_id(conversation_id) or not path.is_file():
            raise PersonError.with_hint("conversation-gone")
        return path


def _summary(path: Path) -> panel.Kept | None:
    """What the first lines say; None where it is no log with a question. The title is the first question, unless the
    user gave it another one.
    """
    header, began, chip = None, None, ""
    try:
        changed_at = path.stat().st_mtime
        for record in islice(_records(path), _FIRST_LINES):
            if isinstance(record, Header):
                header = record
            elif isinstance(record, TurnBegan):
                began = began or record
            elif isinstance(record, ItemsAdded):
                told = (situation_in(item).get("chip") for item in record.items)
                chip = chip or next((str(each) for each in told if each), "")
            if header and began and chip:
                break
        title = _given_title(path)
    except (OSError, UnicodeError):
        return None
    if header is None or began is None:
        return None
    first = " ".join(began.question.split())[:MOST_TITLE_CHARS]
    notebook = Path(header.notebook).name if header.notebook else ""
    return {
        "id": path.stem,
        "title": title or first,
        "changed_at": changed_at,
        "notebook": notebook,
        "chip": chip,
        "snippet": "",
        "turn_id": "",
    }


def _fitting(path: Path, found: panel.Kept, wanted: list[str]) -> panel.Kept | None:
    """The conversation with where the words are; None where one of them is nowhere."""
    left = [word for word in wanted if word not in f"{found['title']} {found['notebook']} {found['chip']}".lower()]
    with contextlib.suppress(OSError):
        for turn_id, text in _spoken(path) if left else ():
            inside = [word for word in left if word in text.lower()]
            if inside and not found["turn_id"]:
                found = {**found, "turn_id": turn_id, "snippet": _snippet(text, inside[0])}
            left = [word for word in left if word not in inside]
            if not left:
                break
    return None if left else found


def _spoken(path: Path) -> Iterator[tuple[str, str]]:
    """Questions and answers, each with its turn."""
    for record in _records(path, _SPOKEN):
        if isinstance(record, TurnBegan):
            yield record.turn_id, record.question
        elif isinstance(record, StampedEvent) and isinstance(record.event, AnswerReady):
            yield record.turn_id, record.event.answer.text.replace("**", "")


def _snippet(text: str, word: str) -> str:
    line = " ".join(text.split())
    at = line.lower().find(word)
    first, last = max(0, at - _SNIPPET_BEFORE), at + _SNIPPET_AFTER
    return f"{'…' if first else ''}{line[first:last].strip()}{'…' if last < len(line) else ''}"


def _records(path: Path, marks: Sequence[bytes] = (b"",)) -> Iterator[Record]:
    """Those whose lines hold one of the marks: to read all of a log takes a second for some megabytes."""
    decoder = Decoder()
    with path.open("rb") as file:
        while line := file.readline(_LONGEST_LINE):
            if any(mark in line for mark in marks) and (record := decoder.decode(line)) is not None:
                yield record


def _given_title(path: Path) -> str:
    return _title_file(path).read_text(encoding="utf-8") if _title_file(path).is_file() else ""


def _title_file(path: Path) -> Path:
    return path.with_suffix(".title")
