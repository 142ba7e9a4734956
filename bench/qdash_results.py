# ruff: noqa: D102 - each method is the tool of its name
"""What QDash's copilot sends its model for the same call: QDash's keys and shortening, in plain Python.

The rules are those of QDash's own tools. They count excluded results, and give numbers as stored.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from datetime import datetime
from statistics import mean, median, stdev
from typing import Any

from qdash_documents import QDashData, Row

from qdash_jupyter.domain.compact import compact_number
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.topology import square_lattice

CUT_AT = 30_000
QUBITS_AT_MOST = 200
STORED = {"get_chip_summary": "qubits", "get_chip_parameter_timeseries": "timeseries"}


class QDashTools:
    """The tools on one chip; `shortened` is QDash's way, otherwise the same results as they are."""

    def __init__(self, data: QDashData, chip_id: str, *, shortened: bool) -> None:
        self.data = data
        self.chip_id = chip_id
        self.topology = square_lattice(data.chip()["size"])
        self.number: Callable[[Any], Any] = compact_number if shortened else lambda value: value
        self.time: Callable[[Any], Any] = (
            (lambda at: f"{at:%m-%d %H:%M}" if at else "") if shortened else (lambda at: at)
        )
        self.records: Callable[[Any], Any] = _compact_records if shortened else lambda records: records
        self.shortened = shortened

    def characters(self, tool: str, arguments: Row) -> int:
        """The length of what the model gets."""
        return len(self.text(tool, arguments))

    def text(self, tool: str, arguments: Row) -> str:
        """What the model gets; QDash's way it is cut at 30,000 characters, in the middle of JSON."""
        result = getattr(self, tool)(**arguments)
        if self.shortened and tool in STORED:
            result = _summary(result, arguments.get("parameter_name", "chip_summary"))
        text = json.dumps(_no_nan(result), default=str, ensure_ascii=False)
        return text[:CUT_AT] if self.shortened else text

    def get_chip_topology(self) -> Row:
        shape = self.topology
        return {
            "chip_id": self.data.chip()["chip_id"],
            "topology_id": shape.topology_id,
            "grid_size": shape.grid_size,
            "num_qubits": shape.num_qubits,
            "layout_type": "grid",
            "qubit_positions": {qid: {"row": row, "col": col} for qid, (row, col) in shape.positions.items()},
            "couplings": [list(pair) for pair in shape.couplings],
        }

    def list_available_parameters(self, qid: str | None = None) -> Row:
        names = sorted(self.data.parameter_names(qid))
        return {"chip_id": self.chip_id, "qid": qid, "parameter_names": names, "count": len(names)}

    def get_chip_summary(self, param_names: list[str] | None = None) -> Row:
        rows = [
            {"qid": one["qid"], **{name: record["value"] for name, record in _only(one["data"], param_names).items()}}
            for one in self.data.elements("qubit")
        ]
        names = sorted({name for row in rows for name in row} - {"qid"})
        columns = {name: [row[name] for row in rows if name in row] for name in names}
        statistics = {name: self._described(values) for name, values in columns.items()}
        uniform = [{"qid": row["qid"]} | {name: row.get(name) for name in names} for row in rows]
        return {"chip_id": self.chip_id, "num_qubits": len(rows), "statistics": statistics, "qubits": uniform}

    def get_chip_parameter_timeseries(self, parameter_name: str, last_n: int = 10) -> Row:
        found = self.data.results(last_n * QUBITS_AT_MOST, status="completed", measured=parameter_name)
        points: dict[str, list[Row]] = {}
        for row in found:
            points.setdefault(row["qid"], []).append(
                {"qid": row["qid"], "t": row["start_at"].isoformat(), "v": _value(row, parameter_name)}
            )
        qubits = []
        for qid, group in points.items():
            values = [one["v"] for one in group[:last_n]]
            ends = values[0], values[-1]
            trend = "up" if ends[0] > ends[1] * 1.01 else "down" if ends[0] < ends[1] * 0.99 else "stable"
            spread = {"min": min(values), "max": max(values), "mean": mean(values)}
            numbers = {name: self.number(value) for name, value in spread.items()}
            qubits.append(
                {"qid": qid, "latest": self.number(values[0]), "count": len(values)} | numbers | {"trend": trend}
            )
        return {
            "chip_id": self.chip_id,
            "parameter_name": parameter_name,
            "unit": found[0]["output_parameters"][parameter_name]["unit"],
            "num_qubits": len(qubits),
            "statistics": self._described([group[0]["v"] for group in points.values()]),
            "qubits": qubits,
            "timeseries": [one for group in points.values() for one in group[:last_n]],
        }

    def get_parameter_timeseries(self, parameter_name: str, qid: str, last_n: int = 10) -> list[Row]:
        found = self.data.results(last_n, status="completed", qid=qid, measured=parameter_name)
        return [
            {
                "start_at": row["start_at"].isoformat(),
                "execution_id": row["execution_id"],
                "task_name": row["name"],
                "value": _value(row, parameter_name),
                "unit": row["output_parameters"][parameter_name]["unit"],
                "calibrated_at": str(row["output_parameters"][parameter_name]["calibrated_at"].replace(tzinfo=None)),
            }
            for row in reversed(found)
        ]

    def get_qubit_params(self, qid: str) -> Row:
        data: Row = self.data.element("qubit", qid)["data"]
        return data

    def get_coupling_params(self, coupling_id: str | None = None, qubit_id: str | None = None) -> list[Row]:
        if coupling_id:
            return [{"coupling_id": coupling_id, "data": self.data.element("coupling", coupling_id)["data"]}]
        self.data.chip()  # names the topology
        pairs = [f"{control}-{target}" for control, target in self.topology.couplings]
        asked = [pair for pair in pairs if qubit_id in pair.split("-")]
        found = {one["qid"]: one["data"] for one in self.data.elements("coupling", asked)}
        return [{"coupling_id": pair, "data": found[pair]} for pair in asked]

    def compare_qubits(self, qids: list[str], param_names: list[str] | None = None) -> Row:
        data = {qid: _only(self.data.element("qubit", qid)["data"], param_names) for qid in qids}
        if not self.shortened:
            return {"chip_id": self.chip_id, "qubits": data}
        values = {
            qid: {name: self.number(one["value"]) for name, one in params.items()} for qid, params in data.items()
        }
        return {"chip_id": self.chip_id, "qubits": values}

    def get_latest_task_result(self, task_name: str, qid: str) -> Row:
        return self.get_task_history(task_name, qid, 1)[0]

    def get_task_history(self, task_name: str, qid: str, last_n: int = 5) -> list[Row]:
        found = self.data.results(last_n, name=task_name, qid=qid, status="completed")
        keys = ("output_parameters", "start_at", "execution_id")
        return [{name: row[name] for name in keys} for row in map(self._short, found)]

    def search_task_results(self, last_n: int = 10, **filters: str) -> list[Row]:
        filters = {"name" if name == "task_name" else name: value for name, value in filters.items()}
        keys = ("qid", "status", "execution_id", "start_at", "end_at", "elapsed_time", "output_parameters", "message")
        return [
            {"task_id": row["task_id"], "task_name": row["name"]} | {name: row[name] for name in keys}
            for row in map(self._short, self.data.results(last_n, **filters))
        ]

    def get_execution_history(self, status: str | None = None, last_n: int = 10) -> list[Row]:
        keys = ("execution_id", "name", "status", "chip_id", "tags", "start_at", "end_at", "elapsed_time", "message")
        newest = self.data.runs(last_n, **({} if status is None else {"status": status}))
        return [{name: row[name] for name in keys} for row in map(self._short, newest)]

    def get_calibration_notes(self, last_n: int = 10) -> list[Row]:
        keys = ("execution_id", "task_id", "note", "timestamp")
        return [{name: one[name] for name in keys} for one in self.data.notes(last_n)]

    def get_parameter_lineage(self, parameter_name: str, qid: str, last_n: int = 10) -> list[Row]:
        keys = ("execution_id", "task_id", "task_name")
        return [
            {"version": one["version"], "value": self.number(one["value"]), "unit": one["unit"]}
            | {"error": self.number(one["error"])}
            | {name: one[name] for name in keys}
            | {name: self.time(one[name]) for name in ("valid_from", "valid_until")}
            for one in self.data.versions(parameter_name, qid, last_n)
        ]

    def get_provenance_lineage_graph(self, entity_id: str, max_depth: int = 5) -> Row:
        project_id = self.data.chip()["project_id"]
        depths, level, edges = {entity_id: 0}, [entity_id], []
        for depth in range(1, max_depth + 1):
            found = [one for node in level for one in self.data.edges(node, project_id)]
            edges += [
                {"relation": one["relation_type"], "source": one["source_id"], "target": one["target_id"]}
                for one in found
            ]
            level = [one for one in dict.fromkeys(one["target_id"] for one in found) if one not in depths]
            depths |= dict.fromkeys(level, depth)
        return {
            "origin": entity_id,
            "num_nodes": len(depths),
            "num_edges": len(edges),
            "max_depth": max_depth,
            "nodes": [self._node(node, depth) for node, depth in depths.items()],
            "edges": edges,
        }

    def generate_chip_heatmap(self, metric_name: str) -> Row:
        metric = MetricTable().of(metric_name)
        values = [row["value"] * metric.scale for row in self.data.newest_of_qubits(metric_name)]
        statistics = {
            "count": len(values),
            "total_qubits": self.topology.num_qubits,
            "coverage": f"{100 * len(values) / self.topology.num_qubits:.1f}%",
        } | {name: value for name, value in self._exact(values).items() if name != "count"}
        message = f"Heatmap of {metric.title} is displayed to the user."
        return {"status": "success", "message": message, "statistics": statistics | {"unit": metric.unit}}

    def _node(self, node: str, depth: int) -> Row:
        found = self.data.node(node)
        entity, activity = (found, {}) if "entity_id" in found else ({}, found)
        return {
            "type": "entity" if entity else "activity",
            "id": node,
            "depth": depth,
            "param": entity.get("parameter_name"),
            "qid": (entity or activity).get("qid"),
            "value": self.number(entity.get("value")),
            "unit": entity.get("unit"),
            "ver": entity.get("version"),
            "task": (entity or activity).get("task_name"),
            "exec_id": None,
            "valid_from": None,
            "status": activity.get("status"),
        }

    def _short(self, row: Row) -> Row:
        short = row | {"elapsed_time": self.number(row["elapsed_time"])}
        short |= {name: self.time(row[name]) for name in ("start_at", "end_at")}
        return short | (
            {"output_parameters": self.records(row["output_parameters"])} if "output_parameters" in row else {}
        )

    def _described(self, values: list[float]) -> Row:
        return {name: self.number(value) for name, value in self._exact(values).items()}

    @staticmethod
    def _exact(values: list[float]) -> Row:
        middle = {"mean": mean(values), "median": median(values), "stdev": stdev(values)}
        return middle | {"min": min(values), "max": max(values), "count": len(values)}


def _value(row: Row, parameter: str) -> float:
    value: float = row["output_parameters"][parameter]["value"]
    return value


def _only(data: Row, names: Iterable[str] | None) -> Row:
    return {name: record for name, record in data.items() if names is None or name in names}


def _compact_records(records: Row) -> Row:
    """Parameter records reduced to value, unit (if any) and error (if not zero)."""
    kept: Row = {}
    for name, record in records.items():
        kept[name] = {"value": compact_number(record["value"])}
        kept[name] |= {"unit": record["unit"]} if record["unit"] else {}
        kept[name] |= {"error": compact_number(record["error"])} if record["error"] else {}
    return kept


def _summary(result: Row, key: str) -> Row:
    """QDash's summary of a stored result: lists of rows become their columns and count."""
    short = {
        name: {"_schema": list(value[0]), "_rows": len(value)} if isinstance(value, list) else value
        for name, value in result.items()
    }
    note = f"Full data available as data['{key}'] in execute_python_analysis. Do NOT pass data manually."
    return short | {"data_key": key, "_note": note}


def _no_nan(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: _no_nan(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_no_nan(one) for one in value]
    return value.isoformat() if isinstance(value, datetime) else value
