"""Questions that one read answers (a heatmap, the parameters, a qubit's neighbours), and those without a plan."""

from __future__ import annotations

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.language import Language, Words
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.abilities import what_can_be_asked
from qdash_jupyter.llm.offline.intent import Intent
from qdash_jupyter.llm.offline.phrases import label, listed, number, some, title_of
from qdash_jupyter.llm.offline.plan import Finding, Plan, read

DEFAULT_METRIC = "t1"


def heatmap(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """Draw one metric on the chip's grid."""
    del question
    metric = metrics.of(intent.parameters[0] if intent.parameters else DEFAULT_METRIC)
    outcome = yield from read(
        "generate_chip_heatmap",
        metric_name=metric.key,
        selection_mode=intent.selection,
        within_hours=intent.window.days * 24 if intent.window.named else None,
    )
    found = outcome.content["statistics"]
    name = title_of(metric, intent.language)
    low, middle, high = (number(found[which], metric) for which in ("min", "median", "max"))
    total = found[f"total_{metric.kind}s"]
    missing = [str(qid) for qid in outcome.content.get(f"missing_{metric.kind}s", ())]
    absent = some(missing, intent.language, len(missing), unlisted=outcome.content.get("more_missing", 0))
    if intent.language == "ja":
        counts = f"{found['count']}/{total}個"
        text = f"**{name}: 中央値 {middle}**(最小 {low}、最大 {high})。測定済み {counts}。"
        text += f"測定がないもの: {absent}。" if missing else ""
    else:
        text = f"**{name}: median {middle}** (from {low} to {high}); {found['count']} of {total} {metric.kind}s."
        text += f" Not measured: {absent}." if missing else ""
    return Finding(text)


def parameters(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """List what was measured."""
    del question
    outcome = yield from read("list_available_parameters", qid=intent.qids[0] if intent.qids else None)
    counts = outcome.content["results"]
    lines = "\n".join(
        f"- `{name}`: {title_of(metrics.of(name), intent.language)}, {count} "
        + ("件" if intent.language == "ja" else "results")
        for name, count in counts.items()
    )
    head = (
        f"**{len(counts)}個のパラメータ**"
        if intent.language == "ja"
        else f"**{len(counts)} parameters were measured.**"
    )
    return Finding(f"{head}\n\n{lines}")


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


def _layout(content: JsonObject, language: Language) -> str:
    """The shape of the chip in a sentence."""
    size, layout = content["num_qubits"], _LAYOUTS.get(content["layout_type"])
    if layout is None:
        pairs = content["couplings"]["_rows"]
        return _CONNECTIONS.of(language).format(size=size, pairs=pairs, note=content["note"])
    shape = layout.of(language).format(size=size, grid=content["grid_size"])
    return f"**{content['topology_id']}**: {shape}{_POSITIONS.of(language)}"


def neighbours(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """The chip's shape, or the neighbours of the named qubits."""
    del metrics, question
    outcome = yield from read("get_chip_topology")
    content = outcome.content
    known = content["couplings"].get("coupling_id")
    if not intent.qids or known is None:
        return Finding(_layout(content, intent.language))
    lines = []
    for qid in intent.qids:
        pairs = [pair.split("-") for pair in known if qid in pair.split("-")]
        others = sorted({b if a == qid else a for a, b in pairs}, key=int)
        ids = ", ".join(f"`{a}-{b}`" for a, b in pairs)
        if not others:
            lines.append(f"{label(qid)}: –")
        elif intent.language == "ja":
            lines.append(f"**{label(qid)}に隣接: {listed(others, 'ja')}**(カップリング {ids})")
        else:
            lines.append(f"**{label(qid)} is coupled to {listed(others, 'en')}** (couplings {ids}).")
    return Finding("\n\n".join(lines))


def unknown(intent: Intent, metrics: MetricTable, question: str) -> Plan:
    """Say what there is instead of a language model, and what it can do."""
    del metrics, question
    yield from ()
    return Finding(what_can_be_asked(intent.language))
