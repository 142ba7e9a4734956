"""The grids in which fits begin: the spectrum says what the whole one says, and even places share theirs."""

from __future__ import annotations

import numpy as np
import pytest

from qdash_jupyter.methods.curves.curve import Curve
from qdash_jupyter.methods.curves.families import RESONATOR
from qdash_jupyter.methods.curves.points import Points, points_of
from qdash_jupyter.methods.curves.shapes import Oscillation, Places
from qdash_jupyter.methods.curves.solution import explained_by, starts


@pytest.mark.parametrize("count", [161, 200, 333])
@pytest.mark.parametrize(("periods", "time"), [(1.4, 0.5), (7.2, 0.3), (40.0, 1.5), (75.1, 0.2)])
def test_it_explains_as_much_as_each_place_of_the_grid(count: int, periods: float, time: float) -> None:
    rng = np.random.default_rng(count)
    u = np.linspace(0.0, 1.0, count)
    values = 0.4 + np.exp(-u / time) * np.cos(2 * np.pi * periods * u + 0.3) + 0.1 * rng.standard_normal(count)
    at, weights, shape = Places(u, u), np.full(count, 2.0), Oscillation()
    by_spectrum = explained_by(shape, at, values, weights)
    one_by_one = explained_by(shape, at, values, weights, shape.grid(at))
    whole = float(np.sum((values * weights) ** 2))
    inside = shape.grid(at)[:, 1] < 0.49 * (count - 1)  # next to half the sampling rate a sine is nothing
    np.testing.assert_allclose(by_spectrum[inside], one_by_one[inside], atol=1e-6 * whole)
    found, sought = (starts(shape, at, values, weights, grid)[-1] for grid in (None, shape.grid(at)))
    np.testing.assert_allclose(found, sought)


def test_places_of_few_digits_share_their_grids() -> None:
    """Each resonator is measured about its own frequency, and its file may keep six digits."""
    known = set()
    for start in (6.5012345678, 6.6198765432):
        x = np.round(np.linspace(start, start + 0.0123, 81), 6)
        points = points_of(Curve("CheckResonatorSpectroscopy", "0", x, np.cos(x * 900), "GHz"), RESONATOR)
        assert isinstance(points, Points)
        places, _, _ = points.on_grid(points.values)
        known.add(places.u.tobytes())
        np.testing.assert_allclose(points.at.u * 0.0123 + start, x, atol=2e-6)  # the fit has them as they are
    assert len(known) == 1
