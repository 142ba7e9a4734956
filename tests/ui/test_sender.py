"""The one writer of the panel's channel, on a loop whose clock the tests turn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest

from qdash_jupyter.agent.thread import AgentLoop
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import AgentEvent, StageChanged, StampedEvent, TurnFailed
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.ui.panel_state.state import PanelState
from qdash_jupyter.ui.sender import BEATS_S, TICK_S, PanelSender


@dataclass
class Timer:
    """A call that is due at a time."""

    when: float
    call: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass
class Clock:
    """What the sender uses of a running loop."""

    now: float = 0.0
    timers: list[Timer] = field(default_factory=list)

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, call: Callable[..., None], *arguments: Any) -> Timer:
        self.timers.append(Timer(when, lambda: call(*arguments)))
        return self.timers[-1]

    def call_later(self, delay: float, call: Callable[..., None], *arguments: Any) -> Timer:
        return self.call_at(self.now + delay, call, *arguments)

    def run_to_the_end(self) -> None:
        while timers := sorted((each for each in self.timers if not each.cancelled), key=lambda each: each.when):
            self.timers.remove(timers[0])
            self.now = max(self.now, timers[0].when)
            timers[0].call()


@dataclass
class Channel:
    """The sender, its clock, and what it sent at which time."""

    clock: Clock
    state: PanelState = field(default_factory=lambda: PanelState("i"))
    changes: int = 0
    sent: list[tuple[float, str, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.state.take()
        self.sender = PanelSender(self.state, self.note)

    def note(self, message: JsonObject) -> None:
        self.sent.append((self.clock.now, message["type"], message["seq"]))

    def change(self) -> None:
        self.changes += 1
        self.state.set("conversation", f"{self.changes}")
        self.sender.changed()


@pytest.fixture
def channel(monkeypatch: pytest.MonkeyPatch) -> Channel:
    clock = Clock()
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: clock)
    return Channel(clock)


def test_changes_of_one_tick_are_one_message(channel: Channel) -> None:
    for each in range(100):
        channel.clock.call_at(each / 1_000, channel.change)
    channel.clock.run_to_the_end()
    patches = [at for at, kind, _ in channel.sent if kind == "patch"]
    assert channel.state.take() == []
    assert patches == pytest.approx([0, TICK_S, 2 * TICK_S, 3 * TICK_S])


def test_everything_takes_the_place_of_a_change(channel: Channel) -> None:
    channel.change()
    channel.sender.resync()
    channel.clock.run_to_the_end()
    assert [kind for _, kind, _ in channel.sent if kind != "beat"] == ["snapshot"]


def test_beats_follow_the_last_message_ever_more_rarely_and_come_to_an_end(channel: Channel) -> None:
    channel.change()
    channel.clock.run_to_the_end()
    beats = [(at, seq) for at, kind, seq in channel.sent if kind == "beat"]
    assert beats[:3] == [(1, 1), (5, 1), (9, 1)]
    assert beats[-2:] == [(166, 1), (181, 1)]
    assert {seq for _, seq in beats} == {1}


def test_beats_go_on_as_long_as_the_model_is_at_work(channel: Channel) -> None:
    """Else a hub would take the kernel of a long answer for idle."""
    turn = Turn("How is the chip?", AgentLoop())

    def happens(seq: int, event: AgentEvent) -> None:
        channel.state.add(turn, StampedEvent(turn.turn_id, seq, turn.asked_at, event))
        channel.sender.changed()

    happens(1, StageChanged("thinking", "Thinking"))
    channel.clock.call_at(1_000, happens, 2, TurnFailed("No answer.", "Ask again.", "PersonError"))
    channel.clock.run_to_the_end()
    beats = [at for at, kind, _ in channel.sent if kind == "beat"]
    assert max(later - one for one, later in pairwise([*beats, 1_000])) <= BEATS_S[-1]
    assert 1_000 < beats[-1] < 1_300


def test_a_message_begins_the_beats_anew(channel: Channel) -> None:
    channel.change()
    channel.clock.call_at(2, channel.change)
    channel.clock.run_to_the_end()
    beats = [(at, seq) for at, kind, seq in channel.sent if kind == "beat"]
    assert beats[:3] == [(1, 1), (3, 2), (7, 2)]
    assert len(beats) == 1 + len(BEATS_S)


def test_nothing_comes_after_it_was_closed(channel: Channel) -> None:
    channel.change()
    channel.clock.call_at(5, channel.change)
    channel.clock.call_at(5, channel.sender.close)
    channel.clock.run_to_the_end()
    assert [(kind, seq) for _, kind, seq in channel.sent] == [("patch", 1), ("beat", 1)]
