"""The physics of a demo chip: what each qubit and coupling really is at any moment, before it is measured.

Time is counted as `age`: days before the chip's `as_of`, so 0 is now and 30 is a month ago. Units are QDash's: μs, GHz,
fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, tanh
from random import Random

from demo_chip.faults import Faults, stream
from qdash_jupyter.domain.topology import Topology

MONTH = 30
GATE_US = 0.032  # length of the π/2 pulse
RABI_MHZ = 12.5  # at which Rabi oscillations are driven
T1_WANDER = 0.05  # bound of T1's slow wander: a healthy change can never reach 12 %, (1 - 0.05) / (1 + 0.05) = -9.5 %
_T1_RANGE = (36.0, 112.0)
# Neighbours differ, as on real fixed-frequency lattices: controls (row + column even) below targets. GHz.
_PATTERN = {(0, 0): 4.55, (1, 1): 4.75, (0, 1): 4.98, (1, 0): 5.18}


@dataclass(frozen=True, slots=True)
class Loss:
    """A share of T1 that is lost: from age `begins` on, fully at `complete`, back again at `ends` (< 0: never)."""

    begins: float
    complete: float
    share: float
    ends: float = -1.0

    def factor(self, age: float) -> float:
        """What is left of the value at that age, as a fraction."""
        if age >= self.begins or age <= self.ends:
            return 1.0
        if age > self.complete:
            return 1.0 - self.share * (self.begins - age) / (self.begins - self.complete)
        return 1.0 - self.share


@dataclass(frozen=True, slots=True)
class Qubit:
    """One qubit. Methods take an age in days and give the noise-free value at that time."""

    qid: str
    t1_base: float
    t1_wander: tuple[float, ...]
    t1_noise: float
    loss: Loss | None
    dephasing: float
    frequency_base: float
    frequency_drift: tuple[float, ...]
    jump_age: float
    jump: float
    anharmonicity: float
    readout_base: float
    readout_wander: tuple[float, ...]
    readout_split: float
    gate_error_base: float
    x90_ratio: float
    hpi_amplitude: float
    resonator: float
    contrast: float

    @property
    def rabi_per_amplitude(self) -> float:
        """Rabi frequency by the amplitude of the drive, MHz/a.u.: the π/2 pulse is a quarter of a turn."""
        return 0.25 / GATE_US / self.hpi_amplitude

    def t1(self, age: float) -> float:
        """Relaxation time, μs."""
        left = self.loss.factor(age) if self.loss else 1.0
        return self.t1_base * (1.0 + _between(self.t1_wander, age)) * left

    def t2_echo(self, age: float) -> float:
        """Echo coherence time, μs: below 2 T1, and falling with it."""
        return 1.0 / (0.5 / self.t1(age) + 1.0 / self.dephasing)

    def t2_star(self, age: float) -> float:
        """Free coherence time, μs: the echo's, and slow noise that the echo would refocus."""
        return 1.0 / (1.0 / self.t2_echo(age) + 1.6 / self.dephasing)

    def frequency(self, age: float) -> float:
        """Qubit frequency, GHz."""
        jumped = self.jump if age < self.jump_age else 0.0
        return self.frequency_base + _between(self.frequency_drift, age) + jumped

    def readout(self, age: float) -> float:
        """Average readout fidelity."""
        return self.readout_base + _between(self.readout_wander, age)

    def gate_error(self, age: float) -> float:
        """Average gate error: of control, and of decoherence during the gate."""
        return self.gate_error_base + GATE_US / 3 * (1.0 / self.t1(age) + 1.0 / self.t2_echo(age))

    def x90_error(self, age: float) -> float:
        """Error of the X90 gate."""
        return self.gate_error(age) * self.x90_ratio


@dataclass(frozen=True, slots=True)
class Coupling:
    """One coupling, `control-target`."""

    qid: str
    zx90_base: float
    bell_base: float
    wander: tuple[float, ...]

    def zx90(self, age: float) -> float:
        """ZX90 gate fidelity."""
        return self.zx90_base + _between(self.wander, age)

    def bell(self, age: float) -> float:
        """Bell state fidelity."""
        return self.bell_base + _between(self.wander, age)


def make_qubits(seed: int, topology: Topology, faults: Faults, horizon: int) -> dict[str, Qubit]:
    """All qubits of the chip by id; their slow wander reaches `horizon` days back."""
    return {qid: _qubit(seed, qid, place, faults, horizon) for qid, place in topology.positions.items()}


def make_couplings(seed: int, topology: Topology, faults: Faults, horizon: int) -> dict[str, Coupling]:
    """All couplings of the chip by id `control-target`, in the topology's direction and order."""
    couplings: dict[str, Coupling] = {}
    for control, target in topology.couplings:
        qid = f"{control}-{target}"
        rng = stream(seed, "coupling", qid)
        zx90, bell_below = rng.uniform(0.955, 0.98), rng.uniform(0.015, 0.03)
        wander = _wander(rng, spread=0.002, bound=0.004, horizon=horizon)
        if qid in faults.bad_coupling:
            trouble = stream(seed, "fault", qid)
            zx90, bell_below = trouble.uniform(0.735, 0.805), trouble.uniform(0.085, 0.11)
        couplings[qid] = Coupling(qid, zx90, zx90 - bell_below, wander)
    return couplings


def _qubit(seed: int, qid: str, place: tuple[int, int], faults: Faults, horizon: int) -> Qubit:
    rng = stream(seed, "qubit", qid)
    trouble = stream(seed, "fault", qid)
    t1_wander = _wander(rng, spread=0.04, bound=T1_WANDER, horizon=horizon)
    drift = _wander(rng, spread=25e-6, bound=70e-6, horizon=horizon)
    readout_wander = _wander(rng, spread=0.002, bound=0.003, horizon=horizon)
    t1_base = 0.0
    while not _T1_RANGE[0] < t1_base < _T1_RANGE[1]:
        t1_base = exp(rng.gauss(log(70.0), 0.25))
    t1_noise = rng.uniform(0.04, 0.07)
    dephasing = min(300.0, max(70.0, exp(rng.gauss(log(130.0), 0.25))))
    row, column = place
    frequency = _PATTERN[row % 2, column % 2] + max(-0.09, min(0.09, rng.gauss(0.0, 0.03)))
    anharmonicity = -rng.uniform(0.28, 0.32)
    readout, split = rng.uniform(0.952, 0.978), rng.uniform(0.008, 0.02)
    gate_error = exp(rng.uniform(log(3e-4), log(2.5e-3)))
    x90_ratio, hpi_amplitude = rng.uniform(1.0, 1.1), rng.uniform(0.08, 0.2)

    line = stream(seed, "resonator", qid)
    resonator = 6.5 + 0.3 * (int(qid) % 4) + line.uniform(-0.1, 0.1)  # four share a readout line

    jump_age = jump = 0.0
    if qid in faults.frequency_jump:
        jump_age, jump = trouble.uniform(5.5, 24.5), trouble.choice((-1, 1)) * trouble.uniform(1.2, 8.0) * 1e-3
    if qid in faults.low_readout:
        readout, split = trouble.uniform(0.715, 0.815), trouble.uniform(0.03, 0.08)
    if qid in faults.low_gate:
        gate_error = trouble.uniform(0.023, 0.028)
    return Qubit(
        qid=qid,
        t1_base=t1_base,
        t1_wander=t1_wander,
        t1_noise=t1_noise,
        loss=_loss(trouble, qid, faults, t1_wander),
        dephasing=dephasing,
        frequency_base=frequency,
        frequency_drift=drift,
        jump_age=jump_age,
        jump=jump,
        anharmonicity=anharmonicity,
        readout_base=readout,
        readout_wander=readout_wander,
        readout_split=split,
        gate_error_base=gate_error,
        x90_ratio=x90_ratio,
        hpi_amplitude=hpi_amplitude,
        resonator=resonator,
        contrast=line.uniform(0.6, 1.4),
    )


def _loss(rng: Random, qid: str, faults: Faults, wander: Sequence[float]) -> Loss | None:
    if qid in faults.t1_falling:
        # The wander takes or gives a few per cent too: the share is chosen so that the sum of both meets the target.
        target = rng.uniform(0.285, 0.595)
        share = 1.0 - (1.0 - target) * (1.0 + wander[MONTH]) / (1.0 + wander[0])
        if rng.random() < 0.4:  # noqa: PLR2004 - two of five fall at once
            step = rng.uniform(6.0, 20.0)
            return Loss(step, step, share)
        begins = rng.uniform(8.0, 25.0)
        return Loss(begins, rng.choice((0.0, rng.uniform(0.5, begins - 6.0))), share)
    if qid in faults.t1_fell_before:
        complete = rng.uniform(46.0, min(60.0, len(wander) - 12.0))
        return Loss(complete + rng.uniform(2.0, 5.0), complete, rng.uniform(0.31, 0.49))
    if qid in faults.t1_dipped:
        begins = rng.uniform(18.5, 22.0)
        return Loss(begins, begins, 0.4, ends=begins - rng.uniform(4.0, 6.0))
    return None


def _wander(rng: Random, *, spread: float, bound: float, horizon: int) -> tuple[float, ...]:
    """A slow AR(1) walk, one value a day from age 0 to age `horizon`, kept strictly within ± `bound`."""
    memory = 0.93
    kick = spread * (1.0 - memory**2) ** 0.5
    value = rng.gauss(0.0, spread)
    walk = []
    for _ in range(horizon + 1):
        walk.append(bound * tanh(value / bound))
        value = memory * value + rng.gauss(0.0, kick)
    return tuple(walk)


def _between(walk: Sequence[float], age: float) -> float:
    """The walk at an age between its daily values."""
    day = min(int(age), len(walk) - 2)
    return walk[day] + (walk[day + 1] - walk[day]) * (age - day)
