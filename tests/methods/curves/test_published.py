"""Fits against published ones: values, standard errors and sums of squares that others certify.

The data sets are those of the Statistical Reference Datasets of the National Institute of Standards and Technology
(works of the United States government, in the public domain), and the examples that scipy, lmfit, mixtools,
resonator_tools and Qiskit Ignis bring along. Where a model has fewer columns than ours, or fewer free frequencies, our
shape is fitted with these alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from qdash_jupyter.methods import Curve, fit_curve, judge
from qdash_jupyter.methods.curves.codes import Code
from qdash_jupyter.methods.curves.curve import Array
from qdash_jupyter.methods.curves.readout import clouds_of
from qdash_jupyter.methods.curves.shapes import Decay, Oscillation, Peak, Places, Shape
from qdash_jupyter.methods.curves.solution import Solution, solved, starts


@dataclass(frozen=True)
class Restricted:
    """A shape with combinations of its columns, and with its first θ held."""

    shape: Shape
    columns: tuple[tuple[float, ...], ...]
    held: tuple[float, ...] = ()

    @property
    def name(self) -> str:
        return self.shape.name

    @property
    def linear(self) -> int:
        return len(self.columns)

    @property
    def nonlinear(self) -> int:
        return self.shape.nonlinear - len(self.held)

    def whole(self, thetas: Array) -> Array:
        return np.concatenate([np.broadcast_to(self.held, (len(thetas), len(self.held))), thetas], axis=1)

    def basis(self, at: Places, thetas: Array) -> Array:
        found: Array = self.shape.basis(at, self.whole(thetas)) @ np.array(self.columns).T
        return found

    def slopes(self, at: Places, theta: Array, columns: Array) -> Array:
        whole = self.whole(theta[None])
        found: Array = self.shape.slopes(at, whole[0], self.shape.basis(at, whole)[0]) @ np.array(self.columns).T
        return found[len(self.held) :]

    def grid(self, at: Places) -> Array:
        return self.shape.grid(at)

    def groups(self, at: Places, grid: Array) -> Array:
        return self.shape.groups(at, grid)

    def sane(self, at: Places, theta: Array) -> bool:
        return self.shape.sane(at, self.whole(theta[None])[0])


def fitted(shape: Restricted, x: Array, y: Array, begin: Sequence[float] = ()) -> Solution:
    """On u = x / max(x), from our own start where none is given."""
    at, weights = Places(x / x.max(), np.linspace(0, 1, len(x))), np.ones(len(x))
    return solved(shape, at, y, weights, np.array([begin]) if begin else starts(shape, at, y, weights))


def is_certified(
    solution: Solution, of: Callable[[Array], list[float]], values: list[float], errors: list[float], squares: float
) -> None:
    """`of` makes the certified parameters of coefficients and θ; their errors follow from its slopes."""
    found = np.concatenate([solution.coefficients, solution.theta])
    steps = 1e-6 * np.diag(np.maximum(np.abs(found), 1e-3))
    slopes = np.array([(np.array(of(found + step)) - of(found - step)) / (2 * step.sum()) for step in steps]).T
    np.testing.assert_array_less(np.abs(np.array(of(found)) - values) / errors, 5e-4)
    np.testing.assert_allclose(np.sqrt(np.diag(slopes @ solution.covariance @ slopes.T)), errors, rtol=2e-4)
    assert solution.rss == pytest.approx(squares, rel=1e-6)


def test_the_example_of_scipys_curve_fit() -> None:
    """Its documentation up to 1.10: 2.5 exp(-1.3 x) + 0.5 with noise of 0.2, seed 1729."""
    x = np.linspace(0, 4, 50)
    y = 2.5 * np.exp(-1.3 * x) + 0.5 + 0.2 * np.random.RandomState(1729).normal(size=50)
    fit = fit_curve(Curve("CheckT1", "0", x, y, "μs")).parameters
    found = [fit["amplitude"].value, 1 / fit["t1"].value, fit["offset"].value]
    np.testing.assert_allclose(found, [2.55423706, 1.35190947, 0.47450618], rtol=1e-5)


def test_an_exponential_that_rises_misra1a() -> None:
    x = np.array([77.6, 114.9, 141.1, 190.8, 239.9, 289, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760])
    y = np.array([10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.4, 75.47, 81.78])
    is_certified(
        fitted(Restricted(Decay(), ((-1.0, 1.0),)), x, y),
        lambda p: [p[0], np.exp(-p[1]) / 760],
        [2.3894212918e2, 5.5015643181e-4],
        [2.7070075241, 7.2668688436e-6],
        1.2455138894e-1,
    )


KIRBY2 = """.0082 9.65 .0112 10.74 .0149 11.81 .0198 12.88 .0248 14.06 .0324 15.28 .0420 16.63 .0549 18.19 .0719 19.88
.0963 21.84 .1291 24 .1710 26.25 .2314 28.86 .3227 31.85 .4809 35.79 .7084 40.18 1.022 44.74 1.458 49.53 1.952 53.94
2.541 58.29 3.223 62.63 3.999 67.03 4.852 71.25 5.732 75.22 6.727 79.33 7.835 83.56 9.025 87.75 10.267 91.93 11.578 96.1
12.944 100.28 14.377 104.46 15.856 108.66 17.331 112.71 18.885 116.88 20.575 121.33 22.32 125.79 22.303 125.79
23.46 128.74 24.06 130.27 25.272 133.33 25.853 134.79 27.11 137.93 27.658 139.33 28.924 142.46 29.511 143.9 30.71 146.91
31.35 148.51 32.52 151.41 33.23 153.17 34.33 155.97 35.06 157.76 36.17 160.56 36.84 162.3 38.01 165.21 38.67 166.9
39.87 169.92 40.03 170.32 40.5 171.54 41.37 173.79 41.67 174.57 42.31 176.25 42.73 177.34 43.46 179.19 44.14 181.02
44.55 182.08 45.22 183.88 45.92 185.75 46.3 186.8 47 188.63 47.68 190.45 48.06 191.48 48.74 193.35 49.41 195.22
49.76 196.23 50.43 198.05 51.11 199.97 51.5 201.06 52.12 202.83 52.76 204.69 53.18 205.86 53.78 207.58 54.46 209.5
54.83 210.65 55.4 212.33 56.43 215.43 57.03 217.16 58 220.21 58.61 221.98 59.58 225.06 60.11 226.79 61.1 229.92
61.65 231.69 62.59 234.77 63.12 236.6 64.03 239.63 64.62 241.5 65.49 244.48 66.03 246.4 66.89 249.35 67.42 251.32
68.23 254.22 68.77 256.24 69.59 259.11 70.11 261.18 70.86 264.02 71.43 266.13 72.16 268.94 72.7 271.09 73.4 273.87
73.93 276.08 74.6 278.83 75.16 281.08 75.82 283.81 76.34 286.11 76.98 288.81 77.48 291.08 78.08 293.75 78.6 295.99
79.17 298.64 79.62 300.84 79.88 302.02 80.19 303.48 80.66 305.65 81.22 308.27 81.66 310.41 82.16 313.01 82.59 315.12
83.14 317.71 83.5 319.79 84 322.36 84.4 324.42 84.89 326.98 85.26 329.01 85.74 331.56 86.07 333.56 86.54 336.1
86.89 338.08 87.32 340.6 87.65 342.57 88.1 345.08 88.43 347.02 88.83 349.52 89.12 351.44 89.54 353.93 89.85 355.83
90.25 358.32 90.55 360.2 90.93 362.67 91.2 364.53 91.55 367 92.2 371.3"""


def test_an_asymmetric_line_kirby2() -> None:
    """(b1 + b2 x + b3 x²) / (1 + b4 x + b5 x²) is a level with an asymmetric Lorentzian, and no slope."""
    y, x = np.array(KIRBY2.split(), dtype=float).reshape(-1, 2).T

    def rational(p: Array) -> list[float]:
        height, aside, level, middle, width = *p[:4], np.exp(p[4])
        size = width**2 + middle**2
        return [
            level + width * (width * height - aside * middle) / size,
            (width * aside - 2 * middle * level) / size / 371.3,
            level / size / 371.3**2,
            -2 * middle / size / 371.3,
            1 / size / 371.3**2,
        ]

    is_certified(
        fitted(Restricted(Peak(asymmetric=True), ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0))), x, y),
        rational,
        [1.6745063063, -1.3927397867e-1, 2.5961181191e-3, -1.7241811870e-3, 2.1664802578e-5],
        [8.7989634338e-2, 4.1182041386e-3, 4.1856520458e-5, 5.8931897355e-5, 2.0129761919e-7],
        3.9050739624,
    )


def test_a_damped_cosine_as_in_lmfits_documentation() -> None:
    """Its page on parameters: 5 sin(2x - 0.1) exp(-0.025 x²) with noise of 0.2, seed 2021."""
    x = np.linspace(0, 15, 301)
    y = 5 * np.sin(2 * x - 0.1) * np.exp(-0.025 * x**2) + np.random.RandomState(2021).normal(size=301, scale=0.2)
    shape = Restricted(Oscillation(power=2), ((1, 0, 0), (0, 1, 0)))
    is_certified(
        fitted(shape, x, y),
        lambda p: [np.hypot(p[0], p[1]), np.exp(-2 * p[2]) / 225, 2 * np.pi * p[3] / 15, np.arctan2(p[0], p[1])],
        [5.03088059, 0.02495457, 2.00026310, -0.10264952],
        [0.04005824, 4.5396e-4, 0.00326183, 0.01022294],
        12.1867036,
    )


BENCHMARKED = {
    "two qubits": (
        range(1, 182, 20),
        "0.96367187 0.73457031 0.58066406 0.4828125 0.41035156 0.34902344 0.31210938 0.2765625 0.29453125 0.27695313",
        "0.01013745 0.0060955 0.00678272 0.01746491 0.02015981 0.02184184 0.02340167 0.02360293 0.00874773 0.01308156",
        [0.71936804, 0.98062119, 0.25803749],
        [0.0065886, 0.00046714, 0.00556488],
        Code.SUCCESS,
    ),
    "one qubit": (
        range(2, 363, 40),
        "0.98925781 0.87734375 0.78125 0.73066406 0.68496094 0.64296875 0.59238281 0.57421875 0.56074219 0.54980469",
        "0.00276214 0.01602991 0.00768946 0.01413015 0.00820777 0.01441348 0.01272682 0.01031649 0.02103036 0.01224408",
        [0.49507094, 0.99354093, 0.50027262],
        [0.0146191, 0.0004157, 0.01487439],
        Code.SUCCESS,
    ),
    "too few Cliffords": (
        range(1, 182, 20),
        "0.99199219 0.93867188 0.87871094 0.83945313 0.79335937 0.74785156 0.73613281 0.69414062 0.67460937 0.65664062",
        "0.00567416 0.00791919 0.01523437 0.01462368 0.01189002 0.01445049 0.00292317 0.00317345 0.00406888 0.01504794",
        [0.59599995, 0.99518211, 0.39866989],
        [0.08843152, 0.00107311, 0.09074325],
        Code.WINDOW_TOO_SHORT,
    ),
}


@pytest.mark.parametrize("name", BENCHMARKED)
def test_randomized_benchmarking_as_by_qiskit_ignis(name: str) -> None:
    """A pᵐ + B of survival probabilities with their errors: the values with which its fitter is tested."""
    cliffords, survived, deviations, values, errors, code = BENCHMARKED[name]
    y, error = (np.array(text.split(), dtype=float) for text in (survived, deviations))
    curve = Curve("RandomizedBenchmarking", "0", np.array(cliffords, dtype=float), y, error=error)
    fit = fit_curve(curve).parameters
    found = [fit[key] for key in ("amplitude", "depolarizing_rate", "offset")]
    np.testing.assert_allclose([one.error for one in found], errors, rtol=2e-5)
    published = np.array([values[0], 1 - values[1], values[2]])
    np.testing.assert_array_less(np.abs(np.array([one.value for one in found]) - published) / errors, 2e-4)
    assert judge(curve).code is code


# Minutes from one eruption of Old Faithful to the next (A. Azzalini and A. W. Bowman, Appl. Statist. 39, 357 (1990)).
WAITING = """
79 54 74 62 85 55 88 85 51 85 54 84 78 47 83 52 62 84 52 79 51 47 78 69 74 83 55 76 78 79 73 77 66 80 74 52 48 80 59
90 80 58 84 58 73 83 64 53 82 59 75 90 54 80 54 83 71 64 77 81 59 84 48 82 60 92 78 78 65 73 82 56 79 71 62 76 60 78
76 83 75 82 70 65 73 88 76 80 48 86 60 90 50 78 63 72 84 75 51 82 62 88 49 83 81 47 84 52 86 81 75 59 89 79 59 81 50
85 59 87 53 69 77 56 88 81 45 82 55 90 45 83 56 89 46 82 51 86 53 79 81 60 82 77 76 59 80 49 96 53 77 77 65 81 71 70
81 93 53 89 45 86 58 78 66 76 63 88 52 93 49 57 77 68 81 81 73 50 85 74 55 77 83 83 51 78 84 46 83 55 81 57 76 84 77
81 87 77 51 78 60 82 91 53 78 46 77 84 49 83 71 80 49 75 64 76 53 94 55 76 50 82 54 75 78 79 78 78 70 79 70 54 86 50
90 54 54 77 79 64 75 47 86 63 85 82 57 82 67 74 54 83 73 73 88 80 71 83 56 79 78 84 58 83 43 60 75 81 46 90 46 74
"""


def test_two_gaussians_of_one_width_old_faithful() -> None:
    """T. Benaglia et al., J. Stat. Softw. 32, 6 (2009): shares 0.36085 and 0.63915, places 54.61364 and 80.09031,
    width 5.86909. Of each of our preparations most shots are in its own cloud: the first is the same data, mirrored.
    """
    minutes = np.array(WAITING.split(), dtype=float)
    clouds = clouds_of(54.61364 + 80.09031 - minutes, minutes)
    found = [clouds.lower, clouds.upper, clouds.width, clouds.excited, clouds.relaxed]
    np.testing.assert_allclose(found, [54.61364, 80.09031, 5.86909, 0.36085, 0.36085], rtol=1e-4)


# Measured in reflection: every tenth of the first 370 points of the example that resonator_tools (S. Probst et al.,
# Rev. Sci. Instrum. 86, 024706 (2015)) brings along, from 7112.88615179 MHz in steps of 2 kHz; dB and degrees.
REFLECTED_DB = """
-29.04142 -29.06471 -29.09079 -29.12317 -29.15870 -29.19781 -29.24312 -29.29548 -29.35682 -29.43120
-29.51591 -29.61692 -29.74069 -29.88660 -30.07154 -30.29379 -30.57379 -30.93182 -31.38919 -31.95864
-32.68652 -33.53112 -34.47225 -35.24839 -35.55400 -35.22661 -34.45203 -33.54937 -32.69913 -31.98181
-31.39795 -30.94218 -30.57485 -30.28659 -30.05063 -29.86291 -29.70783 -29.58313
"""
REFLECTED_DEGREES = """
40.65617 39.69516 38.63963 37.49886 36.24564 34.87566 33.36962 31.69261 29.87207 27.77084 25.47175
22.85756 19.85996 16.47222 12.47881 7.90898 2.52530 -3.95836 -11.85708 -21.34291 -33.19427 -47.92191
-66.91495 -89.50693 -115.20503 -140.53210 -162.95818 178.86700 164.20363 152.32529 142.65253
134.79324 128.10751 122.55497 117.73669 113.60954 110.02333 106.91769
"""


def test_a_measured_reflection_is_fitted_as_by_its_authors() -> None:
    """Their circle fit of all points: 7112.934295 MHz, Qi 930,114, Qc 348,037. Both methods leave a structure that is
    many times the noise, so they agree to hundredths and not to their errors.
    """
    size, angle = (np.array(text.split(), dtype=float) for text in (REFLECTED_DB, REFLECTED_DEGREES))
    x = 7.11288615179 + 2e-6 * np.arange(len(size))
    y = 10 ** (size / 20) * np.exp(1j * np.radians(angle))
    measured = Curve("CheckReflectionCoefficient", "0", x, y, "GHz")
    found = fit_curve(measured).parameters
    internal, external = 7112.934295 / 930_114, 7112.934295 / 348_037
    assert found["resonator_frequency"].value * 1e3 == pytest.approx(7112.934295, abs=0.01 * (internal + external))
    assert found["kappa_internal"].value == pytest.approx(internal, rel=0.02)
    assert found["kappa_external"].value == pytest.approx(external, rel=0.02)
    assert judge(measured).code is Code.SUCCESS, "a structure of 0.4 % of the signal is that of its cables"
