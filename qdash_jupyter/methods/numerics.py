"""What fits need of SciPy, imported by one thread at a time: tools run beside each other, each on a thread."""

from __future__ import annotations

from types import ModuleType

from qdash_jupyter.domain.imports import ONE_AT_A_TIME


def scipy() -> ModuleType:
    """SciPy with `fft`, `optimize` and `special`: 0.3 s where nobody has imported them yet."""
    with ONE_AT_A_TIME:
        import scipy.fft
        import scipy.optimize
        import scipy.special

        return scipy
