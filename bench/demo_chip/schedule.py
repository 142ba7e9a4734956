"""When what is measured: a run each night at 03:00 Japanese time, some afternoon runs, and what is due in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from demo_chip.faults import Faults, stream

LOCAL = timezone(timedelta(hours=9), "JST")
"""QDash's default zone: it only names days (`execution_id`, `recorded_date`), times themselves are UTC."""

RUN_LIMIT = timedelta(hours=1)
"""No run takes longer; one that could reach beyond the chip's `as_of` does not take place."""

LATE_TASKS = {"CheckResonatorSpectroscopy": 15, "CheckRabi": 7}
"""Once in so many days, when the other tasks of a night are done."""

# Days between two measurements, in the order of a night: frequencies first, then what needs them.
QUBIT_TASKS = {
    "CheckQubitSpectroscopy": 15,
    "CreateHPIPulse": 7,
    "CheckRamsey": 2,
    "CheckT1": 1,
    "CheckT2Echo": 2,
    "ReadoutClassification": 2,
    "RandomizedBenchmarking": 5,
    "X90InterleavedRandomizedBenchmarking": 5,
    **LATE_TASKS,
}
COUPLING_TASKS = {"ZX90InterleavedRandomizedBenchmarking": 7, "CheckBellStateTomography": 7}
EXTRA_TASKS = ("CheckRamsey", "CheckT1")
EXTRA_EVERY = 6
RARE_EVERY = 9
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Run:
    """One execution: `age` in days before `as_of`, `day` the ordinal of its local date, `effect` a chip-wide change."""

    execution_id: str
    name: str
    tags: tuple[str, ...]
    start_at: datetime
    age: float
    day: int
    effect: float
    is_extra: bool


@dataclass(frozen=True, slots=True)
class Planned:
    """One task that is due for one element."""

    run: Run
    task: str


def runs_of(seed: int, as_of: datetime, days: int) -> list[Run]:
    """The runs of the last `days` days, oldest first: a night run each day, and an afternoon run."""
    runs = []
    last = as_of.astimezone(LOCAL).replace(hour=0, minute=0, second=0, microsecond=0)
    for back in range(days + 1, -1, -1):
        midnight = last - timedelta(days=back)
        for number, hour, name, tags in (
            (0, 3, "daily calibration", ("daily",)),
            (1, 14, "afternoon check", ("check",)),
        ):
            minutes = stream(seed, "start", midnight.date(), number).randint(0, 9)
            start_at = (midnight + timedelta(hours=hour, minutes=minutes)).astimezone(UTC)
            if not as_of - timedelta(days=days) <= start_at < as_of - RUN_LIMIT:
                continue
            execution_id = f"{midnight:%Y%m%d}-{number:03d}"
            effect = max(-0.025, min(0.025, stream(seed, "effect", execution_id).gauss(0.0, 0.01)))
            age = (as_of - start_at).total_seconds() / _DAY_S
            runs.append(Run(execution_id, name, tags, start_at, age, midnight.toordinal(), effect, is_extra=number > 0))
    return runs


def stale_since(seed: int, qid: str, faults: Faults) -> float:
    """The age in days at which a qubit's measurements stop; 0 for one that is still being measured."""
    return stream(seed, "stale", qid).uniform(32.5, 48.5) if qid in faults.stale else 0.0


def coupling_plan(seed: int, qid: str, index: int, runs: Sequence[Run], faults: Faults) -> list[Planned]:
    """The tasks of the coupling that is the `index`-th of the topology: none without both of its qubits."""
    ends = qid.split("-")
    if set(ends) & set(faults.dead):
        return []
    until = max(stale_since(seed, end, faults) for end in ends)
    return [
        Planned(run, task)
        for run in runs
        if not run.is_extra and run.age >= until
        for task, every in COUPLING_TASKS.items()
        if (run.day + index) % every == 0
    ]


def qubit_plan(seed: int, qid: str, runs: Sequence[Run], faults: Faults, size: int) -> Iterator[Planned]:
    """The tasks of a qubit in order of time."""
    mux = int(qid) // 4  # neighbours are due on the same day: readout lines are shared
    until = stale_since(seed, qid, faults)
    every = QUBIT_TASKS | ({"CheckT1": RARE_EVERY} if qid in faults.rare else {})
    left_alone = qid in {*faults.dead, *faults.stale, *faults.rare}
    again = stream(seed, "busy", qid)
    for run in runs:
        if run.age < until:
            return
        due = [task for task, period in every.items() if (run.day + mux) % period == 0]
        if not run.is_extra:
            yield from (Planned(run, task) for task in due)
        elif qid in faults.busy:
            for _ in range(again.randint(2, 5)):
                yield from (Planned(run, task) for task in EXTRA_TASKS if task in due)
        elif not left_alone and run.day % EXTRA_EVERY == 0 and int(qid) in _picked(seed, run, size):
            yield from (Planned(run, task) for task in EXTRA_TASKS)


def _picked(seed: int, run: Run, size: int) -> list[int]:
    """Numbers of the qubits that somebody looked at on an afternoon."""
    return stream(seed, "picked", run.execution_id).sample(range(size), max(1, size // 10))
