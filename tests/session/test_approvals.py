"""Code that needs the kernel waits for a yes, and then runs there, exactly as it was shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.policy import Policy
from qdash_jupyter.domain.cell_run import CellStatus
from qdash_jupyter.domain.consent import CALLS, Decision, Effect, EffectKind, Proposal, Verdict, hash_of
from qdash_jupyter.domain.events import ApprovalAsked, ApprovalDecided
from qdash_jupyter.errors import PersonError
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.turn import Turn
from tests.patience import PATIENCE_S, until
from tests.session.conversation import conversation, parts_with
from tests.session.pages import ScriptedNotebook


class Awg:
    """An instrument that counts what is done to it."""

    def __init__(self) -> None:
        self.pulses = 0
        self.level = 0

    def output_on(self) -> None:
        self.pulses += 1

    def set_level(self, level: int) -> None:
        self.level = level


class Desk:
    """A conversation whose model wants to run these codes, and a user in front of it.

    This thread is the kernel's: it works until the user is asked, and goes on when they have decided.
    """

    def __init__(self, copilot: Copilot, awg: Awg) -> None:
        self.copilot, self.awg = copilot, awg

    def ask(self) -> Turn:
        turn = self.copilot.start("Do it.")
        turn.wait(may_leave=True)
        return turn

    def proposal(self) -> Proposal:
        until(lambda: self.copilot.approvals.waiting is not None)
        waiting = self.copilot.approvals.waiting
        assert waiting is not None
        return waiting

    def say(self, verdict: Verdict, **more: Any) -> Proposal:
        waiting = self.proposal()
        self.copilot.approvals.decide(
            Decision(waiting.proposal_id, waiting.code_hash, verdict, "ana, in a test", **more)
        )
        until(lambda: self.copilot.approvals.waiting is not waiting)
        for turn in self.copilot.turns:
            turn.wait(may_leave=True)
        return waiting


def told(turn: Turn) -> list[dict[str, Any]]:
    return [json.loads(result.content) for result in turn.tool_results]


def decisions(turn: Turn) -> list[Decision]:
    return [event.event.decision for event in turn.events if isinstance(event.event, ApprovalDecided)]


def effects(proposal: Proposal) -> list[str]:
    return [f"{effect.does} {effect.what}" for effect in proposal.effects]


Begin = Callable[..., Desk]


@pytest.fixture
def begin(shell: InteractiveShell, snapshot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    opened: list[Any] = []
    monkeypatch.chdir(tmp_path)

    def open_one(
        codes: Sequence[str],
        policy: Policy = "guarded",
        *,
        somebody: bool = True,
        notebook: ScriptedNotebook | None = None,
    ) -> Desk:
        calls = [("execute_python_analysis", {"code": code}) for code in codes]
        llm = ScriptedLLM([*(call_reply(call) for call in calls), text_reply("Done.")])
        manifest = Manifest(policy=policy)
        context = conversation(shell, parts_with(llm, snapshot, manifest=manifest), notebook=notebook)
        opened.append(context)
        copilot = context.__enter__()
        copilot.approvals.can_be_asked = lambda: somebody
        shell.user_ns["awg"] = Awg()
        return Desk(copilot, shell.user_ns["awg"])

    yield open_one
    for context in opened:
        context.__exit__(None, None, None)


def done(desk: Desk, turn: Turn) -> Turn:
    """The turn, with its cells run here."""
    turn.wait()
    assert turn.result().text.startswith("Done.")
    return turn


def test_nothing_happens_before_the_yes_and_then_exactly_that(begin: Begin, shell: InteractiveShell) -> None:
    desk = begin(["import math\nx = math.sqrt(4)\nawg.output_on()\n"])
    turn = desk.ask()

    proposal = desk.proposal()
    assert (desk.awg.pulses, "x" in shell.user_ns) == (0, False)
    desk.say("approved")
    done(desk, turn)

    assert effects(proposal) == ["uses awg.output_on"]
    assert (proposal.runs, proposal.effects[0].note) == ("kernel", "Awg")
    assert (desk.awg.pulses, shell.user_ns["x"]) == (1, 2.0)
    [result] = told(turn)
    assert result["status"] == "ok"
    [decision] = decisions(turn)
    assert (decision.verdict, decision.by) == ("approved", "ana, in a test")
    assert decision.code_hash == proposal.code_hash == hash_of("import math\nx = math.sqrt(4)\nawg.output_on()")
    [asked] = [event.event for event in turn.events if isinstance(event.event, ApprovalAsked)]
    assert asked.proposal == proposal


def test_a_no_with_its_reason_reaches_the_model(begin: Begin) -> None:
    desk = begin(["awg.output_on()\n"])
    turn = desk.ask()

    desk.say("rejected", reason="The fridge is warm.")
    done(desk, turn)

    assert desk.awg.pulses == 0
    [result] = told(turn)
    assert result["status"] == "rejected"
    assert result["class"] == "unknown"
    assert result["reason"].startswith("The fridge is warm.\nNot run, because the code\n- uses `awg.output_on`")


def test_edited_code_is_tried_and_asked_about_anew(begin: Begin) -> None:
    desk = begin(["awg.output_on()\n"])
    turn = desk.ask()

    first = desk.say("edited", code="awg.set_level(3)\n1 + 1")
    second = desk.say("approved")
    done(desk, turn)

    assert effects(second) == ["uses awg.set_level"]
    assert second.code_hash != first.code_hash
    assert (desk.awg.pulses, desk.awg.level) == (0, 3)
    [result] = told(turn)
    assert (result["status"], result["result"], result["edited"]) == ("ok", 2, "awg.set_level(3)\n1 + 1")
    assert [decision.verdict for decision in decisions(turn)] == ["edited", "approved"]


def test_what_only_computes_after_an_edit_runs_without_another_question(begin: Begin) -> None:
    desk = begin(["awg.output_on()\n"])
    turn = desk.ask()

    desk.say("edited", code="1 + 1")
    done(desk, turn)

    assert (told(turn)[0]["result"], desk.awg.pulses) == (2, 0)


def test_code_that_caught_the_refusal_is_asked_about(begin: Begin) -> None:
    desk = begin(["try:\n    awg.output_on()\nexcept Exception:\n    pass\nn = 1\n"])
    turn = desk.ask()

    assert effects(desk.say("rejected")) == ["uses awg.output_on"]
    done(desk, turn)

    assert (told(turn)[0]["status"], desk.awg.pulses) == ("rejected", 0)


def test_what_only_the_session_has_is_made_in_the_kernel_first(begin: Begin, shell: InteractiveShell) -> None:
    codes = ["pulses = iter([3, 5])", "n = 1", "awg.set_level(next(pulses) + n)"]
    desk = begin(codes)
    turn = desk.ask()

    proposal = desk.proposal()
    assert "pulses" not in shell.user_ns
    desk.say("approved")
    done(desk, turn)

    assert proposal.code == f"{codes[0]}\n\n{codes[2]}"
    assert (desk.awg.level, shell.user_ns["n"], next(shell.user_ns["pulses"])) == (4, 1, 5)


def test_a_yes_to_code_is_for_this_code_whatever_the_page_says(begin: Begin) -> None:
    desk = begin(["awg.output_on()\n", "awg.output_on()\n"])
    turn = desk.ask()

    first, second = desk.say("approved", standing=True), desk.say("rejected")
    done(desk, turn)

    assert effects(first) == effects(second) == ["uses awg.output_on"]
    assert desk.awg.pulses == 1
    assert desk.copilot.approvals.standing() == ()
    assert [decision.standing for decision in decisions(turn)] == [False, False]


@pytest.mark.parametrize("runs", ["session", "kernel", "tool"])
def test_only_a_tool_is_approved_for_the_conversation_and_until_its_end(begin: Begin, runs: Any) -> None:
    desk = begin([])
    approvals, loop = desk.copilot.approvals, desk.copilot._conversation.loop
    asked = Proposal("p1", "copilot.tools.pulse()", (Effect(EffectKind.ACTS, "pulse", CALLS),), runs=runs)
    waits = loop.submit(approvals.ask(asked, lambda _: None))
    desk.say("approved", standing=True)

    assert waits.result(PATIENCE_S).standing is (runs == "tool")
    assert [grant.what for grant in approvals.standing()] == ["pulse"] * (runs == "tool")

    approvals.approve("0123456789abcdef")
    desk.copilot.new()

    assert approvals.standing() == ()
    assert approvals._beforehand == []


def test_only_what_was_shown_can_be_approved_and_only_once(begin: Begin) -> None:
    desk = begin(["awg.output_on()\n"])
    turn = desk.ask()
    waiting = desk.proposal()
    approvals = desk.copilot.approvals

    with pytest.raises(PersonError, match="The code has changed"):
        approvals.decide(Decision(waiting.proposal_id, hash_of("other"), "approved"))
    with pytest.raises(PersonError, match="already been approved or rejected"):
        approvals.decide(Decision("an older one", waiting.code_hash, "approved"))
    approvals.decide(Decision(waiting.proposal_id, waiting.code_hash, "rejected"))
    until(lambda: approvals.waiting is None)
    with pytest.raises(PersonError, match="already been approved or rejected"):
        approvals.decide(Decision(waiting.proposal_id, waiting.code_hash, "approved"))
    done(desk, turn)
    assert desk.awg.pulses == 0


def test_review_asks_for_each_cell(begin: Begin) -> None:
    desk = begin(["1 + 1\n"], "review")
    turn = desk.ask()

    proposal = desk.say("approved")
    done(desk, turn)

    assert (proposal.effects, proposal.runs) == ((), "session")
    assert told(turn)[0]["result"] == 2


def test_insert_only_runs_nothing(begin: Begin) -> None:
    notebook = ScriptedNotebook()
    desk = begin(["awg.output_on()\n"], "insert_only", notebook=notebook)
    turn = desk.copilot.start("Do it.")
    assert turn.ended_within(PATIENCE_S)

    assert desk.awg.pulses == 0
    assert [asked.request.code for asked in notebook.asked] == ["awg.output_on()"]
    assert told(turn)[0]["status"] == "inserted"
    [run] = turn.cells
    assert (run.status, run.in_notebook) == (CellStatus.INSERTED, True)


def test_trusted_code_is_not_asked_about(begin: Begin) -> None:
    desk = begin(["awg.output_on()\n"], "trusted")
    turn = done(desk, desk.ask())

    assert desk.awg.pulses == 1
    assert decisions(turn) == []


def test_without_anybody_it_is_refused_with_the_way_to_allow_it(begin: Begin) -> None:
    desk = begin(["awg.output_on()\n"], somebody=False)
    turn = done(desk, desk.ask())

    assert desk.awg.pulses == 0
    [result] = told(turn)
    assert result["status"] == "rejected"
    digest = hash_of("awg.output_on()")
    assert f"%copilot approve {digest}" in result["reason"]
    assert f"%copilot approve {digest}" in turn.result().text


def test_approved_beforehand_by_its_hash_it_runs_once(begin: Begin) -> None:
    desk = begin(["awg.output_on()\n", "awg.output_on()\n"], somebody=False)
    desk.copilot.approvals.approve(hash_of("awg.output_on()")[:8])
    turn = done(desk, desk.ask())

    assert desk.awg.pulses == 1
    assert [result["status"] for result in told(turn)] == ["ok", "rejected"]
    assert [decision.verdict for decision in decisions(turn)] == ["approved", "rejected"]
    for wrong in ("", "123", "no hash", "12345678g"):
        with pytest.raises(PersonError, match="isn't the hash"):
            desk.copilot.approvals.approve(wrong)


def test_stopped_while_it_waits(begin: Begin) -> None:
    desk = begin(["awg.output_on()\n"])
    turn = desk.ask()
    desk.proposal()

    turn.stop()
    assert turn.ended_within(PATIENCE_S)

    assert desk.copilot.approvals.waiting is None
    assert desk.awg.pulses == 0


def test_the_file_that_is_there_is_said(begin: Begin, tmp_path: Path) -> None:
    (tmp_path / "report.csv").write_text("x" * 12_000)
    desk = begin(["import pandas as pd\npd.DataFrame({'a': [1]}).to_csv('report.csv', index=False)\n"])
    turn = desk.ask()

    [effect] = desk.say("approved").effects
    done(desk, turn)

    assert (str(effect.does), Path(str(effect.what)).name, str(effect.note)) == (
        "writes",
        "report.csv",
        "already exists, 12 kB",
    )
    assert (tmp_path / "report.csv").read_text() == "a\n1\n"


def test_code_that_is_no_python_fails_and_is_not_asked_about(begin: Begin) -> None:
    desk = begin(["f(\n"])
    turn = done(desk, desk.ask())

    assert decisions(turn) == []
    [result] = told(turn)
    assert result["status"] == "error"
    assert re.search("SyntaxError|IncompleteInputError", result["traceback"]), "the latter since Python 3.13"
