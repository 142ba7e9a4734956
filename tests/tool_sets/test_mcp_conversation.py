"""A question whose model calls tools of an MCP server, in a whole conversation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.domain.consent import Decision
from qdash_jupyter.domain.events import ApprovalAsked
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.ui.panel_state.turn_reducer import TurnReducer
from tests.patience import until
from tests.session.conversation import conversation, open_shell, parts_with, without_settings
from tests.tool_sets.conftest import Connect, address
from tests.tool_sets.web_lab import WebLab, calls, web_lab

SET = call_reply(("lab_set_bias", {"volts": 0.5}))


@pytest.fixture
def web(log: Path) -> Iterator[WebLab]:
    with web_lab(log) as lab:
        yield lab


@pytest.fixture
def copilot(
    web: WebLab, connect: Connect, snapshot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Copilot]:
    """Its model reads the log, then sets a bias; asked again, it sets the bias again."""
    without_settings(monkeypatch, tmp_path)
    bench = connect(address(web.url))
    specs = [*BUILTIN_TOOLS, *bench.box.specs.values()]
    read = call_reply(("lab_fridge_log", {"hours": 4}))
    llm = ScriptedLLM([read, SET, text_reply("Done."), SET, text_reply("Done.")])
    with open_shell() as shell, conversation(shell, parts_with(llm, snapshot, specs)) as opened:
        yield opened


def told(turn: Turn) -> list[dict[str, Any]]:
    return [json.loads(result.content) for result in turn.tool_results]


def test_its_rows_are_in_the_store_and_its_acts_wait_for_a_click(copilot: Copilot, log: Path) -> None:
    copilot.approvals.can_be_asked = lambda: True
    turn = copilot.start("Set the bias.")
    until(lambda: any(isinstance(each.event, ApprovalAsked) for each in list(turn.events)))
    until(lambda: copilot.approvals.waiting)
    waiting = copilot.approvals.waiting
    assert waiting is not None
    assert calls(log, "set_bias") == []
    assert list(copilot.data["lab_fridge_log"]["result"]["mK"]) == pytest.approx([10.0, 10.1, 10.2, 10.3])

    shown = TurnReducer(turn.turn_id, turn.question, turn.asked_at)
    for stamped in list(turn.events):
        shown.add(stamped)
    (card,) = [block for block in shown.view(()).get("blocks", ()) if block.get("approval")]
    step: Any = card
    assert step["code"] == "copilot.tools.lab_set_bias(volts=0.5)"
    effects = [(effect["does"], effect["what"], effect["note"]) for effect in step["approval"]["effects"]]
    assert (step["approval"]["runs"], effects) == ("tool", [("calls", "lab_set_bias", "lab: set_bias")])

    copilot.approvals.decide(Decision(waiting.proposal_id, waiting.code_hash, "approved", "ana"))
    turn.wait()
    assert turn.result().text.startswith("Done.")
    assert calls(log, "set_bias") == [{"volts": 0.5}]


def test_without_a_person_it_is_refused_with_the_hash_by_which_it_may_be_allowed(copilot: Copilot, log: Path) -> None:
    turn = copilot.start("Set the bias.")
    turn.wait()
    (asked,) = [each.event for each in turn.events if isinstance(each.event, ApprovalAsked)]
    refused = told(turn)[-1]
    assert refused["kind"] == "not_approved"
    assert f"%copilot approve {asked.proposal.code_hash}" in refused["error"]
    assert calls(log, "set_bias") == []

    copilot.approvals.approve(asked.proposal.code_hash)
    again = copilot.start("Again.")
    again.wait()
    assert told(again) == [{"text": "done"}]
    assert len(calls(log, "set_bias")) == 1


def test_people_call_its_reads_by_name_and_no_acts(copilot: Copilot, log: Path) -> None:
    assert copilot.tools.lab_read_temperature("mxc") == {"stage": "mxc", "mK": 10.5}
    assert "lab_set_bias" not in dir(copilot.tools)
    failure = copilot.call_tool("lab_set_bias", {"volts": 1}).failure
    assert failure is not None
    assert failure.kind == "not_approved"
    assert calls(log, "set_bias") == []
