"""`%copilot data refresh`, once or `every 10m`: stored results fetched again, and what came of each."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from qdash_jupyter.errors import PersonError, ToolError
from qdash_jupyter.messages.message import Message, Text, lines
from qdash_jupyter.session.conversation import Conversation
from qdash_jupyter.store.frame import StoredResult
from qdash_jupyter.store.store import FrameStore, no_such_data
from qdash_jupyter.tools.background import in_background


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


SHORTEST = timedelta(seconds=10)
"""A database is there for others, too."""

_PERIOD = re.compile(r"(\d+(?:\.\d+)?) *(s|m|min|h)")
_UNITS = {"s": timedelta(seconds=1), "m": timedelta(minutes=1), "min": timedelta(minutes=1), "h": timedelta(hours=1)}


def period_of(text: str) -> timedelta:
    """What `30s`, `10m` or `2h` means.

    Raises:
        PersonError: it is none, or less than 10 s.
    """
    found = _PERIOD.fullmatch(text.strip())
    try:
        period = float(found[1]) * _UNITS[found[2]] if found else timedelta()
    except OverflowError:
        period = timedelta()
    if period < SHORTEST:
        raise PersonError.with_hint("bad-period", text=text)
    return period


class Polling:
    """Fetches the results of these keys again, or all there are then; not while a question is answered from them."""

    def __init__(self, conversation: Conversation, keys: Sequence[str], every: timedelta) -> None:
        """Nothing happens before `run`."""
        self._conversation = conversation
        self._keys = tuple(keys)
        self._every = every
        self._last: Text = ""

    async def run(self) -> None:
        """Until it is cancelled. What fails is tried again the next time."""
        while True:
            await asyncio.sleep(self._every.total_seconds())
            if self._conversation.running is None:
                self._last = await in_background(self._refreshed, "qdash-refresh")

    def _refreshed(self) -> Text:
        last = Message("polling-last", time=f"{datetime.now(UTC):%H:%M:%S}")
        try:
            return lines(last, refreshed(self._conversation.data, self._keys))
        except PersonError as error:
            return lines(last, error.text)

    def words(self) -> Text:
        """What it does and what came of it last, as Markdown."""
        what = tuple(f"`data[{key!r}]`" for key in self._keys) or Message("polling-all")
        return lines(Message("polling", what=what, period=_shown(self._every)), self._last)


def _shown(period: timedelta) -> str:
    seconds = period.total_seconds()
    for size, unit in ((3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:g} {unit}"
    return f"{seconds:g} s"
