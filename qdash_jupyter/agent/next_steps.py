"""What one may ask next: made from what a question has led to, of kinds that the offline planner answers, too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qdash_jupyter.domain.answer import Answer, StopReason
from qdash_jupyter.domain.metrics import METRICS, Metric
from qdash_jupyter.domain.qid import is_coupling, normalise_qid
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message

MOST = 3

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
    elements: Sequence[str]
    """Labels, those that were asked about first; only of the kind that has the parameter."""


def next_steps(question: str, answer: Answer, results: Sequence[ToolResult], language: Language) -> tuple[str, ...]:
    """At most three questions; none after a question back, and where nothing was read or another chip was asked."""
    calls = [result for result in results if result.ok and result.cell is None]
    elsewhere = any(call.arguments.get(name) for call in calls for name in _ELSEWHERE)
    if not calls or elsewhere or answer.choices or answer.stop_reason is not StopReason.FINISHED:
        return ()
    steps = _steps(_done(answer, calls), language, troubled=answer.assessment in {"warning", "bad"})
    found = dict.fromkeys(step.of(language) for step in steps)
    return tuple(step for step in found if step.casefold() != question.casefold())[:MOST]


def _done(answer: Answer, calls: Sequence[ToolResult]) -> _Done:
    said = [call.arguments for call in calls]
    measured = {name for each in said for key in _MEASURED for name in _texts(each.get(key))}
    about = [_texts(each.get(key)) for each in said for key in _ABOUT]
    asked = [label for raws in about if len(raws) <= _MANY for raw in raws if (label := _label(raw))]
    found = filter(None, map(_label, _LABEL.findall(" ".join(_BOLD.findall(answer.text)))))
    metric = METRICS[next(iter(measured))] if len(measured) == 1 and measured <= _READ else None
    elements = dict.fromkeys((*asked, *found))
    if metric is not None:
        elements = [one for one in elements if is_coupling(one) == (metric.kind == "coupling")]
    return _Done(frozenset(call.call.name for call in calls), metric, asked, list(elements))


def _steps(done: _Done, language: Language, *, troubled: bool) -> Iterator[Message]:
    elements, metric = done.elements, done.metric
    name = "" if metric is None else metric.title_in(language)
    if elements:
        first, *others = elements
        one = Message("ask-coupling", name=first) if is_coupling(first) else first
        has_trend = first in done.asked_about and any("timeseries" in tool for tool in done.tools)
        if metric is not None and not has_trend:
            yield Message("next-trend", metric=name, one=one)
        notes = [] if "search_notes" in done.tools else [Message("next-notes", one=one)]
        yield from notes if troubled else ()
        if not done.tools & {"get_qubit_params", "get_coupling_params", "compare_qubits"}:
            yield Message("next-values", one=one)
        if not is_coupling(first) and "compare_qubits" not in done.tools:
            other = next((each for each in others if not is_coupling(each)), None)
            if other is None:
                yield Message("next-neighbours", one=one)
            else:
                yield Message("next-compared", one=one, other=other)
        yield from notes
    if metric is not None and "generate_chip_heatmap" not in done.tools:
        yield Message("next-map", metric=name)
    if metric is not None and metric.scoring is not None and metric.scoring.higher_is_better:
        yield Message("next-lost", metric=name, kind=metric.kind)
        yield Message("next-lowest", metric=name, kind=metric.kind)
    yield from (Message("next-failed"), Message("next-changed"), Message("next-health"))


def _texts(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list) else [str(value)] if value else []


def _label(raw: str) -> str | None:
    qid = normalise_qid(raw)
    return None if qid is None else "-".join(f"Q{int(part):02d}" for part in qid.split("-"))
