"""`%copilot data refresh`: stored results fetched again, and what came of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qdash_jupyter.errors import PersonError, ToolError
from qdash_jupyter.messages.message import Message, Text, lines
from qdash_jupyter.store.store import no_such_data

if TYPE_CHECKING:
    from qdash_jupyter.store.frame import StoredResult
    from qdash_jupyter.store.store import FrameStore


def refreshed(data: FrameStore, keys: Sequence[str]) -> Text:
    """Fetch the results of these keys again, or all of them, each call once; a line of Markdown says what came of each.

    Raises:
        PersonError: there is no such key.
    """
    wanted = meant(data, keys)
    if not wanted:
        return Message("no-data-yet")
    outcomes: list[Message] = []
    fetched: list[StoredResult] = []
    broken = False
    for old in wanted:
        new = next((new for new in fetched if new.source.same_call(old.source)), None)
        try:
            if new is None and not broken:
                fetched.append(new := old.refresh())
            outcome = _outcome(old, new) if new is not None else Message("refresh-not-tried")
        except (ToolError, PersonError) as error:
            broken = isinstance(error, PersonError)  # then the others would fail as well
            outcome = Message("refresh-failed", why=error.text)
        outcomes.append(Message("refreshed", key=old.key, outcome=outcome))
    return lines(*outcomes)


def meant(data: FrameStore, keys: Sequence[str]) -> list[StoredResult]:
    """The results of these keys, or all.

    Raises:
        PersonError: there is no such key.
    """
    if missing := [key for key in keys if key not in data]:
        raise PersonError(no_such_data(missing[0], data))
    return [data[key] for key in keys] or list(data.values())


def _outcome(old: StoredResult, new: StoredResult) -> Message:
    if new.key != old.key:
        return Message("refreshed-beside", key=new.key)
    rows = new.rows - old.rows
    return Message("refreshed-rows", version=new.version_words, rows=f"{rows:+,}") if rows else new.version_words
