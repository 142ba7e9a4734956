# ruff: noqa: D102 - each method is the tool of its name
"""What QDash's copilot sends its model for the same call: QDash's queries, keys and shortening, in plain Python.

The rules are those of QDash's own tools. They read by chip alone, count excluded results, and give numbers as stored.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from datetime import datetime
from statistics import mean, median, stdev
from typing import Any

from qdash_jupyter.data.demo import DemoChip
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.topology import square_lattice
from qdash_jupyter.store.compact import compact_number

CUT_AT = 30_000
STORED = {"get_chip_summary": "qubits", "get_chip_parameter_timeseries": "timeseries"}

Row = dict[str, Any]


class QDashTools:
    """The tools on one chip; `shortened` is QDash's way, otherwise the same results as they are."""

    def __init__(self, chip: DemoChip, *, shortened: bool) -> None:
        self.documents = chip.documents
        self.chip_id = chip.chip_id
        self.topology = square_lattice(chip.documents["chip"][0]["size"])
        self.number: Callable[[Any], Any] = compact_number if shortened else lambda value: value
        self.time: Callable[[Any], Any] = (
            (lambda at: f"{at:%m-%d %H:%M}" if at else "") if shortened else (lambda at: at)
        )
        self.records: Callable[[Any], Any] = _compact_records if shortened else lambda records: records
        self.shortened = shortened

    def characters(self, tool: str, arguments: Row) -> int:
        """The length of what the model gets; QDash's way it is cut at 30,000 characters, in the middle of JSON."""
        result = getattr(self, tool)(**arguments)
        if self.shortened and tool in STORED:
            result = _summary(result, arguments.get("parameter_name", "chip_summary"))
        text = json.dumps(_no_nan(result), default=str, ensure_ascii=False)
        return min(len(text), CUT_AT) if self.shortened else len(text)

    def get_chip_topology(self) -> Row:
        shape = self.topology
        return {
            "chip_id": self.chip_id,
            "topology_id": shape.topology_id,
            "grid_size": shape.grid_size,
            "num_qubits": shape.num_qubits,
            "layout_type": "grid",
            "qubit_positions": {qid: {"row": row, "col": col} for qid, (row, col) in shape.positions.items()},
            "couplings": [list(pair) for pair in shape.couplings],
        }

    def list_available_parameters(self, qid: str | None = None) -> Row:
        found = self._results(qid=qid, status="completed")
        names = sorted({name for row in found for name in row["output_parameter_names"]})
        return {"chip_id": self.chip_id, "qid": qid, "parameter_names": names, "count": len(names)}

    def get_chip_summary(self, param_names: list[str] | None = None) -> Row:
        rows = [
            {"qid": one["qid"], **{name: record["value"] for name, record in _only(one["data"], param_names).items()}}
            for one in self.documents["qubit"]
        ]
        names = sorted({name for row in rows for name in row} - {"qid"})
        columns = {name: [row[name] for row in rows if name in row] for name in names}
        statistics = {name: self._described(values) for name, values in columns.items()}
        uniform = [{"qid": row["qid"]} | {name: row.get(name) for name in names} for row in rows]
        return {"chip_id": self.chip_id, "num_qubits": len(rows), "statistics": statistics, "qubits": uniform}

    def get_chip_parameter_timeseries(self, parameter_name: str, last_n: int = 10) -> Row:
        found = self._measured(parameter_name)[: last_n * 200]
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
        found = self._measured(parameter_name, qid=qid)[:last_n]
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
        return self._data("qubit", qid)

    def get_coupling_params(self, coupling_id: str | None = None, qubit_id: str | None = None) -> list[Row]:
        pairs = [f"{control}-{target}" for control, target in self.topology.couplings]
        asked = [coupling_id] if coupling_id else [pair for pair in pairs if qubit_id in pair.split("-")]
        return [{"coupling_id": pair, "data": self._data("coupling", pair)} for pair in asked]

    def compare_qubits(self, qids: list[str], param_names: list[str] | None = None) -> Row:
        data = {qid: _only(self._data("qubit", qid), param_names) for qid in qids}
        if not self.shortened:
            return {"chip_id": self.chip_id, "qubits": data}
        values = {
            qid: {name: self.number(one["value"]) for name, one in params.items()} for qid, params in data.items()
        }
        return {"chip_id": self.chip_id, "qubits": values}

    def get_latest_task_result(self, task_name: str, qid: str) -> Row:
        return self.get_task_history(task_name, qid, 1)[0]

    def get_task_history(self, task_name: str, qid: str, last_n: int = 5) -> list[Row]:
        found = self._results(name=task_name, qid=qid, status="completed")[:last_n]
        keys = ("output_parameters", "start_at", "execution_id")
        return [{name: row[name] for name in keys} for row in map(self._short, found)]

    def search_task_results(self, last_n: int = 10, **filters: str) -> list[Row]:
        filters = {"name" if name == "task_name" else name: value for name, value in filters.items()}
        keys = ("qid", "status", "execution_id", "start_at", "end_at", "elapsed_time", "output_parameters", "message")
        return [
            {"task_id": row["task_id"], "task_name": row["name"]} | {name: row[name] for name in keys}
            for row in map(self._short, self._results(**filters)[:last_n])
        ]

    def get_execution_history(self, status: str | None = None, last_n: int = 10) -> list[Row]:
        runs = [run for run in self.documents["execution_history"] if status in {None, run["status"]}]
        keys = ("execution_id", "name", "status", "chip_id", "tags", "start_at", "end_at", "elapsed_time", "message")
        newest = sorted(runs, key=lambda run: run["start_at"], reverse=True)[:last_n]
        return [{name: row[name] for name in keys} for row in map(self._short, newest)]

    def get_calibration_notes(self, last_n: int = 10) -> list[Row]:
        keys = ("execution_id", "task_id", "note", "timestamp")
        newest = sorted(self.documents["calibration_note"], key=lambda one: one["timestamp"], reverse=True)
        return [{name: one[name] for name in keys} for one in newest[:last_n]]

    def get_parameter_lineage(self, parameter_name: str, qid: str, last_n: int = 10) -> list[Row]:
        line = [one for one in self._versions() if (one["parameter_name"], one["qid"]) == (parameter_name, qid)]
        newest = sorted(line, key=lambda one: one["version"], reverse=True)[:last_n]
        keys = ("execution_id", "task_id", "task_name")
        return [
            {"version": one["version"], "value": self.number(one["value"]), "unit": one["unit"]}
            | {"error": self.number(one["error"])}
            | {name: one[name] for name in keys}
            | {name: self.time(one[name]) for name in ("valid_from", "valid_until")}
            for one in newest
        ]

    def get_provenance_lineage_graph(self, entity_id: str, max_depth: int = 5) -> Row:
        entities = {one["entity_id"]: one for one in self._versions()}
        activities = {one["activity_id"]: one for one in self.documents["provenance_activities"]}
        depths, level, edges = {entity_id: 0}, [entity_id], []
        for depth in range(1, max_depth + 1):
            found = [one for one in self.documents["provenance_relations"] if one["source_id"] in level]
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
            "nodes": [self._node(node, depth, entities, activities) for node, depth in depths.items()],
            "edges": edges,
        }

    def generate_chip_heatmap(self, metric_name: str) -> Row:
        metric = MetricTable().of(metric_name)
        newest = {row["qid"]: row for row in reversed(self._measured(metric_name)) if not row["excluded"]}
        values = [_value(row, metric_name) * metric.scale for row in newest.values()]
        statistics = {
            "count": len(values),
            "total_qubits": self.topology.num_qubits,
            "coverage": f"{100 * len(values) / self.topology.num_qubits:.1f}%",
        } | {name: value for name, value in self._exact(values).items() if name != "count"}
        message = f"Heatmap of {metric.title} is displayed to the user."
        return {"status": "success", "message": message, "statistics": statistics | {"unit": metric.unit}}

    def _node(self, node: str, depth: int, entities: Row, activities: Row) -> Row:
        entity, activity = entities.get(node, {}), activities.get(node, {})
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

    def _results(self, **filters: str | None) -> list[Row]:
        """Newest first."""
        wanted = {name: value for name, value in filters.items() if value is not None}
        rows = self.documents["task_result_history"]
        found = [row for row in rows if all(row[name] == value for name, value in wanted.items())]
        return sorted(found, key=lambda row: row["start_at"], reverse=True)

    def _measured(self, parameter: str, **filters: str) -> list[Row]:
        found = self._results(status="completed", **filters)
        return [row for row in found if parameter in row["output_parameters"]]

    def _data(self, kind: str, qid: str) -> Row:
        return next(one["data"] for one in self.documents[kind] if one["qid"] == qid)

    def _versions(self) -> list[Row]:
        return self.documents["parameter_versions"]

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
