"""Units, and the values that a parameter can have."""

from __future__ import annotations

import math

import pytest

from qdash_jupyter.domain.metrics import METRICS, possible_range, stored_unit, zero_means_missing
from qdash_jupyter.domain.units import factor, with_error


@pytest.mark.parametrize(
    ("unit", "to", "times"),
    [
        ("ns", "μs", 1e-3),
        ("us", "μs", 1),
        ("µs", "μs", 1),  # the micro sign
        ("s", "μs", 1e6),
        ("MHz", "GHz", 1e-3),
        ("Hz", "MHz", 1e-6),
        ("%", "a.u.", 1e-2),
        ("percent", "a.u.", 1e-2),
        ("deg", "degree", 1),
        ("MHz/a.u.", "MHz/a.u.", 1),
        (" GHz ", "GHz", 1),
    ],
)
def test_a_unit_in_another(unit: str, to: str, times: float) -> None:
    assert factor(unit, to) == pytest.approx(times)


@pytest.mark.parametrize(
    ("unit", "to"), [("dB", "μs"), ("GHz", "μs"), ("rad", "degree"), ("MHz/a.u.", "MHz"), ("ß", "s")]
)
def test_what_measures_something_else_is_not_converted(unit: str, to: str) -> None:
    assert factor(unit, to) is None


def test_what_is_stored_is_what_is_shown_over_its_scale() -> None:
    for key, metric in METRICS.items():
        times = factor(stored_unit(key), metric.unit)
        assert times is not None, key
        assert times == pytest.approx(metric.scale), key


@pytest.mark.parametrize(
    ("parameter", "possible", "impossible"),
    [
        ("t1", 300.0, -1e-9),
        ("t2_echo", 1.0, 2e6),
        ("hpi_length", 32.0, -32.0),
        ("average_readout_fidelity", 1.0, 1.0001),
        ("zx90_gate_fidelity", 0.25, -0.01),
        ("qubit_frequency", 4.8, -4.8),
        ("anharmonicity", -0.3, 1e300),
        ("ramsey_frequency", -1.2, -math.inf),
        ("no_such", -5.0, 1e300),
    ],
)
def test_the_values_that_a_parameter_can_have(parameter: str, possible: float, impossible: float) -> None:
    low, high = possible_range(parameter)
    assert low <= possible <= high
    assert not low <= impossible <= high


@pytest.mark.parametrize("parameter", ["hpi_amplitude", "pi_length", "zx90_gate_time", "readout_amplitude"])
def test_a_zero_of_an_amplitude_or_a_length_is_a_failed_fit(parameter: str) -> None:
    assert zero_means_missing(parameter)


@pytest.mark.parametrize(
    ("value", "error", "unit", "shown"),
    [
        (61.412, 1.94, "μs", "61.4 ± 1.9 μs"),
        (99.90123, 0.00399, "%", "99.9012 ± 0.0040 %"),
        (9999.0, 312.0, "μs", "9999 ± 312 μs"),
        (0.001995, 7.98e-05, "a.u.", "0.001995 ± 0.000080 a.u."),
        (4.81234567, 1.2e-6, "GHz", "4.8123457 GHz ± 1.2 kHz"),
        (4.80582612, 2.04e-4, "GHz", "4.80583 GHz ± 200 kHz"),
        (4.81234567, 0.5, "GHz", "4.81 ± 0.50 GHz"),
        (4.81234567, None, "GHz", "4.812346 GHz"),
        (4.812, None, "GHz", "4.812 GHz"),
        (61.41234, math.nan, "μs", "61.41 μs"),
        (-301.8449, 0, "MHz", "-301.8 MHz"),
        (123456.7, None, "ns", "123457 ns"),
        (32.0, None, "", "32"),
        (1.5, 2e-15, "μs", "1.5 ± 2e-15 μs"),
        (math.nan, None, "μs", "nan μs"),
    ],
)
def test_an_error_says_how_many_digits_its_value_has(value: float, error: float | None, unit: str, shown: str) -> None:
    assert with_error(value, error, unit) == shown
