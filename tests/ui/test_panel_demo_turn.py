"""A whole question to the offline planner on a demo chip, as the panel shows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.domain.answer import TextBlock
from qdash_jupyter.domain.events import StampedEvent, ToolFinished, ToolStarted
from qdash_jupyter.messages.message import text_in
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.ui.panel_state.state import PanelState, initial_state
from tests.session.conversation import open_shell, small_demo, without_settings
from tests.ui.panel_ops import after, taken, whole


@pytest.fixture(scope="module")
def copilot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copilot]:
    folder = tmp_path_factory.mktemp("demo16")
    snapshot = small_demo(folder)
    with pytest.MonkeyPatch.context() as patch, open_shell() as shell:
        without_settings(patch, folder)
        opened = open_copilot(shell, settings={"database": {"snapshot": str(snapshot)}})
        yield opened
        opened.close()


def milliseconds(stamped: StampedEvent) -> float:
    return stamped.at.timestamp() * 1000


@pytest.mark.parametrize("question", ["Which qubits have the worst T1?", "Heatmap of T1", "T1が最も低い量子ビットは?"])
def test_steps_then_the_answer(copilot: Copilot, question: str) -> None:
    turn = copilot.start(question)
    turn.wait()
    answer = turn.result()
    state = PanelState("i")
    state.load([], copilot.data)
    shown: dict[str, Any] = {**initial_state("i")}
    for stamped in turn.events:
        state.add(turn, stamped)
        shown = after(shown, *json.loads(json.dumps(taken(state))))

    assert shown == json.loads(json.dumps(whole(state)))
    (view,) = shown["turns"]
    assert (view["turn_id"], view["question"], view["state"]) == (turn.turn_id, question, "done")
    assert view["assessment"] == answer.assessment
    assert view["asked_at"] == turn.asked_at.timestamp() * 1000
    assert view["elapsed_s"] == pytest.approx((turn.events[-1].at - turn.asked_at).total_seconds(), abs=0.001)
    assert view["status_since"] == milliseconds(turn.events[-2])  # "Done"

    count = len(turn.tool_results)
    assert count > 0
    assert [block["kind"] for block in view["blocks"][:count]] == ["step"] * count
    check_steps(turn, view["blocks"][:count])
    blocks: tuple[Any, ...] = answer.blocks
    assert [spoken(block) for block in view["blocks"][count:]] == json.loads(
        json.dumps([block.content if isinstance(block, TextBlock) else block.figure() for block in blocks])
    )
    assert {frame["key"] for frame in shown["frames"]} == set(copilot.data) >= set(answer.frame_keys)
    assert not any(frame["gone"] for frame in shown["frames"])


def check_steps(turn: Turn, steps: list[dict[str, Any]]) -> None:
    began = [stamped for stamped in turn.events if isinstance(stamped.event, ToolStarted)]
    ended = {
        stamped.event.result.call.call_id: stamped.event.result
        for stamped in turn.events
        if isinstance(stamped.event, ToolFinished)
    }
    assert len(steps) == len(began)
    for step, stamped in zip(steps, began, strict=True):
        assert isinstance(stamped.event, ToolStarted)
        call, result = stamped.event.call, ended[stamped.event.call.call_id]
        assert (step["call_id"], step["name"], step["label"]) == (
            call.call_id,
            call.name,
            text_in(stamped.event.label, turn.language),
        )
        assert step["started_at"] == milliseconds(stamped)
        assert (step["state"], step["sent"], step["rows"]) == ("done", result.content, result.rows)
        assert (step["frame_key"], step["frame_gone"]) == (result.frame_key, False)
        assert step["elapsed_s"] == result.elapsed_s
        assert step["code"] == (result.cell.request.code if result.cell else None)
        assert step["cell_place"] in {None, "kernel"}


def spoken(block: dict[str, Any]) -> Any:
    return block["text"] if block["kind"] == "text" else block["figure"]
