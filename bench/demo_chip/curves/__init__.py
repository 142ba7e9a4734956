"""Curves with planted faults, and the truth about them: for the demo chip, and for `make eval`.

    made = simulated("T1", "TWO_COMPONENTS", seed=7, noise="good")
    made.curve, made.truth.code, made.truth.fit

`recipes` draws a measurement, `information` says what its numbers can tell (Fisher's information, distances between
models), `truth` what the right verdict is. None of them knows the methods that judge curves.
"""

from demo_chip.curves.made import FAMILIES, NOISE, OTHER_FAULTS, Simulated, faults_of, simulated
from demo_chip.curves.truth import Truth

__all__ = ["FAMILIES", "NOISE", "OTHER_FAULTS", "Simulated", "Truth", "faults_of", "simulated"]
