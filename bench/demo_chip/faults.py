"""Which qubits and couplings of a demo chip get which fault: dealt from the seed, each element at most once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from random import Random

from qdash_jupyter.domain.qid import qid_order
from qdash_jupyter.domain.topology import Topology

MIN_SIZE = 16
_FULL_SIZE = 64


def stream(seed: int, *names: object) -> Random:
    """A stream of random numbers of its own for each name, so that a new feature does not shuffle the others."""
    return Random("/".join(map(str, (seed, *names))))  # noqa: S311 - a physics model; nothing secret hangs on it


def ordered(ids: Iterable[str]) -> tuple[str, ...]:
    """Ids sorted by number; couplings by control, then target."""
    return tuple(sorted(ids, key=qid_order))


@dataclass(frozen=True, slots=True)
class Faults:
    """Ids of the elements with each fault, sorted by number; see `docs/demo-chip.md`. Qubit faults are disjoint."""

    t1_falling: tuple[str, ...] = ()
    t1_fell_before: tuple[str, ...] = ()
    t1_dipped: tuple[str, ...] = ()
    frequency_jump: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    low_readout: tuple[str, ...] = ()
    low_gate: tuple[str, ...] = ()
    excluded_outlier: tuple[str, ...] = ()
    nan_as_zero: tuple[str, ...] = ()
    busy: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()
    excluded_now: tuple[str, ...] = ()
    bad_coupling: tuple[str, ...] = ()

    @property
    def zero_now(self) -> tuple[str, ...]:
        """The `nan_as_zero` qubit whose most recent T1, and so its current one, is the stored 0."""
        return self.nan_as_zero[:1]

    def by_name(self) -> dict[str, tuple[str, ...]]:
        """The ids of every fault, by the fault's name."""
        return {field.name: getattr(self, field.name) for field in fields(Faults)}


def deal_faults(seed: int, topology: Topology) -> Faults:
    """Deals the faults of a chip.

    Raises:
        ValueError: The chip is too small to hold one of each.
    """
    size = topology.num_qubits
    if size < MIN_SIZE:
        msg = f"A chip with planted faults needs at least {MIN_SIZE} qubits, not {size}; make it with faults=False."
        raise ValueError(msg)
    rng = stream(seed, "faults")
    deck = list(topology.positions)
    rng.shuffle(deck)
    dealt = {name: ordered(deck.pop() for _ in range(count)) for name, count in _counts(rng, size).items()}
    # A bad coupling must be measured to be seen: both of its qubits are.
    unmeasured = {*dealt["dead"], *dealt["stale"]}
    candidates = [f"{a}-{b}" for a, b in topology.couplings if not unmeasured & {a, b}]
    bad = rng.sample(candidates, 1 if size < _FULL_SIZE else round(2 * size / _FULL_SIZE))
    return Faults(**dealt, bad_coupling=ordered(bad))


def _counts(rng: Random, size: int) -> dict[str, int]:
    """How many qubits get each fault. The order is the order of dealing: new faults go to the end."""
    full = {
        "t1_falling": rng.randint(4, 6),
        "t1_fell_before": 2,
        "t1_dipped": 2,
        "frequency_jump": rng.randint(2, 3),
        "dead": 2,
        "stale": 3,
        "low_readout": rng.randint(2, 3),
        "low_gate": rng.randint(1, 2),
        "excluded_outlier": 1,
        "nan_as_zero": 2,
        "busy": 2,
        "rare": 1,
        "excluded_now": 1,
    }
    if size < _FULL_SIZE:
        return {name: 2 if name == "t1_falling" else 1 for name in full}
    return {name: round(count * size / _FULL_SIZE) for name, count in full.items()}
