"""What lies between a qubit and its curve: projection, a readout that drifts, and the IQ plane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray[Any, Any]"
Rng: TypeAlias = "np.random.Generator"


@dataclass(frozen=True, slots=True)
class Apparatus:
    """A readout.

    Attributes:
        shots: Of each point; each gives 0 or 1.
        contrast: What is left of the distance between |0⟩ and |1⟩.
        offset: What |0⟩ shows.
        amplifier: One standard deviation that the amplifier adds to a point, in parts of the contrast.
        drift: One standard deviation of 1/f noise of the level during the measurement, in parts of the contrast.
        is_iq: The curve is I + iQ, turned by some angle.
    """

    shots: int
    contrast: float
    offset: float
    amplifier: float
    drift: float
    is_iq: bool

    def deviation(self, population: Array) -> Array:
        """One standard deviation of each point in parts of the contrast, without drift."""
        projection = np.clip(population * (1 - population), 0.002, None) / self.shots
        found: Array = np.sqrt(projection + self.amplifier**2)
        return found

    def measured(self, rng: Rng, population: Array, order: Array) -> tuple[Array, Array]:
        """The points, and what would have been measured without noise; shape (n,) each."""
        share = rng.binomial(self.shots, np.clip(population, 0, 1)) / self.shots
        noise = self.amplifier * rng.standard_normal(len(population))
        noise += self.drift * one_over_f(rng, len(population))[order]
        return self.shown(share + noise), self.shown(population)

    def shown(self, population: Array) -> Array:
        """What a population shows."""
        found: Array = self.offset + self.contrast * population
        return found


def drawn_apparatus(rng: Rng, *, drift: float = 0.0, quiet: float = 1.0) -> Apparatus:
    """Some readout; `quiet` is by how much less it adds than a usual one."""
    return Apparatus(
        shots=int(quiet**2 * np.exp(rng.uniform(np.log(300), np.log(4000)))),
        contrast=float(rng.uniform(0.5, 1.0) * rng.choice([-1, 1])),
        offset=float(rng.uniform(-0.2, 0.6)),
        amplifier=float(rng.uniform(0.002, 0.02) / quiet),
        drift=drift,
        is_iq=bool(rng.random() < 0.25),  # noqa: PLR2004
    )


def one_over_f(rng: Rng, count: int) -> Array:
    """Noise whose power falls with the frequency, of deviation 1 over the measurement."""
    white = np.fft.rfft(rng.standard_normal(4 * count))
    frequencies = np.maximum(np.arange(len(white)), 1)
    slow = np.fft.irfft(white / np.sqrt(frequencies), 4 * count)[:count]
    slow = slow - slow.mean()
    found: Array = slow / max(float(slow.std()), 1e-300)
    return found


def in_iq(rng: Rng, values: Array, deviation: float) -> Array:
    """The values along some direction of the IQ plane, with noise across it."""
    across = deviation * rng.standard_normal(len(values))
    found: Array = (values + 1j * across + complex(*rng.uniform(-1, 1, 2))) * np.exp(2j * np.pi * rng.random())
    return found
