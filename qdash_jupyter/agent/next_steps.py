"""What one may ask next: made from what a question has led to, of kinds that the offline planner answers, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qdash_jupyter.domain.answer import Answer, StopReason
from qdash_jupyter.domain.language import Language, Words
from qdash_jupyter.domain.metrics import METRICS, Metric
from qdash_jupyter.domain.qid import is_coupling, normalise_qid
from qdash_jupyter.domain.tool_call import ToolResult

MOST = 3

TREND = Words("Trend of {metric} of {one} over the last 60 days", "過去60日の{one}の{metric}の推移")
VALUES = Words("Current parameters of {one}", "{one}のパラメータ")
NOTES = Words("Notes about {one}", "{one}のメモ")
COMPARED = Words("Compare {one} and {other}", "{one}と{other}を比較")
NEAR = Words("Compare {one} with its neighbours", "{one}を隣接する量子ビットと比較")
MAP = Words("Heatmap of {metric}", "{metric}のヒートマップ")
LOWEST = Words("Which 5 {kind} have the lowest {metric}?", "{metric}が最も低い5つの{kind}は?")
LOST = Words("Which {kind} lost {metric} in the last 30 days?", "過去30日で{metric}が低下した{kind}は?")
HEALTH = Words("How is the chip?", "チップの状態は?")
FAILED = Words("Which tasks failed this week?", "今週失敗したタスクは?")
CHANGED = Words("What changed this week?", "今週何が変わった?")

KINDS = {"qubit": Words("qubits", "量子ビット"), "coupling": Words("couplings", "カップリング")}

_BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
_LABEL = re.compile(r"\bQ\d+(?:-Q\d+)?", re.ASCII)
_MEASURED = ("parameter_name", "metric_name", "param_names")
_ABOUT = ("qid", "qids", "coupling_id", "qubit_id")
_ELSEWHERE = ("chip_id", "project_id")
_READ = {
    *("t1", "t2_echo", "t2_star", "qubit_frequency", "readout_frequency", "anharmonicity"),
    *("average_readout_fidelity", "x90_gate_fidelity", "x180_gate_fidelity"),
    *("zx90_gate_fidelity", "bell_state_fidelity"),
}
"""Parameters whose titles the planner reads in both languages."""
_MANY = 4
"""Of more ids in a call none is what it is about."""


@dataclass(frozen=True, slots=True)
class _Done:
    """What was looked at: by which tools, the one parameter if it was one, and the qubits or couplings named."""

    tools: frozenset[str]
    metric: Metric | None
    asked_about: Sequence[str]
    found: Sequence[str]

    @property
    def elements(self) -> Sequence[str]:
        """Labels, those that were asked about first; only of the kind that has the parameter."""
        named = dict.fromkeys((*self.asked_about, *self.found))
        return [one for one in named if self.metric is None or is_coupling(one) == (self.metric.kind == "coupling")]


def next_steps(question: str, answer: Answer, results: Sequence[ToolResult], language: Language) -> tuple[str, ...]:
    """At most three questions; none after a question back, and where nothing was read or another chip was asked."""
    calls = [result for result in results if result.ok and result.cell is None]
    elsewhere = any(call.arguments.get(name) for call in calls for name in _ELSEWHERE)
    if not calls or elsewhere or answer.choices or answer.stop_reason is not StopReason.FINISHED:
        return ()
    found = dict.fromkeys(_steps(_done(answer, calls), language, troubled=answer.assessment in {"warning", "bad"}))
    return tuple(step for step in found if step != question)[:MOST]


def _done(answer: Answer, calls: Sequence[ToolResult]) -> _Done:
    said = [call.arguments for call in calls]
    measured = {name for each in said for key in _MEASURED for name in _texts(each.get(key))}
    about = [_texts(each.get(key)) for each in said for key in _ABOUT]
    asked = [_label(raw) for raws in about if len(raws) <= _MANY for raw in raws]
    bold = " ".join(_BOLD.findall(answer.text))
    return _Done(
        frozenset(call.call.name for call in calls),
        METRICS[next(iter(measured))] if len(measured) == 1 and measured <= _READ else None,
        [one for one in asked if one],
        [one for one in map(_label, _LABEL.findall(bold)) if one],
    )


def _steps(done: _Done, language: Language, *, troubled: bool) -> Iterator[str]:
    elements, metric = done.elements, done.metric
    name = "" if metric is None else metric.title_ja if language == "ja" else metric.title
    if elements:
        one, *others = elements
        has_trend = one in done.asked_about and any("timeseries" in tool for tool in done.tools)
        if metric is not None and not has_trend:
            yield TREND.of(language).format(metric=name, one=one)
        if troubled:
            yield NOTES.of(language).format(one=one)
        if not done.tools & {"get_qubit_params", "get_coupling_params", "compare_qubits"}:
            yield VALUES.of(language).format(one=one)
        if not is_coupling(one) and "compare_qubits" not in done.tools:
            other = next((each for each in others if not is_coupling(each)), None)
            words = NEAR if other is None else COMPARED
            yield words.of(language).format(one=one, other=other)
        yield NOTES.of(language).format(one=one)
    if metric is not None and "generate_chip_heatmap" not in done.tools:
        yield MAP.of(language).format(metric=name)
    if metric is not None and metric.scoring is not None and metric.scoring.higher_is_better:
        kind = KINDS[metric.kind].of(language)
        for words in (LOST, LOWEST):
            yield words.of(language).format(metric=name, kind=kind)
    for words in (FAILED, CHANGED, HEALTH):
        yield words.of(language)


def _texts(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [str(value)] if value else []


def _label(raw: str) -> str | None:
    qid = normalise_qid(raw)
    return None if qid is None else "-".join(f"Q{int(part):02d}" for part in qid.split("-"))
