"""Every error this package raises on purpose.

Whatever else is raised is a bug of ours: it is logged with its traceback, and the user is told so in one line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Self

from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Field, Message, Text, cut, one_of, sentences, text_in

_MOST_LISTED = 24


class CopilotError(Exception):
    """Root of the tree. `str(error)` is the message followed by the hint; neither ever holds a password or
    a key.
    """

    language: Language = ""
    """That of the question that failed; none where no question did."""

    def __init__(self, message: Text, hint: Text = "") -> None:
        """Say what happened in `message` and what to do about it in `hint`."""
        self.message = message
        self.hint = hint
        super().__init__(message, hint)

    @classmethod
    def with_hint(cls, id: str, /, **fields: Field) -> Self:  # noqa: A002 - as Fluent calls it
        """Return the error with the message of this id and the hint `<id>-hint`, which share their fields."""
        return cls(Message(id, **fields), Message(f"{id}-hint", **fields))

    @property
    def text(self) -> Text:
        """The message and the hint."""
        return sentences(self.message, self.hint)

    def __str__(self) -> str:
        return text_in(self.text, self.language)


class PersonError(CopilotError):
    """Shown to the user at the notebook or the shell, without a traceback."""


class ConfigurationError(PersonError):
    """A setting is wrong; the message names the setting and where it was read."""


class QuestionError(PersonError):
    """The question itself cannot be asked."""


class CopilotBusy(PersonError):
    """One question at a time in one conversation."""


class DatabaseError(PersonError):
    """The database or snapshot cannot be used."""


class DatabaseUnreachable(DatabaseError):
    """No MongoDB answers at the given address."""


class DatabaseLost(DatabaseUnreachable):
    """The connection to MongoDB broke while it was in use; a read is tried once more."""


class DatabaseRefused(DatabaseError):
    """MongoDB answers and refuses: wrong user, password, or no right to read."""


class SnapshotError(DatabaseError):
    """A snapshot folder is missing, incomplete, or written by a newer version."""


class ModelError(PersonError):
    """The language model gave no answer."""


class ModelUnreachable(ModelError):
    """No server answers at the model's base URL."""


class ModelTimedOut(ModelUnreachable):
    """The model's server sent nothing for as long as its time limit is."""


class ModelRefused(ModelError):
    """The model's server refuses the key."""


class ModelRateLimited(ModelError):
    """The model's server asks to slow down, after the retries of the client."""


class ModelRejected(ModelError):
    """The model's server does not accept the request (unknown model, unsupported parameter, too long)."""


class ModelContextExceeded(ModelRejected):
    """The request is longer than the model's window: a shorter one may do."""


class NoSuchApi(ModelRejected):
    """The server has no such API at this address; it may have the other one."""


class ModelBroken(ModelError):
    """The stream ended early, or reported a failure of the server."""


class CassetteError(ModelError):
    """A cassette cannot be read or written, or holds no reply to a request."""


class PageLost(CopilotError):
    """A browser tab that was asked to run a cell does not answer; never shown to the user."""


class ToolError(CopilotError):
    """Becomes a tool result which the model reads; `may_retry` says whether trying again can help."""

    kind = "tool_error"
    may_retry = True
    shown: Text = ""
    """What the user reads of it in the answer, as Markdown."""


class InvalidArguments(ToolError):
    """The arguments do not fit the tool's schema."""

    kind = "invalid_arguments"


class UnknownTool(ToolError):
    """There is no tool of that name."""

    kind = "unknown_tool"


class NotFound(ToolError):
    """Something was asked for by a name or id that does not exist."""

    kind = "not_found"

    def __init__(
        self, what: Message, asked: str, known: Iterable[str], *, where: Text = "", lists: bool = False
    ) -> None:
        """Name the nearest of the `known` ones (up to five), and list the known ones when nothing is near, or when it
        `lists` them anyway. `what` it is and `where` are words of the message.
        """
        self.asked = asked
        everything = list(known)
        self.nearest = nearest(asked, everything)
        near = Message("not-found-nearest", names=one_of(self.nearest)) if self.nearest else ""
        is_list = bool(everything) and (lists or not self.nearest)
        hint = sentences(near, Message("not-found-known", names=cut(everything, _MOST_LISTED)) if is_list else "")
        if where:
            super().__init__(Message("not-found-there", what=what, asked=asked, where=where), hint)
        else:
            super().__init__(Message("not-found", what=what, asked=asked), hint)


class Ambiguous(ToolError):
    """More than one thing fits; the hint lists them."""

    kind = "ambiguous"


class NoData(ToolError):
    """The thing exists, but nothing was measured in the range that was asked for."""

    kind = "no_data"


class IsWithheld(ToolError):
    """Only what the settings withhold from language models was asked for."""

    kind = "withheld"
    may_retry = False

    def __init__(self, setting: str, *names: str) -> None:
        """The names are in the list of this `setting`."""
        super().__init__(Message("withheld", names=names, setting=setting), Message("withheld-hint"))


class ToolTimedOut(ToolError):
    """The tool did not finish within its time limit."""

    kind = "timed_out"


class Unauthorized(ToolError):
    """The server of a declared tool does not accept the secret, or there is none."""

    kind = "unauthorized"
    may_retry = False


class Unreachable(ToolError):
    """No server of a declared tool answers."""

    kind = "unreachable"


class Refused(ToolError):
    """The server of a declared tool answers with an error."""

    kind = "refused"


class BrokenAnswer(ToolError):
    """What the server of a declared tool answers cannot be used."""

    kind = "broken_answer"


class NotApproved(ToolError):
    """Nobody allowed a call that acts on the outside world."""

    kind = "not_approved"
    may_retry = False

    def __init__(self, message: Text, hint: Text = "", *, shown: Text = "") -> None:
        """`shown` is what the user reads in the answer."""
        super().__init__(message, hint)
        self.shown = shown


class CallLimitReached(ToolError):
    """The tool was called more often than its limit allows in one question."""

    kind = "call_limit"
    may_retry = False


def nearest(asked: str, known: Sequence[str], count: int = 5) -> list[str]:
    """The `count` entries of `known` that look most like `asked`; none when nothing does."""
    lowered = {name.lower(): name for name in known}
    close = [lowered[name] for name in get_close_matches(asked.lower(), list(lowered), n=count, cutoff=0.5)]
    inside = [name for name in known if asked and asked.lower() in name.lower() and name not in close]
    return (close + inside)[:count]
