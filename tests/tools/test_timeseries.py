from __future__ import annotations

import math
import statistics
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from demo_chip import DemoChip

from qdash_jupyter.domain.qid import qid_label
from qdash_jupyter.methods import changes, trends
from qdash_jupyter.methods.level_change import FALSE_ALARMS, MOST_BEFORE
from qdash_jupyter.tools.timeseries import TREND_MEANS
from tests.data.conformance.documents import chip, element, oid, record, result
from tests.tools.plain_truth import Measured, by_qid, measurements, newest, values
from tests.tools.toolbench import Tools

TOOL = "get_chip_parameter_timeseries"


def rows_of(frame: Any) -> list[tuple[Any, ...]]:
    return [
        (row.t.to_pydatetime(), row.qid, row.task_id, None if math.isnan(row.v) else row.v, row.error)
        for row in frame.itertuples()
    ]


def as_rows(measured: list[Measured]) -> list[tuple[Any, ...]]:
    return [(one.at, one.qid, one.task_id, one.value, one.error) for one in measured]


def at(day: int, month: int = 6, hour: int = 0) -> datetime:
    return datetime(2026, month, day, hour, tzinfo=UTC)


@pytest.mark.parametrize(
    ("window", "since", "until"),
    [
        ({"since": "30d"}, at(31, 5), None),
        ({"since": "24h"}, at(29), None),
        ({"since": "1.5 days"}, at(28, hour=12), None),
        ({"since": "2 weeks"}, at(16), None),
        ({"since": "1 month", "until": "2w"}, at(31, 5), at(16)),
        ({"since": "2026-06-10"}, at(10), None),
        ({"since": "2026-06-10", "until": "2026-06-12"}, at(10), at(13)),
        ({"since": "2026-06-10T09:00:00+09:00", "until": "2026-06-10T20:00:00Z"}, at(10), at(10, hour=20)),
        ({"since": "2026-06-10", "last_n": 3}, at(10), None),
        ({"until": "2026-06-10"}, None, at(11)),
    ],
)
def test_time_ranges(
    demo: DemoChip, tools: Tools, window: dict[str, Any], since: datetime | None, until: datetime | None
) -> None:
    inside = [
        one
        for one in measurements(demo, "t2_echo")
        if (since is None or one.at >= since) and (until is None or one.at < until)
    ]
    last_n = window.get("last_n", None if since else 10)
    expected = newest(inside, last_n) if last_n else inside
    assert expected
    content = tools.content(TOOL, parameter_name="t2_echo", **window)
    assert content["measured"] == f"{expected[0].at:%m-%d %H:%M} to {expected[-1].at:%m-%d %H:%M}"
    assert "range" not in content, "what was asked says less"
    assert rows_of(tools.store["t2_echo"].frame) == as_rows(expected)


def test_every_row_about_a_qubit(demo: DemoChip, tools: Tools) -> None:
    content = tools.content(TOOL, parameter_name="T1", since="60d")
    stored = tools.store["t1"]
    since = demo.as_of - timedelta(days=60)
    groups = by_qid([one for one in measurements(demo, "t1") if one.at >= since])
    found = stored["qubits"].to_dict("records")
    assert [row["qid"] for row in found] == list(groups)
    for row, (qid, group) in zip(found, groups.items(), strict=True):
        numbers = values(group)
        last = [one for one in group if one.value is not None][-1]
        assert row["latest"] == last.value
        assert row["age_days"] == pytest.approx((demo.as_of - last.at).total_seconds() / 86_400, abs=5.1e-4)
        assert (row["count"], row["missing"]) == (len(numbers), len(group) - len(numbers)), qid
        assert (row["min"], row["max"]) == (min(numbers), max(numbers))
        assert row["mean"] == pytest.approx(statistics.fmean(numbers))
        assert abs(row["change"]) <= max(numbers) - min(numbers)
        assert row["trend"] in {"up", "down", "stable", "unclear"}
    assert stored["num_qubits"] == content["num_qubits"] == 62
    assert {row["qid"] for row in found if row["missing"]} <= set(demo.truth.nan_as_zero)
    assert any(row["missing"] for row in found)


def test_who_lost_t1_and_by_how_much(demo: DemoChip, tools: Tools) -> None:
    content = tools.content(TOOL, parameter_name="t1", since="60d")
    table = tools.store["t1"]["qubits"].set_index("qid")
    down = set(table.index[table["trend"] == "down"])
    assert set(demo.truth.t1_falling) | set(demo.truth.t1_fell_before) <= down
    assert len(down) <= 10, "no false alarms in numbers"
    shown = [entry.split() for entry in content["down"] if not entry.startswith("+")]
    assert {qid for qid, _ in shown} <= down
    losses = [int(percent.rstrip("%")) for _, percent in shown]
    for (qid, _), loss in zip(shown, losses, strict=True):
        assert loss == pytest.approx(100 * demo.truth.t1_change(qid, 60), abs=9), qid
    assert losses == sorted(losses)
    assert len(shown) >= 5


def test_the_level_before_a_window_is_read_with_it(demo: DemoChip, tools: Tools) -> None:
    """Since means one thing: what fell before the window did not in it, and the methods say so of the same result."""
    tools.content(TOOL, parameter_name="t1", since="30d")
    stored = tools.store["t1"]
    assert (stored["timeseries"]["t"] >= demo.as_of - timedelta(days=30)).all()
    assert (stored["before"]["t"] < demo.as_of - timedelta(days=30)).all()
    assert stored["before"].groupby("qid").size().max() == MOST_BEFORE
    table = stored["qubits"].set_index("qid")
    assert set(table.index[table["trend"] == "down"]) == set(demo.truth.t1_falling)
    assert not set(demo.truth.t1_fell_before) & set(table.index[table["trend"] == "down"])
    for told in (changes(stored, since="30d"), trends(stored)):
        verdicts = told.set_index("qid")["verdict"].loc[table.index]
        assert list(verdicts.replace({"fell": "down", "rose": "up", "too few": ""})) == list(table["trend"])
    assert "before" not in tools.content(TOOL, parameter_name="t1", last_n=20)


def test_slopes_in_a_short_window_are_named(demo: DemoChip, tools: Tools) -> None:
    content = tools.content(TOOL, parameter_name="t1", since="30d")
    table = tools.store["t1"]["qubits"].set_index("qid")
    down = table[table["trend"] == "down"]
    assert set(down.index) == set(demo.truth.t1_falling)
    assert set(down["test"]) == {"step", "slope"}
    assert set(table.loc[table["trend"].isin(["stable", "unclear"]), "test"]) == {""}
    tested = int((table["trend"] != "").sum())
    assert content["false_alarms_expected"] == pytest.approx(tested * FALSE_ALARMS)
    assert TREND_MEANS not in str(content), "said once, with the tool"
    assert TREND_MEANS in tools.toolbox.specs[TOOL].description


def test_without_trends_nothing_is_said_of_them(tools: Tools) -> None:
    assert "false_alarms_expected" not in tools.content(TOOL, parameter_name="t1", last_n=5)


@pytest.mark.parametrize(
    ("error", "down"), [(0.0, ["0 -50%"]), (2.0, ["0 -50%"]), (math.nan, ["0 -50%"]), (90.0, None)]
)
def test_a_fall_late_in_the_window_is_told_by_its_levels_not_by_the_mean(
    tools_on: Any, error: float, down: list[str] | None
) -> None:
    chip = {"_id": "0" * 24, "project_id": "p", "chip_id": "c", "size": 4, "topology_id": None}
    qubit = {"_id": "1" * 24, "project_id": "p", "chip_id": "c", "qid": "0", "data": {}}
    results = [
        {
            "_id": f"{i + 10:024x}",
            "project_id": "p",
            "chip_id": "c",
            "qid": "0",
            "task_id": f"t{i}",
            "name": "CheckT1",
            "status": "completed",
            "start_at": at(1) + timedelta(hours=i),
            "output_parameters": {"t1": {"value": (100.0 if i < 50 else 50.0) + i % 2, "error": error, "unit": "μs"}},
        }
        for i in range(60)
    ]
    tools = tools_on({"chip": [chip], "qubit": [qubit], "task_result_history": results})
    assert tools.content(TOOL, parameter_name="t1", last_n=60).get("down") == down


def test_dead_qubits_are_named_as_not_measured(demo: DemoChip, tools: Tools) -> None:
    content = tools.content(TOOL, parameter_name="t1")
    assert content["not_measured"] == list(demo.truth.dead)
    assert tools.store["t1"]["not_measured"] == demo.truth.dead
    assert not set(demo.truth.dead) & set(tools.store["t1"]["qubits"]["qid"])


def test_stale_qubits_are_named_with_their_age(demo: DemoChip, tools: Tools) -> None:
    assert set(tools.content(TOOL, parameter_name="t1")["old"]) == set(demo.truth.stale)


def test_qubits_and_couplings_in_one_call_are_told_apart(tools: Tools) -> None:
    failure = tools.failure(TOOL, parameter_name="t1", qids=["7", "4-1"])
    assert failure["kind"] == "invalid_arguments"
    assert "a separate call for each kind" in failure["try_instead"]


def test_columns_dtypes_zones_and_units(tools: Tools) -> None:
    tools.content(TOOL, parameter_name="t1")
    stored = tools.store["t1"]
    assert stored["timeseries"].dtypes.astype(str).to_dict() == {
        "qid": "str",
        "t": "datetime64[ms, UTC]",
        "v": "float64",
        "error": "float64",
        "task_name": "str",
        "execution_id": "str",
        "task_id": "str",
        "flag": "str",
    }
    assert stored["qubits"].dtypes.astype(str).to_dict()["count"] == "int64"
    assert stored["timeseries"].attrs["units"] == {"v": "μs", "error": "μs"}
    assert stored["qubits"].attrs["units"]["change"] == "μs"
    assert stored["qubits"].attrs["units"]["age_days"] == "d"
    assert stored["unit"] == "μs"


def test_where_the_numbers_come_from(demo: DemoChip, tools: Tools) -> None:
    result = tools.result(TOOL, parameter_name="t1", since="30d")
    (source,) = result.sources
    assert source.collection == "task_result_history"
    assert source.count == result.rows == len(tools.store["t1"].frame)
    assert "64Q-demo" in str(source.filter)
    assert "since 2026-05-31" in str(source.filter)
    assert source.ids == tuple(one.task_id for one in measurements(demo, "t1")[-3:])
    assert result.frame_key == "t1"
    assert result.produced_at == demo.as_of


def test_a_range_without_data_says_when_the_last_was(demo: DemoChip, tools: Tools) -> None:
    last = measurements(demo, "t1")[-1].at
    failure = tools.failure(TOOL, parameter_name="t1", since="1h")
    assert failure["kind"] == "no_data"
    assert f"{last:%Y-%m-%d %H:%M} UTC" in failure["try_instead"]


def test_the_last_date_is_the_one_of_the_qubits_asked_for(demo: DemoChip, tools: Tools) -> None:
    stale = demo.truth.stale[0]
    last = by_qid(measurements(demo, "t1"))[stale][-1].at
    failure = tools.failure(TOOL, parameter_name="t1", qids=[f"Q{stale}"], since="10d")
    assert failure["kind"] == "no_data"
    assert f"{last:%Y-%m-%d %H:%M} UTC" in failure["try_instead"]


def test_dead_qubits_alone_were_never_measured(demo: DemoChip, tools: Tools) -> None:
    failure = tools.failure(TOOL, parameter_name="t1", qids=list(demo.truth.dead))
    assert failure["kind"] == "no_data"
    assert "ever measured" in failure["error"]
    assert ", ".join(map(qid_label, demo.truth.dead)) in failure["error"]


@pytest.mark.parametrize(
    ("window", "says"),
    [({"since": "1d", "until": "2d"}, "isn't before"), ({"since": "2030-01-01"}, "begins in the future")],
)
def test_a_range_that_ends_before_it_begins_or_is_to_come(tools: Tools, window: dict[str, str], says: str) -> None:
    failure = tools.failure(TOOL, parameter_name="t1", **window)
    assert failure["kind"] == "invalid_arguments"
    assert says in failure["error"]


@pytest.mark.parametrize(
    "text", ["yesterday", "30", "5 minutes", "2026-13-01", "9" * 30 + "d", "0001-01-01T00:00+09:00"]
)
def test_what_is_no_time(tools: Tools, text: str) -> None:
    failure = tools.failure(TOOL, parameter_name="t1", since=text)
    assert failure["kind"] == "invalid_arguments"
    assert '"30d"' in failure["try_instead"]


def test_the_same_words_about_another_chip_are_another_result(demo: DemoChip, tools: Tools) -> None:
    tools.content("get_chip_summary")
    tools.content("get_chip_summary", chip_id="64q-DEMO", project_id="demo")
    assert list(tools.store) == ["chip_summary"], "the same chip by name"
    stored = tools.store["chip_summary"]
    assert stored.version == 2
    assert stored.source.arguments == {"chip_id": "64Q-demo", "project_id": "demo"}


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ({"cooldown_id": "2026-001"}, [3, 4, 5]),
        ({"cooldown_id": "current"}, [3, 4, 5]),
        ({"cooldown_id": "2025-002", "last_n": 2}, [1, 2]),
        ({"tags": ["daily"]}, [0, 2, 4]),
        ({"tags": ["daily", "weekly"]}, [0, 4]),
        ({"tags": ["weekly"], "cooldown_id": "2026-001", "since": "2026-06-01"}, [4]),
        ({"tags": [], "cooldown_id": ""}, [0, 1, 2, 3, 4, 5]),
    ],
)
def test_results_of_a_cool_down_and_of_tagged_runs(tools_on: Any, asked: dict[str, Any], kept: list[int]) -> None:
    tools = tools_on(of_two_cooldowns())
    result = tools.result(TOOL, parameter_name="t1", **asked)
    assert list(tools.store["t1"].frame["v"]) == [50.0 + n for n in kept]
    (source,) = result.sources
    for narrowed in (*asked.get("tags", []), asked.get("cooldown_id", "").replace("current", "2026-001")):
        assert narrowed in str(source.filter)


def of_two_cooldowns(**more: Any) -> dict[str, Any]:
    """Six measurements of a qubit, a day apart; a new cool-down from the fourth on, daily runs every other day."""
    tags = [["daily", "weekly"], ["check"], ["daily"], None, ["weekly", "daily"], []]
    results = [
        result(
            "0",
            {"t1": record(50.0 + n)},
            at(n + 1),
            cooldown_id="2025-002" if n < 3 else "2026-001",
            tags=tags[n],
        )
        for n in range(6)
    ]
    ended = {"_id": oid(), "project_id": "p1", "cooldown_id": "2025-002", "chip_ids": ["c1"]}
    running = ended | {"_id": oid(), "cooldown_id": "2026-001"}
    old = ended | {"_id": oid(), "cooldown_id": "2024-001"}
    run = {"_id": oid(), "project_id": "p1", "chip_id": "c1", "tags": ["daily", "weekly", "check"]}
    return {
        "chip": [chip(current_cooldown_id="2026-001")],
        "qubit": [element("0", {})],
        "cooldown": [ended, running, old],
        "execution_history": [run],
        "task_result_history": results,
    } | more


@pytest.mark.parametrize(
    ("asked", "kind", "error", "hint"),
    [
        ({"cooldown_id": "2026-002"}, "not_found", "cool-down", "Did you mean 2026-001"),
        ({"cooldown_id": "2024-001"}, "no_data", "matches: cool-down 2024-001.", "2026-06-06 00:00 UTC"),
        ({"tags": ["dayly"]}, "not_found", "tag", "Did you mean daily"),
        ({"tags": ["check", "daily"]}, "no_data", "matches: tags check, daily.", "2026-06-06 00:00 UTC"),
        (
            {"tags": ["daily"], "until": "2026-05-01"},
            "no_data",
            "matches: the time range, tags daily.",
            "first one is from 2026-06-01",
        ),
    ],
)
def test_a_selection_without_data_says_what_there_is(
    tools_on: Any, asked: dict[str, Any], kind: str, error: str, hint: str
) -> None:
    failure = tools_on(of_two_cooldowns()).failure(TOOL, parameter_name="t1", **asked)
    assert failure["kind"] == kind
    assert error in failure["error"]
    assert hint in failure["try_instead"]


def test_a_chip_that_is_warm_has_no_current_cool_down(tools_on: Any) -> None:
    failure = tools_on(of_two_cooldowns(chip=[chip()])).failure(TOOL, parameter_name="t1", cooldown_id="current")
    assert failure["kind"] == "no_data"


def test_a_column_has_one_unit_and_names_what_cannot_be_converted(tools_on: Any) -> None:
    stored = [record(50.0), record(50_000.0, unit="ns", error=900.0), record(5e-5, unit="s"), record(3.0, unit="dB")]
    results = [result("0", {"t1": one}, at(hour)) for hour, one in enumerate(stored, start=1)]
    tools = tools_on(of_two_cooldowns(task_result_history=results))
    content = tools.content(TOOL, parameter_name="t1")
    assert content["flagged"] == {"0": "1 of 4: 3 dB, not μs"}
    frame = tools.store["t1"].frame
    assert frame["v"].tolist()[:3] == pytest.approx([50.0, 50.0, 50.0])
    assert frame["error"].tolist()[1] == pytest.approx(0.9)
    assert math.isnan(frame["v"].tolist()[3])


def test_units_of_a_parameter_that_qdash_does_not_list_are_said_and_kept(tools_on: Any) -> None:
    results = [result("0", {"zz": record(50.0)}, at(1)), result("0", {"zz": record(50_000.0, unit="ns")}, at(2))]
    tools = tools_on(of_two_cooldowns(task_result_history=results))
    assert tools.content(TOOL, parameter_name="zz")["mixed_units"] == {"μs": 1, "ns": 1}
    assert list(tools.store["zz"].frame["unit"]) == ["μs", "ns"]


def test_what_is_no_measurement_is_named_apart_from_failed_fits(tools_on: Any) -> None:
    stored = [50.0, 0.0, "broken", -3.0, 1e300, 52.0]
    results = [result("0", {"t1": record(value)}, at(hour)) for hour, value in enumerate(stored, start=1)]
    tools = tools_on(of_two_cooldowns(task_result_history=results))
    content = tools.content(TOOL, parameter_name="t1")
    assert content["failed_fits"] == {"0": 1}
    assert content["flagged"] == {"0": "3 of 6: unreadable: text 'broken', impossible: -3 μs, …"}
    frame = tools.store["t1"].frame
    assert list(frame["flag"]) == [
        "",
        "no fit",
        "unreadable: text 'broken'",
        "impossible: -3 μs",
        "impossible: 1e+300 μs",
        "",
    ]
    assert content["statistics"]["max"] == 52


def test_the_worst_are_told_of_a_parameter_with_a_better_side_alone(tools: Tools) -> None:
    assert list(tools.content(TOOL, parameter_name="t1")["worst"])
    assert "worst" not in tools.content(TOOL, parameter_name="qubit_frequency")


def test_a_parameter_is_found_as_the_chip_spells_it(tools_on: Any) -> None:
    data = {"Pi_amp": record(0.4, unit="a.u."), "t1": record(50.0)}
    results = [result("0", data, at(day)) for day in (1, 2)]
    tools = tools_on({"chip": [chip()], "qubit": [element("0", data)], "task_result_history": results})
    for spelled in ("pi_amp", "Pi amp"):
        content = tools.content(TOOL, parameter_name=spelled)
        assert content["parameter_name"] == "Pi_amp"
    both = tools.content("compare_qubits", qids=["0"], param_names=["t1", "PI_AMP"])
    assert set(both["units"]) == {"t1", "Pi_amp"}
    assert tools.failure(TOOL, parameter_name="pi_amplitude")["kind"] == "not_found"
