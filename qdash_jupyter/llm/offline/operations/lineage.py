"""Where a value comes from: what it was made of, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.llm.offline.operations.values import Value, shown_value, value_of
from qdash_jupyter.llm.offline.phrases import RUN, TASK, VALUE, VERSION, Columns, label, status_words
from qdash_jupyter.llm.offline.plan import Finding, Plan, PlanFailed, read
from qdash_jupyter.llm.offline.query import Query
from qdash_jupyter.messages.message import Message, Text


def origin(query: Query, metrics: MetricTable, question: str) -> Plan:
    """Walk back from the value that is named by its id, else from the current one of a parameter of an element."""
    del question
    entity_id = query.argument("entity_id")
    if entity_id is None:
        known = {"parameter_name": query.metrics[0], "qid": query.qids[0]}
        newest = yield from read("get_parameter_lineage", **known, last_n=1)
        if not newest.rows:
            raise PlanFailed(Message("plan-no-versions", parameter=query.metrics[0]))
        entity_id = newest.rows[0]["entity_id"]
    outcome = yield from read("get_provenance_lineage_graph", entity_id=entity_id)
    content, say = outcome.content, query.say
    parts = []
    if told := outcome.rows:
        nodes = [{name: said for name, said in node.items() if said not in (None, "")} for node in told]
        values = sum(node["type"] == "entity" for node in nodes)
        what = _shown_node(nodes[0], metrics, query)
        head = Message("plan-origin", what=what, values=values - 1, results=len(nodes) - values)
        parts += [say(head), say.table(_columns(metrics, query), nodes)]
        stale = {node["id"]: node["ver"] for node in nodes if isinstance(node.get("ver"), str)}
        odd = {n["id"]: n["status"] for n in nodes if n.get("status", "completed") != "completed"}
    else:
        nodes, edges = content["num_nodes"], content["num_edges"]
        parts.append(say(Message("plan-lineage", id=content["origin"], nodes=nodes, edges=edges)))
        stale, odd = content.get("stale_inputs", {}), content.get("not_completed", {})
    if stale:
        old = tuple(_stale(one, str(version)) for one, version in stale.items())
        parts.append(say(Message("plan-stale-versions", names=old)))
    if odd:
        parts.append(say(Message("plan-not-completed", names=tuple(f"`{one}`" for one in odd))))
    if beyond := content.get("edges_beyond_max_depth"):
        parts.append(say(Message("plan-edges-beyond", count=beyond)))
    if missing := content.get("edges_to_missing_nodes"):
        parts.append(say(Message("plan-edges-missing", count=missing)))
    parts.append(say(outcome.stored))
    return Finding("\n\n".join(parts), "warning" if odd else None)


def _shown_node(node: Mapping[str, Any], metrics: MetricTable, query: Query) -> Message:
    metric = metrics.of(node["param"], node.get("unit", ""))
    what = Message("plan-of", name=query.say.name(metric), whose=label(node.get("qid", "")))
    return Message("plan-with-value", what=what, value=shown_value(node, metric)) if "value" in node else what


def _columns(metrics: MetricTable, query: Query) -> Columns:
    """Of nodes: values, and the results of tasks (activities) that they came from."""

    def value(node: Mapping[str, Any]) -> Value:
        return value_of(node.get("qid", ""), node["param"], {"value": None} | dict(node), metrics)

    def what(node: Mapping[str, Any]) -> str:
        whose = label(node["qid"]) if "qid" in node else ""
        return whose if is_run(node) else f"{query.say.name(value(node).metric)} {whose}"

    def task(node: Mapping[str, Any]) -> Text | None:
        name: str | None = node.get("task")
        status = status_words(str(node.get("status")))
        return Message("plan-with-value", what=str(name), value=status) if is_run(node) else name

    def is_run(node: Mapping[str, Any]) -> bool:
        return bool(node["type"] == "activity")

    return {
        Message("plan-heading-depth"): "depth",
        Message("plan-heading-what"): what,
        VALUE: lambda node: "" if is_run(node) else value(node).text,
        VERSION: lambda node: "" if is_run(node) else node.get("ver"),
        TASK: task,
        RUN: lambda node: node.get("exec_id"),
    }


def _stale(entity_id: str, version: str) -> Message:
    used, _, newest = version.partition("/")
    parameter, qid, *_ = entity_id.split(":")
    return Message("plan-version-used", name=label(qid), parameter=parameter, used=used, newest=newest)
