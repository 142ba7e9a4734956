"""Magnitudes of a scattering parameter: |S|², whose dip is a Lorentzian line, of |S| and dB."""

from __future__ import annotations

import numpy as np

from qdash_jupyter.methods.curves.curve import Array

POWER, MAGNITUDE, DECIBELS = "|S|²", "|S|", "dB"
_UNITS = {"|s|²": POWER, "|s|^2": POWER, "power": POWER, "w": POWER, "|s|": MAGNITUDE, "abs": MAGNITUDE} | {
    "magnitude": MAGNITUDE,
    "db": DECIBELS,
    "dbm": DECIBELS,
}


def scale_of(unit: str) -> str:
    """What a unit of y says it is; nothing where it does not tell, as of `a.u.`."""
    return _UNITS.get(unit.strip().lower(), "")


def squared(y: Array, scale: str) -> Array:
    """Values of this scale as |S|²; as they are where the scale is not known. dB count from the largest value."""
    if scale == DECIBELS:
        found: Array = 10 ** ((y - np.nanmax(np.where(np.isfinite(y), y, np.nan))) / 10)
        return found
    return y**2 if scale == MAGNITUDE else y


def shown(power: Array, scale: str, highest: float) -> Array:
    """|S|² as values of this scale; `highest` is the largest dB that was measured."""
    if scale == DECIBELS:
        found: Array = 10 * np.log10(np.maximum(power, 1e-30)) + highest
        return found
    return np.sqrt(np.maximum(power, 0.0)) if scale == MAGNITUDE else power
