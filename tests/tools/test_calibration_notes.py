"""Machine states: whole in the store, in parts for the model."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.tools.qdash_documents import a_chip, ago, document, of_chip
from tests.tools.toolbench import Tools

TOOL = "get_calibration_notes"


def a_note(execution_id: str, days_ago: float, note: Any, **more: Any) -> dict[str, Any]:
    whole = {"execution_id": execution_id, "task_id": "master", "note": note, "timestamp": ago(days_ago)}
    return document(**whole | more)


def state(qubits: int, scale: float = 1.0) -> dict[str, Any]:
    """Two kinds of numbers of every qubit, one of a coupling, and something that is about no element."""
    labels = {qid: f"Q{qid:02d}" for qid in range(qubits)}
    return {
        "rabi_params": {label: {"amplitude": scale * qid, "frequency": 0.0125} for qid, label in labels.items()},
        "readout": {label: {"threshold": {"low": -scale, "high": scale}} for label in labels.values()},
        "cr_params": {"Q04-Q01": {"phase": 0.25}},
        "version": 3,
    }


def test_small_notes_go_whole_newest_first(on_sample: Callable[..., Tools]) -> None:
    for chip in ("16Q-demo", "64Q-demo"):
        written = of_chip("calibration_note", "proj-alpha", chip)
        expected = sorted(written, key=lambda one: (one["timestamp"], one["_id"]), reverse=True)[:4]
        rows = on_sample("proj-alpha", chip).rows(TOOL, last_n=4)
        assert rows == [
            {
                "execution_id": one["execution_id"],
                "task_id": "master",
                "note": one["note"],
                "timestamp": one["timestamp"].isoformat(timespec="seconds"),
            }
            for one in expected
        ]


def test_the_project_without_notes_has_none(on_sample: Callable[..., Tools]) -> None:
    assert on_sample("proj-beta", "16Q-demo").failure(TOOL)["error"] == "Chip 16Q-demo has no calibration notes."


def test_a_large_note_is_told_by_its_kinds_and_sizes_and_is_whole_in_the_table(tools_of: Callable[..., Tools]) -> None:
    note = state(64)
    tools = tools_of(a_chip(64) | {"calibration_note": [a_note("r-1", 1, note)]})
    (row,) = tools.rows(TOOL)
    for kind in note:
        size = len(json.dumps(note[kind], separators=(",", ":")))
        entries = len(note[kind]) if isinstance(note[kind], dict) else 1
        assert row["note"][kind] == {"entries": entries, "characters": size}
    tools.result(TOOL)
    stored = tools.store["calibration_notes"]
    entries = stored["entries"]
    assert stored.frame is entries
    assert len(entries) == 64 * 2 + 64 * 2 + 1 + 1
    assert list(entries.loc[entries["name"] == "amplitude", "value"]) == [float(qid) for qid in range(64)]
    assert list(entries.loc[entries["kind"] == "rabi_params", "qid"]) == [str(qid) for qid in range(64) for _ in "af"]
    assert set(entries.loc[entries["kind"] == "readout", "name"]) == {"threshold.low", "threshold.high"}
    about = entries[["kind", "label", "qid", "name", "value"]].tail(2).to_numpy().tolist()
    assert about == [["cr_params", "Q04-Q01", "4-1", "phase", 0.25], ["version", "", "", "", 3]]
    assert str(entries["value"].dtype) == "float64"
    assert list(stored["notes"]["kinds"]) == ["rabi_params, readout, cr_params, version"]
    assert list(stored["notes"]["characters"]) == [len(json.dumps(note, separators=(",", ":")))]


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        (
            {"qid": "Q07"},
            {
                "rabi_params": {"Q07": {"amplitude": 7.0, "frequency": 0.0125}},
                "readout": {"Q07": {"threshold": {"low": -1.0, "high": 1.0}}},
            },
        ),
        ({"kind": "rabi_params", "qid": "qubit 7"}, {"rabi_params": {"Q07": {"amplitude": 7.0, "frequency": 0.0125}}}),
        ({"qid": "4-1"}, {"cr_params": {"Q04-Q01": {"phase": 0.25}}}),
        ({"kind": "version"}, {"version": 3}),
    ],
)
def test_a_part_is_given_exactly(tools_of: Callable[..., Tools], asked: dict[str, Any], part: dict[str, Any]) -> None:
    tools = tools_of(a_chip(64) | {"calibration_note": [a_note("r-1", 1, state(64)), a_note("r-2", 2, {"other": {}})]})
    (row,) = tools.rows(TOOL, **asked)
    assert (row["execution_id"], row["note"]) == ("r-1", part)


@pytest.mark.parametrize("spelled", ["Q7", "Q07", "Q007", "7", "qubit 7"])
def test_labels_are_ids_however_they_are_padded(tools_of: Callable[..., Tools], spelled: str) -> None:
    note = a_note("r-1", 1, {"rabi_params": {spelled: {"amplitude": 0.5}, "Q17": {}, "all": {"amplitude": 1}}})
    (row,) = tools_of(a_chip() | {"calibration_note": [note]}).rows(TOOL, qid=7)
    assert row["note"] == {"rabi_params": {spelled: {"amplitude": 0.5}}}


def test_notes_of_a_hundred_runs_stay_within_the_budget(tools_of: Callable[..., Tools]) -> None:
    notes = [a_note(f"r-{n:03d}", n, state(144, n)) for n in range(100)]
    tools = tools_of(a_chip(144) | {"calibration_note": notes})
    result = tools.asked(TOOL, last_n=100)
    assert len(result.content) <= 800
    summary = json.loads(result.content)
    assert summary["notes"]["_rows"] == 100
    assert summary["entries"]["_rows"] == 100 * (4 * 144 + 2)
    assert summary["newest"]["rabi_params"]["entries"] == 144
    first = tools.store["calibration_notes"]["entries"]
    assert list(first["execution_id"].unique()) == [f"r-{n:03d}" for n in range(100)]


def test_runs_tasks_and_time_ranges(tools_of: Callable[..., Tools]) -> None:
    notes = [
        a_note("r-1", 1, {"k": {"Q01": 1}}),
        a_note("r-1", 2, {"k": {"Q01": 2}}, task_id="t-1"),
        a_note("r-2", 3, {"k": {"Q01": float("nan"), "Q02": ago(1)}}, timestamp=ago(3).isoformat()),
    ]
    tools = tools_of(a_chip() | {"calibration_note": notes})

    def found(**asked: Any) -> list[Any]:
        return [(row["execution_id"], row["task_id"]) for row in tools.rows(TOOL, **asked)]

    assert found() == [("r-1", "master"), ("r-1", "t-1"), ("r-2", "master")]
    assert found(execution_id="r-1", task_id="t-1") == [("r-1", "t-1")]
    assert found(since="60h") == [("r-1", "master"), ("r-1", "t-1")]
    assert found(until="2.5d") == [("r-2", "master")]
    (row,) = tools.rows(TOOL, execution_id="r-2")
    assert row["note"] == {"k": {"Q01": None, "Q02": "2026-06-29T00:00:00+00:00"}}


def test_nothing_found_says_what_there_is(tools_of: Callable[..., Tools]) -> None:
    tools = tools_of(a_chip() | {"calibration_note": [a_note("20260629-000", 1, state(4))]})
    assert tools.failure(TOOL, kind="rabi")["try_instead"] == "Did you mean rabi_params?"
    silent = tools.failure(TOOL, qid="9")
    assert silent["kind"] == "no_data"
    assert silent["try_instead"] == "They contain: cr_params, rabi_params, readout, version."
    assert tools.failure(TOOL, execution_id="20260629-00")["try_instead"] == "Did you mean 20260629-000?"
    late = tools.failure(TOOL, since="2h")
    assert late["try_instead"] == "The newest is from 2026-06-29 00:00 UTC (run 20260629-000, task master)."


def test_a_cut_list_says_how_many_there_are_and_how_many_were_looked_at(tools_of: Callable[..., Tools]) -> None:
    notes = [a_note(f"r-{n}", n + 1, {"kind": {f"Q{n:02d}": {"a": 1}}}) for n in range(5)]
    tools = tools_of(a_chip() | {"calibration_note": notes})
    content = tools.content(TOOL, last_n=2)
    assert (content["total"], len(content["rows"])) == (5, 2)
    assert not {"total", "looked_at"} & set(tools.content(TOOL))
    assert "total" not in tools.content(TOOL, execution_id="r-3", last_n=1)
    content = tools.content(TOOL, qid="1", last_n=2)
    assert (content["total"], content["looked_at"], len(content["rows"])) == (5, 2, 1), "others may be older"
