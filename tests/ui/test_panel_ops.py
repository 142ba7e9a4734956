"""The panel's state, its changes, and what is sent: the wire's golden files, and changes applied as the panel does."""

from __future__ import annotations

import copy
import json
import math
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from qdash_jupyter.agent import partial
from qdash_jupyter.domain.events import AgentEvent, TextDelta, TurnFailed
from qdash_jupyter.store.frame import FrameSource, StoredResult
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.ui.panel_state import blocks
from qdash_jupyter.ui.panel_state.frames import frames_of, preview_of
from qdash_jupyter.ui.panel_state.state import CONNECTING, PanelState, initial_state, turn_ops
from tests.ui.panel_ops import after, taken, whole
from tests.ui.shown_turns import (
    THINKING,
    ShownTurn,
    analysis,
    answer_json,
    chart,
    deltas,
    failed,
    finished,
    moved,
    ms,
    read,
    ready,
    run,
    started,
    stopped,
    texts,
    turn_with,
)

WIRE = Path(__file__).parents[1] / "wire"
FETCHED = datetime(2026, 6, 30, tzinfo=UTC)
TEXT = {"id": "t", "kind": "text", "text": "one"}


def golden_cases() -> dict[str, dict[str, Any]]:
    files = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(WIRE.glob("panel-*.json"))}
    return {
        f"{name}: {case['name']}": case
        for name, content in files.items()
        for case in (content if isinstance(content, list) else [content])
    }


GOLDEN = golden_cases()


def state_with(*turns: dict[str, Any]) -> dict[str, Any]:
    return {**initial_state("i"), "turns": list(turns)}


def table_of(key: str) -> StoredResult:
    table = pd.DataFrame({"qid": ["7"], "value": [18.2]})
    return StoredResult(
        key,
        {"series": table, "unit": "μs", "best": table.head(0)},
        main="series",
        units={"value": "μs"},
        source=FrameSource(f"get_{key}", {"key": key}),
        fetched_at=FETCHED,
    )


def put(store: FrameStore, key: str) -> None:
    table = table_of(key)
    store.put(key, table.source, lambda *_: table)


def stored(*keys: str) -> FrameStore:
    store = FrameStore()
    for key in keys:
        put(store, key)
    return store


@pytest.mark.parametrize("case", GOLDEN.values(), ids=GOLDEN)
def test_golden_messages(case: dict[str, Any]) -> None:
    state = case["start"] or initial_state("")
    for message in case["messages"]:
        state = message["state"] if message["type"] == "snapshot" else after(state, *message["ops"])

    assert state == case["expected"]


def test_golden_messages_hold_every_op_and_every_kind_of_block() -> None:
    messages = [message for case in GOLDEN.values() for message in case["messages"]]
    ops = [op for message in messages if message["type"] == "patch" for op in message["ops"]]

    assert {message["type"] for message in messages} == {"patch", "snapshot"}
    assert {op["op"] for op in ops} >= {"set", "turn", "block", "text", "drop"}
    kinds = {op["block"]["kind"] for op in ops if op["op"] == "block"}
    assert kinds >= {"step", "text", "chart", "image", "table", "error"}


def test_the_changes_between_any_two_states_of_a_turn_lead_from_one_to_the_other() -> None:
    chance = random.Random(7)  # noqa: S311 - not for secrets

    def some_turn() -> Any:
        names = chance.sample("pqrst", chance.randint(0, 5))
        kinds = [
            {"kind": "text", "text": "abc"[: chance.randint(0, 3)]},
            {"kind": "step", "state": chance.choice("xy")},
        ]
        return {
            "turn_id": "a",
            "state": chance.choice(["thinking", "done"]),
            "blocks": [{"id": name, **chance.choice(kinds)} for name in names],
        }

    for _ in range(2_000):
        before, wanted = some_turn(), some_turn()
        assert after(state_with(before), *turn_ops(before, wanted))["turns"] == [wanted]
        assert after(state_with(), *turn_ops(None, wanted))["turns"] == [wanted]
        assert turn_ops(wanted, copy.deepcopy(wanted)) == []


def all_kinds_of_turns() -> list[ShownTurn]:
    raw = answer_json("**Q07** lost half of its T1. `a<b`", chart("own"), "That is all.", assessment="bad")
    one, two = read("c", "t1"), read("c", "t2_echo")
    pictures = finished(analysis(), chart("cell"), cell=run(pictures=["AAAA"]), frame_key="worst")
    reads: list[AgentEvent] = [
        THINKING,
        started(one),
        started(two),
        finished(two, frame_key="t2"),
        finished(one, frame_key="t1"),
    ]
    return [
        turn_with(
            *reads,
            *(THINKING, TextDelta("Let me look."), started(analysis()), moved("inserted"), moved("waiting")),
            *(moved("running"), moved("finished"), pictures, THINKING, *deltas(raw, 3)),
            ready("**Q07** lost half of its T1. `a<b`", chart("own"), "That is all.", chart("cell"), assessment="bad"),
            turn_id="done",
        ),
        turn_with(*reads, THINKING, *deltas(raw[:90], 4), stopped(chart("x")), turn_id="stopped"),
        turn_with(*reads, THINKING, *deltas(raw[:60], 2), TurnFailed("No.", "Ask again.", "K"), turn_id="failed"),
        turn_with(THINKING, *deltas("Plain words, with {braces} and more.", 1), ready("Plain words."), turn_id="plain"),
        turn_with(THINKING, started(one), failed(one), ready("So."), turn_id="wrong call"),
        turn_with(*reads[:3], TextDelta("As far"), turn_id="broken off", broken_off=True),
    ]


@pytest.mark.parametrize("seed", range(12))
def test_what_is_taken_leads_to_what_is_shown_whenever_it_is_taken(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    state = PanelState("i")
    shown: dict[str, Any] = {**initial_state("i")}
    for turn in all_kinds_of_turns():
        live = ShownTurn(turn.turn_id, turn.question)
        for stamped in turn.events:
            live.events.append(stamped)
            state.add(live, stamped)
            if chance.random() < 0.3:
                state.set("conversation", f"{chance.random()}")
            if chance.random() < 0.4:
                shown = after(shown, *taken(state))
        ops = taken(state)
        shown = after(shown, *ops)
        assert taken(state) == []

    assert shown == whole(state)
    assert [turn["state"] for turn in shown["turns"]] == ["done", "stopped", "error", "done", "done", "thinking"]


def test_turns_that_are_loaded_look_as_they_did_when_they_happened() -> None:
    happened, loaded = PanelState("i"), PanelState("i")
    happened.load([], FrameStore())
    for turn in all_kinds_of_turns():
        live = ShownTurn(turn.turn_id, turn.question)
        for stamped in turn.events:
            live.events.append(stamped)
            happened.add(live, stamped)
            taken(happened)
    loaded.load(all_kinds_of_turns(), FrameStore())

    *finished_then, cut_then = whole(happened)["turns"]
    *finished_now, cut_now = whole(loaded)["turns"]
    assert finished_now == finished_then
    assert (cut_then["state"], cut_now["state"], cut_now["broken_off"]) == ("thinking", "stopped", True)


def test_loading_takes_the_place_of_what_was_shown() -> None:
    state = PanelState("i")
    shown: dict[str, Any] = {**initial_state("i")}
    for turn in all_kinds_of_turns()[:2]:
        for stamped in turn.events:
            state.add(turn, stamped)
    shown = after(shown, *taken(state))
    state.load(all_kinds_of_turns()[3:4], FrameStore())
    shown = after(shown, *taken(state))

    assert [turn["turn_id"] for turn in shown["turns"]] == ["plain"]
    assert shown == whole(state)


def test_a_turn_that_is_loaded_while_it_runs_goes_on() -> None:
    turn = turn_with(THINKING, TextDelta("a "))
    state = PanelState("i")
    state.load([turn], FrameStore())
    state.add(turn, turn.events[-1])  # news of it may come after it was loaded
    state.add(turn, turn.stamp(TextDelta("b.")))

    assert texts(whole(state)["turns"][0]) == ["a b."]


def test_text_is_appended_and_the_end_changes_only_what_is_new() -> None:
    raw = answer_json("Q07 fell.", "Q12 too.")
    turn = turn_with(THINKING)
    state = PanelState("i")
    state.add(turn, turn.events[0])
    taken(state)
    cut = raw.index("fell") + 2
    for part in (raw[:cut], raw[cut:]):
        state.add(turn, turn.stamp(TextDelta(part)))
        ops = taken(state)
    state.add(turn, turn.stamp(ready("Q07 fell.", "Q12 too.", chart("T1"))))
    end = taken(state)

    assert [(op["op"], op.get("append")) for op in ops] == [("text", "ll."), ("block", None)]
    assert [op["op"] for op in end] == ["turn", "block"]
    assert end[1]["block"]["kind"] == "chart"
    assert "blocks" not in end[0]["set"]


def test_a_burst_of_deltas_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    read_by = partial.partial_answer

    def partial_answer(raw: str) -> Any:
        calls.append(len(raw))
        return read_by(raw)

    monkeypatch.setattr(blocks, "partial_answer", partial_answer)
    text = "word " * 5_000
    raw = answer_json(text)
    turn = turn_with(THINKING)
    state = PanelState("i")
    state.add(turn, turn.events[0])
    taken(state)
    burst = deltas(raw, 5)
    assert len(burst) > 5_000
    for delta in burst:
        state.add(turn, turn.stamp(delta))
    ops = taken(state)

    assert len(calls) == 1
    assert [op["op"] for op in ops] == ["block"]
    assert ops[0]["block"]["text"] == text
    assert taken(state) == []
    whole(state)
    assert len(calls) == 1


def test_only_the_last_of_many_changes_is_sent() -> None:
    turn = turn_with(THINKING, started(analysis()), moved("inserted"), moved("running"), moved("finished"))
    state = PanelState("i")
    state.set("conversation", "one")
    state.set("conversation", "two")
    for stamped in turn.events:
        state.add(turn, stamped)
    ops = taken(state)

    assert [op["op"] for op in ops] == ["set", "set", "turn", "block"]
    assert {op["key"] for op in ops if op["op"] == "set"} == {"starters", "conversation"}
    assert ops[1]["value"] == "two"
    assert ops[3]["block"]["cell_state"] == "finished"


def test_what_is_set_to_what_it_is_already_is_not_sent() -> None:
    state = PanelState("i")
    state.set("conversation", "one")
    taken(state)
    state.set("conversation", "one")

    assert taken(state) == []


def test_a_turn_names_the_model_that_is_in_use() -> None:
    state = PanelState("i")
    turn = turn_with(THINKING)
    state.add(turn, turn.events[0])
    state.set("about", CONNECTING | {"state": "ready", "model": "gpt-test"})
    second = turn_with(THINKING, turn_id="a2")
    state.add(second, second.events[0])

    assert [each["meta"]["model"] for each in whole(state)["turns"]] == [None, "gpt-test"]


def test_the_tables_and_what_is_known_of_them() -> None:
    entries = frames_of(stored("t1", 'odd"key'))

    assert entries[0] == {
        "key": "t1",
        "table": "series",
        "main": True,
        "rows": 1,
        "columns": ["qid", "value"],
        "units": {"value": "μs"},
        "source": "get_t1",
        "call": "",
        "fetched_at": FETCHED.timestamp() * 1000,
        "note": "",
        "gone": False,
        "fetching": False,
    }
    store = stored("t1", 'odd"key')
    assert [(entry["key"], entry["table"], entry["main"]) for entry in frames_of(store)] == [
        ("t1", "series", True),
        ("t1", "best", False),
        ('odd"key', "series", True),
        ('odd"key', "best", False),
    ]


def test_tables_that_are_gone_are_listed_and_come_back() -> None:
    turn = turn_with(started(read()), finished(read(), frame_key="t1", rows=3), ready("x"))
    had: Any = {"frame_key": "t1", "rows": 4, "columns": ("qid", "v"), "written": "get_t1()"}
    other = turn_with(started(read()), finished(read(), **had), ready("x"), turn_id="a2")
    store = stored("t2")
    state = PanelState("i")
    state.load([turn, other], store)
    shown = whole(state)

    assert [(frame["key"], frame["gone"]) for frame in shown["frames"]] == [("t2", False), ("t2", False), ("t1", True)]
    assert shown["frames"][2] == {
        "key": "t1",
        "table": "",
        "main": True,
        "rows": 4,
        "columns": ["qid", "v"],
        "units": {},
        "source": "get_chip_parameter_timeseries",
        "call": "get_t1()",
        "fetched_at": ms(1),
        "note": "",
        "gone": True,
        "fetching": False,
    }
    assert state.gone_calls() == {"t1": ("a2", "c1")}
    state.speak("ja")
    assert whole(state)["frames"] == shown["frames"]
    assert [each["blocks"][0]["frame_gone"] for each in shown["turns"]] == [True, True]

    state.load([turn, other], stored("t1"))
    assert [each["blocks"][0]["frame_gone"] for each in whole(state)["turns"]] == [False, False]

    state.load([turn, other], store)
    taken(state)
    put(store, "t1")
    state.refetched("a1", "c1", finished(read(), frame_key="t1", rows=1).result)
    shown = whole(state)
    assert [each["blocks"][0]["frame_gone"] for each in shown["turns"]] == [False, False]
    assert [frame["gone"] for frame in shown["frames"]] == [False] * 4


def test_a_table_is_listed_when_it_is_there() -> None:
    store = FrameStore()
    state = PanelState("i")
    state.load([], store)
    turn = turn_with(started(read()))
    state.add(turn, turn.events[0])
    assert whole(state)["frames"] == []
    put(store, "t1")
    state.add(turn, turn.stamp(finished(read(), frame_key="t1", rows=1)))

    shown = whole(state)
    assert [frame["key"] for frame in shown["frames"]] == ["t1", "t1"]
    assert not shown["turns"][0]["blocks"][0]["frame_gone"]


def test_a_table_that_the_user_has_deleted_is_not_offered_again() -> None:
    store = stored("t1")
    turn = turn_with(started(read()), finished(read(), frame_key="t1", rows=1), ready("x"))
    state = PanelState("i")
    state.load([turn], store)
    taken(state)
    del store["t1"]
    state.data_changed()
    shown = whole(state)
    assert (shown["frames"], state.gone_calls()) == ([], {})
    assert shown["turns"][0]["blocks"][0]["frame_gone"]


def test_what_a_cell_has_changed_is_listed_anew() -> None:
    store = stored("t1")
    state = PanelState("i")
    state.load([], store)
    taken(state)
    state.data_changed()
    assert taken(state) == []
    store["t1"].frame.loc[1] = ["8", 20.0]
    store["t1"].frame["mine"] = 1
    store.called = lambda: "copilot.data"
    state.data_changed()
    shown = whole(state)
    assert (shown["frames"][0]["rows"], shown["frames"][0]["columns"]) == (2, ["qid", "value", "mine"])
    assert shown["data_name"] == "copilot.data"


def test_a_preview_is_small_and_has_units() -> None:
    wide = pd.DataFrame({f"c{place}": range(1000) for place in range(30)})
    wide.insert(0, "t", pd.Timestamp("2026-06-30", tz="UTC"))
    wide.insert(1, "v", [math.nan, 61.5] * 500)
    wide.insert(2, "note", [["x" * 500]] * 1000)
    source = FrameSource("get_wide", {})
    result = StoredResult("w", {"all": wide}, main="all", units={"v": "μs"}, source=source, fetched_at=FETCHED)
    shown = preview_of(result, "all")
    assert shown["columns"][:4] == ["t", "v (μs)", "note", "c0"]
    assert (len(shown["rows"]), {len(row) for row in shown["rows"]}) == (20, {12})
    assert shown["rows"][1][:2] == ["2026-06-30T00:00:00+00:00", 61.5]
    assert shown["rows"][0][1] is None
    assert len(shown["rows"][0][2]) < 110
    assert (shown["total_rows"], shown["total_columns"], shown["changed"]) == (1000, 33, False)
    assert len(json.dumps(shown, allow_nan=False)) < 5000
    result.frame["v"] = 0.0
    assert preview_of(result, "all")["changed"]


def test_everything_shown_can_be_sent() -> None:
    state = PanelState("i")
    state.load(all_kinds_of_turns(), stored("t1"))

    json.dumps(whole(state), allow_nan=False, ensure_ascii=False).encode()
