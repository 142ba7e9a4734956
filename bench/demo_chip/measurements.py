"""What a task reports: the true value at that time with the noise of the measurement, `parameter: (value, error)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import TypeAlias

from demo_chip.chip import RABI_MHZ, Coupling, Qubit

Readings: TypeAlias = dict[str, tuple[float, float]]
"""Value and one standard error by parameter, in the units of `PARAMETERS`."""

OUTLIER_US = 9999.0
HPI_LENGTH_NS = 32
DETUNING_MHZ = 1.0
ONE_QUBIT_DEPOLARIZING = 2.0  # depolarizing rate / average error: d / (d - 1) for d = 2
TWO_QUBIT_DEPOLARIZING = 4.0 / 3.0

PARAMETERS: dict[str, tuple[str, str]] = {
    "coarse_qubit_frequency": ("GHz", "Coarse qubit frequency"),
    "anharmonicity": ("GHz", "Qubit anharmonicity"),
    "readout_frequency": ("GHz", "Readout frequency"),
    "rabi_frequency": ("MHz", "Rabi frequency"),
    "rabi_amplitude": ("a.u.", "Amplitude of the Rabi oscillation"),
    "maximum_rabi_frequency": ("MHz/a.u.", "Rabi frequency per unit of drive amplitude"),
    "hpi_amplitude": ("a.u.", "Amplitude of the half-π pulse"),
    "hpi_length": ("ns", "Length of the half-π pulse"),
    "ramsey_frequency": ("MHz", "Ramsey oscillation frequency"),
    "qubit_frequency": ("GHz", "Qubit frequency"),
    "t2_star": ("μs", "T2* time"),
    "t1": ("μs", "T1 time"),
    "t2_echo": ("μs", "T2 echo time"),
    "average_readout_fidelity": ("a.u.", "Average readout fidelity"),
    "readout_fidelity_0": ("a.u.", "Readout fidelity with preparation state 0"),
    "readout_fidelity_1": ("a.u.", "Readout fidelity with preparation state 1"),
    "average_gate_fidelity": ("a.u.", "Average gate fidelity"),
    "depolarizing_rate": ("a.u.", "Depolarizing rate"),
    "x90_gate_fidelity": ("a.u.", "X90 gate fidelity"),
    "x90_depolarizing_rate": ("a.u.", "Depolarizing rate of the X90 gate"),
    "zx90_gate_fidelity": ("a.u.", "ZX90 gate fidelity"),
    "zx90_depolarizing_rate": ("a.u.", "Depolarizing rate of the ZX90 gate"),
    "bell_state_fidelity": ("a.u.", "Bell state fidelity"),
}
"""Unit as QDash stores it, and description, of each parameter."""

INPUTS: dict[str, tuple[str, ...]] = {
    "CheckRabi": ("qubit_frequency", "readout_frequency"),
    "CheckRamsey": ("qubit_frequency", "hpi_amplitude", "hpi_length"),
    "CheckT1": ("qubit_frequency", "hpi_amplitude", "hpi_length"),
    "CheckT2Echo": ("qubit_frequency", "hpi_amplitude", "hpi_length"),
    "ReadoutClassification": ("qubit_frequency", "hpi_amplitude"),
    "RandomizedBenchmarking": ("qubit_frequency", "hpi_amplitude", "hpi_length"),
    "X90InterleavedRandomizedBenchmarking": ("qubit_frequency", "hpi_amplitude", "hpi_length"),
}
"""The calibrated parameters that a task starts from."""


def measure_qubit(
    task: str, qubit: Qubit, age: float, rng: Random, *, effect: float, known_frequency: float | None
) -> Readings:
    """One result of a one-qubit task.

    Args:
        task: The task's name.
        qubit: What is measured.
        age: Days before the chip's `as_of`.
        rng: The noise.
        effect: A relative change of the coherence times that all qubits share in this run.
        known_frequency: The qubit frequency found last, GHz: the drive from which a Ramsey experiment counts.
    """
    if task == "CheckRamsey":
        return _ramsey(qubit, age, effect, known_frequency, rng)
    return _ONE_QUBIT[task](qubit, age, effect, rng)


def measure_coupling(task: str, coupling: Coupling, age: float, rng: Random) -> Readings:
    """One result of a two-qubit task."""
    if task == "CheckBellStateTomography":
        return {"bell_state_fidelity": _fidelity(coupling.bell(age) + _noise(rng, 0.0025), 0.0025)}
    error = (1.0 - coupling.zx90(age)) * (1.0 + _noise(rng, 0.05))
    return _benchmark("zx90_gate_fidelity", "zx90_depolarizing_rate", error, TWO_QUBIT_DEPOLARIZING)


def _spectroscopy(qubit: Qubit, age: float, _effect: float, rng: Random) -> Readings:
    return {
        "coarse_qubit_frequency": (round(qubit.frequency(age) + _noise(rng, 2e-4), 6), 2e-4),
        "anharmonicity": (round(qubit.anharmonicity + _noise(rng, 4e-4), 6), 4e-4),
    }


def _resonator(qubit: Qubit, _age: float, _effect: float, rng: Random) -> Readings:
    return {"readout_frequency": (round(qubit.resonator + _noise(rng, 3e-5), 6), 3e-5)}


def _rabi(qubit: Qubit, _age: float, _effect: float, rng: Random) -> Readings:
    """At the drive amplitude that should give `RABI_MHZ`."""
    faster, contrast = 1.0 + _noise(rng, 0.008), qubit.contrast * (1.0 + _noise(rng, 0.02))
    most = qubit.rabi_per_amplitude * faster
    return {
        "rabi_frequency": (round(RABI_MHZ * faster, 4), round(RABI_MHZ * 0.004, 4)),
        "rabi_amplitude": (round(contrast, 5), round(contrast * 0.01, 5)),
        "maximum_rabi_frequency": (round(most, 3), round(most * 0.004, 3)),
    }


def _half_pi(qubit: Qubit, _age: float, _effect: float, rng: Random) -> Readings:
    amplitude = qubit.hpi_amplitude * (1.0 + _noise(rng, 0.004))
    return {"hpi_amplitude": (round(amplitude, 6), round(amplitude * 0.004, 6)), "hpi_length": (HPI_LENGTH_NS, 0.0)}


def _ramsey(qubit: Qubit, age: float, effect: float, known_frequency: float | None, rng: Random) -> Readings:
    found = round(qubit.frequency(age) + _noise(rng, 1e-6), 9)
    detuning = DETUNING_MHZ if known_frequency is None else abs(DETUNING_MHZ + (found - known_frequency) * 1e3)
    return {
        "ramsey_frequency": (round(detuning, 6), 0.001),
        "qubit_frequency": (found, round(rng.uniform(0.8e-6, 1.4e-6), 9)),
        "t2_star": _time(qubit.t2_star(age), effect, 0.06, rng),
    }


def _t1(qubit: Qubit, age: float, effect: float, rng: Random) -> Readings:
    return {"t1": _time(qubit.t1(age), effect, qubit.t1_noise, rng)}


def _t2_echo(qubit: Qubit, age: float, effect: float, rng: Random) -> Readings:
    value, error = _time(qubit.t2_echo(age), effect, 0.05, rng)
    return {"t2_echo": (min(value, round(2.0 * qubit.t1(age), 3)), error)}


def _readout(qubit: Qubit, age: float, _effect: float, rng: Random) -> Readings:
    middle, half = qubit.readout(age) + _noise(rng, 0.002), qubit.readout_split / 2.0
    return {
        "average_readout_fidelity": _fidelity(middle, 0.002),
        "readout_fidelity_0": _fidelity(middle + half, 0.003),
        "readout_fidelity_1": _fidelity(middle - half, 0.003),
    }


def _randomized(qubit: Qubit, age: float, _effect: float, rng: Random) -> Readings:
    error = qubit.gate_error(age) * (1.0 + _noise(rng, 0.03))
    return _benchmark("average_gate_fidelity", "depolarizing_rate", error, ONE_QUBIT_DEPOLARIZING)


def _x90(qubit: Qubit, age: float, _effect: float, rng: Random) -> Readings:
    error = qubit.x90_error(age) * (1.0 + _noise(rng, 0.03))
    return _benchmark("x90_gate_fidelity", "x90_depolarizing_rate", error, ONE_QUBIT_DEPOLARIZING)


_ONE_QUBIT: Mapping[str, Callable[[Qubit, float, float, Random], Readings]] = {
    "CheckQubitSpectroscopy": _spectroscopy,
    "CheckResonatorSpectroscopy": _resonator,
    "CheckRabi": _rabi,
    "CreateHPIPulse": _half_pi,
    "CheckT1": _t1,
    "CheckT2Echo": _t2_echo,
    "ReadoutClassification": _readout,
    "RandomizedBenchmarking": _randomized,
    "X90InterleavedRandomizedBenchmarking": _x90,
}


def _noise(rng: Random, spread: float) -> float:
    """Gaussian noise cut at three spreads: wild values are faults, and faults are planted."""
    return max(-3.0 * spread, min(3.0 * spread, rng.gauss(0.0, spread)))


def _time(true_us: float, effect: float, spread: float, rng: Random) -> tuple[float, float]:
    value = true_us * (1.0 + effect) * (1.0 + _noise(rng, spread))
    return round(value, 3), round(value * rng.uniform(0.03, 0.05), 3)


def _fidelity(value: float, error: float) -> tuple[float, float]:
    return round(min(value, 0.9999), 6), error


def _benchmark(fidelity: str, rate: str, error: float, per_error: float) -> Readings:
    spread = round(error * 0.04, 7)
    return {
        fidelity: (round(1.0 - error, 6), spread),
        rate: (round(error * per_error, 6), round(spread * per_error, 7)),
    }
