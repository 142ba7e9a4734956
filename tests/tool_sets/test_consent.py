"""A tool that acts on the outside world asks first, by the same approvals as code."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.policy import Policy
from qdash_jupyter.domain.answer import Answer
from qdash_jupyter.domain.consent import Decision, Verdict, hash_of
from qdash_jupyter.llm.scripted import ScriptedLLM, call_reply, text_reply
from qdash_jupyter.session.copilot import Copilot
from tests.patience import until
from tests.session.conversation import conversation, parts_with
from tests.tool_sets.sets import WRITING, built, rest
from tests.tool_sets.web import Says, Web

ARGUMENTS = {"title": "T1 of Q7"}
CODE = 'copilot.tools.ask_lab(title="T1 of Q7")'


@contextmanager
def desk(
    lab: Web, shell: InteractiveShell, snapshot: Path, policy: Policy = "guarded", *, calls: int = 1, seen: bool = True
) -> Iterator[Copilot]:
    lab.paths["/tickets"] = Says({"id": 1})
    tool = {"method": "POST", "path": "/tickets", "parameters": {"title": {"in": "body"}}}
    replies = [call_reply(("ask_lab", ARGUMENTS)) for _ in range(calls)]
    llm = ScriptedLLM([step for reply in replies for step in (reply, text_reply("Done."))])
    specs = built(rest(lab.url, tool), features=WRITING).specs
    with conversation(shell, parts_with(llm, snapshot, specs, Manifest(policy=policy))) as copilot:
        copilot.approvals.can_be_asked = lambda: seen
        yield copilot


def asked(copilot: Copilot, verdict: Verdict | None = None, **more: Any) -> Answer:
    turn = copilot.start("Write a ticket.")
    if verdict is not None:
        until(lambda: copilot.approvals.waiting is not None)
        waiting = copilot.approvals.waiting
        assert waiting is not None
        assert waiting.code == CODE
        [effect] = waiting.effects
        assert (waiting.runs, str(effect)) == ("tool", "calls `ask_lab`")
        assert effect.note == f"POST {more.pop('where')}/tickets"
        copilot.approvals.decide(Decision(waiting.proposal_id, waiting.code_hash, verdict, "ana", **more))
    turn.wait()
    return turn.result()


def told(copilot: Copilot) -> Sequence[dict[str, Any]]:
    return [json.loads(result.content) for turn in copilot.turns for result in turn.tool_results]


@pytest.mark.parametrize("policy", ["guarded", "review"])
def test_it_waits_for_a_yes(lab: Web, shell: InteractiveShell, snapshot: Path, policy: Policy) -> None:
    with desk(lab, shell, snapshot, policy) as copilot:
        asked(copilot, "approved", where=lab.url)
        assert told(copilot) == [{"answer": {"id": 1}}]
    assert [each.json for each in lab.asked] == [ARGUMENTS]


def test_a_no_and_another_call_reach_the_model_with_their_words(
    lab: Web, shell: InteractiveShell, snapshot: Path
) -> None:
    with desk(lab, shell, snapshot, calls=2) as copilot:
        asked(copilot, "rejected", where=lab.url, reason="Not today.")
        asked(copilot, "edited", where=lab.url, code="copilot.tools.ask_lab(title='Q8')")
        first, second = told(copilot)
    assert (first["kind"], first["error"]) == ("not_approved", "Not today.")
    assert "title='Q8'" in second["error"]
    assert lab.asked == []


def test_a_yes_for_the_conversation_is_asked_once(lab: Web, shell: InteractiveShell, snapshot: Path) -> None:
    with desk(lab, shell, snapshot, calls=3) as copilot:
        asked(copilot, "approved", where=lab.url, standing=True)
        asked(copilot)
        assert len(lab.asked) == 2
        [grant] = copilot.approvals.standing()
        assert grant.what == "ask_lab"
        assert copilot.approvals.revoke(grant.id)
        assert copilot.approvals.standing() == ()
        assert not copilot.approvals.revoke(grant.id)
        asked(copilot, "rejected", where=lab.url)
    assert len(lab.asked) == 2


def test_where_nobody_reads_it_is_refused_and_its_hash_allows_it(
    lab: Web, shell: InteractiveShell, snapshot: Path
) -> None:
    with desk(lab, shell, snapshot, calls=3, seen=False) as copilot:
        answer = asked(copilot)
        (refused,) = told(copilot)
        assert (refused["kind"], refused["may_retry"]) == ("not_approved", False)
        assert f"%copilot approve {hash_of(CODE)}" in refused["error"]
        assert f"**Not done**: no one was there to approve `POST {lab.url}/tickets`." in answer.text
        copilot.approvals.approve(hash_of(CODE))
        asked(copilot)
        assert len(lab.asked) == 1
        asked(copilot)
    assert len(lab.asked) == 1, "once"


@pytest.mark.parametrize(("policy", "calls"), [("insert_only", 0), ("trusted", 1)])
def test_the_other_policies_do_not_ask(
    lab: Web, shell: InteractiveShell, snapshot: Path, policy: Policy, calls: int
) -> None:
    with desk(lab, shell, snapshot, policy) as copilot:
        asked(copilot)
        assert (told(copilot)[0].get("kind") == "not_approved") is not bool(calls)
    assert len(lab.asked) == calls


def test_it_is_no_tool_of_python(lab: Web, shell: InteractiveShell, snapshot: Path) -> None:
    """Code of the copilot's could call it there, unasked."""
    with desk(lab, shell, snapshot) as copilot, pytest.raises(AttributeError, match="no tool 'ask_lab'"):
        copilot.tools.ask_lab(title="x")
    assert lab.asked == []
