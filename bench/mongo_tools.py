"""The time of each call of a script of tools on one MongoDB server: ours against a re-creation of QDash's own.

Both ask the same server in turns, ours first in every other round, after one call of each. QDash's way is its queries
(`qdash_queries.py`) and what it makes of them (`qdash_results.py`), without the models that it makes of each document.
QDASH_MONGO_URI_FOR_TESTS names a real server, to which a database is added for the time; without it the tests' server
is asked, which is slow and often looks at every document. SIZE (qubits), DAYS and ROUNDS change what is measured.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import pymongo
from calls import Call, script
from qdash_queries import QDashQueries
from qdash_results import QDashTools

from qdash_jupyter.data.demo import DemoChip, make_demo
from qdash_jupyter.data.mongo import MongoReader

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.data.mongo.whole_protocol import Commands
from tests.mongo_documents import load_documents
from tests.mongo_server import real_server, running
from tests.tools.toolbench import Tools

SIZE, DAYS, ROUNDS = (int(os.environ.get(name, usual)) for name, usual in (("SIZE", 64), ("DAYS", 15), ("ROUNDS", 5)))
SUM_GOAL, MEDIAN_GOAL, WORST_GOAL, REAL_GOAL = 0.8, 0.9, 1.2, 0.5
SHORT_MS = 10
"""What a call may take longer than QDash's, whatever the ratio."""

PATIENCE_S = 600
"""The tests' server is slow: the usual limits of a query, and of what is kept of a chip, would be too short."""


@dataclass
class Way:
    """One way to answer a call: its times of each call in ms, and the commands that each sent the last time."""

    ask: Callable[[str, dict[str, Any]], None]
    commands: Commands
    ms: dict[int, list[float]] = field(default_factory=dict)
    sent: dict[int, int] = field(default_factory=dict)

    def take(self, place: int, call: Call) -> None:
        """Make the call, and note what it cost."""
        self.commands.sent.clear()
        begin = time.perf_counter()
        self.ask(*call)
        self.ms.setdefault(place, []).append((time.perf_counter() - begin) * 1e3)
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


def ours(uri: str, name: str) -> Way:
    """Our tools on a reader, as a question calls them."""
    commands = Commands()
    client = pymongo.MongoClient[Any](uri, tz_aware=True, event_listeners=[commands])
    tools = Tools(MongoReader(client[name], query_seconds=PATIENCE_S, facts_seconds=PATIENCE_S * 10))

    def ask(tool: str, arguments: dict[str, Any]) -> None:
        result = tools.result(tool, **arguments)
        if result.failure is not None:
            raise RuntimeError(f"{tool}: {result.content}")

    return Way(ask, commands)


def qdash(uri: str, name: str, chip_id: str) -> Way:
    """QDash's tools, to the text that its model gets."""
    commands = Commands()
    client = pymongo.MongoClient[Any](uri, event_listeners=[commands])
    tools = QDashTools(QDashQueries(client[name], chip_id), chip_id, shortened=True)

    def ask(tool: str, arguments: dict[str, Any]) -> None:
        tools.text(tool, arguments)

    return Way(ask, commands)


def measure(chip: DemoChip, one: Way, other: Way, rounds: int) -> list[Call]:
    """Each call both ways, in turns; once before, unnoted."""
    calls = script(chip)
    for way in (one, other):
        way.ask(*calls[3])
    for number in range(rounds):
        for place, call in enumerate(calls):
            for way in (one, other) if number % 2 else (other, one):
                way.take(place, call)
    return calls


def show(calls: list[Call], own: Way, their: Way, *, is_real: bool) -> None:
    """Print the table, and whether it meets the goals."""
    print(f"{'call, ms':<62} {'QDash':>8} {'ours':>8} {'ratio':>6} {'commands of QDash':>18} {'ours':>5}")
    times, excess = [], []
    for place, (tool, arguments) in enumerate(calls):
        mine, theirs = median(own.ms[place]), median(their.ms[place])
        times.append((mine, theirs))
        excess.append(mine / theirs if mine > theirs + SHORT_MS else min(1.0, mine / theirs))
        told = f"{tool} {' '.join(str(value) for value in arguments.values())}"
        ratio, sent = mine / theirs, (their.sent[place], own.sent[place])
        print(f"{told[:61]:<62} {theirs:>8.1f} {mine:>8.1f} {ratio:>6.2f} {sent[0]:>18} {sent[1]:>5}")
    together = sum(mine for mine, _ in times) / sum(theirs for _, theirs in times)
    middle = median(mine / theirs for mine, theirs in times)
    goals = {
        "sum of ours over sum of QDash's": (together, REAL_GOAL if is_real else SUM_GOAL),
        "median ratio": (middle, REAL_GOAL if is_real else MEDIAN_GOAL),
        f"worst ratio of those more than {SHORT_MS} ms longer": (max(excess), WORST_GOAL),
    }
    for what, (reached, goal) in goals.items():
        print(f"{what:<62} {reached:>8.2f}, goal {goal}: {'met' if reached <= goal else 'not met'}")


def main() -> None:
    """Print the table."""
    chip = make_demo(size=SIZE, days=DAYS)
    results = len(chip.documents["task_result_history"])
    with server() as (uri, what), database_of(uri, chip.documents) as name:
        own, their = ours(uri, name), qdash(uri, name, chip.chip_id)
        calls = measure(chip, own, their, ROUNDS)
        print(f"{chip.chip_id}, {DAYS} days, {results:,} results on {what}; median of {ROUNDS}")
        show(calls, own, their, is_real=bool(real_server()))


if __name__ == "__main__":
    main()
