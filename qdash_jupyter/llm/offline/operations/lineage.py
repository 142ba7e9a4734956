"""Where a value comes from: what it was made of, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.operations.values import Value, shown_value, value_of
from qdash_jupyter.llm.offline.phrases import Columns, label, quoted
from qdash_jupyter.llm.offline.plan import Finding, Plan, PlanFailed, read
from qdash_jupyter.llm.offline.query import Query

_ORIGIN = Words(
    "**{what} goes back to {values} other values and {runs} results of tasks.**",
    "**{what}の来歴: 他の値{values}個、タスクの結果{runs}件**",
)
_GRAPH = Words("**{} has a lineage of {} nodes and {} edges.**", "**{}の来歴: ノード{}個、エッジ{}本**")
_STALE = Words(
    "Made with versions that are not the newest any more: {}.", "現在は最新でないバージョンが使われたもの: {}。"
)
_NOT_COMPLETED = Words("Results that were not completed: {}.", "完了していない結果: {}。")


def origin(query: Query, metrics: MetricTable, question: str) -> Plan:
    """Walk back from the value that is named by its id, else from the current one of a parameter of an element."""
    del question
    entity_id = query.argument("entity_id")
    if entity_id is None:
        known = {"parameter_name": query.metrics[0], "qid": query.qids[0]}
        newest = yield from read("get_parameter_lineage", **known, last_n=1)
        if not newest.rows:
            raise PlanFailed(f"No version of {query.metrics[0]} is known.")
        entity_id = newest.rows[0]["entity_id"]
    outcome = yield from read("get_provenance_lineage_graph", entity_id=entity_id)
    content, say = outcome.content, query.say
    parts = []
    if told := outcome.rows:
        nodes = [{name: said for name, said in node.items() if said not in (None, "")} for node in told]
        values = sum(node["type"] == "entity" for node in nodes)
        what = _shown_node(nodes[0], metrics, query)
        head = say(_ORIGIN, what=what, values=values - 1, runs=len(nodes) - values)
        parts += [head, say.table(_columns(metrics, query), nodes)]
        stale = {node["id"]: node["ver"] for node in nodes if isinstance(node.get("ver"), str)}
        odd = {n["id"]: n["status"] for n in nodes if n.get("status", "completed") != "completed"}
    else:
        parts.append(say(_GRAPH, f"`{content['origin']}`", content["num_nodes"], content["num_edges"]))
        stale, odd = content.get("stale_inputs", {}), content.get("not_completed", {})
    if stale:
        old = [_stale(one, str(version), query) for one, version in stale.items() if one != "_more"]
        parts.append(say(_STALE, "; ".join(old)))
    if odd:
        parts.append(say(_NOT_COMPLETED, ", ".join(f"`{one}`" for one in odd if one != "_more")))
    parts += [quoted(content[name]) + "." for name in ("truncated", "dangling") if name in content]
    parts.append(say.stored(outcome.stored))
    return Finding("\n\n".join(parts), "warning" if odd else None)


def _shown_node(node: Mapping[str, Any], metrics: MetricTable, query: Query) -> str:
    metric = metrics.of(node["param"], node.get("unit", ""))
    value = f" ({shown_value(node, metric)})" if "value" in node else ""
    name = query.say.name(metric)
    whose = label(node.get("qid", ""))
    return f"{whose}の{name}{value}" if query.language == "ja" else f"{name} of {whose}{value}"


def _columns(metrics: MetricTable, query: Query) -> Columns:
    """Of nodes: values, and the results of tasks (activities) that they came from."""

    def value(node: Mapping[str, Any]) -> Value:
        return value_of(node.get("qid", ""), node["param"], {"value": None} | dict(node), metrics)

    def what(node: Mapping[str, Any]) -> str:
        whose = label(node["qid"]) if "qid" in node else ""
        return whose if is_run(node) else f"{query.say.name(value(node).metric)} {whose}"

    def is_run(node: Mapping[str, Any]) -> bool:
        return bool(node["type"] == "activity")

    return {
        Words("steps back", "段階"): "depth",
        Words("what", "内容"): what,
        Words("value", "値"): lambda node: "" if is_run(node) else value(node).text,
        Words("version", "バージョン"): lambda node: "" if is_run(node) else node.get("ver"),
        Words("task", "タスク"): lambda node: (
            f"{node.get('task')} ({node.get('status')})" if is_run(node) else node.get("task")
        ),
        Words("run", "実行"): lambda node: node.get("exec_id"),
    }


def _stale(entity_id: str, version: str, query: Query) -> str:
    used, _, newest = version.partition("/")
    parameter, qid, *_ = entity_id.split(":")
    if query.language == "ja":
        return f"{label(qid)} {parameter}({used}、現在は{newest})"
    return f"{label(qid)} {parameter} ({used}, now {newest})"
