"""Tools that act on the outside world: the user is asked about each call, and gets exactly what they approved."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from qdash_jupyter.cells.approver import NOBODY, Approver, Nobody
from qdash_jupyter.cells.host import NoCells
from qdash_jupyter.config.policy import Policy
from qdash_jupyter.domain.consent import Decision, Proposal, hash_of
from qdash_jupyter.domain.effects import Grant
from qdash_jupyter.domain.events import ApprovalAsked, ApprovalDecided, ToolFinished, ToolStarted
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolOutput, ToolSpec, Words
from qdash_jupyter.tools.toolbox import Toolbox
from tests.tools.test_toolbox import toolbox


class Bias(ToolArguments):
    channel: int
    volts: float = 0.0


class Source:
    """A current source that counts what is done to it."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.set: list[tuple[int, float]] = []

    def spec(self, **more: Any) -> ToolSpec:
        return ToolSpec("lab_set_bias", Words("Set a bias"), "", "", Bias, self.run, effect="act", **more)

    def run(self, args: Bias, _: ToolContext) -> ToolOutput:
        time.sleep(self.seconds)
        self.set.append((args.channel, args.volts))
        return ToolOutput(content={"set": args.volts})


class Person:
    """Somebody who says these things, one after the other, and takes their time."""

    def __init__(self, *said: dict[str, Any], seconds: float = 0.0) -> None:
        self.said, self.seconds = list(said), seconds
        self.asked: list[Proposal] = []
        self.grants: tuple[Grant, ...] = ()

    def standing(self) -> tuple[Grant, ...]:
        return self.grants

    async def ask(self, proposal: Proposal, publish: Callable[[Any], None]) -> Decision:
        publish(ApprovalAsked(proposal))
        self.asked.append(proposal)
        await asyncio.sleep(self.seconds)
        decision = Decision(proposal.proposal_id, proposal.code_hash, **self.said.pop(0))
        if decision.standing:
            self.grants = tuple(effect.grant for effect in proposal.effects)
        publish(ApprovalDecided(decision))
        return decision


APPROVED = {"verdict": "approved", "by": "ana"}


def asked(
    spec: ToolSpec, person: Approver, policy: Policy = "guarded", *, volts: float = 0.5, box: Toolbox | None = None
) -> tuple[dict[str, Any], list[Any]]:
    made = (box or toolbox(spec)).for_turn(NoCells(), "en", person, policy)
    call = ToolCall("a", spec.name, json.dumps({"volts": volts, "channel": 3}))

    async def collect() -> list[Any]:
        return [event async for event in made.run([call])]

    events = asyncio.run(collect())
    (end,) = [event for event in events if isinstance(event, ToolFinished)]
    return json.loads(end.result.content), events


def test_nothing_is_done_before_the_yes() -> None:
    source, person = Source(), Person(APPROVED)
    told, events = asked(source.spec(), person)
    assert (told, source.set) == ({"set": 0.5}, [(3, 0.5)])
    assert [type(event) for event in events] == [ToolStarted, ApprovalAsked, ApprovalDecided, ToolFinished]
    (proposal,) = person.asked
    assert proposal.code == 'lab_set_bias({\n  "channel": 3,\n  "volts": 0.5\n})'
    assert [(effect.does, effect.what, effect.note) for effect in proposal.effects] == [
        ("calls", "lab_set_bias", "Set a bias")
    ]


def test_a_no_reaches_the_model_with_its_reason() -> None:
    source = Source()
    told, _ = asked(source.spec(), Person({"verdict": "rejected", "by": "ana", "reason": "The fridge is warm."}))
    assert source.set == []
    assert told["error"] == "lab_set_bias was not called. The fridge is warm."
    assert (told["kind"], told["may_retry"]) == ("not_approved", False)


def test_an_edited_call_is_asked_about_anew_and_is_the_one_that_is_made() -> None:
    source = Source()
    edited = {"verdict": "edited", "by": "ana", "code": 'lab_set_bias({"channel": 3, "volts": 0.1})'}
    person = Person(edited, APPROVED)
    asked(source.spec(), person)
    assert source.set == [(3, 0.1)]
    assert '"volts": 0.1' in person.asked[1].code


@pytest.mark.parametrize("code", ["", "lab_set_bias({", 'lab_set_bias({"volts": 1})', "import os"])
def test_what_an_edit_leaves_unreadable_is_not_called(code: str) -> None:
    source = Source()
    told, _ = asked(source.spec(), Person({"verdict": "edited", "by": "ana", "code": code}))
    assert source.set == []
    assert told["kind"] == "not_approved"


def test_a_standing_yes_is_for_this_tool_whatever_its_arguments() -> None:
    source, person = Source(), Person(APPROVED | {"standing": True})
    box = toolbox(source.spec(), replace(source.spec(), name="lab_reset"))
    for volts in (0.1, 0.2):
        asked(source.spec(), person, volts=volts, box=box)
    assert len(person.asked) == 1
    person.said.append({"verdict": "rejected"})
    told, _ = asked(replace(source.spec(), name="lab_reset"), person, box=box)
    assert (told["kind"], len(person.asked)) == ("not_approved", 2)


def test_review_asks_each_time_also_where_a_yes_stands() -> None:
    source, person = Source(), Person(APPROVED | {"standing": True}, APPROVED)
    for _ in range(2):
        asked(source.spec(), person, "review")
    assert (len(person.asked), len(source.set)) == (2, 2)


def test_trusted_asks_nobody_and_insert_only_calls_nothing() -> None:
    source, person = Source(), Person()
    assert asked(source.spec(), person, "trusted")[0] == {"set": 0.5}
    told, _ = asked(source.spec(), person, "insert_only")
    assert "insert_only" in told["error"]
    assert (len(source.set), person.asked) == (1, [])


def test_where_nobody_can_be_asked_it_is_refused() -> None:
    source = Source()
    told, _ = asked(source.spec(), Nobody())
    assert (told["kind"], source.set) == ("not_approved", [])
    assert "Nobody can be asked here." in told["error"]
    assert NOBODY == "nobody"


def test_the_hash_of_a_call_does_not_depend_on_the_order_of_its_arguments() -> None:
    person = Person(APPROVED, APPROVED)
    made = toolbox(Source().spec()).for_turn(NoCells(), "en", person)

    async def run(arguments: str) -> None:
        async for _ in made.run([ToolCall("a", "lab_set_bias", arguments)]):
            pass

    asyncio.run(run('{"channel": 1, "volts": 2}'))
    asyncio.run(run('{"volts": 2, "channel": 1}'))
    first, second = person.asked
    assert first.code_hash == second.code_hash == hash_of(first.code)


def test_the_time_limit_is_for_the_call_and_not_for_the_person() -> None:
    source = Source()
    told, _ = asked(source.spec(timeout_s=0.2), Person(APPROVED, seconds=0.4))
    assert told == {"set": 0.5}
    told, _ = asked(Source(seconds=1).spec(timeout_s=0.05), Person(APPROVED))
    assert told["kind"] == "timed_out"
    assert "may have happened" in told["try_instead"]


def test_a_removed_tool_is_unknown_from_the_next_question_on() -> None:
    source = Source()
    box = toolbox(source.spec())
    assert len(box.schemas()) == 1
    box.remove(["lab_set_bias"])
    assert box.schemas() == ()
    told, _ = asked(source.spec(), Nobody(), box=box)
    assert told["kind"] == "unknown_tool"
    box.add(source.spec())
    assert asked(source.spec(), Nobody(), "trusted", box=box)[0] == {"set": 0.5}
