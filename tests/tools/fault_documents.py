"""One small chip whose documents hold every fault that real databases have, each on a qubit of its own."""

from __future__ import annotations

from datetime import timedelta, timezone
from typing import Any

from tests.tools.qdash_documents import Document, a_chip, activity, ago, document, edge, task, version

ON = {
    name: str(place)
    for place, name in enumerate(
        (
            "no fault",
            "excluded current value",
            "three units",
            "text",
            "zero",
            "NaN",
            "other cool-down",
            "string dates",
            "ids as numbers",
            "duplicates",
            "missing fields",
            "1 MB note",
            "control characters",
            "unreadable start",
            "broken document",
            "never measured",
        )
    )
}
"""The qubit of each fault."""

TRUE_T1: dict[str, float | None] = {
    "no fault": 61.0,
    "excluded current value": 41.0,
    "three units": 63.0,
    "text": None,
    "zero": None,
    "NaN": None,
    "other cool-down": 66.0,
    "string dates": 67.0,
    "ids as numbers": 68.0,
    "duplicates": 69.0,
    "missing fields": 70.0,
    "1 MB note": 71.0,
    "control characters": 72.0,
    "unreadable start": 73.0,
}
"""The current value of each, said by hand; the last two have none."""

CONTROL = "\x1b[31mred\x1b[0m \x07\x85\u2028\u202e\x00end"
NEEDLE = "the needle at the end"
JST = timezone(timedelta(hours=9))


def record(value: Any, days: float, task_id: str = "", unit: Any = "μs", **more: Any) -> Document:
    whole = {"value": value, "unit": unit, "error": 0.5, "calibrated_at": ago(days), "task_id": task_id}
    return whole | {"execution_id": "20260629-000"} | more


def _t1(fault: str, values: list[Any], **more: Any) -> list[Document]:
    """A result a day, the last of them yesterday; its id is the fault's name with a number."""
    rows = []
    for place, value in enumerate(values):
        days = len(values) - place
        entry = value if isinstance(value, dict) else record(value, days)
        rows.append(task("CheckT1", ON[fault], days, {"t1": entry}, task_id=f"{fault} {place}", **more))
    return rows


def _results() -> list[Document]:
    rows = [one for fault in ("no fault", "1 MB note") for one in _t1(fault, [50.0, 55.0, TRUE_T1[fault]])]
    rows += _t1("excluded current value", [40.0, 41.0, 9999.0])
    rows[-1] |= {"excluded": True, "excluded_reason": "a wrong fit"}
    in_units = [record(61.0, 3), record(62_000.0, 2, unit="ns", error=500.0), record(0.063, 1, unit="ms", error=5e-4)]
    rows += _t1("three units", in_units)
    rows += _t1("text", [50.0, "51.5", "n/a"]) + _t1("zero", [50.0, 0.0, 0]) + _t1("NaN", [50.0, float("nan"), None])
    rows += _t1("other cool-down", [65.0, 66.0], cooldown_id="2026-001")
    for place, one in enumerate(rows[-2:]):
        one |= {"start_at": ago(90 - place), "end_at": ago(90 - place)}
    rows += _t1("string dates", [record(57.0, 2), record(67.0, 1)])
    rows[-2] |= {"start_at": f"{ago(2):%Y-%m-%d %H:%M:%S}", "end_at": "soon"}
    rows[-1] |= {"start_at": ago(1).astimezone(JST).isoformat(), "elapsed_time": "0:12:03"}
    rows += [one | {"qid": int(one["qid"])} for one in _t1("ids as numbers", [58.0, 68.0])]
    rows += _t1("duplicates", [59.0, 69.0])
    twice = dict(rows[-1]["output_parameters"], t1=record(69.5, 0.5))
    rows.append(document(**rows[-1] | {"_id": "f" * 24, "start_at": ago(0.5), "output_parameters": twice}))
    rows += _t1("missing fields", [{"value": 60.0}, 70.0, 75.0])
    for name in ("end_at", "elapsed_time", "message", "excluded", "tags", "execution_id", "cooldown_id"):
        del rows[-3][name], rows[-2][name]
    del rows[-1]["output_parameters"]
    said = {"message": CONTROL, "excluded_reason": CONTROL, "tags": [CONTROL]}
    rows += _t1("control characters", [62.0, 72.0, 73.0], **said)
    rows[-1]["excluded"] = True
    rows += _t1("unreadable start", [63.0, 73.0])
    rows[-1]["start_at"] = "yesterday"
    rows += _t1("broken document", [64.0, 74.0])
    rows.append(task("CheckT1", ON["no fault"], 0.5, status="failed", message=CONTROL))
    fidelities = [(2, "0-1", 0.97, False), (1, "0-1", 0.98, False), (2, "4-1", 0.95, False), (1, "4-1", 0.5, True)]
    for days, pair, value, excluded in fidelities:
        outputs = {"zx90_gate_fidelity": {"value": value, "unit": "a.u.", "error": 0.0}}
        rows.append(task("CheckZX90", pair, days, outputs, excluded=excluded, task_id=f"zx90 of {pair}, {days}"))
    return rows


def _qubits() -> dict[str, Document]:
    """By qubit, what differs from a clean document."""
    found: dict[str, Document] = {
        ON[fault]: {"data": {"t1": record(value, 1, f"{fault} 2"), "t2_echo": record(80.0, 1)}}
        for fault, value in TRUE_T1.items()
    }
    t1 = {fault: found[ON[fault]]["data"]["t1"] for fault in TRUE_T1}
    t1["excluded current value"]["value"] = 9999.0
    t1["three units"] |= {"value": 0.063, "unit": "ms", "error": 5e-4}
    found[ON["three units"]]["data"]["t2_echo"] |= {"value": 130_000, "unit": "ns", "error": 1.0}
    t1["text"]["value"], t1["zero"]["value"], t1["NaN"]["value"] = "n/a", 0, float("nan")
    t1["other cool-down"]["calibrated_at"] = ago(89)
    t1["string dates"]["calibrated_at"] = ago(1).astimezone(JST).isoformat()
    found[ON["ids as numbers"]]["qid"] = int(ON["ids as numbers"])
    t1["duplicates"] |= {"value": 59.0, "calibrated_at": ago(2)}
    found[ON["missing fields"]] = {"data": {"t1": 70.0, "t2_echo": {}}, "username": None}
    found[ON["1 MB note"]]["note"] = {"content": "x " * 500_000 + NEEDLE, "updated_by": "aoi", "updated_at": ago(1)}
    note = {"content": CONTROL, "updated_by": CONTROL, "updated_at": f"{ago(2):%Y-%m-%d}"}
    found[ON["control characters"]]["note"] = note
    t1["control characters"]["task_id"] = "control characters 1"
    found[ON["broken document"]] = {"data": CONTROL}
    return found


def faulty_chip() -> dict[str, list[Document]]:
    """The chip's documents; its couplings are 0-1 and 4-1, filled in this direction."""
    documents = a_chip()
    documents["chip"][0]["current_cooldown_id"] = "2026-002"
    differing = _qubits()
    for one in documents["qubit"]:
        one.update(differing.get(one["qid"], {}))
    newer = {"t1": record(69.0, 1, "duplicates 1"), "t2_echo": record(79.0, 3)}
    documents["qubit"].append(document(qid=ON["duplicates"], data=newer, username="bob"))
    fidelities = {"0-1": (0.98, 1), "4-1": (0.5, 1)}
    for one in documents["coupling"]:
        if one["qid"] in fidelities:
            value, days = fidelities[one["qid"]]
            name = f"zx90 of {one['qid']}, {days}"
            one["data"] = {"zx90_gate_fidelity": record(value, days, name, "a.u.", error=0.0)}
    periods = [("2026-001", ago(120), ago(60)), ("2026-002", ago(60), None)]
    cooldowns = [
        document(cooldown_id=name, chip_ids=["c"], started_at=began, ended_at=ended) for name, began, ended in periods
    ]
    runs = [
        document(execution_id=f"r-{n}", name=CONTROL, status=status, tags=["daily"], start_at=start, elapsed_time=long)
        for n, (status, start, long) in enumerate(
            [
                ("completed", ago(3), 60.0),
                ("failed", ago(2), "0:12:03"),
                ("completed", "yesterday", None),
                ("completed", f"{ago(1):%Y-%m-%d %H:%M:%S}", "a while"),
            ]
        )
    ]
    states = [
        document(execution_id="r-0", task_id="master", timestamp=ago(3), note={"rabi": {"Q01": {"f": float("nan")}}}),
        document(execution_id="r-1", task_id="master", timestamp=ago(2), note={"big": {"Q02": "x" * 1_000_000}}),
        document(
            execution_id="r-3", task_id="t", timestamp=ago(1).isoformat(), note={"zx": {"Q04-Q01": {"a": [1, 2]}}}
        ),
        document(execution_id="r-2", task_id="t", timestamp="yesterday", note=CONTROL),
    ]
    versions = [version(1), version(2), version(3, value="n/a", valid_from=f"{ago(1):%Y-%m-%d}"), version(5, value=0)]
    versions += [version(1, qid=8, entity_id="t1:8:20260629-000:t"), version(1, qid="12", unit=CONTROL)]  # pyrefly: ignore[bad-argument-type]
    made = versions[1]
    acts = [activity(made)]
    edges = [
        edge("wasGeneratedBy", made["entity_id"], acts[0]["activity_id"]),
        edge("used", acts[0]["activity_id"], versions[0]["entity_id"]),
        edge("used", acts[0]["activity_id"], "t1:9:20260101-000:gone"),
    ]
    return documents | {
        "task_result_history": _results(),
        "cooldown": cooldowns,
        "execution_history": runs,
        "calibration_note": states,
        "parameter_versions": versions,
        "provenance_activities": acts,
        "provenance_relations": edges,
    }
