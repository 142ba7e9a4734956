from __future__ import annotations

import pytest

from qdash_jupyter.domain.metrics import METRICS, MetricTable, Scoring, zero_means_missing


@pytest.mark.parametrize(
    ("parameter", "value", "shown"),
    [
        ("t1", 61.44, "61.4 μs"),
        ("average_readout_fidelity", 0.98716, "98.72 %"),
        ("qubit_frequency", 4.81234, "4.8123 GHz"),
        ("anharmonicity", -0.31234, "-312.34 MHz"),
        ("hpi_length", 32, "32 ns"),
        ("static_zz_interaction", 0.0002, "0.20 MHz"),
        ("hpi_amplitude", 0.14387, "0.144 a.u."),
    ],
)
def test_stored_values_as_people_read_them(parameter: str, value: float, shown: str) -> None:
    assert METRICS[parameter].shown(value) == shown


@pytest.mark.parametrize(
    "parameter",
    [
        "t1",
        "t1_average",
        "t2_echo",
        "t2_star",
        "qubit_frequency",
        "readout_frequency",
        "anharmonicity",
        "average_readout_fidelity",
        "readout_fidelity_0",
        "readout_fidelity_1",
        "zx90_gate_fidelity",
        "hpi_length",
        "zx90_gate_time",
        "one_qubit_gate_coherence_limit",
    ],
)
def test_zero_is_no_fit_where_zero_is_impossible(parameter: str) -> None:
    assert zero_means_missing(parameter)


@pytest.mark.parametrize(
    "parameter",
    [
        "ramsey_frequency",
        "cancel_amplitude",
        "cr_phase",
        "static_zz_interaction",
        "depolarizing_rate",
        "dispersive_shift",
    ],
)
def test_zero_is_a_value_where_it_is_possible(parameter: str) -> None:
    assert not zero_means_missing(parameter)


def test_a_lab_s_thresholds_replace_qdash_s() -> None:
    own = Scoring(70, 120, 40)
    table = MetricTable({"t1": own, "cr_amplitude": own})
    assert table.of("t1").scoring == own
    assert table.of("t1").unit == "μs"
    assert table.of("t2_echo").scoring == METRICS["t2_echo"].scoring
    assert table.of("cr_amplitude").scoring == own
    assert METRICS["t1"].scoring == Scoring(50, 100, 20)


def test_unlisted_parameters_are_shown_in_their_stored_unit() -> None:
    metric = MetricTable().of("chi_of_lab", "MHz")
    assert (metric.title, metric.unit, metric.scale, metric.mode) == ("chi_of_lab", "MHz", 1, "none")
    assert MetricTable().of("cr_amplitude").unit == "a.u."


def test_what_qdash_s_tasks_give_has_names_in_both_languages() -> None:
    metric = MetricTable().of("coarse_qubit_frequency")
    assert (metric.title, metric.title_in("ja"), metric.unit) == (
        "Coarse Qubit Frequency",
        "量子ビット周波数（粗測定）",
        "GHz",
    )
    assert MetricTable().of("readout_fidelity_0", "a.u.").shown(0.9559) == "95.59 %"
    assert MetricTable().of("rabi_amplitude", "mV").unit == "mV"
