"""A conversation on disk: an append-only log in the user's data folder, taken up again after a restart."""

from __future__ import annotations

import os
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from qdash_jupyter.config.disk import reason
from qdash_jupyter.config.layers import load_manifest
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.session.jsonl import FileInUse, LineFile
from qdash_jupyter.session.kept import KeptConversations
from qdash_jupyter.session.past import (
    VERSION,
    UnusableLog,
    conversations_folder,
    is_conversation_id,
    latest_log,
    log_path,
    past_of,
    read_log,
)
from qdash_jupyter.session.records import Header, Past, Record
from qdash_jupyter.session.writer import Writer
from qdash_jupyter.version import __version__


class Journal:
    """The log of one conversation. It never fails aloud: `problem` says what there is to say."""

    def __init__(self, conversation_id: str | None, notebook: Path | None = None, folder: Path | None = None) -> None:
        """A new conversation, which becomes a file with its first record; see `open`. Without an id it is not kept."""
        self.conversation_id = conversation_id
        """None where the conversation is not kept."""
        self.past = Past()
        """What an earlier kernel wrote."""
        self.problem: Text = ""
        """Why the conversation is not kept or not taken up, as a sentence for the user; empty when all is well."""
        self._notebook = notebook
        self._folder = folder or Path()
        self._exists = False
        self._writer = Writer(self._opened, self._not_kept)

    @classmethod
    def open(cls, conversation_id: str | None, notebook: Path | None, *, folder: Path | None = None) -> Self:
        """The log to go on with. Blocks while it reads.

        With an id it is the log of that id; one of another notebook, or that another kernel has open, is copied.
        Without, it is the notebook's latest log of the last 24 hours, because an id may not have been saved in the
        notebook. Else it is a new one.

        Args:
            conversation_id: what the notebook's metadata say.
            notebook: its path, where it is known.
            folder: where logs are; by default the user's data folder.
        """
        try:
            manifest = load_manifest().manifest
        except ConfigurationError as error:
            unkept = cls(None)
            unkept._not_kept(error.message)
            return unkept
        if not manifest.history or (notebook is None and conversation_id is None):
            return cls(None)
        folder = folder or conversations_folder()
        journal = cls(uuid.uuid4().hex, notebook, folder)
        if conversation_id is None:
            path = latest_log(folder, str(notebook))
        elif is_conversation_id(conversation_id):
            path = log_path(folder, conversation_id)
        else:
            path = None
            journal.problem = Message("history-bad-id")
        if path is not None and path.exists():
            journal._take_up(path)
        elif path is not None:
            journal.conversation_id = conversation_id
        if manifest.history_days is not None:
            KeptConversations(folder).forget_older(manifest.history_days, but=conversation_id or "")
        return journal

    def successor(self) -> Self:
        """An empty conversation of the same notebook."""
        fresh = None if self.conversation_id is None else uuid.uuid4().hex
        return type(self)(fresh, self._notebook, self._folder)

    def write(self, record: Record) -> None:
        """Add a record, soon; streamed text within a second."""
        if self.conversation_id is not None:
            self._writer.put(record)

    def close(self) -> None:
        """Write what there is, and let go of the file. A record written afterwards opens it again."""
        self._writer.close()

    def _opened(self) -> LineFile:
        """The file for the writer."""
        if self._exists:
            return LineFile.open(self._path)
        try:
            return self._made(None)
        except FileExistsError:  # two kernels were given one id, and the other one was asked first
            self.conversation_id = uuid.uuid4().hex
            return self._made(None)

    def _made(self, forked_from: str | None, lines: Sequence[bytes] = ()) -> LineFile:
        assert self.conversation_id is not None  # noqa: S101 - what is not kept is not written
        notebook = str(self._notebook) if self._notebook is not None else None
        header = Header(VERSION, self.conversation_id, notebook, datetime.now(UTC), __version__, forked_from)
        file = LineFile.create(self._path)
        try:
            file.append(self._writer.line(header) + b"".join(line + b"\n" for line in lines))
        except BaseException:
            file.close()
            self._path.unlink(missing_ok=True)
            raise
        self._exists = True
        return file

    @property
    def _path(self) -> Path:
        return log_path(self._folder, str(self.conversation_id))

    def _not_kept(self, why: Text) -> None:
        self.problem = Message("history-not-kept", why=why)
        self.conversation_id = None

    def _take_up(self, path: Path) -> None:
        """Become the log at `path`, or a copy of it; stay a new one where it cannot be used."""
        file, in_use = None, False
        closed: Text = ""
        try:
            file = LineFile.open(path)
        except FileInUse:
            in_use = True
        except OSError as error:
            closed = reason(error)
        try:
            header, lines = read_log(path)
        except UnusableLog as problem:
            if file is not None:
                file.close()
            self.problem = Message("history-unusable", why=problem.why, path=str(path))
            return
        self.past = past_of(lines)
        if self.past.damage:
            wrong = tuple(Message("history-damage", place=one.place, why=one.message) for one in self.past.damage)
            self.problem = Message("history-damaged", items=wrong)
        elsewhere = self._notebook is not None and header.notebook not in {None, str(self._notebook)}
        if elsewhere or in_use:
            if file is not None:
                file.close()
            self._copy(lines, path.stem)
            if in_use and not elsewhere:
                self.problem = self.problem or Message("history-copied")
        elif file is None:
            self._not_kept(closed)
        else:
            self.conversation_id, self._exists = path.stem, True
            self._writer.take_over(file)

    def _copy(self, lines: Sequence[bytes], origin: str) -> None:
        try:
            self._writer.take_over(self._made(origin, lines))
        except OSError as error:
            self._not_kept(reason(error))


def notebook_path(folder: Path, told: str | None = None) -> Path | None:
    """The notebook that this kernel belongs to: what the Jupyter server says, else what the page `told`.

    Args:
        folder: the kernel's working folder at its start, for names that are not absolute.
        told: the notebook's path on the server.
    """
    name = os.environ.get("JPY_SESSION_NAME") or told
    if not name:
        return None
    path = Path(name)
    return path if path.is_absolute() else folder / path.name
