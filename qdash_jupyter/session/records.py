"""What a conversation's log says besides events: whose it is, what was asked, and what the model has seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from qdash_jupyter.agent.message_shape import ShapeViolation
from qdash_jupyter.domain.analysis import AskedAbout
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import StampedEvent
from qdash_jupyter.messages.languages import Language


@dataclass(frozen=True, slots=True)
class AskedFrom:
    """Where a question was asked: in which browser tab, below which cell, and the id that the question got there."""

    client_id: str | None = None
    cell_id: str | None = None
    ask_id: str | None = None

    @property
    def in_page(self) -> bool:
        """Whether it was a page: a tab that has told of itself, or a panel by itself."""
        return self.client_id is not None or self.ask_id is not None


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """What holds for one question alone, in place of what is in use; None leaves it. No log keeps it."""

    project: str | None = None
    chip: str | None = None
    qid: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a log: whose conversation it is. `notebook` is an absolute path, where it is known."""

    v: int
    conversation: str
    notebook: str | None
    created_at: datetime
    version: str
    forked_from: str | None = None


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A question was asked."""

    turn_id: str
    question: str
    asked_at: datetime
    language: Language = "en"
    asked_from: AskedFrom = field(default_factory=AskedFrom)
    analysis: AskedAbout | None = None


@dataclass(frozen=True, slots=True)
class ItemsAdded:
    """What the turn added to the transcript, as the server of `model` takes it."""

    turn_id: str
    items: tuple[JsonObject, ...]
    model: str = ""


Record: TypeAlias = Header | TurnBegan | StampedEvent | ItemsAdded
"""A line of a log."""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A turn of an earlier kernel: without an answer or a failure among its events, it was broken off.

    `first_item` is the place of its question in the transcript; None where it never got there.
    """

    began: TurnBegan
    events: tuple[StampedEvent, ...]
    first_item: int | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """What a log holds: the turns, oldest first, and the transcript."""

    turns: tuple[PastTurn, ...] = ()
    items: tuple[JsonObject, ...] = ()
    model: str = ""
    """That of the last items."""
    damage: tuple[ShapeViolation, ...] = field(default=(), compare=False)
    """What is wrong with the shape of the transcript, by its items; what is usable of it is used."""
