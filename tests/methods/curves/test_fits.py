"""Each family's fit against scipy's own on the same points, and against numbers that are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import curve_fit

from qdash_jupyter.methods import Curve, fit_curve

RNG = np.random.default_rng(3)
US = np.linspace(0, 200, 51)
FRINGES = np.arange(0, 10.05, 0.1)
GHZ = np.linspace(6.49, 6.51, 101)
CLIFFORDS = np.array([1, 5, 10, 20, 40, 80, 120, 200, 300, 400, 600, 800.0])


def decay(x: Any, tau: float, a: float, c: float) -> Any:
    return a * np.exp(-x / tau) + c


def cosine(x: Any, *parameters: float) -> Any:
    f, tau, a, phase, c = parameters
    return a * np.exp(-x / tau) * np.cos(2 * np.pi * f * x + phase) + c


def line(x: Any, *parameters: float) -> Any:
    centre, width, a, c, slope = parameters
    return a / (1 + ((x - centre) / (width / 2e3)) ** 2) + c + slope * (x - x.mean())


def benchmark(x: Any, lost: float, a: float, c: float) -> Any:
    return a * (1 - lost) ** x + c


CASES: dict[str, tuple[str, str, Any, Callable[..., Any], list[float], dict[str, int]]] = {
    "T1": ("CheckT1", "μs", US, decay, [48.0, 0.9, 0.05], {"t1": 0, "amplitude": 1, "offset": 2}),
    "T2 echo": ("CheckT2Echo", "μs", US, decay, [60.0, -0.4, 0.5], {"t2_echo": 0, "amplitude": 1, "offset": 2}),
    "Ramsey": (
        "CheckRamsey",
        "μs",
        FRINGES,
        cosine,
        [1.01, 6.0, 0.45, 0.2, 0.5],
        {"ramsey_frequency": 0, "t2_star": 1, "amplitude": 2, "phase": 3, "offset": 4},
    ),
    "Rabi": (
        "CheckRabi",
        "μs",
        np.arange(0, 0.4, 0.008),
        cosine,
        [12.5, 1.5, 0.45, 0.1, 0.5],
        {"rabi_frequency": 0, "decay_time": 1, "rabi_amplitude": 2, "rabi_phase": 3, "rabi_offset": 4},
    ),
    "resonator": (
        "CheckResonatorSpectroscopy",
        "GHz",
        GHZ,
        line,
        [6.501, 2.0, -0.8, 1.0, 3.0],
        {"readout_frequency": 0, "linewidth": 1, "amplitude": 2, "offset": 3},
    ),
    "qubit": (
        "CheckQubitSpectroscopy",
        "GHz",
        GHZ - 1.5,
        line,
        [4.999, 1.5, 0.8, 0.1, -2.0],
        {"coarse_qubit_frequency": 0, "linewidth": 1, "amplitude": 2, "offset": 3},
    ),
    "benchmarking": (
        "RandomizedBenchmarking",
        "",
        CLIFFORDS,
        benchmark,
        [0.006, 0.48, 0.5],
        {"depolarizing_rate": 0, "amplitude": 1, "offset": 2},
    ),
}


@pytest.mark.parametrize("with_errors", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_values_and_errors_are_those_of_curve_fit(name: str, *, with_errors: bool) -> None:
    task, unit, x, shape, planted, names = CASES[name]
    error = RNG.uniform(0.005, 0.02, len(x)) if with_errors else None
    y = shape(x, *planted) + RNG.standard_normal(len(x)) * (0.01 if error is None else error)
    found, covariance = curve_fit(shape, x, y, p0=planted, sigma=error, xtol=1e-12, ftol=1e-12)
    fit = fit_curve(Curve(task, "0", x, y, unit, error=error))
    for parameter, index in names.items():
        ours, deviation = fit.parameters[parameter], float(np.sqrt(covariance[index, index]))
        assert ours.value == pytest.approx(found[index], abs=0.01 * deviation), parameter
        assert ours.error == pytest.approx(deviation, rel=0.02), parameter
    if with_errors:
        left = (y - shape(x, *found)) / error
        assert fit.reduced_chi2 == pytest.approx(left @ left / (len(x) - len(planted)), rel=1e-4)
    else:
        assert fit.reduced_chi2 is None


def test_a_reflection_is_that_of_curve_fit() -> None:
    def reflected(x: Any, *parameters: float) -> Any:
        centre, kappa, external, size, phase, delay = parameters
        signal = size * np.exp(1j * (phase - 2 * np.pi * delay * (x - x[0])))
        return signal * (1 - 2 * external / (kappa + 2j * 1e3 * (x - centre)))

    def flat(x: Any, *parameters: float) -> Any:
        signal = reflected(x[: len(x) // 2], *parameters)
        return np.concatenate([signal.real, signal.imag])

    planted = [6.501, 2.0, 1.4, 0.8, 0.3, 40.0]
    y = reflected(GHZ, *planted) + 0.01 * (RNG.standard_normal(101) + 1j * RNG.standard_normal(101))
    both = np.concatenate([GHZ, GHZ])
    found, covariance = curve_fit(flat, both, np.concatenate([y.real, y.imag]), p0=planted)
    fit = fit_curve(Curve("CheckReflectionCoefficient", "0", GHZ, y, "GHz")).parameters
    deviations = np.sqrt(np.diag(covariance))
    # Ours lets the line have a phase of its own (an impedance mismatch), so it is not the same to the digit.
    assert fit["resonator_frequency"].value == pytest.approx(found[0], abs=2 * deviations[0])
    assert fit["kappa_external"].value == pytest.approx(found[2], abs=2 * deviations[2])
    assert fit["kappa_internal"].value == pytest.approx(found[1] - found[2], abs=0.05)
    assert fit["kappa_external"].error == pytest.approx(deviations[2], rel=0.3)


def test_the_fidelity_of_benchmarking_is_that_of_its_definition() -> None:
    """r = (1 − p)(d − 1)/d with d = 2: E. Magesan et al., Phys. Rev. Lett. 106, 180504 (2011)."""
    fit = fit_curve(Curve("RandomizedBenchmarking", "0", CLIFFORDS, benchmark(CLIFFORDS, 0.002, 0.5, 0.5)))
    assert fit.parameters["average_gate_fidelity"].value == pytest.approx(0.999, abs=1e-7)
    assert fit.parameters["depolarizing_rate"].value == pytest.approx(0.002, abs=1e-7)


def test_units_of_axes_do_not_matter() -> None:
    y = cosine(FRINGES, 1.0, 6.0, 0.5, 0.0, 0.5) + 0.01 * RNG.standard_normal(len(FRINGES))
    one, other = (fit_curve(Curve("CheckRamsey", "0", FRINGES * by, y, unit)) for by, unit in ((1, "μs"), (1e3, "ns")))
    for name, value in one.parameters.items():
        assert other.parameters[name].value == pytest.approx(value.value, rel=1e-5, abs=1e-6)


def test_the_line_and_the_residuals_are_in_the_units_of_the_curve() -> None:
    y = 1000 * decay(US, 48.0, 0.9, 0.05) + RNG.standard_normal(51)
    fit = fit_curve(Curve("CheckT1", "0", US * 1e3, y, "ns"))
    x, line_of_fit = fit.line(51)
    np.testing.assert_allclose(x, US * 1e3)
    np.testing.assert_allclose(y - line_of_fit, fit.residuals, atol=1e-6)


def test_what_cannot_be_fitted_is_said() -> None:
    with pytest.raises(ValueError, match=r"judge.*DumpBox"):
        fit_curve(Curve("DumpBox", "0", US, US, "μs"))
    with pytest.raises(ValueError, match="needs one like μs"):
        fit_curve(Curve("CheckT1", "0", US, US, "GHz"))
