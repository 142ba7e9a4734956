"""SciPy is imported once, also where curves are judged on several threads at the same time."""

from __future__ import annotations

import subprocess
import sys

AT_ONCE = """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np

from qdash_jupyter.methods.curves.curve import Curve  # noqa: F401
from qdash_jupyter.methods.numerics import scipy

start = Barrier(6)

def imported(name):
    start.wait()
    return getattr(scipy(), name).__name__

with ThreadPoolExecutor(6) as pool:
    print(*pool.map(imported, ["fft", "optimize", "special"] * 2))
"""


def test_threads_that_need_it_at_once_get_it_whole() -> None:
    """In a process that has not imported it (a second). `scipy.fft` and `scipy.optimize` at once ended in errors."""
    run = subprocess.run([sys.executable, "-c", AT_ONCE], capture_output=True, text=True, check=False)
    assert run.stdout.split() == ["scipy.fft", "scipy.optimize", "scipy.special"] * 2, run.stderr
