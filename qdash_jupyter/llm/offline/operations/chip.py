"""The chip as a whole: maps of it, its shape and neighbours, its parameters; and the questions without a plan."""

from __future__ import annotations

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.catalogue import in_language
from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.metrics import Metric, MetricTable
from qdash_jupyter.llm.offline.abilities import what_can_be_asked
from qdash_jupyter.llm.offline.operations.questions import neighbours_of
from qdash_jupyter.llm.offline.phrases import Say, label, number
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.query import Query

DEFAULT_METRIC = "t1"

_LAYOUTS = {
    "grid": Words("a {grid} × {grid} grid of {size} qubits", "{grid}×{grid}格子、{size}量子ビット"),
    "hex": Words("a heavy-hex lattice of {size} qubits", "ヘビーヘックス格子、{size}量子ビット"),
    "linear": Words("a chain of {size} qubits", "1次元鎖、{size}量子ビット"),
}
_CONNECTIONS = Words(
    "**{size} qubits and {pairs} couplings.** {note} They are in `copilot.data['topology']`.",
    "**{size}量子ビット、{pairs}カップリング。** トポロジーは不明で、位置はわかりません。"
    "データベースにあるカップリングは `copilot.data['topology']`。",
)
_POSITIONS = Words(". Positions: `copilot.data['topology']`.", "。位置は `copilot.data['topology']`。")
_MAP = Words(
    "**{name}: median {median}** (from {min} to {max}); {count} of {total} {kind}s.{absent}",
    "**{name}: 中央値 {median}**(最小 {min}、最大 {max})。測定済み {count}/{total}個。{absent}",
)
_ONLY = Words(
    "A map shows the newest values, the best, or means: ask for one of these.",
    "マップにできるのは最新値・最良値・平均だけです。いずれかを指定してください。",
)
_ABSENT = Words(" Not measured: {}.", "測定がないもの: {}。")
_PARAMETERS = Words("**{} parameters were measured.**\n\n", "**{}個のパラメータ**\n\n")
_RESULTS = Words("- `{}`: {}, {} results", "- `{}`: {}, {}件")
_NEIGHBOURS = Words("**{} is coupled to {}** (couplings {}).", "**{}に隣接: {}**(カップリング {})")


def heatmap(query: Query, metrics: MetricTable, question: str) -> Plan:
    """Draw each metric on the chip's grid: newest values, the best, or means."""
    del question
    if query.statistic not in {None, "mean"} or query.order not in {None, "best"}:
        raise PlanFailed(query.say(_ONLY))
    shown = [metrics.of(name) for name in query.metrics or (DEFAULT_METRIC,)]
    picked = "average" if query.statistic == "mean" else "best" if query.order == "best" else "latest"
    window = {"since": query.window.since_text, "until": query.window.until_text}
    during = {name: moment for name, moment in window.items() if moment}
    calls = [{"metric_name": metric.key, "selection_mode": picked, **during} for metric in shown]
    outcomes = yield [PlannedCall("generate_chip_heatmap", call) for call in calls]
    if all(outcome.failed for outcome in outcomes):
        raise PlanFailed(outcomes[0].why)
    return Finding("\n\n".join(_map(*pair, query.say) for pair in zip(outcomes, shown, strict=True)))


def _map(outcome: CallOutcome, metric: Metric, say: Say) -> str:
    if outcome.failed:
        return in_language(outcome.why, say.language)
    found = outcome.content["statistics"]
    missing = [str(qid) for qid in outcome.content.get(f"missing_{metric.kind}s", ())]
    absent = say.some(missing, len(missing), unlisted=outcome.content.get("more_missing", 0))
    return say(
        _MAP,
        **{which: number(found[which], metric) for which in ("min", "median", "max")},
        name=say.name(metric),
        count=found["count"],
        total=found[f"total_{metric.kind}s"],
        kind=metric.kind,
        absent=say(_ABSENT, absent) if missing else "",
    )


def parameters(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`list_available_parameters`: what was measured, how often."""
    counts, say = outcome.content["results"], query.say
    lines = [say(_RESULTS, name, say.name(metrics.of(name)), count) for name, count in counts.items()]
    return Finding(say(_PARAMETERS, len(counts)) + "\n".join(lines))


def neighbours(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_chip_topology`: the chip's shape, or the neighbours of the named qubits."""
    del metrics
    known, say = outcome.content["couplings"].get("coupling_id"), query.say
    if not query.qids or known is None:
        return Finding(_layout(outcome.content, say))
    lines = []
    for qid in query.qids:
        others = neighbours_of(qid, outcome)
        ids = ", ".join(f"`{pair}`" for pair in known if qid in pair.split("-"))
        told = say(_NEIGHBOURS, label(qid), say.ids(others), ids)
        lines.append(told if others else f"{label(qid)}: –")
    return Finding("\n\n".join(lines))


def _layout(content: JsonObject, say: Say) -> str:
    """The shape of the chip in a sentence."""
    size, layout = content["num_qubits"], _LAYOUTS.get(content["layout_type"])
    if layout is None:
        pairs = content["couplings"]["_rows"]
        return say(_CONNECTIONS, size=size, pairs=pairs, note=content["note"])
    shape = say(layout, size=size, grid=content["grid_size"])
    return f"**{content['topology_id']}**: {shape}{say(_POSITIONS)}"


def unknown(query: Query, metrics: MetricTable, question: str) -> Plan:
    """Say what there is instead of a language model, and what it can do."""
    del metrics, question
    yield from ()
    return Finding(what_can_be_asked(query.language))
