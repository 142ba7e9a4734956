from __future__ import annotations

import json
import math
import statistics
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from demo_chip import DemoChip

from qdash_jupyter.data.snapshot import SnapshotReader
from tests.data.conformance.documents import chip, element, oid, record
from tests.tools import plain_truth
from tests.tools.plain_truth import current
from tests.tools.toolbench import Tools

TOOL = "compare_qubits"
AS_OF = datetime(2026, 6, 30, tzinfo=UTC)


def days_ago(days: float) -> datetime:
    return AS_OF - timedelta(days=days)


def qubits(*data: dict[str, Any]) -> dict[str, Any]:
    return {"chip": [chip()], "qubit": [element(str(qid), one) for qid, one in enumerate(data)]}


def t1_of(days: float, value: float = 50.0, **more: Any) -> dict[str, Any]:
    return {"t1": record(value, calibrated_at=days_ago(days), **more)}


def cooldown(identity: str, began: float, ended: float | None, chips: tuple[str, ...] = ("c1",)) -> dict[str, Any]:
    return {
        "_id": oid(),
        "project_id": "p1",
        "cooldown_id": identity,
        "started_at": days_ago(began),
        "ended_at": None if ended is None else days_ago(ended),
        "chip_ids": list(chips),
    }


def shown(name: str, stored: dict[str, Any]) -> float | None:
    """Four digits, or down to the second digit of the error."""
    value, error = plain_truth.value_of(name, stored), stored["error"]
    if value is None:
        return None
    place = min(math.floor(math.log10(abs(value))) - 3, math.floor(math.log10(error)) - 1 if error else 99)
    return round(value, -place)


def test_values_units_and_dates_of_all(demo: DemoChip, tools: Tools) -> None:
    asked = ["Q007", 12, "qubit 3", "12"]
    found = tools.content(TOOL, qids=asked)
    data = current(demo)
    assert found["chip_id"] == "64Q-demo"
    assert list(found["qubits"]) == ["7", "12", "3"]
    for qid, values in found["qubits"].items():
        assert values == {name: shown(name, stored) for name, stored in sorted(data[qid].items())}
    parameters = sorted(data["7"])
    assert list(found["units"]) == parameters
    assert found["units"]["t1"] == "μs"
    assert found["units"]["x90_gate_fidelity"] == "a.u. (×100 = %)"
    assert found["units"]["anharmonicity"] == "GHz (×1000 = MHz)"


def test_every_value_carries_its_date_and_age(demo: DemoChip, tools: Tools) -> None:
    found = tools.content(TOOL, qids=["7", "12"])
    kept = current(demo)
    for qid in ("7", "12"):
        days = found["calibrated"][qid]
        (others,) = [day for day, names in days.items() if names == "others"]
        told = dict.fromkeys(found["qubits"][qid], others)
        told |= {name: day for day, names in days.items() if day != others for name in names}
        assert len(told) == len(found["qubits"][qid])
        for name, day in told.items():
            at = kept[qid][name]["calibrated_at"]
            assert day == f"{at:%Y-%m-%d} ({(demo.as_of.date() - at.date()).days} d ago)"


def test_one_date_for_all_values_is_said_once(tools_on: Callable[..., Tools]) -> None:
    same = {"t1": record(1.0, calibrated_at=days_ago(3.1)), "t2_echo": record(2.0, calibrated_at=days_ago(3.9))}
    undated = {"t1": 1.5, "t2_echo": record(2.5, calibrated_at=None)}
    found = tools_on(qubits(same, undated)).content(TOOL, qids=["0", "1"])
    assert found["calibrated"] == {"0": "2026-06-26 (4 d ago)", "1": "no date"}


def texts(content: dict[str, Any]) -> list[str]:
    return [warning["text"] for warning in content["warnings"]]


def test_stale_qubits_beside_fresh_ones_are_warned_of(demo: DemoChip, tools: Tools) -> None:
    stale = demo.truth.stale[0]
    fresh = next(q for q in current(demo) if q not in {*demo.truth.stale, *demo.truth.dead, *demo.truth.rare})
    (warning,) = tools.content(TOOL, qids=[fresh, stale], param_names=["t1"])["warnings"]
    apart = current(demo)[fresh]["t1"]["calibrated_at"] - current(demo)[stale]["t1"]["calibrated_at"]
    assert (
        warning["text"]
        == f"Q{stale}: all values up to {apart / timedelta(days=1):.0f} d older than the newest compared."
    )


@pytest.mark.parametrize(("apart", "warns"), [(13.9, False), (14.1, True)])
def test_from_two_weeks_on_ages_are_apart(tools_on: Callable[..., Tools], apart: float, warns: bool) -> None:
    found = tools_on(qubits(t1_of(1), t1_of(1 + apart))).content(TOOL, qids=["0", "1"])
    assert ("warnings" in found) is warns


def test_only_the_parameters_that_are_old_are_named(tools_on: Callable[..., Tools]) -> None:
    both = t1_of(1) | {"t2_echo": record(60.0, calibrated_at=days_ago(1))}
    half_old = t1_of(100) | {"t2_echo": record(60.0, calibrated_at=days_ago(1))}
    never = {"t1": record(0, calibrated_at=days_ago(300)), "t2_echo": record(60.0, calibrated_at=days_ago(2))}
    found = tools_on(qubits(both, half_old, never)).content(TOOL, qids=["0", "1", "2"])
    assert texts(found) == ["Q01: t1 up to 99 d older than the newest compared."]


def test_different_cool_downs_are_warned_of(tools_on: Callable[..., Tools]) -> None:
    documents = qubits(t1_of(1), t1_of(3), t1_of(8), t1_of(15), t1_of(40)) | {
        "cooldown": [
            cooldown("2026-001", 30, 14),
            cooldown("2026-003", 5, None),
            cooldown("2026-002", 10, 6),
            cooldown("other-chip", 41, 39, ("c2",)),
        ]
    }
    tools = tools_on(documents)
    same = tools.content(TOOL, qids=["0", "1"])
    assert "warnings" not in same
    found = tools.content(TOOL, qids=["0", "1", "2"])
    assert texts(found) == ["From different cool-downs (Q02 in 2026-002, Q00 and Q01 in 2026-003): t1."]
    outside = tools.content(TOOL, qids=["2", "4"])
    assert "From different cool-downs (Q04 in no recorded cool-down, Q02 in 2026-002): t1." in texts(outside)
    values = tools.store["comparison_2"]["values"]
    assert dict(zip(values["qid"], values["cooldown_id"], strict=True)) == {
        "0": "2026-003",
        "1": "2026-003",
        "2": "2026-002",
    }


def test_without_cool_downs_on_record_there_is_nothing_to_tell_apart(tools_on: Callable[..., Tools]) -> None:
    assert "warnings" not in tools_on(qubits(t1_of(1), t1_of(10))).content(TOOL, qids=["0", "1"])


def test_units_that_differ_are_never_compared_silently(tools_on: Callable[..., Tools]) -> None:
    def zz(value: float, unit: str) -> dict[str, Any]:
        return {"zz": record(value, unit=unit, calibrated_at=days_ago(1))}

    tools = tools_on(qubits(zz(math.nan, ""), zz(50.0, "μs"), zz(50_000.0, "ns"), {"zz": 51.0}))
    found = tools.content(TOOL, qids=["0", "1", "2", "3"])
    assert found["units"] == {"zz": {"1": "μs", "2": "ns", "3": "no unit"}}
    assert texts(found) == ["zz has several units (Q01 in μs, Q02 in ns, Q03 in no unit)."]
    same = tools.content(TOOL, qids=["0", "1"])
    assert same["units"] == {"zz": "μs"}
    assert "warnings" not in same, "what is missing has no unit to differ by"


def test_units_of_a_metric_are_converted(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on(qubits(t1_of(1), t1_of(1, 50_000.0, unit="ns"), {"t1": 51.0}, t1_of(1, 3.0, unit="dB")))
    found = tools.content(TOOL, qids=["0", "1", "2", "3"])
    assert found["qubits"] == {"0": {"t1": 50}, "1": {"t1": 50}, "2": {"t1": 51}, "3": {}}
    assert found["units"] == {"t1": "μs"}
    assert found["flagged"] == {"3 t1": "3 dB, not μs"}


def test_what_is_missing_is_null_and_says_why(tools_on: Callable[..., Tools]) -> None:
    tools = tools_on(qubits(t1_of(1) | {"zz": record(1.0)}, t1_of(1, 0), {"zz": record("broken")}, {}))
    found = tools.content(TOOL, qids=["0", "1", "2", "3"])
    assert found["qubits"] == {"0": {"t1": 50, "zz": 1}, "1": {}, "2": {}, "3": {}}
    assert found["missing"] == {
        "1": {"t1": "no fit", "zz": "never calibrated"},
        "2": {"t1": "never calibrated", "zz": "unreadable: text 'broken'"},
        "3": "never calibrated",
    }
    only = tools.content(TOOL, qids=["0", "1"], param_names=["ZZ", "t1"])
    assert only["qubits"]["0"] == {"zz": 1, "t1": 50}


def test_dead_qubits_do_not_hide(demo: DemoChip, tools: Tools) -> None:
    dead = demo.truth.dead[0]
    found = tools.content(TOOL, qids=["7", dead])
    assert found["qubits"][dead] == {}
    assert found["missing"] == {dead: "never calibrated"}
    assert dead not in found["calibrated"]


def test_nothing_to_compare(demo: DemoChip, tools: Tools) -> None:
    failure = tools.failure(TOOL, qids=list(demo.truth.dead))
    assert failure["kind"] == "no_data"
    assert ", ".join(demo.truth.dead) in failure["error"]


def test_one_read_serves_all(tools: Tools, demo_reader: SnapshotReader, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []
    read = demo_reader.current_parameters

    def counted(*arguments: Any, **options: Any) -> Any:
        reads.append(options)
        return read(*arguments, **options)

    monkeypatch.setattr(demo_reader, "current_parameters", counted)
    tools.content(TOOL, qids=[str(q) for q in range(40)])
    assert len(reads) == 1


def test_a_whole_chip_is_stored_and_summarised(demo: DemoChip, tools: Tools) -> None:
    result = tools.asked(TOOL, qids=[str(q) for q in range(64)])
    content = json.loads(result.content)
    wide = tools.store["comparison"].frame.set_index("qid")
    assert len(result.content) <= 600 + 60 * len(wide.columns)
    assert content["data_key"] == "comparison"
    assert {line.split(":")[0] for line in content["warnings"]} >= {f"Q{qid}" for qid in demo.truth.stale}
    assert {qid for qid, why in content["missing"].items() if why == "never calibrated"} == set(demo.truth.dead)
    assert "current" not in content, "too many to be told one by one"
    lowest = min(v for v in wide["anharmonicity"] if not math.isnan(v))
    assert content["statistics"]["anharmonicity"]["unit"] == "GHz"
    assert content["statistics"]["anharmonicity"]["min"] == pytest.approx(lowest, rel=2e-5)
    median = statistics.median(v for v in wide["anharmonicity"] if not math.isnan(v))
    assert content["statistics"]["anharmonicity"]["median"] == pytest.approx(median, rel=5.1e-4)
    assert wide.attrs["units"]["t1"] == "μs"


def test_a_handful_of_qubits_is_summarised_with_every_value(demo: DemoChip, tools: Tools) -> None:
    asked = ["1", "2", "3", "4", "5"]
    result = tools.asked(TOOL, qids=asked)
    content = json.loads(result.content)
    assert content["data_key"] == "comparison"
    assert content["values"]["_rows"] == sum(map(len, content["current"].values()))
    assert content["units"]["t1"] == "μs"
    assert list(content["calibrated"]) == list(content["current"]) == asked
    for qid, values in content["current"].items():
        assert values == {name: shown(name, stored) for name, stored in sorted(current(demo)[qid].items())}


def test_few_are_told_and_stored(tools: Tools) -> None:
    result = tools.asked(TOOL, qids=["7", "12", "20"])
    assert result.ok
    assert len(result.content) <= 4_000
    assert list(tools.store[json.loads(result.content)["data_key"]].frame["qid"]) == ["7", "12", "20"]
    (source,) = result.sources
    values = tools.store[json.loads(result.content)["data_key"]]["values"]
    assert [*values.columns][:3] == ["qid", "parameter", "value"]
    assert source.collection == "qubit"
    assert source.count == sum(len(values) for values in json.loads(result.content)["qubits"].values())
