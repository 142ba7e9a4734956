"""The parameters people look at: title, unit, scale, and thresholds (QDash's metrics.yaml and copilot scoring).

Stored values are in QDash's units (μs, GHz, fractions); `display = stored × scale` in `unit`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from qdash_jupyter.messages.languages import Language

EvaluationMode = Literal["maximize", "minimize", "none"]
Kind = Literal["qubit", "coupling"]
Grade = Literal["excellent", "good", "below good", "bad"]


@dataclass(frozen=True, slots=True)
class Scoring:
    """Thresholds on the displayed scale; `bad` is None where there is no such limit."""

    good: float
    excellent: float
    bad: float | None = None
    higher_is_better: bool = True

    def grade(self, shown: float) -> Grade:
        """Where they put a value on the displayed scale."""
        sign = 1 if self.higher_is_better else -1
        if shown * sign > self.excellent * sign:
            return "excellent"
        if shown * sign > self.good * sign:
            return "good"
        return "bad" if self.bad is not None and shown * sign < self.bad * sign else "below good"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of qubits or couplings."""

    key: str
    title: str
    unit: str
    scale: float
    mode: EvaluationMode
    kind: Kind = "qubit"
    scoring: Scoring | None = None
    title_ja: str = ""
    band: tuple[float, float] | None = None
    """Where values of this lab lie, on the displayed scale, both ends included."""

    def title_in(self, language: Language) -> str:
        """Its name, in English or Japanese."""
        return self.title_ja if language == "ja" and self.title_ja else self.title

    @property
    def stored_unit(self) -> str:
        """The unit of the data: μs, GHz, and nothing for fractions."""
        unit = stored_unit(self.key) or self.unit
        return "" if unit == "a.u." else unit

    def stored(self, limit: float) -> float:
        """A limit on the displayed scale as the data have it: 85 % is 0.85."""
        return float(f"{limit / self.scale:.12g}")

    @property
    def higher_is_better(self) -> bool | None:
        """Which side is the better one; None where there is none. A frequency has a place, and an interaction a sign,
        although QDash's maps have a best one of each.
        """
        if self.scoring is not None:
            return self.scoring.higher_is_better
        return True if self.mode == "maximize" and self.unit == "%" else None

    def shown(self, value: float) -> str:
        """A stored value as people read it, with its unit: `61.4 μs`, `98.72 %`, `4.8123 GHz`."""
        return f"{value * self.scale:.{self.decimals}f} {self.unit}"

    @property
    def decimals(self) -> int:
        """Decimals on the displayed scale."""
        return {"μs": 1, "%": 2, "GHz": 4, "MHz": 2, "ns": 0}.get(self.unit, 3)


_PERCENT_95 = Scoring(95, 99, 85)
_PERCENT_995 = Scoring(99.5, 99.9, 98.0)
_ANHARMONICITY = Scoring(-280, -320, -250, higher_is_better=False)
_T1 = Scoring(50, 100, 20)
_T2_ECHO = Scoring(80, 150, 30)


def _percent(key: str, title: str, title_ja: str, kind: Kind = "qubit", scoring: Scoring | None = None) -> Metric:
    return Metric(key, title, "%", 100, "maximize", kind, scoring, title_ja)


METRICS: dict[str, Metric] = {
    metric.key: metric
    for metric in (
        Metric("readout_frequency", "Readout Frequency", "GHz", 1, "maximize", title_ja="読み出し周波数"),
        Metric("qubit_frequency", "Qubit Frequency", "GHz", 1, "maximize", title_ja="量子ビット周波数"),
        Metric(
            "anharmonicity", "Qubit Anharmonicity", "MHz", 1000, "minimize", scoring=_ANHARMONICITY, title_ja="非調和性"
        ),
        Metric("t1", "T1", "μs", 1, "maximize", scoring=_T1, title_ja="T1"),
        Metric("t1_average", "T1 Average", "μs", 1, "maximize", scoring=_T1, title_ja="平均T1"),
        Metric("t2_echo", "T2 Echo", "μs", 1, "maximize", scoring=_T2_ECHO, title_ja="T2エコー"),
        Metric("t2_echo_average", "T2 Echo Average", "μs", 1, "maximize", scoring=_T2_ECHO, title_ja="平均T2エコー"),
        Metric("t2_star", "T2 Star", "μs", 1, "maximize", scoring=Scoring(20, 40, 10), title_ja="T2*"),
        _percent("average_readout_fidelity", "Average Readout Fidelity", "平均読み出し忠実度", scoring=_PERCENT_95),
        _percent("average_gate_fidelity", "Average Gate Fidelity", "平均ゲート忠実度"),
        _percent("x90_gate_fidelity", "X90 Gate Fidelity", "X90ゲート忠実度", scoring=_PERCENT_995),
        _percent("x180_gate_fidelity", "X180 Gate Fidelity", "X180ゲート忠実度", scoring=_PERCENT_995),
        Metric("maximum_rabi_frequency", "Maximum Rabi Frequency", "MHz/a.u.", 1, "none", title_ja="最大ラビ周波数"),
        Metric("hpi_amplitude", "HPI Amplitude", "a.u.", 1, "none", title_ja="HPI振幅"),
        Metric("hpi_length", "HPI Length", "ns", 1, "none", title_ja="HPIパルス長"),
        _percent("one_qubit_gate_coherence_limit", "1Q Gate Coherence Limit", "1Qゲートのコヒーレンス限界"),
        _percent("zx90_gate_fidelity", "ZX90 Gate Fidelity", "ZX90ゲート忠実度", "coupling", _PERCENT_95),
        _percent("bell_state_fidelity", "Bell State Fidelity", "ベル状態忠実度", "coupling", Scoring(90, 95, 80)),
        Metric("zx90_gate_time", "ZX90 Gate Time", "ns", 1, "none", "coupling", title_ja="ZX90ゲート時間"),
        _percent("two_qubit_gate_coherence_limit", "2Q Gate Coherence Limit", "2Qゲートのコヒーレンス限界", "coupling"),
        Metric(
            "static_zz_interaction",
            "Static ZZ Interaction",
            "MHz",
            1000,
            "minimize",
            "coupling",
            None,
            "静的ZZ相互作用",
        ),
    )
}
"""QDash's metrics by parameter name (facts: qdash metrics.yaml and copilot scoring)."""


def _output(key: str, unit: str, title_ja: str, title: str = "", kind: Kind = "qubit") -> Metric:
    return Metric(key, title or key.replace("_", " ").title(), unit, 1, "none", kind, title_ja=title_ja)


_OUTPUTS: dict[str, Metric] = {
    metric.key: metric
    for metric in (
        _output("coarse_resonator_frequency", "GHz", "共振器周波数（粗測定）"),
        _output("resonator_frequency", "GHz", "共振器周波数"),
        _output("coarse_qubit_frequency", "GHz", "量子ビット周波数（粗測定）"),
        _output("optimal_readout_frequency", "GHz", "最適読み出し周波数"),
        _output("kappa_external", "MHz", "外部κ", "External κ"),
        _output("kappa_internal", "MHz", "内部κ", "Internal κ"),
        _output("rabi_frequency", "MHz", "ラビ周波数"),
        _output("ramsey_frequency", "MHz", "Ramsey周波数"),
        _output("dispersive_shift", "MHz", "分散シフト"),
        _output("t1_std", "μs", "T1偏差", "T1 Deviation"),
        _output("t2_echo_std", "μs", "T2エコー偏差", "T2 Echo Deviation"),
        _output("electrical_delay", "ns", "電気的遅延"),
        _output("pi_length", "ns", "PIパルス長", "PI Length"),
        _output("drag_hpi_length", "ns", "DRAG HPIパルス長", "DRAG HPI Length"),
        _output("drag_pi_length", "ns", "DRAG PIパルス長", "DRAG PI Length"),
        _output("optimal_power", "dB", "最適パワー"),
        _output("f01_repr_db", "dB", "f01のパワー", "f01 Power"),
        _output("rabi_angle", "degree", "ラビ角"),
        _output("rabi_amplitude", "", "ラビ振幅"),
        _output("readout_amplitude", "", "読み出し振幅"),
        _output("control_amplitude", "", "制御振幅"),
        _output("pi_amplitude", "", "PI振幅", "PI Amplitude"),
        _percent("readout_fidelity_0", "Readout Fidelity 0", "状態0の読み出し忠実度"),
        _percent("readout_fidelity_1", "Readout Fidelity 1", "状態1の読み出し忠実度"),
        _output("depolarizing_rate", "a.u.", "脱分極率"),
        _output("x90_depolarizing_rate", "a.u.", "X90脱分極率", "X90 Depolarizing Rate"),
        _output("x180_depolarizing_rate", "a.u.", "X180脱分極率", "X180 Depolarizing Rate"),
        _output("zx90_depolarizing_rate", "a.u.", "ZX90脱分極率", "ZX90 Depolarizing Rate"),
        _output("drag_hpi_amplitude", "", "DRAG HPI振幅", "DRAG HPI Amplitude"),
        _output("drag_hpi_beta", "", "DRAG HPI β", "DRAG HPI β"),
        _output("drag_pi_amplitude", "", "DRAG PI振幅", "DRAG PI Amplitude"),
        _output("drag_pi_beta", "", "DRAG PI β", "DRAG PI β"),
        _output("cr_amplitude", "", "CR振幅", "CR Amplitude", "coupling"),
        _output("cr_phase", "", "CR位相", "CR Phase", "coupling"),
        _output("cancel_amplitude", "", "キャンセル振幅", kind="coupling"),
        _output("cancel_phase", "", "キャンセル位相", kind="coupling"),
        _output("cancel_beta", "", "キャンセルβ", "Cancel β", "coupling"),
        _output("rotary_amplitude", "", "ロータリー振幅", kind="coupling"),
    )
}
"""What else QDash's tasks give, by parameter name (facts: the output parameters of its tasks)."""


NAMES: Mapping[str, str] = {
    name.lower(): metric.key
    for metric in _OUTPUTS.values()
    for name in (metric.key.replace("_", " "), metric.title, metric.title_ja)
}
"""What else QDash's tasks give, by what it is called in either language, in small letters."""


def named_metric(parameter: str) -> Metric | None:
    """The metric of a parameter that QDash's metrics or tasks name."""
    return METRICS.get(parameter) or _OUTPUTS.get(parameter)


def title_of(parameter: str) -> str:
    """A parameter as a sentence names it: by the title of its metric, where it has one."""
    metric = named_metric(parameter)
    return parameter if metric is None else metric.title


class MetricTable:
    """The metrics with a lab's own thresholds in place of QDash's, and its bands."""

    def __init__(
        self, scoring: Mapping[str, Scoring] | None = None, bands: Mapping[str, tuple[float, float]] | None = None
    ) -> None:
        """`scoring` and `bands` are by parameter name, on the displayed scale."""
        self._scoring = dict(scoring or {})
        self._bands = dict(bands or {})

    def of(self, parameter: str, unit: str = "") -> Metric:
        """The metric of a parameter; for one that QDash does not list, its name and its stored unit as they are."""
        metric = named_metric(parameter) or _output(parameter, "", parameter, parameter)
        metric = metric if metric.unit else replace(metric, unit=unit or "a.u.")
        own, band = self._scoring.get(parameter), self._bands.get(parameter)
        return replace(metric, scoring=own or metric.scoring, band=band) if own or band else metric

    def importance(self, parameter: str) -> tuple[bool, bool, int, str]:
        """A key to sort parameters by: first those with thresholds (T1, T2, fidelities), then the other metrics."""
        scoring = self.of(parameter).scoring
        place = list(METRICS).index(parameter) if parameter in METRICS else len(METRICS)
        return scoring is None, scoring is not None and not scoring.higher_is_better, place, parameter


_COUPLING_PULSES = ("cancel_", "rotary_")


def stored_unit(parameter: str) -> str:
    """The unit in which QDash stores a parameter: μs, GHz, fractions in a.u.; empty for one that it does not list."""
    metric = METRICS.get(parameter) or _OUTPUTS.get(parameter)
    if metric is None:
        return ""
    return metric.unit if metric.scale == 1 else {"MHz": "GHz", "%": "a.u."}[metric.unit]


def zero_means_missing(parameter: str) -> bool:
    """Whether a stored 0 of this parameter is "no fit": QDash stores NaN as 0, and 0 is no physical value of these.

    Coherence times, fidelities, frequencies of qubits and resonators, the anharmonicity, amplitudes, lengths and gate
    times. The Ramsey frequency is a detuning and may be 0, as may the pulses that cancel or suppress something.
    """
    if parameter == "ramsey_frequency" or parameter.startswith(_COUPLING_PULSES):
        return False
    return _is_duration(parameter) or parameter.endswith(
        ("fidelity", "frequency", "anharmonicity", "_amplitude", "coherence_limit", "_fidelity_0", "_fidelity_1")
    )


def possible_range(parameter: str) -> tuple[float, float]:
    """The values that a parameter can have, both ends included, in its stored unit: outside lies no measurement.

    A duration is not negative, and a coherence time of a superconducting qubit does not reach a second: the longest
    published ones are around a millisecond (Somoroff et al., Phys. Rev. Lett. 130, 267001, 2023). A fidelity, as a
    probability, lies between 0 and 1. Frequencies of transmons and resonators are positive and below a terahertz,
    where aluminium is no superconductor any more; a detuning or an interaction has either sign. Of anything else, not
    more than 1e30 in size.
    """
    if parameter.endswith(("fidelity", "coherence_limit", "_fidelity_0", "_fidelity_1")):
        return 0.0, 1.0
    if _is_duration(parameter):
        return 0.0, 1e6
    if parameter.endswith("_frequency") and stored_unit(parameter) == "GHz":
        return 0.0, 1e3
    return -1e30, 1e30


def _is_duration(parameter: str) -> bool:
    return parameter.startswith(("t1", "t2_")) or parameter.endswith(("_length", "_time"))
