"""Reads the logs that are there. Lines that say nothing to this version are passed over."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from qdash_jupyter.agent.message_shape import ShapeViolation, expanded, shape_violations
from qdash_jupyter.config.disk import reason, user_folder
from qdash_jupyter.domain.analysis import NOTE, is_context, text_of
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.context import is_attached
from qdash_jupyter.domain.events import StampedEvent
from qdash_jupyter.messages.message import Message, Text
from qdash_jupyter.session.codec import Decoder
from qdash_jupyter.session.jsonl import first_line, whole_lines
from qdash_jupyter.session.records import Header, ItemsAdded, Past, PastTurn, TurnBegan

VERSION = 1
"""Of the logs. Those of another version are left alone."""

MOST_BYTES = 64_000_000
"""A longer log is not read again."""

_LATEST_S = 24 * 3600
_ID = re.compile(r"[0-9a-f]{32}")


class UnusableLog(Exception):
    """The log cannot be taken up; `why` says it as a part of a sentence."""

    def __init__(self, why: Text) -> None:
        super().__init__(why)
        self.why = why


def is_conversation_id(text: str) -> bool:
    """Whether this can be an id, and so the name of a file."""
    return _ID.fullmatch(text) is not None


def conversations_folder() -> Path:
    """Where the user's logs are."""
    return user_folder("data") / "conversations"


def log_path(folder: Path, conversation_id: str) -> Path:
    """The log of a conversation."""
    return folder / f"{conversation_id}.jsonl"


def latest_log(folder: Path, notebook: str) -> Path | None:
    """The log of this notebook that was written last, within a day."""
    for written, path in logs_in(folder):
        if time.time() - written >= _LATEST_S:
            break
        try:
            header = Decoder().decode(first_line(path))
        except OSError:
            continue
        if isinstance(header, Header) and header.notebook == notebook:
            return path
    return None


def header_of(lines: Sequence[bytes], path: Path) -> Header:
    """The header of a log.

    Raises:
        UnusableLog: it has none, or not one of this version.
    """
    header = Decoder().decode(lines[0]) if lines else None
    if not isinstance(header, Header) or header.conversation != path.stem:
        raise UnusableLog(Message("log-damaged"))
    if header.v != VERSION:
        raise UnusableLog(Message("log-of-other-version"))
    return header


def read_log(path: Path) -> tuple[Header, Sequence[bytes]]:
    """The header of a log, and the lines after it.

    Raises:
        UnusableLog: it cannot be read, is too long, or has no header of this version.
    """
    try:
        lines = whole_lines(path, MOST_BYTES)
    except OSError as error:
        raise UnusableLog(reason(error)) from None
    if lines is None:
        raise UnusableLog(Message("log-too-long", mb=MOST_BYTES // 1_000_000))
    return header_of(lines, path), lines[1:]


def past_of(lines: Iterable[bytes]) -> Past:
    """What the lines after the header hold."""
    decoder = Decoder()
    turns: dict[str, tuple[TurnBegan, list[StampedEvent]]] = {}
    items: list[JsonObject] = []
    first_items: dict[str, int] = {}
    model = ""
    for line in lines:
        record = decoder.decode(line)
        if isinstance(record, TurnBegan):
            turns.setdefault(record.turn_id, (record, []))
        elif isinstance(record, StampedEvent) and record.turn_id in turns:
            turns[record.turn_id][1].append(record)
        elif isinstance(record, ItemsAdded):
            first_items.setdefault(record.turn_id, len(items))
            items.extend(expanded(record.items))
            model = record.model
    past = (PastTurn(began, tuple(events), first_items.get(turn)) for turn, (began, events) in turns.items())
    return Past(tuple(past), tuple(items), model, tuple(_damage(items, first_items.values())))


def _damage(items: Sequence[JsonObject], first: Iterable[int]) -> Iterator[ShapeViolation]:
    """What is wrong with the shape of the conversation, at which item. Calls with their outputs and what the program
    says are its own, answers may come in pieces, and a turn that was stopped has none.
    """
    begins, calls = set(first), [item.get("call_id") for item in items if item.get("type") == "function_call"]
    messages: list[JsonObject] = []
    places: list[int] = []
    for place, item in enumerate(items):
        role = item.get("role")
        if place in begins and messages and messages[-1].get("role") == "user":
            messages.append({"role": "assistant"})
            places.append(place)
        is_output = item.get("type") == "function_call_output"
        is_own = is_output and item.get("call_id") in calls
        is_own |= not is_output and item.get("type", "message") != "message"
        is_own |= role == "user" and (is_context(item) or is_attached(item) or text_of(item).startswith(NOTE))
        if not is_own and not (role == "assistant" and messages and messages[-1].get("role") == role):
            messages.append(item)
            places.append(place)
    ended = messages and messages[-1].get("role") == "user"
    for violation in shape_violations([*messages, *([{"role": "assistant"}] if ended else []), {"role": "user"}]):
        yield ShapeViolation(places[min(violation.place, len(places) - 1)], violation.message)


def logs_in(folder: Path) -> list[tuple[float, Path]]:
    """The logs of a folder, each with when it was written, the newest first."""
    found = []
    for path in folder.glob("*.jsonl"):
        if is_conversation_id(path.stem):
            with contextlib.suppress(OSError):  # it went away meanwhile
                found.append((path.stat().st_mtime, path))
    return sorted(found, reverse=True)
