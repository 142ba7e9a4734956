"""Document sets of the conformance suite: hand-written ones in QDash's shapes, and a sample written by QDash itself.

Every set is `{collection: [document]}` with `_id` as 24 hexadecimal digits and dates as datetimes.
"""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from itertools import count, product
from pathlib import Path
from typing import Any

from bson import json_util
from bson.json_util import JSONOptions
from demo_chip import make_demo

SAMPLE = Path(__file__).parent.parent / "qdash-sample"
T0 = datetime(2026, 3, 1, 9, 30, 0, 123000, tzinfo=UTC)
AS_OF = datetime(2026, 7, 15, tzinfo=UTC)
NAN, INF = float("nan"), float("inf")

Document = dict[str, Any]
Documents = dict[str, list[Document]]
_ids = count(1)


def at(hours: float) -> datetime:
    return T0 + timedelta(hours=hours)


def oid() -> str:
    return f"{next(_ids):024x}"


def record(value: Any, **more: Any) -> Document:
    """A parameter record of ten fields; a field given as ... is left out."""
    whole = {
        "parameter_name": "",
        "qid_role": "",
        "value": value,
        "value_type": "float",
        "error": 0.5,
        "unit": "μs",
        "description": "",
        "calibrated_at": T0,
        "execution_id": "20260301-000",
        "task_id": "task-of-record",
    } | more
    return {name: entry for name, entry in whole.items() if entry is not ...}


def project(project_id: str, name: str | None = None) -> Document:
    return {"_id": oid(), "project_id": project_id, "name": name, "owner_username": "aoi", "tags": []}


def chip(project_id: str | None = "p1", chip_id: str = "c1", **more: Any) -> Document:
    whole = {
        "_id": oid(),
        "project_id": project_id,
        "chip_id": chip_id,
        "user_id": None,
        "username": "aoi",
        "size": 16,
        "current_cooldown_id": None,
        "activity_status": "active",
        "topology_id": "square-lattice-mux-16",
        "installed_at": T0,
        "note": {"content": "", "updated_by": "", "updated_at": None},
    } | more
    return {name: entry for name, entry in whole.items() if entry is not ...}


def element(qid: Any, data: Any, project_id: str | None = "p1", chip_id: str = "c1", **more: Any) -> Document:
    whole = {"_id": oid(), "project_id": project_id, "chip_id": chip_id, "qid": qid, "username": "aoi"}
    whole |= {"status": "pending", "data": data, "metric_notes": {}} | more
    return {name: entry for name, entry in whole.items() if entry is not ...}


def result(qid: Any, outputs: Any, start: Any = T0, **more: Any) -> Document:
    """A completed task result; `end_at` is a minute after a start that is a date."""
    identity = oid()
    whole = {
        "_id": identity,
        "project_id": "p1",
        "chip_id": "c1",
        "username": "aoi",
        "task_id": f"task-{identity[-6:]}",
        "name": "CheckT1",
        "status": "completed",
        "task_type": "qubit",
        "qid": qid,
        "execution_id": "20260301-000",
        "output_parameters": outputs,
        "output_parameter_names": list(outputs) if isinstance(outputs, dict) else [],
        "start_at": start,
        "end_at": start + timedelta(minutes=1) if isinstance(start, datetime) else None,
        "elapsed_time": 60.0,
        "message": "",
        "excluded": False,
    } | more
    return {name: entry for name, entry in whole.items() if entry is not ...}


def plain() -> Documents:
    """What QDash writes today."""
    rows = []
    for hour in range(6):
        for qid in range(4):
            value = 40 + hour + qid / 8
            outputs = {"t1": record(value, calibrated_at=at(hour)), "t1_average": record(value + 1, unit="")}
            rows.append(result(str(qid), outputs, at(hour + qid / 60)))
        fidelity = record(0.97 + hour / 1000, unit="a.u.", qid_role="coupling")
        rows.append(result("4-1", {"zx90_gate_fidelity": fidelity}, at(hour), name="CheckZX90", task_type="coupling"))
        rows.append(result("10-2", {"zx90_gate_fidelity": fidelity}, at(hour), name="CheckZX90", task_type="coupling"))
    # One qubit is measured often, one once: the newest n of each must hold both.
    rows += [result("12", {"t1": record(70.0 + minute)}, at(10 + minute / 60)) for minute in range(12)]
    rows.append(result("11", {"t1": record(33.3)}, at(-400)))
    return {
        "project": [project("p1", "Project one")],
        "chip": [chip()],
        "qubit": [
            element(str(q), {"t1": record(45.0 + q), "qubit_frequency": record(4.8, unit="GHz")}) for q in range(16)
        ],
        "coupling": [
            element("4-1", {"zx90_gate_fidelity": record(0.98, unit="a.u.", qid_role="coupling")}),
            element("1-4", {}),
            element("10-2", {"zx90_gate_fidelity": record(0.97, unit="a.u.")}),
        ],
        "task_result_history": rows,
        "execution_history": [{"_id": oid(), "project_id": "p1", "chip_id": "c1", "execution_id": "20260301-000"}],
    }


def ids() -> Documents:
    """Ids as real databases hold them."""
    spellings = ["7", "007", "07", 7, " 7 ", "Q7", "Q07", "qubit 7"]
    rows = [result(spelling, {"t1": record(50.0 + n)}, at(n)) for n, spelling in enumerate(spellings)]
    rows += [result(spelling, {"t1": record(60.0 + n)}, at(n)) for n, spelling in enumerate(["0", "000", 0, "10", "2"])]
    rows += [
        result(spelling, {"zz": record(0.1 * n)}, at(n)) for n, spelling in enumerate(["4-1", "04-01", "Q4-Q1", "1-4"])
    ]
    # A coupling's id in a qubit's task, and the other way round.
    rows.append(result("4-1", {"t1": record(1.0)}, at(9), task_type="qubit"))
    rows.append(result("3", {"zz": record(0.9)}, at(9), task_type="coupling"))
    for garbage in ("mux0", 7.0, True, ["7"], {"q": 7}, "-1", "4-", "1-2-3", []):
        rows.append(result(garbage, {"t1": record("n/a")}, at(3)))
    rows += [result(nothing, {"t1": record(2.0), "whole_chip": record(3.0)}, at(4)) for nothing in ("", None, ...)]
    return {
        "project": [project("p1", "Project one")],
        "chip": [chip()],
        "qubit": [
            element("007", {"t1": record(1.0, calibrated_at=at(1))}),
            element("7", {"t1": record(2.0, calibrated_at=at(3))}),
            element(7, {"t1": record(3.0, calibrated_at=at(2)), "t2_echo": record(9.0)}),
            element("10", {"t1": record(10.0)}),
            element("2", {"t1": record(2.0)}),
            element("4-1", {"zz": record(0.25, calibrated_at=at(5))}),
            element("mux0", {"t1": record("n/a")}),
            element("", {"t1": record(4.0)}),
            element(None, {"t1": record(4.0)}),
            element(3.5, {"t1": record(4.0)}),
        ],
        "coupling": [
            element("4-1", {"zz": record(0.5, calibrated_at=at(4))}),
            element("04-001", {"static_zz_interaction": record(-0.1, unit="GHz")}),
            element("9", {"t1": record(9.5)}),
            element("CR", {}),
        ],
        "task_result_history": rows,
    }


VALUES: dict[str, Any] = {
    "number": record(61.4),
    "integer": record(61),
    "text": record("61.4"),
    "padded text": record(" 6.14e1 "),
    "junk": record("n/a"),
    "empty text": record(""),
    "boolean": record(value=True),
    "list": record([1.0, 2.0]),
    "null": record(None),
    "no value": record(...),
    "nan": record(NAN),
    "infinite": record(INF),
    "zero": record(0),
    "zero text": record("0.0"),
    "minus zero": record(-0.0),
    "negative": record(-0.31),
    "huge": record(1e300),
    "nan error": record(1.0, error=NAN),
    "infinite error": record(1.0, error=-INF),
    "junk error": record(1.0, error="±2"),
    "no error": record(1.0, error=...),
    "null error": record(1.0, error=None),
    "no unit": record(1.0, unit=...),
    "null unit": record(1.0, unit=None),
    "named": record(1.0, parameter_name="another_name"),
    "odd execution": record(1.0, execution_id=None, task_id=...),
    "extra": record(1.0, fit={"r2": 0.99}, tags=["a"]),
    "bare": 61.4,
    "bare integer": 3,
    "bare zero": 0,
    "bare text": "61.4",
    "bare junk": "broken",
    "bare null": None,
    "bare list": [1, 2],
    "empty record": {},
}


def values() -> Documents:
    """Values as real databases hold them, of a parameter that cannot be 0 and of one that can."""
    rows = []
    for n, entry in enumerate(VALUES.values()):
        outputs = {"t1": entry, "ramsey_frequency": entry, "zz.rate": entry, "$odd": entry, "": entry}
        rows.append(result(str(n % 3), outputs, at(n)))
    return {
        "project": [project("p1", "Project one")],
        "chip": [chip()],
        "qubit": [element(str(n), {"t1": e, "ramsey_frequency": e}) for n, e in enumerate(VALUES.values())],
        "coupling": [element("0-1", {"zx90_gate_fidelity": e, "zz": e}, username=u) for u, e in VALUES.items()],
        "task_result_history": rows,
    }


def dates() -> Documents:
    """Dates as real databases hold them."""
    moments: list[Any] = [
        T0,
        T0.replace(tzinfo=None),
        "2026-03-01T11:00:00.456+00:00",
        "2026-03-01T20:00:00.456789+09:00",
        "2026-03-01 11:30:00",
        "2026-03-01T11:45:00Z",
        "2026-03-02",
        " 2026-03-01T12:00:00 ",
        "0001-01-01T00:00:00Z",
        "0001-01-01T00:00:00+09:00",
        "9999-12-31T23:59:59.999-09:00",
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(1999, 4, 29, tzinfo=UTC),
        AS_OF + timedelta(minutes=10),
        AS_OF + timedelta(minutes=11),
        datetime(9999, 6, 1, tzinfo=UTC),
        "yesterday",
        "",
        None,
        ...,
        20260301,
        1.5,
        True,
        {"when": 1},
        [T0],
    ]
    rows = []
    for n, start in enumerate(moments):
        late = {"t1": record(10.0 + n, calibrated_at=at(n / 10))}
        rows.append(result("1", late, start))
        rows.append(result("2", {"t1": record(20.0 + n, calibrated_at=start)}, None, end_at=at(n)))
        rows.append(result("3", {"t1": record(30.0 + n, calibrated_at=None)}, start, end_at=None))
        rows.append(result("4", {"t1": record(40.0 + n, calibrated_at=start)}, start, end_at=start))
        rows.append(result("5", {"t1": 50.0 + n}, at(n), elapsed_time="0:12:03"))
    # Two parameters of one result without a start: each counts at its own time.
    rows.append(
        result("6", {"t1": record(1.0, calibrated_at=at(1)), "t2_echo": record(2.0, calibrated_at=at(2))}, None)
    )
    rows.append(result("6", {"t1": record(1.0, calibrated_at=at(1)), "t2_echo": record(2.0, calibrated_at=None)}, None))
    rows.append(result("", {"t1": record(1.0, calibrated_at=None)}, None))
    # The same moment for several: told apart by qubit, then by task.
    same = (("11", "b"), ("9", "y"), ("9", "z"), ("11", "a"))
    rows += [result(q, {"t1": record(7.0)}, at(3), task_id=task) for q, task in same]
    # A list is no start, and no index leads to it: this one counts nowhere.
    rows.append(result("8", {"t1": record(1.0, calibrated_at=at(500))}, [T0]))
    return {
        "project": [project("p1", "Project one")],
        "chip": [chip(installed_at="2026-01-05T00:00:00+09:00"), chip(chip_id="c2", installed_at="long ago")],
        "qubit": [
            *(element(str(n), {"t1": record(1.0 + n, calibrated_at=moment)}) for n, moment in enumerate(moments)),
            element("3", {"t1": record(99.0, calibrated_at=at(-1))}, username="bob"),
            element("2", {"t2_echo": record(97.0, calibrated_at=AS_OF + timedelta(days=1))}),
            element("1", {"t2_echo": record(0, calibrated_at=AS_OF + timedelta(days=1))}),
            element("10", {"t1": record(98.0, calibrated_at=None)}, username="bob"),
        ],
        "coupling": [],
        "task_result_history": rows,
    }


def projects() -> Documents:
    """Chips of one id in several projects, several users in one project, and old rows without a project."""
    only, both, gone = "only-here", "in-both", "no-chip"
    rows = []
    for chip_id in (only, both, gone):
        for n, project_id in enumerate(("p1", "p2", None, ...)):
            rows.append(result("1", {"t1": record(10.0 + n)}, at(n), project_id=project_id, chip_id=chip_id))
    return {
        "project": [project("p1", "Project one"), project("p2"), project("p3", ""), project("p0", "Empty")],
        "chip": [
            chip("p1", only, username="aoi", installed_at=at(1), size=16),
            chip("p1", only, username="bob", installed_at=at(2), size=64, topology_id=None, activity_status="inactive"),
            chip("p1", only, username="eve", installed_at=None, size=4),
            chip("p1", both, size="36", activity_status=None, current_cooldown_id="2026-001"),
            chip("p2", both, size="many", topology_id=..., activity_status=..., installed_at=...),
            chip("p9", "unlisted-project", size=None),
            *(chip("p9", f"of-{size}", size=size) for size in (0, -16, 2**40)),
            chip(None, "orphan"),
        ],
        "qubit": [
            element("1", {"t1": record(1.0, calibrated_at=at(1)), "t2_echo": record(5.0)}, "p1", only, username="aoi"),
            element("1", {"t1": record(2.0, calibrated_at=at(2))}, "p1", only, username="bob"),
            element("1", {"t1": record(0, calibrated_at=at(3))}, "p1", only, username="eve"),
            element("2", {"t1": record(3.0, calibrated_at=None)}, "p1", only, username="aoi"),
            element("2", {"t1": record(4.0, calibrated_at=None)}, "p1", only, username="bob"),
            element("3", {"t1": record(6.0)}, None, only),
            element("1", {"t1": record(7.0)}, "p1", both),
            element("1", {"t1": record(8.0)}, "p2", both),
            element("3", {"t1": record(9.0)}, None, both),
            element("4", {"t1": record(9.0)}, "p2", only),
        ],
        "task_result_history": rows,
    }


def outputs() -> Documents:
    """Which results count, and what their outputs may look like."""
    t1 = {"t1": record(50.0)}
    rows = [
        result("1", t1, at(0)),
        result("1", {"t1": record(9999.0)}, at(1), excluded=True, excluded_reason="heater was on"),
        result("1", t1, at(2), excluded=None),
        result("1", t1, at(3), excluded=...),
        *(result("1", t1, at(4), status=status) for status in ("failed", "running", "skipped", "", None, ...)),
        result("1", None, at(5)),
        result("1", ..., at(6), output_parameter_names=["t1"]),
        result("1", {}, at(7), output_parameter_names=["t1"]),
        result("1", t1, at(8), output_parameter_names=...),
        result("1", t1, at(9), output_parameter_names=None),
        result("1", t1, at(10), output_parameter_names=[]),
        result("1", "broken", at(11)),
        result("1", [t1], at(12)),
        *(result("1", [t1], at(30 + n)) for n in range(3)),  # newer than all that count
        result("1", 5, at(13)),
        result("1", {"t1": None}, at(14)),
        result("1", t1, at(15), elapsed_time="12.5 seconds", message=None, name=None, execution_id=None, task_id="zzz"),
        result("1", t1, at(16), name=..., execution_id=..., tags="none", quality_metrics={"r2": 0.9}, surprise=[1, {}]),
        result("2", {"t1": record("n/a")}, at(1), status="failed"),
        result("2", {"t1": record("n/a")}, at(2), excluded=True),
        result("2", {"t1": record("n/a", error="?", calibrated_at="?")}, at(3)),
    ]
    return {
        "project": [],
        "chip": [chip(surprise=1)],
        "qubit": [
            element("1", None),
            element("2", ...),
            element("3", []),
            element("4", "broken"),
            element("5", {}),
            element("6", {"t1": record(1.0)}, status=..., metric_notes=..., surprise={"a": 1}),
        ],
        "task_result_history": rows,
    }


def tagged() -> Documents:
    """Results of several cool-downs, of runs with tags."""
    cooldowns = ["2025-003", "2026-001", "", None, ..., "2026-001 ", ["2026-001"]]
    tags: list[Any] = [
        ["daily"],
        ["weekly", "daily"],
        [],
        None,
        ...,
        "daily",
        "daily weekly",
        [["daily"]],
        [None, "weekly"],
    ]
    rows = [
        result(str(n % 3), {"t1": record(20.0 + n)}, at(n), cooldown_id=cooldown, tags=tag)
        for n, (cooldown, tag) in enumerate(product(cooldowns, tags))
    ]
    zz = {"zz": record(0.1)}
    rows += [result("4-1", zz, at(n), cooldown_id="2026-001", tags=tag) for n, tag in enumerate(tags)]
    rows.append(result("5", {"t1": record(9.0, calibrated_at=at(1))}, None, cooldown_id="2026-001", tags=["daily"]))
    return {
        "project": [project("p1")],
        "chip": [chip(current_cooldown_id="2026-001")],
        "qubit": [element(str(n), {}) for n in range(6)],
        "coupling": [element("4-1", {})],
        "task_result_history": rows,
    }


def history() -> Documents:
    """A row a day of each element, in the spellings and of the users and projects that real databases have."""

    def row(qid: Any, day: Any, data: Any, project_id: str | None = "p1", **more: Any) -> Document:
        return element(qid, data, project_id, recorded_date=day, cooldown_id="2026-001", system_info={}, **more)

    def t1_at(hours: float, **more: Any) -> Document:
        return record(50.0 + hours, calibrated_at=at(hours), **more)

    days = [f"202603{day:02d}" for day in range(1, 29)]
    old = {"zz": record(0.1, calibrated_at=at(-100)), "undated": record(1.0, calibrated_at=None), "bare": 3.0}
    rows = [row("7", day, {"t1": t1_at(24 * n), **old}) for n, day in enumerate(days)]
    rows += [row("007", day, {"t1": t1_at(24 * n + 3)}) for n, day in enumerate(days[:9])]
    rows += [row("7", day, {"t1": t1_at(24 * n + 1)}, username="bob") for n, day in enumerate(days[4:20])]
    # Of another zone: at half past nine in UTC the day has begun, or the one before has not ended.
    rows += [row("8", days[n + 1], {"t1": t1_at(24 * n), "t2_echo": t1_at(24 * n - 5)}) for n in range(12)]
    rows += [row("9", days[n], {"t1": t1_at(24 * (n + 1))}) for n in range(12)]
    rows += [row("1", day, {"t1": t1_at(24 * n, task_id=f"run-{n}")}) for n, day in enumerate(days[:8])]
    rows += [row("2", days[n], {"t1": entry}) for n, entry in enumerate(["n/a", 5.0, None, record(0), record("x")])]
    rows += [row(odd, days[2], {"t1": t1_at(2)}) for odd in ("mux0", "", None, "4-1")]
    rows += [row("3", days[2], data) for data in (None, "broken", [t1_at(2)], ...)]
    rows += [row("4", days[3], {"t1": t1_at(70 + n)}, project) for n, project in enumerate([None, "p2", "p1"])]
    rows += [row("6", day, {"t1": t1_at(5)}) for day in ("", None, ...)]
    rows += [row("5", days[3], {"t1": t1_at(5)}, chip_id="c2")]
    results = [
        result(
            "1", {"t1": t1_at(24 * n)}, at(24 * n), task_id=f"run-{n}", excluded=n in {0, 4, 5}, excluded_reason="tip"
        )
        for n in range(8)
    ]
    # Measured, but not in the history: after its last row, between two, and of an element that has no row.
    results += [result("8", {"t1": t1_at(24 * n), "t2_echo": t1_at(24 * n)}, at(24 * n)) for n in (-3, 5.9, 12, 13, 20)]
    results += [result("0", {"t1": record(3.0, calibrated_at=None)}, at(24 * n)) for n in (1, 2)]
    results += [result("8", {"t1": t1_at(24 * 14)}, at(24 * 14), excluded=True), result("1-4", {"zz": t1_at(9)}, at(9))]
    return {
        "project": [project("p1"), project("p2")],
        "chip": [chip(), chip("p2", "c9")],
        "qubit": [element(str(qid), {"t1": t1_at(700)}) for qid in range(10)],
        "qubit_history": rows,
        "coupling_history": [row("4-1", day, {"zz": t1_at(24 * n)}) for n, day in enumerate(days[:6])],
        "task_result_history": results,
    }


def nothing() -> Documents:
    """A database in which nothing was measured yet."""
    return {"project": [project("p1")], "chip": [chip()], "qubit": [], "coupling": [], "task_result_history": []}


def qdash_sample() -> Documents:
    """Documents that QDash's own code wrote, with values from a generator."""
    options = JSONOptions(tz_aware=True, tzinfo=UTC)
    documents: Documents = {}
    for path in sorted(SAMPLE.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json_util.loads(line, json_options=options) for line in lines]
        documents[path.name.removesuffix(".jsonl.gz")] = [{**row, "_id": str(row["_id"])} for row in rows]
    return documents


def demo() -> Documents:
    """The generated demo chip, small."""
    return make_demo(seed=3, size=16, days=15, as_of=AS_OF).documents


SMALL = {each.__name__: each for each in (plain, ids, values, dates, projects, outputs, tagged, history, nothing)}
LARGE = {"qdash-sample": qdash_sample, "demo": demo}
