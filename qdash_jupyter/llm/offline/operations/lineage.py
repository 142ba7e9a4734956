"""Where values come from: their versions, and what each was made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.operations.operation import joined, singly
from qdash_jupyter.llm.offline.operations.values import shown_value, value_of
from qdash_jupyter.llm.offline.phrases import all_rows, label, minute, quoted, table, title_of
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding, Plan, PlanFailed, read
from qdash_jupyter.llm.offline.query import Query

_VERSIONS = Words(
    "**{name} of {qid} is {value} since {since} UTC (version {version}).**",
    "**{qid}の{name}は{value}({since} UTC から、バージョン {version})**",
)
_VERSION_HEADINGS = Words("version|value|from (UTC)|task|run", "バージョン|値|開始 (UTC)|タスク|実行")
_SKIPPED = Words("Skipped numbers: {}.", "欠番: {}。")
_ID = Words("Its id for the lineage graph: `{}`.", "来歴グラフ用のID: `{}`。")
_ORIGIN = Words(
    "**{what} goes back to {values} other values and {runs} results of tasks.**",
    "**{what}の来歴: 他の値{values}個、タスクの結果{runs}件**",
)
_GRAPH = Words("**{} has a lineage of {} nodes and {} edges.**", "**{}の来歴: ノード{}個、エッジ{}本**")
_STEP_HEADINGS = Words("steps back|what|value|version|task|run", "段階|内容|値|バージョン|タスク|実行")
_STALE = Words(
    "Made with versions that are not the newest any more: {}.", "現在は最新でないバージョンが使われたもの: {}。"
)
_NOT_COMPLETED = Words("Results that were not completed: {}.", "完了していない結果: {}。")


def versions(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_parameter_lineage`: rows, newest first, or the current one of many."""
    language = query.language
    rows = outcome.rows or [outcome.content["current"]]
    metric = metrics.of(query.metrics[0], rows[0]["unit"])
    current = {
        "name": title_of(metric, language),
        "qid": label(query.qids[0]),
        "value": shown_value(rows[0], metric) if rows[0]["value"] is not None else "–",
        "since": minute(rows[0]["valid_from"]),
        "version": rows[0]["version"],
    }
    parts = [_VERSIONS.of(language).format(**current)]
    if outcome.rows is None:
        parts.append(all_rows(outcome.stored, language))
    else:
        shown = [
            (
                row["version"],
                value_of(query.qids[0], metric.key, row, metrics).text,
                minute(row["valid_from"]),
                row["task_name"],
                row["execution_id"],
            )
            for row in rows
        ]
        parts.append(table(_VERSION_HEADINGS.of(language).split("|"), shown))
    if skipped := outcome.content.get("skipped"):
        parts.append(_SKIPPED.of(language).format(skipped))
    return Finding("\n\n".join([*parts, _ID.of(language).format(rows[0]["entity_id"])]))


def origin(query: Query, metrics: MetricTable, question: str) -> Plan:
    """Walk back from the value that is named by its id, else from the current one of each parameter and element."""
    del question
    findings = []
    for one in singly(query, qids=True, metrics=True):
        found = yield from _origin(one, metrics)
        findings.append(found)
    return joined(findings)


def _origin(query: Query, metrics: MetricTable) -> Plan:
    entity_id = query.argument("entity_id")
    if entity_id is None:
        known = {"parameter_name": query.metrics[0], "qid": query.qids[0]}
        newest = yield from read("get_parameter_lineage", **known, last_n=1)
        if not newest.rows:
            raise PlanFailed(f"No version of {query.metrics[0]} is known.")
        entity_id = newest.rows[0]["entity_id"]
    outcome = yield from read("get_provenance_lineage_graph", entity_id=entity_id)
    content, language = outcome.content, query.language
    parts = []
    if told := outcome.rows:
        nodes = [{name: said for name, said in node.items() if said not in (None, "")} for node in told]
        values = sum(node["type"] == "entity" for node in nodes)
        what = _shown_node(nodes[0], metrics, query)
        head = _ORIGIN.of(language).format(what=what, values=values - 1, runs=len(nodes) - values)
        steps = [_step(node, metrics, query) for node in nodes]
        parts += [head, table(_STEP_HEADINGS.of(language).split("|"), steps)]
        stale = {node["id"]: node["ver"] for node in nodes if isinstance(node.get("ver"), str)}
        odd = {n["id"]: n["status"] for n in nodes if n.get("status", "completed") != "completed"}
    else:
        parts.append(_GRAPH.of(language).format(f"`{content['origin']}`", content["num_nodes"], content["num_edges"]))
        stale, odd = content.get("stale_inputs", {}), content.get("not_completed", {})
    if stale:
        old = [_stale(one, str(version), query) for one, version in stale.items() if one != "_more"]
        parts.append(_STALE.of(language).format("; ".join(old)))
    if odd:
        parts.append(_NOT_COMPLETED.of(language).format(", ".join(f"`{one}`" for one in odd if one != "_more")))
    parts += [quoted(content[name]) + "." for name in ("truncated", "dangling") if name in content]
    parts.append(all_rows(outcome.stored, language))
    return Finding("\n\n".join(parts), "warning" if odd else None)


def _shown_node(node: Mapping[str, Any], metrics: MetricTable, query: Query) -> str:
    metric = metrics.of(node["param"], node.get("unit", ""))
    value = f" ({shown_value(node, metric)})" if "value" in node else ""
    name = title_of(metric, query.language)
    whose = label(node.get("qid", ""))
    return f"{whose}の{name}{value}" if query.language == "ja" else f"{name} of {whose}{value}"


def _step(node: Mapping[str, Any], metrics: MetricTable, query: Query) -> tuple[Any, ...]:
    whose = label(node["qid"]) if "qid" in node else ""
    if node["type"] == "activity":
        return node["depth"], whose, "", "", f"{node.get('task')} ({node.get('status')})", node.get("exec_id")
    value = value_of(node.get("qid", ""), node["param"], {"value": None} | dict(node), metrics)
    name = f"{title_of(value.metric, query.language)} {whose}"
    return node["depth"], name, value.text, node.get("ver"), node.get("task"), node.get("exec_id")


def _stale(entity_id: str, version: str, query: Query) -> str:
    used, _, newest = version.partition("/")
    parameter, qid, *_ = entity_id.split(":")
    if query.language == "ja":
        return f"{label(qid)} {parameter}({used}、現在は{newest})"
    return f"{label(qid)} {parameter} ({used}, now {newest})"
