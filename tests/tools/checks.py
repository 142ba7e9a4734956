"""What is compared with the truth, tool by tool: the stored tables, and the numbers that the model reads."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd
import pytest

from qdash_jupyter.data.queries import CalibrationNoteQuery, ExecutionQuery, VersionQuery
from tests.data.conformance.truth import number_order
from tests.tools.tool_truth import SCALES, Current, Kind, ToolTruth, described, graph_behind, turned
from tests.tools.toolbench import Tools, told_rows

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A chip of a database, and what is asked about it."""

    truth: ToolTruth
    tools: Tools
    qids: Sequence[str]
    pairs: Sequence[str]
    tasks: tuple[str, str]
    parameters: Sequence[tuple[str, Kind]] = (("t1", "qubit"), ("zx90_gate_fidelity", "coupling"))

    def told(self, there_is: object, tool: str, **arguments: Any) -> dict[str, Any] | None:
        """What the model reads; None where there is nothing, which is an error that says so."""
        if there_is:
            return self.tools.content(tool, **arguments)
        assert self.tools.failure(tool, **arguments)["kind"] in {"no_data", "not_found"}, (tool, arguments)
        return None

    def stored(self, content: dict[str, Any]) -> Any:
        return self.tools.store[content["data_key"]]


def plain(value: Any) -> Any:
    """A value of a table or of the truth: None where there is none, numbers without the last bits."""
    if isinstance(value, (list, tuple, dict, str, bool)):
        return value
    if pd.isna(value):
        return None
    if isinstance(value, pd.Timestamp):
        return value.to_pydatetime()
    return value if isinstance(value, datetime) else float(f"{value:.10g}")


def rows_of(table: pd.DataFrame, columns: Iterable[str]) -> list[tuple[Any, ...]]:
    return [tuple(map(plain, row)) for row in table[list(columns)].itertuples(index=False, name=None)]


def same(table: pd.DataFrame, expected: Sequence[Any]) -> None:
    """The table holds these named tuples, in this order."""
    assert len(table) == len(expected)
    if expected:
        assert rows_of(table, expected[0]._fields) == [tuple(map(plain, one)) for one in expected]


def near(told: Any, true: float | None) -> bool:
    """A number to four digits at least."""
    return told is None if true is None else told == pytest.approx(true, rel=5.1e-4, abs=1e-12)


def first(content: dict[str, Any], name: str, expected: Sequence[Any]) -> None:
    """The first ones of the true ones, and how many there are besides."""
    names = list(content.get(name, []))
    assert names == list(expected)[: len(names)]
    assert content.get("_more", {}).get(name, 0) in {0, len(expected) - len(names)}
    assert len(names) == len(expected) or name in content.get("_more", {})


def in_minutes(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%d %H:%M}"


def is_true(told: dict[str, Any], one: Current) -> None:
    """A current value as the model reads it."""
    assert near(told["value"], one.value), one
    assert ((told["flag"] or ""), (told["unit"] or "")) == (one.flag, one.unit)
    assert near(told["error"] or 0, one.error or 0)
    assert told["calibrated_at"] == in_minutes(one.calibrated_at)
    assert near(told["age_days"], one.age_days)


def told_pairs(content: Mapping[str, Any]) -> set[str]:
    """The couplings of a topology as a model reads them."""
    return {f"{one}-{other}" for one, others in content["couplings"]["targets"].items() for other in others.split()}


def topology(case: Case) -> None:
    content = case.tools.content("get_chip_topology")
    stored = case.stored(content)
    pairs = list(stored["couplings"]["coupling_id"])
    assert sorted(stored["qubits"]["qid"], key=number_order) == case.truth.qids("qubit")
    assert {frozenset(one.split("-")) for one in case.truth.qids("coupling")} <= {
        frozenset(one.split("-")) for one in pairs
    }
    assert {one.qid for one in case.truth.current("coupling")} <= set(pairs), "the direction that holds values"
    assert len(pairs) == len({frozenset(one.split("-")) for one in pairs})
    if "row" in stored["qubits"]:
        places = {qid: (row, col) for qid, row, col in rows_of(stored["qubits"], ["qid", "row", "col"])}
        assert len(set(places.values())) == len(places)
    assert told_pairs(content) == set(pairs)


def available(case: Case) -> None:
    for qid in (None, *case.qids, *case.pairs):
        names = case.truth.names(qid)
        content = case.told(names, "list_available_parameters", qid=qid)
        if content is not None:
            assert content["results"] == names, qid


def summary(case: Case) -> None:
    content = case.tools.content("get_chip_summary")
    stored, values = case.stored(content), case.truth.current("qubit")
    same(stored["values"], values)
    wide, qids = stored["qubits"], case.truth.qids("qubit")
    assert list(wide["qid"]) == qids
    columns = list(wide.columns)
    rows = {row[0]: dict(zip(columns, row, strict=True)) for row in rows_of(wide, columns)}
    by_name: dict[str, list[float]] = {}
    for one in values:
        assert rows[one.qid][one.parameter] == plain(one.value), one
        if one.value is not None:
            by_name.setdefault(one.parameter, []).append(one.value)
    assert set(stored["statistics"]) == set(by_name)
    told = content.get("statistics", {})
    names = told.get("_columns", [])
    for name, numbers in told.items():
        if not name.startswith("_"):
            true = described(by_name[name])
            assert all(near(number, true[of]) for of, number in zip(names, numbers, strict=True)), name
    held = {one.qid for one in values if one.value is not None}
    first(content, "no_values", [qid for qid in qids if qid not in held])
    flags = {f"{one.qid} {one.parameter}": one.flag for one in values if one.flag not in ("", "no fit")}
    first(content, "flagged", list(flags))
    assert content.get("flagged", {}).items() <= flags.items()


def of_qubit(case: Case) -> None:
    for qid in case.qids:
        values = case.truth.current("qubit", [qid])
        content = case.told(values, "get_qubit_params", qid=f"Q{qid}")
        if content is not None:
            same(case.stored(content)["parameters"].assign(qid=qid), values)
            if "rows" in content["parameters"]:
                for row, one in zip(told_rows(content), values, strict=True):
                    is_true(row, one)
            else:
                assert {one.parameter for one in values} == content["current"].keys() or "_more" in content["current"]


def of_coupling(case: Case) -> None:
    for pair in [*case.pairs, *map(turned, case.pairs)]:
        values = case.truth.current("coupling", [case.truth.filled(pair)])
        content = case.told(values, "get_coupling_params", coupling_id=pair)
        if content is not None:
            same(case.stored(content)["values"], values)
            assert ("note" in content) == (values[0].qid != pair)
            for row, one in zip(told_rows(content), values, strict=True):
                assert row["qid"] == one.qid
                is_true(row, one)


def comparison(case: Case) -> None:
    for kind, qids in (("qubit", case.qids), ("coupling", [turned(pair) for pair in case.pairs])):
        held = qids if kind == "qubit" else [case.truth.filled(pair) for pair in qids]
        values = case.truth.current("qubit" if kind == "qubit" else "coupling", held)
        content = case.told(values, "compare_qubits", qids=list(qids))
        if content is not None:
            stored = case.stored(content)
            same(stored["values"], values)
            assert list(stored["qubits"]["qid"]) == list(held)
            told = content["qubits"] if "_rows" not in content["qubits"] else content.get("current", {})
            for one in values if told else ():  # of very many, only statistics are told
                assert near(told.get(one.qid, {}).get(one.parameter), one.value), one


def chip_series(case: Case) -> None:
    for parameter, kind in case.parameters:
        ranges: list[dict[str, Any]] = [{}, {"days": 10.0}, {"last_n": 3}]
        for asked in ranges:
            samples = case.truth.series(parameter, kind, **(asked or {"last_n": 10}))
            arguments = {"since": f"{asked['days']}d"} if "days" in asked else asked
            content = case.told(samples, "get_chip_parameter_timeseries", parameter_name=parameter, **arguments)
            if content is None:
                continue
            stored, rows = case.stored(content), case.truth.by_element(samples)
            same(stored["timeseries"], samples)
            same(stored["qubits"].rename(columns={"count": "values"}), rows)
            true = described([one.latest for one in rows if one.latest is not None])
            assert all(near(stored["statistics"][name], number) for name, number in true.items())
            assert near(content.get("statistics", true)["median"], true["median"])
            assert content["num_qubits"] == len(rows)
            measured = {frozenset(one.qid.split("-")) for one in rows}
            wanted = {frozenset(qid.split("-")) for qid in case.truth.qids(kind)}
            assert {frozenset(qid.split("-")) for qid in stored["not_measured"]} == wanted - measured


def one_series(case: Case) -> None:
    asked = [("t1", "qubit", qid) for qid in case.qids]
    asked += [("zx90_gate_fidelity", "coupling", pair) for one in case.pairs for pair in (one, turned(one))]
    for parameter, kind, qid in asked:
        of: Kind = "qubit" if kind == "qubit" else "coupling"
        samples = case.truth.series(parameter, of, qid, last_n=10)
        samples = samples or (case.truth.series(parameter, of, turned(qid), last_n=10) if "-" in qid else [])
        content = case.told(samples, "get_parameter_timeseries", parameter_name=parameter, qid=qid)
        if content is not None:
            same(case.stored(content)["timeseries"], samples)
            for row, one in zip(told_rows(content), samples, strict=True):
                assert row["t"] == f"{one.t:%Y-%m-%d %H:%M}"
                assert near(row["v"], one.v), one
                assert (row["flag"] or "") == one.flag


def outputs_are_true(told: dict[str, Any], one: Any) -> None:
    assert list(told["output_parameters"] or ()) == [row.parameter for row in one.outputs]
    for row in one.outputs:
        assert near(told["output_parameters"][row.parameter]["value"], None if row.value != row.value else row.value)
    assert told["excluded"] == one.excluded
    assert told["start_at"] == (None if one.start_at is None else f"{one.start_at:%Y-%m-%d %H:%M}")


def results_are_true(stored: Any, results: Sequence[Any]) -> None:
    columns = ("task_id", "task_name", "qid", "status", "execution_id", "start_at", "end_at", "message", "excluded")
    expected = [tuple(plain(getattr(one, name)) for name in columns) for one in results]
    assert rows_of(stored["results"], columns) == expected
    outputs = [(one.task_id, row.parameter, plain(row.value), row.flag) for one in results for row in one.outputs]
    assert rows_of(stored["outputs"], ["task_id", "parameter", "value", "flag"]) == outputs


def latest(case: Case) -> None:
    for task, qid in _tasks(case):
        results = _of_task(case, task, qid, excluded=False)[:1]
        content = case.told(results, "get_latest_task_result", task_name=task, qid=qid)
        if content is not None:
            outputs_are_true(told_rows(content)[0], results[0])
            results_are_true(case.stored(content), results)


def history(case: Case) -> None:
    for task, qid in _tasks(case):
        for excluded in (False, None):
            asked = {"task_name": task, "qid": qid, "last_n": 2, "include_excluded": excluded is None, "total": True}
            every = _of_task(case, task, qid, excluded=excluded)
            content = case.told(every, "get_task_history", **asked)
            if content is not None:
                results = every[:2]
                for row, one in zip(told_rows(content), results, strict=True):
                    outputs_are_true(row, one)
                results_are_true(case.stored(content), results)
                assert content.get("total", len(results)) == len(every)


def curves(case: Case) -> None:
    """Which results they are of; what their files hold is for tests/tools/test_result_curves.py."""
    for task, qid in _tasks(case):
        every = case.truth.results(task_name=task, qid=qid)
        if not every and "-" in qid:
            every = case.truth.results(task_name=task, qid=turned(qid))
        content = case.told(every, "get_result_curves", task_name=task, qid=qid, last_n=3)
        if content is not None:
            told = [(one["task_id"], one["status"], one.get("excluded", False)) for one in content["results"]]
            assert told == [(one.task_id, one.status, one.excluded) for one in every[:3]]


def _tasks(case: Case) -> list[tuple[str, str]]:
    """Tasks with an element each: couplings in either direction."""
    of_qubits, of_pairs = case.tasks
    found = [(of_qubits, qid) for qid in case.qids]
    return found + [(of_pairs, one) for pair in case.pairs for one in (pair, turned(pair))]


def _of_task(case: Case, task: str, qid: str, **asked: Any) -> list[Any]:
    found = case.truth.results(task_name=task, qid=qid, status="completed", **asked)
    if found or "-" not in qid:
        return found
    return case.truth.results(task_name=task, qid=turned(qid), status="completed", **asked)


def search(case: Case) -> None:
    elements = [*case.qids[:2], *case.pairs[:1]]
    searches: tuple[Arguments, ...] = (
        {},
        {"status": "failed"},
        {"days": 5.0, "last_n": 30},
        *({"qid": qid, "last_n": 3} for qid in elements),
    )
    for asked in searches:
        every = case.truth.results(**{name: value for name, value in asked.items() if name != "last_n"})
        results = every[: asked.get("last_n", 10)]
        arguments = {name: value for name, value in asked.items() if name != "days"}
        arguments |= {"total": True} | ({"since": "5d"} if "days" in asked else {})
        content = case.told(results, "search_task_results", **arguments)
        if content is not None:
            stored = case.stored(content)
            results_are_true(stored, results)
            assert stored.get("total", len(results)) == content.get("total", len(results)) == len(every)
            if "rows" in content["results"]:
                for row, one in zip(told_rows(content), results, strict=True):
                    outputs_are_true(row, one)
            else:
                status = dict(Counter(one.status for one in every))
                assert content.get("statistics", {}).get("status", status) == status


def executions(case: Case) -> None:
    for asked in ({}, {"status": "failed", "last_n": 2}, {"last_n": 1}):
        query: dict[str, Any] = {"last_n": 10} | asked
        runs = case.truth.lookups.executions(ExecutionQuery(case.truth.chip, **query))
        every = case.truth.lookups.executions(ExecutionQuery(case.truth.chip, **query | {"last_n": None}))
        content = case.told(runs, "get_execution_history", **asked)
        if content is not None:
            columns = ("execution_id", "name", "status", "start_at", "message", "username")
            stored = case.stored(content)
            expected = [tuple(plain(getattr(one, name)) for name in columns) for one in runs]
            assert rows_of(stored["executions"], columns) == expected
            assert [plain(one) for one in stored["executions"]["elapsed_time"]] == [
                plain(one.elapsed_s) for one in runs
            ]
            assert content.get("total", len(runs)) == len(every)


def calibration_notes(case: Case) -> None:
    for last_n in (10, 1):
        notes = case.truth.lookups.calibration_notes(CalibrationNoteQuery(case.truth.chip, last_n=last_n))
        every = case.truth.lookups.calibration_notes(CalibrationNoteQuery(case.truth.chip))
        content = case.told(notes, "get_calibration_notes", last_n=last_n)
        if content is not None:
            stored = case.stored(content)
            expected = [(one.execution_id, one.task_id, one.at, ", ".join(one.note)) for one in notes]
            assert rows_of(stored["notes"], ["execution_id", "task_id", "timestamp", "kinds"]) == expected
            leaves = [leaf for one in notes for leaf in _leaves(one.note)]
            assert list(map(json.dumps, stored["entries"]["value"].map(plain))) == list(
                map(json.dumps, map(plain, leaves))
            )
            assert content.get("total", len(notes)) == len(every)


def _leaves(value: Any) -> list[Any]:
    return [leaf for one in value.values() for leaf in _leaves(one)] if isinstance(value, dict) else [value]


def people_notes(case: Case) -> None:
    every = case.truth.lookups.notes(case.truth.chip)
    words = [one.content.split()[-1].casefold() for one in every[:3]] + ["needle", "no such word at all"]
    searches: tuple[Arguments, ...] = ({}, {"last_n": 1}, {"kind": "qubit"}, *({"text": word} for word in words))
    for asked in searches:
        found = [
            one
            for one in every
            if asked.get("kind", one.kind) == one.kind
            and asked.get("text", "") in f"{one.title} {one.content} {one.metric} {one.target}".casefold()
        ]
        content = case.tools.content("search_notes", **asked)
        stored, kept = case.stored(content), found[: asked.get("last_n", 20)]
        columns = ("kind", "qid", "content", "by", "at", "note_id")
        assert rows_of(stored["notes"], columns) == [
            tuple(plain(getattr(one, name)) for name in columns) for one in kept
        ]
        assert stored["total"] == len(found)
        assert content.get("total", len(kept)) == len(found)


def lineage(case: Case) -> None:
    for parameter, qid in _versioned(case):
        versions = case.truth.lookups.parameter_versions(VersionQuery(case.truth.chip, parameter, qid, last_n=3))
        content = case.told(versions, "get_parameter_lineage", parameter_name=parameter, qid=qid, last_n=3)
        if content is not None:
            columns = ("entity_id", "version", "value", "error", "unit", "valid_from", "task_id")
            expected = [tuple(plain(getattr(one, name)) for name in columns) for one in versions]
            assert rows_of(case.stored(content)["versions"], columns) == expected
            assert content.get("total", len(versions)) == len(case.truth.versions(parameter, qid))


def _versioned(case: Case) -> list[tuple[str, str]]:
    return [*(("t1", qid) for qid in case.qids), *(("zx90_gate_fidelity", pair) for pair in case.pairs)]


def lineage_graph(case: Case) -> None:
    for parameter, qid in _versioned(case)[:4]:
        for document in case.truth.versions(parameter, qid)[-2:]:
            documents, project_id = case.truth.documents, case.truth.chip.project_id
            depths, edges = graph_behind(documents, project_id, document["entity_id"], 4)
            content = case.tools.content("get_provenance_lineage_graph", entity_id=document["entity_id"], max_depth=4)
            nodes = case.stored(content)["nodes"]
            assert dict(rows_of(nodes, ["id", "depth"])) == depths
            assert set(rows_of(case.stored(content)["edges"], ["relation", "source", "target"])) == edges
            assert (content["num_nodes"], content["num_edges"]) == (len(depths), len(edges))


def heatmap(case: Case) -> None:
    for parameter, kind in case.parameters:
        scale = SCALES.get(parameter, 1.0)
        by_qid: dict[str, list[float]] = {}
        for one in case.truth.series(parameter, kind):
            if one.v is not None:
                by_qid.setdefault(one.qid, []).append(one.v * scale)
        picks: dict[str, Callable[[list[float]], float]] = {
            "latest": lambda values: values[-1],
            "best": max,
            "average": statistics.fmean,
        }
        for mode, pick in picks.items():
            content = case.told(by_qid, "generate_chip_heatmap", metric_name=parameter, selection_mode=mode)
            if content is None:
                continue
            table = case.stored(content)["heatmap"]
            chosen = {qid: pick(values) for qid, values in by_qid.items()}
            assert dict(rows_of(table, ["qid", "value"])) == {qid: plain(value) for qid, value in chosen.items()}
            true = described(list(chosen.values()))
            assert all(near(content["statistics"][name], true[name]) for name in ("median", "min", "max", "count"))
            missing = {frozenset(qid.split("-")) for qid in case.truth.qids(kind)}
            missing -= {frozenset(qid.split("-")) for qid in chosen}
            assert missing <= {frozenset(qid.split("-")) for qid in content[f"missing_{kind}s"]}
            excluded = case.truth.newest_excluded(parameter, kind)
            told = content.get("newest_excluded", {})
            assert set(told) == set(excluded)
            assert all(near(told[qid], None if value is None else value * scale) for qid, value in excluded.items())


CHECKS: dict[str, Callable[[Case], None]] = {
    "get_chip_topology": topology,
    "list_available_parameters": available,
    "get_chip_summary": summary,
    "get_qubit_params": of_qubit,
    "get_coupling_params": of_coupling,
    "compare_qubits": comparison,
    "get_chip_parameter_timeseries": chip_series,
    "get_parameter_timeseries": one_series,
    "get_latest_task_result": latest,
    "get_task_history": history,
    "search_task_results": search,
    "get_result_curves": curves,
    "get_execution_history": executions,
    "get_calibration_notes": calibration_notes,
    "search_notes": people_notes,
    "get_parameter_lineage": lineage,
    "get_provenance_lineage_graph": lineage_graph,
    "generate_chip_heatmap": heatmap,
}
