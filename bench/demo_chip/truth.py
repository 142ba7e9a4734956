"""What is really the case on a demo chip, before noise: the answer key for tests, benchmarks and people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from demo_chip.chip import MONTH, Coupling, Qubit
from demo_chip.faults import Faults, ordered

_JUMP_GHZ = 0.5e-3


@dataclass(frozen=True, slots=True)
class Truth(Faults):
    """The planted faults and the noise-free values of the elements that can be measured (dead qubits have none).

    `*_now` are noise-free values at the chip's `as_of` by id: μs, GHz, MHz/a.u. (Rabi), fractions. The histories hold
    one value a day, from 0 days before `as_of` on. "Noise-free" includes the slow wander (T1: within ± 5 %), not the
    noise of a measurement or of a day.
    """

    unmeasured_couplings: tuple[str, ...] = ()
    """Couplings with a dead qubit: no results at all."""
    stale_couplings: tuple[str, ...] = ()
    """Couplings with a stale qubit (and no dead one): skipped since that qubit is."""
    t1_history: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    frequency_history: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    t1_now: Mapping[str, float] = field(default_factory=dict)
    t2_echo_now: Mapping[str, float] = field(default_factory=dict)
    frequency_now: Mapping[str, float] = field(default_factory=dict)
    resonator_now: Mapping[str, float] = field(default_factory=dict)
    rabi_now: Mapping[str, float] = field(default_factory=dict)
    readout_now: Mapping[str, float] = field(default_factory=dict)
    gate_now: Mapping[str, float] = field(default_factory=dict)
    x90_now: Mapping[str, float] = field(default_factory=dict)
    zx90_now: Mapping[str, float] = field(default_factory=dict)
    bell_now: Mapping[str, float] = field(default_factory=dict)

    def t1_change(self, qid: str, days: int = MONTH) -> float:
        """The noise-free relative change of a qubit's T1 over the last `days` days: -0.3 for a loss of 30 %.

        Raises:
            KeyError: The qubit is dead or not on the chip.
            ValueError: The history does not reach that far.
        """
        history = _reaching(self.t1_history[qid], days)
        return history[0] / history[days] - 1.0

    def t1_lost(self, days: int = MONTH, at_least: float = 0.20) -> tuple[str, ...]:
        """Qubits still being measured whose noise-free T1 fell by at least that fraction over the last `days` days."""
        return ordered(qid for qid in self._measured() if self.t1_change(qid, days) <= -at_least)

    def frequency_jumps(self, days: int = MONTH, at_least_ghz: float = _JUMP_GHZ) -> tuple[str, ...]:
        """Qubits still being measured whose noise-free frequency moved that far over the last `days` days."""

        def moved(qid: str) -> float:
            history = _reaching(self.frequency_history[qid], days)
            return abs(history[0] - history[days])

        return ordered(qid for qid in self._measured() if moved(qid) >= at_least_ghz)

    def as_json(self) -> dict[str, Any]:
        """A JSON object for a `truth.json` beside the documents: faults, and values now and a month ago by id."""
        return {
            "faults": {name: list(ids) for name, ids in self.by_name().items()},
            "zero_now": list(self.zero_now),
            "unmeasured_couplings": list(self.unmeasured_couplings),
            "stale_couplings": list(self.stale_couplings),
            "t1_lost_30_days": list(self.t1_lost()),
            "frequency_jumps_30_days": list(self.frequency_jumps()),
            "t1_30_days_before": {qid: history[MONTH] for qid, history in self.t1_history.items()},
            "now": {
                "t1": dict(self.t1_now),
                "t2_echo": dict(self.t2_echo_now),
                "qubit_frequency": dict(self.frequency_now),
                "readout_frequency": dict(self.resonator_now),
                "maximum_rabi_frequency": dict(self.rabi_now),
                "average_readout_fidelity": dict(self.readout_now),
                "average_gate_fidelity": dict(self.gate_now),
                "x90_gate_fidelity": dict(self.x90_now),
                "zx90_gate_fidelity": dict(self.zx90_now),
                "bell_state_fidelity": dict(self.bell_now),
            },
        }

    def _measured(self) -> list[str]:
        return [qid for qid in self.t1_history if qid not in self.stale]


def truth_of(faults: Faults, qubits: Mapping[str, Qubit], couplings: Mapping[str, Coupling], days: int) -> Truth:
    """The truth about a chip; its histories reach `days` days back."""
    alive = {qid: qubit for qid, qubit in qubits.items() if qid not in faults.dead}
    dead, stale = set(faults.dead), set(faults.stale)
    unmeasured = [qid for qid in couplings if dead & {*qid.split("-")}]
    measured = {qid: coupling for qid, coupling in couplings.items() if qid not in unmeasured}
    t1_history = {qid: tuple(qubit.t1(age) for age in range(days + 1)) for qid, qubit in alive.items()}
    frequency_history = {qid: tuple(qubit.frequency(age) for age in range(days + 1)) for qid, qubit in alive.items()}
    return Truth(
        **faults.by_name(),
        unmeasured_couplings=ordered(unmeasured),
        stale_couplings=ordered(qid for qid in measured if stale & {*qid.split("-")}),
        t1_history=t1_history,
        frequency_history=frequency_history,
        t1_now={qid: history[0] for qid, history in t1_history.items()},
        t2_echo_now={qid: qubit.t2_echo(0) for qid, qubit in alive.items()},
        frequency_now={qid: history[0] for qid, history in frequency_history.items()},
        resonator_now={qid: qubit.resonator for qid, qubit in alive.items()},
        rabi_now={qid: qubit.rabi_per_amplitude for qid, qubit in alive.items()},
        readout_now={qid: qubit.readout(0) for qid, qubit in alive.items()},
        gate_now={qid: 1.0 - qubit.gate_error(0) for qid, qubit in alive.items()},
        x90_now={qid: 1.0 - qubit.x90_error(0) for qid, qubit in alive.items()},
        zx90_now={qid: coupling.zx90(0) for qid, coupling in measured.items()},
        bell_now={qid: coupling.bell(0) for qid, coupling in measured.items()},
    )


def _reaching(history: tuple[float, ...], days: int) -> tuple[float, ...]:
    if not 0 <= days < len(history):
        msg = f"The truth is known for the last {len(history) - 1} days, not for {days}."
        raise ValueError(msg)
    return history
