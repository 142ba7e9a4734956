"""Curves of an independent simulation: shots of a noisy qubit and readout, with what they should be trusted for.

It shares no code with `demo_chip`: shapes, noise and truth are its own. `python -m simulated_curves` measures how
`judge` does on them (docs/benchmarks.md).
"""

from simulated_curves.curves import KINDS, Made, made

__all__ = ["KINDS", "Made", "made"]
