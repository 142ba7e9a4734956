"""Versions of a parameter: of this chip only, with entity ids, whole dates, and the gaps explained."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from tests.tools.qdash_documents import a_chip, ago, of_chip, sample, version
from tests.tools.toolbench import Tools, told_rows

TOOL = "get_parameter_lineage"
CHIPS = [("proj-alpha", "16Q-demo"), ("proj-alpha", "64Q-demo"), ("proj-beta", "16Q-demo")]


def of(chip: tuple[str, str], parameter: str, qid: str) -> list[dict[str, Any]]:
    found = [
        one for one in of_chip("parameter_versions", *chip) if one["parameter_name"] == parameter and one["qid"] == qid
    ]
    return sorted(found, key=lambda one: one["version"], reverse=True)


def minute(moment: Any) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%d %H:%M}"


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("parameter", "asked"), [("t1", "T1"), ("qubit_frequency", "qubit frequency")])
def test_versions_of_this_chip_newest_first_with_their_entity_ids(
    on_sample: Callable[..., Tools], chip: tuple[str, str], parameter: str, asked: str
) -> None:
    tools = on_sample(*chip)
    for qid in ("0", "1"):
        expected = of(chip, parameter, qid)[:10]
        assert expected
        rows = tools.rows(TOOL, parameter_name=asked, qid=f"Q{int(qid):02d}")
        for place, (row, one) in enumerate(zip(rows, expected, strict=True)):
            assert row["entity_id"] == one["entity_id"]
            assert row["version"] == one["version"]
            assert row["value"] == pytest.approx(one["value"], rel=5.1e-4)
            assert (row["unit"], row["task_name"]) == (one["unit"], one["task_name"])
            assert row["execution_id"] == one["execution_id"]
            assert (row["valid_from"], row["valid_until"]) == (minute(one["valid_from"]), minute(one["valid_until"]))
            assert row["current"] is (place == 0)


def test_a_value_stays_this_chip_s_current_one_when_another_chip_gets_its_own(
    on_sample: Callable[..., Tools],
) -> None:
    expected = of(("proj-alpha", "16Q-demo"), "t1", "0")
    other = of(("proj-alpha", "64Q-demo"), "t1", "0")
    assert expected[0]["valid_until"] == other[-1]["valid_from"], "QDash ended it"
    rows = on_sample("proj-alpha", "16Q-demo").rows(TOOL, parameter_name="t1", qid="0")
    assert [row["current"] for row in rows] == [True] + [False] * (len(expected) - 1)


def test_numbers_that_other_chips_took_are_explained(tools_of: Callable[..., Tools]) -> None:
    chips = {number: "c" if number in {3, 4, 7, 9} else "other" for number in range(1, 11)}
    versions = [version(number, chip_id=chip) for number, chip in chips.items()]
    tools = tools_of(a_chip() | {"parameter_versions": versions})
    told = tools.content(TOOL, parameter_name="t1", qid="0")
    assert [row["version"] for row in told_rows(told)] == [9, 7, 4, 3]
    assert told["skipped"] == "8, 5–6, 1–2"
    assert told["skipped_means"].startswith("not of this chip")
    newest = tools.content(TOOL, parameter_name="t1", qid="0", last_n=2)
    assert newest["skipped"] == "8, 5–6"


def test_chips_without_another_skip_nothing(on_sample: Callable[..., Tools]) -> None:
    assert "skipped" not in on_sample("proj-beta", "16Q-demo").content(TOOL, parameter_name="t1", qid="0")
    told = on_sample("proj-alpha", "64Q-demo").content(TOOL, parameter_name="t1", qid="0")
    assert told["skipped"] == f"1–{told_rows(told)[-1]['version'] - 1}"


def test_many_versions_are_a_table_with_full_precision(tools_of: Callable[..., Tools]) -> None:
    versions = [version(number, value=50 + number / 7) for number in range(1, 61)]
    tools = tools_of(a_chip() | {"parameter_versions": versions})
    result = tools.asked(TOOL, parameter_name="t1", qid="0", last_n=60)
    table = tools.store["t1_lineage"]["versions"]
    assert list(table["version"]) == list(range(60, 0, -1))
    assert list(table["value"]) == [50 + number / 7 for number in range(60, 0, -1)]
    assert list(table["entity_id"]) == [one["entity_id"] for one in reversed(versions)]
    assert list(table["current"]) == [True] + [False] * 59
    assert str(table["valid_from"].dtype) == "datetime64[ms, UTC]"
    assert table["valid_until"].isna().all()
    assert table.attrs["units"] == {"value": "μs", "error": "μs"}
    assert len(result.content) <= 1_000
    assert json.loads(result.content)["current"]["entity_id"] == versions[-1]["entity_id"]


def test_odd_values_are_read_or_missing(tools_of: Callable[..., Tools]) -> None:
    values = [0, "61.4", "CR", None, float("nan"), 7]
    versions = [version(n, value=value, error=0 if n == 0 else None) for n, value in enumerate(values)]
    tools = tools_of(a_chip() | {"parameter_versions": versions})
    rows = tools.rows(TOOL, parameter_name="t1", qid="0")
    assert [row["value"] or None for row in rows] == [7, None, None, "CR", 61.4, None]
    assert all(not row["error"] for row in rows)
    key = tools.content(TOOL, parameter_name="t1", qid="0", last_n=2)["data_key"]
    numbers = list(tools.store[key]["versions"]["value"])
    assert numbers[0] == 7
    assert math.isnan(numbers[1])


def test_padded_ids_and_another_project_s_versions(tools_of: Callable[..., Tools]) -> None:
    versions = [version(1, qid="007"), version(2, qid="7"), version(3, qid="7", project_id="elsewhere")]
    rows = tools_of(a_chip() | {"parameter_versions": versions}).rows(TOOL, parameter_name="t1", qid="qubit 7")
    assert [row["version"] for row in rows] == [2, 1]
    assert rows[1]["entity_id"].startswith("t1:007:")


def test_nothing_found_says_what_there_is(on_sample: Callable[..., Tools]) -> None:
    tools = on_sample("proj-alpha", "16Q-demo")
    assert tools.failure(TOOL, parameter_name="t2_ecco", qid="0")["try_instead"].startswith("Did you mean t2_echo")
    assert tools.failure(TOOL, parameter_name="t1", qid="99")["kind"] == "not_found"
    never = tools.failure(TOOL, parameter_name="t1", qid="8")
    written = [one for one in sample()["parameter_versions"] if one["qid"] == "8" and one["chip_id"] == "16Q-demo"]
    assert not [one for one in written if one["project_id"] == "proj-alpha"], "a dead qubit"
    assert (never["kind"], never["try_instead"]) == ("no_data", "Measured there: nothing.")
    assert never["error"] == "T1 was never measured on Q08."
    assert tools.failure(TOOL, parameter_name="t1", qid="0", last_n=0)["kind"] == "invalid_arguments"


def test_whole_dates(tools_of: Callable[..., Tools]) -> None:
    versions = [version(1, valid_from=ago(800), valid_until=ago(799).isoformat())]
    (row,) = tools_of(a_chip() | {"parameter_versions": versions}).rows(TOOL, parameter_name="t1", qid="0")
    assert (row["valid_from"], row["valid_until"]) == ("2024-04-21 00:00", "2024-04-22 00:00")
