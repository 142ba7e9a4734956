"""As many digits as the noise leaves: the rest of a number would fill the package with nothing."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

Array: TypeAlias = "np.ndarray[Any, Any]"

_OF_STEP, _OF_PLACE = 1000, 100
"""An even step's first place, and uneven places, are told to this part of the distance to the next one."""


def rounded(values: Array, finest: float | Array) -> Array:
    """Round to 1, 2 or 5 of a decimal place, which is at most `finest`; whole numbers where no place is behind the
    point.
    """
    exponent = np.floor(np.log10(finest))
    left = finest / 10.0**exponent
    digit = np.where(left >= 5, 5, np.where(left >= 2, 2, 1))  # noqa: PLR2004
    whole = np.round(values / (digit * 10.0**exponent)) * digit
    # Division by a power of ten gives the nearest float, which is written with the fewest digits.
    near: Array = np.where(
        exponent < 0, whole / 10.0 ** np.maximum(-exponent, 0), whole * 10.0 ** np.maximum(exponent, 0)
    )
    return near.astype(np.int64) if np.all(near == np.round(near)) and np.all(np.abs(near) < 2**53) else near


def places(x: Array) -> dict[str, Any]:
    """Return what a Plotly trace says of its places: the first and the step where they are evenly spaced, else all."""
    apart = np.diff(x)
    if len(x) > 1 and np.allclose(apart, apart.mean(), rtol=1e-6, atol=0):
        step = apart.mean()
        first = rounded(x[:1], step / _OF_STEP)[0]
        return {"x0": first, "dx": float(f"{step:.7g}")}
    return {"x": rounded(x, np.append(apart, apart[-1:]) / _OF_PLACE) if len(x) > 1 else x}
