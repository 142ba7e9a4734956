"""The time of each call of a script of tools on one MongoDB server: ours against a re-creation of QDash's own.

All ask the same server in turns, ours first in every other round, after one call of each; and each call once more with
a new reader, which knows nothing of the chip (cold). QDash's way is its queries
(`qdash_queries.py`) and what it makes of them (`qdash_results.py`), once without and once with a model of each document
(`qdash_models.py`), as QDash makes one; the goals are compared with the way without, which costs less. "In commands" is
what ours waits for its commands, "slowest" the slowest of them with its continuations.

QDASH_MONGO_URI_FOR_TESTS names a real server, to which a database is added for the time; without it the tests' server
is asked, which is slow and often looks at every document. SIZE (qubits), DAYS and ROUNDS change what is measured.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import pymongo
from calls import Call, script
from demo_chip import DemoChip, make_demo
from pymongo import monitoring
from qdash_queries import QDashQueries
from qdash_results import QDashTools

from qdash_jupyter.data.mongo.reader import MongoReader

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.data.mongo.whole_protocol import QUERIES, Commands
from tests.mongo_documents import load_documents
from tests.mongo_server import real_server, running
from tests.tools.toolbench import Tools

SIZE, DAYS, ROUNDS = (int(os.environ.get(name, usual)) for name, usual in (("SIZE", 64), ("DAYS", 15), ("ROUNDS", 5)))
SUM_GOAL, MEDIAN_GOAL, WORST_GOAL, REAL_GOAL = 0.7, 0.9, 1.2, 0.5
SHORT_MS = 10
"""What a call may take longer than QDash's, whatever the ratio."""
OF_SLOWEST, BESIDE_MS = 1.35, 40
"""A call may take so many times its slowest command, and so much longer."""

PATIENCE_S = 600
"""The tests' server is slow: the usual limits of a query would be too short."""


class Timed(Commands):
    """What was sent, and how long each command took with its continuations, in ms."""

    def __init__(self) -> None:
        super().__init__()
        self.took: list[float] = []
        self._continues: dict[int, int] = {}
        self._cursors: dict[int, int] = {}

    def started(self, event: monitoring.CommandStartedEvent) -> None:  # noqa: D102
        super().started(event)
        if event.command_name == "getMore":
            self._continues[event.request_id] = self._cursors[event.command["getMore"]]

    def succeeded(self, event: monitoring.CommandSucceededEvent) -> None:  # noqa: D102
        if event.command_name not in {*QUERIES, "getMore"}:
            return
        place = self._continues.pop(event.request_id, len(self.took))
        if place == len(self.took):
            self.took.append(0)
        self.took[place] += event.duration_micros / 1e3
        if cursor := event.reply.get("cursor"):
            self._cursors[cursor["id"]] = place

    def clear(self) -> None:
        """Begin anew."""
        self.sent.clear()
        self.took.clear()


@dataclass
class Way:
    """One way to answer a call: by call, its times in ms, those of its commands, and how many it sent the last time."""

    ask: Callable[[str, dict[str, Any]], None]
    commands: Timed
    ms: dict[int, list[float]] = field(default_factory=dict)
    in_commands: dict[int, list[float]] = field(default_factory=dict)
    slowest: dict[int, list[float]] = field(default_factory=dict)
    sent: dict[int, int] = field(default_factory=dict)

    def take(self, place: int, call: Call) -> None:
        """Make the call, and note what it cost."""
        self.commands.clear()
        begin = time.perf_counter()
        self.ask(*call)
        self.ms.setdefault(place, []).append((time.perf_counter() - begin) * 1e3)
        self.in_commands.setdefault(place, []).append(sum(self.commands.took))
        self.slowest.setdefault(place, []).append(max(self.commands.took, default=0))
        self.sent[place] = len(self.commands.queries())


@contextmanager
def server() -> Iterator[tuple[str, str]]:
    """The address of the server to be asked, and what it is."""
    if uri := real_server():
        with pymongo.MongoClient[Any](uri) as client:
            yield uri, f"MongoDB {client.server_info()['version']}"
        return
    with tempfile.TemporaryDirectory() as place, running(place) as port:
        yield f"mongodb://127.0.0.1:{port}/", "the tests' server, secantusd-py, which is not MongoDB"


@contextmanager
def database_of(uri: str, documents: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    """The name of a database that holds these documents, with QDash's indexes, and goes away in the end."""
    name = f"qdash_bench_{uuid.uuid4().hex[:12]}"
    with pymongo.MongoClient[Any](uri) as client:
        load_documents(documents, client[name])
        try:
            yield name
        finally:
            client.drop_database(name)


def ours(uri: str, name: str, *, is_cold: bool = False) -> Way:
    """Our tools on a reader, as a question calls them: in a loop that runs already; or on a new one for each call."""
    commands, loop = Timed(), asyncio.Runner()
    client = pymongo.MongoClient[Any](uri, tz_aware=True, event_listeners=[commands])
    kept = Tools(MongoReader(client[name], query_seconds=PATIENCE_S))

    def ask(tool: str, arguments: dict[str, Any]) -> None:
        tools = Tools(MongoReader(client[name], query_seconds=PATIENCE_S)) if is_cold else kept
        result = loop.run(tools.toolbox.call(tool, arguments))
        if result.failure is not None:
            raise RuntimeError(f"{tool}: {result.content}")

    return Way(ask, commands)


def qdash(uri: str, name: str, chip_id: str, *, makes_models: bool) -> Way:
    """QDash's tools, to the text that its model gets."""
    commands = Timed()
    client = pymongo.MongoClient[Any](uri, event_listeners=[commands])
    tools = QDashTools(QDashQueries(client[name], chip_id, makes_models=makes_models), chip_id, shortened=True)

    def ask(tool: str, arguments: dict[str, Any]) -> None:
        tools.text(tool, arguments)

    return Way(ask, commands)


def measure(chip: DemoChip, ways: Sequence[Way], rounds: int) -> list[Call]:
    """Each call every way, in turns; once before, unnoted."""
    calls = script(chip)
    for way in ways:
        way.ask(*calls[3])
    for number in range(rounds):
        for place, call in enumerate(calls):
            for way in ways if number % 2 else reversed(ways):
                way.take(place, call)
    return calls


def show(calls: list[Call], own: Way, cold: Way, their: Way, modelled: Way, *, is_real: bool) -> None:
    """Print the table, and whether it meets the goals."""
    columns = ("QDash", "+ models", "ours", "ratio", "cold", "ratio", "in commands", "slowest", "sent by QDash", "ours")
    print(f"{'call, ms':<62}" + "".join(f" {name:>13}" for name in columns))
    times, waited, slow = [], [], []
    for place, (tool, arguments) in enumerate(calls):
        mine, first, theirs, models = (median(way.ms[place]) for way in (own, cold, their, modelled))
        inside, slowest = median(own.in_commands[place]), median(own.slowest[place])
        times.append((mine, first, theirs))
        waited.append(inside)
        told = f"{tool} {' '.join(str(value) for value in arguments.values())}"[:61]
        if mine > OF_SLOWEST * slowest + BESIDE_MS:
            slow.append(told)
        cells = [f"{theirs:.1f}", f"{models:.1f}", f"{mine:.1f}", f"{mine / theirs:.2f}"]
        cells += [f"{first:.1f}", f"{first / theirs:.2f}"]
        cells += [f"{inside:.1f}", f"{slowest:.1f}", str(their.sent[place]), str(own.sent[place])]
        print(f"{told:<62}" + "".join(f" {cell:>13}" for cell in cells))
    for place, what in enumerate(("ours", "cold")):
        pairs = [(one[place], one[2]) for one in times]
        goals = {
            f"sum of {what} over sum of QDash's": (
                sum(mine for mine, _ in pairs) / sum(theirs for _, theirs in pairs),
                REAL_GOAL if is_real else SUM_GOAL,
            ),
            "median ratio": (median(mine / theirs for mine, theirs in pairs), REAL_GOAL if is_real else MEDIAN_GOAL),
            f"worst ratio of those more than {SHORT_MS} ms longer": (
                max(mine / theirs if mine > theirs + SHORT_MS else min(1.0, mine / theirs) for mine, theirs in pairs),
                WORST_GOAL,
            ),
        }
        for name, (reached, goal) in goals.items():
            print(f"{name:<62} {reached:>8.2f}, goal {goal}: {'met' if reached <= goal else 'not met'}")
    ms = sum(mine for mine, *_ in times)
    print(f"{'of ours, in commands':<62} {sum(waited) / ms:>8.2f}")
    print(f"{f'above {OF_SLOWEST} x the slowest command + {BESIDE_MS} ms':<62} {', '.join(slow) or 'none'}")


def main() -> None:
    """Print the table."""
    chip = make_demo(size=SIZE, days=DAYS)
    results = len(chip.documents["task_result_history"])
    with server() as (uri, what), database_of(uri, chip.documents) as name:
        own, cold = (ours(uri, name, is_cold=is_cold) for is_cold in (False, True))
        their, modelled = (qdash(uri, name, chip.chip_id, makes_models=makes) for makes in (False, True))
        calls = measure(chip, (own, cold, their, modelled), ROUNDS)
        print(f"{chip.chip_id}, {DAYS} days, {results:,} results on {what}; median of {ROUNDS}")
        show(calls, own, cold, their, modelled, is_real=bool(real_server()))


if __name__ == "__main__":
    main()
