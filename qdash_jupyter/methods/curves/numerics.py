"""What curves need of SciPy, imported by one thread at a time.

Tools run beside each other, each on a thread. Python imports a submodule while another thread is still in the middle
of its package, and SciPy's packages need each other: `scipy.fft` on one thread and `scipy.optimize` on another ended
with "partially initialized module".
"""

from __future__ import annotations

from threading import Lock
from types import ModuleType

_ONE_AT_A_TIME = Lock()


def scipy() -> ModuleType:
    """SciPy with `fft`, `optimize` and `special`: 0.3 s where nobody has imported them yet."""
    with _ONE_AT_A_TIME:
        import scipy.fft
        import scipy.optimize
        import scipy.special

        return scipy
