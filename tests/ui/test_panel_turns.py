"""One turn as the panel shows it, folded from its events."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qdash_jupyter.domain.answer import CellEditBlock, StopReason, TableBlock
from qdash_jupyter.domain.cell_run import CellStatus
from qdash_jupyter.domain.consent import WRITES, Decision, Effect, EffectKind, Proposal
from qdash_jupyter.domain.events import (
    AgentEvent,
    ApprovalAsked,
    ApprovalDecided,
    CellWarned,
    ReasoningDelta,
    StageChanged,
    TextDelta,
    ToolProgressed,
    ToolStarted,
    TurnFailed,
)
from qdash_jupyter.domain.evidence import Source
from qdash_jupyter.domain.tool_call import ToolCall, ToolFailure
from qdash_jupyter.messages.message import Message
from qdash_jupyter.ui.panel_state.state import turn_ops
from qdash_jupyter.ui.panel_state.turn_reducer import TurnReducer
from tests.ui.panel_ops import view_of
from tests.ui.shown_turns import (
    ASKED,
    CODE,
    PNG,
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
    of_kind,
    read,
    ready,
    run,
    started,
    stopped,
    texts,
    turn_with,
)

STEP_FIELDS = {
    *("id", "kind", "call_id", "label", "about", "name", "arguments", "state", "started_at", "elapsed_s", "rows"),
    *("frame_key", "frame_gone", "sent", "sources", "error", "hint", "warning", "cell_id", "cell_state", "cell_place"),
    *("cell_number", "code", "approval"),
}


def folded(*events: AgentEvent, frames: Any = (), model: str | None = "a model") -> dict[str, Any]:
    return view_of(fold_of(turn_with(*events), model), frames)


def fold_of(turn: ShownTurn, model: str | None = "a model") -> TurnReducer:
    fold = TurnReducer(turn.turn_id, turn.question, turn.asked_at, model, turn.language)
    for stamped in turn.events:
        fold.add(stamped)
    return fold


def test_a_turn_that_has_just_begun() -> None:
    view = folded()

    assert view == {
        "turn_id": "a1",
        "question": "How is Q7?",
        "state": "thinking",
        "status": "",
        "status_since": ms(0),
        "asked_at": ms(0),
        "elapsed_s": None,
        "assessment": None,
        "choices": [],
        "headings": [],
        "next_steps": [],
        "blocks": [],
        "meta": {"model": "a model", "input_tokens": None, "output_tokens": None},
        "cells": None,
        "broken_off": False,
    }


def test_a_step_that_reads_for_long_says_how_much_until_it_ends() -> None:
    turn = ShownTurn()
    fold = fold_of(turn)
    seen = []
    events: list[AgentEvent] = [
        started(read("c1", "t1")),
        ToolProgressed(read("c1", "t1"), "Reading a parameter", "1,000 documents"),
        ToolProgressed(read("c1", "t1"), "Reading a parameter", "90,000 documents, 12 MB"),
        started(read("c2", "t2_echo")),
        ToolProgressed(read("c1", "t1"), "Reading a parameter", "99,000 documents, 13 MB"),
        finished(read("c2", "t2_echo")),
        finished(read("c1", "t1")),
        ToolProgressed(read("c1", "t1"), "Reading a parameter", "too late"),
    ]
    for event in events:
        fold.add(turn.stamp(event))
        view = view_of(fold)
        about = [step["about"] for step in of_kind(view, "step")]
        seen.append((view["status"], (view["status_since"] - ms(0)) / 1000, about))

    assert seen == [
        ("Reading a parameter: t1", 1, ["t1"]),
        ("Reading a parameter: 1,000 documents", 1, ["t1 · 1,000 documents"]),
        ("Reading a parameter: 90,000 documents, 12 MB", 1, ["t1 · 90,000 documents, 12 MB"]),
        ("Reading a parameter: t2_echo", 4, ["t1 · 90,000 documents, 12 MB", "t2_echo"]),
        ("Reading a parameter: t2_echo", 4, ["t1 · 99,000 documents, 13 MB", "t2_echo"]),
        ("Reading a parameter: 99,000 documents, 13 MB", 6, ["t1 · 99,000 documents, 13 MB", "t2_echo"]),
        ("Reading a parameter: 99,000 documents, 13 MB", 6, ["t1", "t2_echo"]),
        ("Reading a parameter: 99,000 documents, 13 MB", 6, ["t1", "t2_echo"]),
    ]


def test_a_step_whose_cell_runs_away_says_so_until_it_ends() -> None:
    turn = ShownTurn()
    fold = fold_of(turn)
    seen = []
    cell = moved("running")
    events: list[AgentEvent] = [
        started(analysis()),
        cell,
        CellWarned(cell.request, "This cell has been running for 65 s."),
        CellWarned(cell.request, "This cell has been running for 82 s."),
        finished(analysis()),
        CellWarned(cell.request, "Too late."),
    ]
    for event in events:
        fold.add(turn.stamp(event))
        seen += [step["warning"] for step in of_kind(view_of(fold), "step")]

    said = ["This cell has been running for 65 s.", "This cell has been running for 82 s."]
    assert seen == [None, None, *said, None, None]


def test_the_status_line_says_what_happens_and_since_when() -> None:
    turn = ShownTurn()
    fold = fold_of(turn)
    seen = []
    events: list[AgentEvent] = [
        StageChanged("connect", "Opening the database and the model…"),
        THINKING,
        ReasoningDelta("hm"),
        started(read("c1", "t1")),
        started(read("c2", "t2_echo")),
        finished(read("c2", "t2_echo")),
        finished(read("c1", "t1")),
        THINKING,
        TextDelta("So"),
        StageChanged("complete", "Done"),
        ready("So."),
    ]
    for event in events:
        fold.add(turn.stamp(event))
        view = view_of(fold)
        seen.append((view["status"], (view["status_since"] - ms(0)) / 1000))

    assert seen == [
        ("Opening the database and the model…", 1),
        ("Thinking…", 2),
        ("Thinking…", 2),
        ("Reading a parameter: t1", 4),
        ("Reading a parameter: t2_echo", 5),
        ("Reading a parameter: t1", 6),
        ("Reading a parameter: t1", 6),
        ("Thinking…", 8),
        ("Thinking…", 8),
        ("Done", 10),
        ("", 10),
    ]


def test_a_step_from_its_beginning_to_its_end() -> None:
    (step,) = folded(THINKING, started(read()))["blocks"]

    assert step | {"arguments": {}} == dict.fromkeys(STEP_FIELDS) | {
        "id": "call-c1",
        "kind": "step",
        "call_id": "c1",
        "label": "Reading a parameter",
        "about": "t1",
        "name": "get_chip_parameter_timeseries",
        "arguments": {},
        "state": "running",
        "started_at": ms(2),
        "frame_gone": False,
        "sources": [],
    }
    assert step["arguments"] == {"parameter_name": "t1"}

    content = '{"data_key":"t1","rows":1912,"note":"µ <b>"}'
    (step,) = folded(started(read()), finished(read(), content=content, rows=1912, frame_key="t1"), frames={"t1"})[
        "blocks"
    ]
    assert (step["state"], step["elapsed_s"], step["rows"], step["frame_key"]) == ("done", 0.5, 1912, "t1")
    assert step["sent"] == content
    assert step["error"] is None
    assert not step["frame_gone"]


def test_a_step_says_where_its_numbers_come_from() -> None:
    sources = (Source("notes", "chip 64Q-demo", 12, ("n1", "n2", "n3")), Source("qubit", "chip <b>", 0))
    (step,) = folded(started(read()), finished(read(), sources=sources))["blocks"]

    assert step["sources"] == [
        {"collection": "notes", "filter": "chip 64Q-demo", "count": 12, "ids": ["n1", "n2", "n3"]},
        {"collection": "qubit", "filter": "chip <b>", "count": 0, "ids": []},
    ]


def test_a_failed_step_says_why() -> None:
    (step,) = folded(started(read()), failed(read()))["blocks"]

    assert (step["state"], step["error"], step["hint"]) == ("failed", "There is no qubit 99.", "Did you mean 9?")


def test_that_nothing_is_there_is_an_answer_and_no_failure() -> None:
    failure = ToolFailure("no_data", "No result matches.", "The newest is of yesterday.")
    [step] = of_kind(folded(started(read("c1", "t1")), finished(read("c1", "t1"), failure=failure)), "step")
    assert (step["state"], step["about"], step["error"]) == ("done", "t1 · No result matches.", None)


def test_a_step_does_not_say_why_where_the_settings_hide_it() -> None:
    hidden = ToolFailure("not_found", "There is no qubit 99.", is_shown=False)
    (step,) = folded(started(read()), finished(read(), failure=hidden))["blocks"]

    assert (step["state"], step["error"], step["hint"]) == ("failed", "The tool failed.", "")


def test_a_table_that_is_not_stored_any_more_is_gone() -> None:
    events = (started(read()), finished(read(), frame_key="t1", rows=3))

    assert folded(*events, frames=())["blocks"][0]["frame_gone"]
    assert not folded(*events, frames={"t1": 1})["blocks"][0]["frame_gone"]


def test_a_step_says_of_which_task_and_qubit_it_is() -> None:
    asked = {"qid": "Q007", "task_name": "CheckT1", "last_n": 3, "chip_id": None}
    call = ToolCall("c", "get_task_history", json.dumps(asked))
    view = folded(ToolStarted(call, "Reading the history of a task", asked))

    assert view["status"] == "Reading the history of a task: CheckT1, Q007"
    assert [step["about"] for step in view["blocks"]] == ["CheckT1, Q007"]


def test_models_may_use_an_id_again() -> None:
    first, second, third = read("c", "t1"), read("c", "t2_echo"), read("c", "t1")
    view = folded(
        *(THINKING, started(first), started(second)),
        *(finished(second, content="second", rows=2), finished(first, content="first", rows=1)),
        *(THINKING, started(third), finished(third, content="third", rows=3)),
        *(started(third), failed(third)),
    )

    assert [step["id"] for step in view["blocks"]] == ["call-c", "call-c-2", "call-c-3", "call-c-4"]
    assert [step["call_id"] for step in view["blocks"]] == ["c"] * 4
    assert [(step["about"], step["rows"]) for step in view["blocks"]] == [
        *(("t1", 1), ("t2_echo", 2), ("t1", 3)),
        ("t1", None),
    ]
    assert [step["state"] for step in view["blocks"]] == ["done", "done", "done", "failed"]


def test_ids_of_models_meet_no_other_block() -> None:
    view = folded(THINKING, started(read("r1-0")), started(read("error")), TextDelta("x."), TurnFailed("m", "h", "k"))

    ids = [block["id"] for block in view["blocks"]]
    assert len(set(ids)) == len(ids) == 4


def test_code_that_waits_for_a_yes_stands_in_its_step() -> None:
    turn = turn_with(THINKING, started(analysis()))
    fold = fold_of(turn)
    effect = Effect(EffectKind.FILES, "report.csv", WRITES, note=Message("file-there-already", size="12 kB"))
    first = Proposal("p1", CODE, (effect,))
    second = Proposal("p2", "1 + 1", runs="session")
    seen = []
    for event in (
        ApprovalAsked(first),
        ApprovalDecided(Decision("p1", first.code_hash, "edited", "ana")),
        ApprovalAsked(second),
        ApprovalDecided(Decision("p2", second.code_hash, "rejected", "ana", reason="Not now.")),
    ):
        fold.add(turn.stamp(event))
        view = view_of(fold)
        [step] = view["blocks"]
        approval = step["approval"]
        seen.append((view["state"], step["code"], approval["runs"], approval["state"], approval["reason"]))
        if event == ApprovalAsked(first):
            assert view["status"] == "Waiting for you"
            assert approval["hash"] == first.code_hash
            assert approval["effects"] == [
                {"does": "writes", "what": "report.csv", "kind": "files", "note": "already exists, 12 kB"}
            ]

    assert seen == [
        ("waiting", CODE, "kernel", "asked", ""),
        ("thinking", CODE, "kernel", "edited", ""),
        ("waiting", "1 + 1", "session", "asked", ""),
        ("thinking", "1 + 1", "session", "rejected", "Not now."),
    ]


def test_in_a_japanese_question_it_says_in_japanese_what_it_would_do() -> None:
    turn = turn_with(THINKING, started(analysis()))
    fold = TurnReducer(turn.turn_id, turn.question, turn.asked_at, None, "ja")
    for stamped in turn.events:
        fold.add(stamped)
    effect = Effect(EffectKind.FILES, "report.csv", WRITES, note=Message("file-there-already", size="12 kB"))
    fold.add(turn.stamp(ApprovalAsked(Proposal("p1", CODE, (effect,)))))
    [step] = view_of(fold)["blocks"]
    [shown] = step["approval"]["effects"]
    assert (shown["does"], shown["what"], shown["note"]) == ("書き込み", "report.csv", "既存のファイル、12 kB")
    assert view_of(fold)["status"] == "確認待ち"


def test_a_cell_belongs_to_the_step_that_runs_it() -> None:
    turn = turn_with(THINKING, started(read()), finished(read()), started(analysis()))
    fold = fold_of(turn)
    seen = []
    for event in (
        moved("inserted"),
        moved("waiting"),
        moved("running"),
        moved("finished"),
        finished(analysis(), cell=run()),
    ):
        fold.add(turn.stamp(event))
        view = view_of(fold)
        step = view["blocks"][1]
        seen.append((view["state"], view["status"], step["state"], step["cell_state"]))
        assert (step["cell_id"], step["cell_place"], step["code"]) == ("cell1", "notebook", CODE)

    running = "Running analysis code: The worst"
    assert seen == [
        ("thinking", running, "running", "inserted"),
        ("waiting", "Waiting for the kernel: one of your cells is running", "running", "waiting"),
        ("thinking", running, "running", "running"),
        ("thinking", running, "running", "finished"),
        ("thinking", running, "done", "finished"),
    ]
    assert view["blocks"][0]["cell_id"] is None


def test_code_that_runs_without_a_cell() -> None:
    nested = moved("running", in_notebook=False)
    view = folded(started(analysis()), nested, finished(analysis(), cell=run(in_notebook=False)), ready("x"))

    assert (view["blocks"][0]["cell_place"], view["blocks"][0]["cell_state"]) == ("kernel", "finished")
    assert view["cells"] == {"count": 1, "first": "cell1", "state": "unseen", "note": ""}


def test_two_cells_of_a_turn() -> None:
    one, two = analysis("c1"), analysis("c2", "other = 2\n")
    view = folded(
        *(
            started(one),
            moved("inserted", "cell1"),
            moved("running", "cell1"),
            finished(one, cell=run(cell_id="cell1")),
        ),
        *(started(two), moved("inserted", "cell2"), moved("finished", "cell1"), moved("running", "cell2")),
    )

    assert [(step["cell_id"], step["cell_state"]) for step in view["blocks"]] == [
        *(("cell1", "finished"), ("cell2", "running")),
    ]


def test_refused_code_can_be_read() -> None:
    (step,) = folded(started(analysis()), failed(analysis(), "writes a file"))["blocks"]

    assert (step["code"], step["cell_id"], step["cell_place"], step["cell_state"]) == (CODE, None, None, None)


def test_text_appears_while_it_is_written() -> None:
    raw = answer_json("**Q07** lost half of its T1.", chart("T1"), "That is all.")
    turn = turn_with(THINKING)
    fold = fold_of(turn)
    seen: list[list[str]] = []
    for delta in deltas(raw, 1):
        fold.add(turn.stamp(delta))
        seen.append([f"{block['kind']} {block['id']}" for block in view_of(fold)["blocks"]])

    names = ["text r1-0", "chart r1-1", "text r1-2"]
    assert [shown for place, shown in enumerate(seen) if not place or shown != seen[place - 1]] == [
        *([], names[:1], names[:2], names),
    ]


def test_the_answer_takes_the_place_of_what_was_streamed() -> None:
    raw = answer_json("Q07.", chart("own"), "End.", assessment="bad")
    before = folded(THINKING, *deltas(raw))
    after = folded(THINKING, *deltas(raw), ready("Q07.", chart("own"), "End.", chart("of a tool"), assessment="bad"))

    assert after["blocks"][:3] == before["blocks"]
    assert [block["id"] for block in after["blocks"]] == ["r1-0", "r1-1", "r1-2", "r1-3"]
    assert (after["state"], after["assessment"], after["status"]) == ("done", "bad", "")
    assert after["elapsed_s"] == len(deltas(raw)) + 2
    assert after["meta"] == {"model": "a model", "input_tokens": 1200, "output_tokens": 85}


def test_steps_come_before_the_answer_and_remarks_stay_between_them() -> None:
    view = folded(
        *(THINKING, TextDelta("I look at T1 first. "), started(read("c1")), finished(read("c1"))),
        *(THINKING, TextDelta("And at T2."), started(read("c2", "t2_echo")), finished(read("c2", "t2_echo"))),
        *(THINKING, *deltas(answer_json("All is well."))),
        ready("All is well."),
    )

    assert [(block["kind"], block.get("text")) for block in view["blocks"]] == [
        *(("text", "I look at T1 first."), ("step", None), ("text", "And at T2."), ("step", None)),
        ("text", "All is well."),
    ]


def test_a_chart_is_shown_once() -> None:
    view = folded(
        *(started(read()), finished(read(), chart("same"))),
        ready("x", chart("same"), chart("other"), chart("same")),
    )

    assert [block["title"] for block in of_kind(view, "chart")] == ["same", "other"]


def test_tables_and_pictures_of_an_answer() -> None:
    table = TableBlock("t1", ("qid", "v"), (("7", float("nan")), ("8", 1.5)), 64)
    pictures = finished(analysis(), cell=run(pictures=[PNG, PNG, "AAAA"]))
    view = folded(started(analysis()), pictures, ready("x", table))

    assert [block["kind"] for block in view["blocks"]] == ["step", "text", "table", "image", "image"]
    assert view["blocks"][2] == {
        "id": "r0-1",
        "kind": "table",
        "frame_key": "t1",
        "columns": ["qid", "v"],
        "rows": [["7", None], ["8", 1.5]],
        "total_rows": 64,
    }
    assert of_kind(view, "image")[0] == {"id": "image-0", "kind": "image", "mime": "image/png", "data": PNG}
    assert view["cells"] == {"count": 1, "first": "cell1", "state": "added", "note": ""}


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("Q07 lost half of its T", "Q07 lost half of its"),
        ("Q07 lost half.", "Q07 lost half."),
        ("Q07 lost half. ", "Q07 lost half."),
        ("from 36 to 18.", "from 36 to"),
        ("from 36 to 18.2", "from 36 to"),
        ("the **wors", "the"),
        ("**bold**", "**bold**"),
        ("量子ビットQ07のT1が低下し", "量子ビットQ07のT1が低下し"),
        ("量子ビットQ0", "量子ビット"),
        ("see https://a.example/x", "see"),
        ("Half", ""),
    ],
)
def test_of_a_stopped_turn_whole_words_stay(written: str, kept: str) -> None:
    raw = answer_json("First.", written)
    view = folded(THINKING, *deltas(raw[: raw.index(written) + len(written)]), stopped())

    assert texts(view) == ["First.", *([kept] if kept else [])]
    assert (view["state"], view["broken_off"], view["status"]) == ("stopped", False, "")


@pytest.mark.parametrize("words", ["Stopped by you.", "停止しました。"])
def test_a_stopped_turn_keeps_charts_and_closes_its_steps(words: str) -> None:
    view = folded(
        *(THINKING, started(read("c1")), finished(read("c1"), chart("T1")), started(analysis("c2")), moved("waiting")),
        stopped(chart("T1"), words=words),
    )

    done, cut, *rest = view["blocks"]
    assert done["state"] == "done"
    assert (cut["state"], cut["error"]) == ("failed", "Stopped before it finished.")
    assert (cut["cell_id"], cut["cell_state"], cut["cell_place"]) == (None, None, None)
    assert [block["kind"] for block in rest] == ["chart"]
    assert view["elapsed_s"] == 6


def test_a_cell_that_was_stopped_stays_in_the_notebook() -> None:
    interrupted = finished(analysis(), cell=run(CellStatus.INTERRUPTED))
    view = folded(started(analysis()), moved("running"), interrupted, stopped())
    still = folded(started(analysis()), moved("running"), stopped())

    for step in (view["blocks"][0], still["blocks"][0]):
        assert (step["cell_id"], step["cell_state"], step["cell_place"]) == ("cell1", "finished", "notebook")
    assert view["cells"] == {"count": 1, "first": "cell1", "state": "added", "note": ""}


def test_an_answer_of_its_own_words_that_ended_early_is_an_answer() -> None:
    view = folded(THINKING, TextDelta("half of"), ready("What there is.", stop_reason=StopReason.MAX_ROUNDS))

    assert (view["state"], texts(view)) == ("done", ["What there is."])
    cancelled = folded(THINKING, TextDelta("half of"), ready("half of it", stop_reason=StopReason.CANCELLED))
    assert (cancelled["state"], texts(cancelled)) == ("stopped", ["half of it"])


def test_a_failed_turn_says_why_and_keeps_what_is_there() -> None:
    view = folded(
        *(THINKING, started(read()), finished(read(), chart("T1")), started(read("c2")), THINKING),
        *(TextDelta("Because of"), TurnFailed("The model did not answer.", "Ask again.", "ModelUnreachable")),
    )

    assert [block["kind"] for block in view["blocks"]] == ["step", "step", "text", "chart", "error"]
    assert view["blocks"][1]["state"] == "failed"
    assert view["blocks"][2]["text"] == "Because"
    assert view["blocks"][4] == {
        "id": "error",
        "kind": "error",
        "title": "The model did not answer.",
        "hint": "Ask again.",
    }
    assert (view["state"], view["status"], view["elapsed_s"]) == ("error", "", 7)


def test_a_turn_that_was_broken_off() -> None:
    fold = fold_of(turn_with(THINKING, started(analysis()), moved("running"), TextDelta("As far as thi")))
    fold.break_off()
    view = view_of(fold)

    assert (view["state"], view["broken_off"], view["status"], view["elapsed_s"]) == ("stopped", True, "", None)
    assert view["blocks"][0]["error"] == "The kernel stopped before this finished."
    assert texts(view) == ["As far as"]


def test_what_was_seen_already_and_what_comes_after_the_end_changes_nothing() -> None:
    turn = turn_with(THINKING, TextDelta("a "), TextDelta("b."), ready("a b."))
    fold = fold_of(turn)
    view = view_of(fold)
    for stamped in [*turn.events, turn.stamp(TextDelta("late")), turn.stamp(moved("running")), turn.stamp(stopped())]:
        fold.add(stamped)
    fold.break_off()

    assert view_of(fold) == view

    half = fold_of(turn_with(THINKING, TextDelta("a ")))
    half.add(turn.events[1])
    assert texts(view_of(half)) == ["a"]


def test_events_without_their_beginning_are_passed_over() -> None:
    assert folded(finished(read()), moved("running"), moved("finished"))["blocks"] == []


def test_whatever_is_written_can_be_sent() -> None:
    half, nan = "\ud83d", float("nan")
    call = read("c" + half)
    object.__setattr__(call, "name", "tool" + half)
    start = started(call)
    start.arguments["x"] = [half, nan, {half: 1}]
    view = view_of(
        fold_of(
            turn_with(
                *(start, finished(call, content="sent " + half, arguments={"y": nan})),
                *(started(read("c2")), failed(read("c2"), "why " + half), TextDelta("text " + half + "."), THINKING),
                *(TextDelta("more " + half), TurnFailed("failed " + half, half, "kind")),
                question="Why " + half,
            )
        )
    )

    json.dumps(view, ensure_ascii=False, allow_nan=False).encode()
    assert view["blocks"][0]["sent"] == "sent \ufffd"


def test_what_was_shown_before_does_not_change_under_its_reader() -> None:
    turn = turn_with(THINKING, started(analysis()))
    fold = fold_of(turn)
    before = view_of(fold, {"t1"})
    kept = json.dumps(before)
    for event in (
        moved("running"),
        finished(analysis(), cell=run(), frame_key="t1"),
        *deltas("abc def"),
        ready("abc def"),
    ):
        fold.add(turn.stamp(event))
        view_of(fold)

    assert json.dumps(before) == kept
    assert before["asked_at"] == ASKED.timestamp() * 1000


def test_a_table_that_was_fetched_again() -> None:
    fold = fold_of(turn_with(started(read()), finished(read(), frame_key="t1", rows=3), ready("x")))
    fold.steps.refetched("c1", finished(read(), frame_key="t1_2", rows=5).result)

    step = view_of(fold, {"t1_2"})["blocks"][0]
    assert (step["frame_key"], step["rows"], step["frame_gone"]) == ("t1_2", 5, False)


def test_reasoning_is_one_folded_line_above_all_else() -> None:
    turn = ShownTurn()
    fold = fold_of(turn)

    def after(*events: AgentEvent) -> Any:
        for event in events:
            fold.add(turn.stamp(event))
        return view_of(fold)["blocks"]

    assert after(THINKING) == []
    [thinking] = after(ReasoningDelta("First "), ReasoningDelta("the chip."))
    assert thinking == {"id": "thought", "kind": "thought", "text": "First the chip.", "elapsed_s": None}
    thought, _ = after(started(read("c1", "t1")))
    assert thought["elapsed_s"] > 0
    thought, step, answer = after(
        finished(read("c1", "t1")), THINKING, ReasoningDelta("Then T1."), TextDelta("So"), ready("So.")
    )
    assert (thought["text"], step["kind"], answer["text"]) == ("First the chip.\n\nThen T1.", "step", "So.")
    assert isinstance(thought["elapsed_s"], float)
    assert "thought" not in str(folded(THINKING, ReasoningDelta("\n"), ready("So."))["blocks"])


def test_reasoning_that_grows_is_sent_in_pieces() -> None:
    turn = ShownTurn()
    fold = fold_of(turn)
    for event in (THINKING, ReasoningDelta("First ")):
        fold.add(turn.stamp(event))
    before = fold.view(())
    fold.add(turn.stamp(ReasoningDelta("the chip.")))
    [op] = turn_ops(before, fold.view(()))
    assert (op["op"], op["block_id"], op["append"]) == ("text", "thought", "the chip.")  # pyrefly: ignore[bad-typed-dict-key]


def test_a_proposed_change_and_what_becomes_of_it() -> None:
    edit = CellEditBlock("e1", "c1", "[3]", "df['T1']", "df['t1']", "The column is t1.")
    turn = turn_with(started(analysis()), finished(analysis(), edit), ready("A typo.", edit))
    fold = fold_of(turn)
    block = view_of(fold)["blocks"][-1]
    assert [(line["kind"], line["text"]) for line in block["lines"]] == [("removed", "df['T1']"), ("added", "df['t1']")]
    assert (block["kind"], block["cell_id"], block["state"]) == ("edit", "c1", "proposed")
    before = fold.view(())
    fold.edit_decided("e1", "written")
    [op] = turn_ops(before, fold.view(()))
    assert op["block"]["state"] == "written"  # pyrefly: ignore[bad-typed-dict-key]
