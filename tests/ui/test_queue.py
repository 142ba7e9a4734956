"""Questions that wait for the end of the running one: sent one after the other, once; or kept until the user says."""

from __future__ import annotations

import pytest

from qdash_jupyter.errors import PersonError
from qdash_jupyter.ui.queue import MOST
from tests.patience import until
from tests.ui.in_app import PanelOfApp


def test_questions_are_asked_in_their_order_each_when_the_one_before_is_answered(app_panel: PanelOfApp) -> None:
    assert app_panel.ask("a")["turn_id"]
    assert [app_panel.ask(each) for each in "bc"] == [
        {"type": "ack", "of": each, "ok": True, "turn_id": None, "message": ""} for each in "bc"
    ]
    assert [one["text"] for one in app_panel.waiting] == ["Question b", "Question c"]
    app_panel.let()
    until(lambda: app_panel.asked == ["a", "b"])
    until(lambda: [one["ask_id"] for one in app_panel.waiting] == ["c"])
    app_panel.let(2)
    app_panel.until_idle(3)
    assert app_panel.asked == ["a", "b", "c"]
    assert app_panel.waiting == []


def test_a_question_that_comes_twice_is_asked_once(app_panel: PanelOfApp) -> None:
    app_panel.ask("a")
    for ask_id in ("b", "b", "a"):
        assert app_panel.ask(ask_id)["ok"]
    assert [one["ask_id"] for one in app_panel.waiting] == ["b"]
    app_panel.let(3)
    app_panel.until_idle(2)
    assert app_panel.ask("b")["turn_id"] == app_panel.app.conversation.turns[1].turn_id
    assert app_panel.asked == ["a", "b"]


def test_stop_stops_what_runs_and_keeps_what_waits(app_panel: PanelOfApp) -> None:
    app_panel.ask("a")
    app_panel.ask("b")
    app_panel.stop()
    app_panel.until_idle(1)
    assert [(one["ask_id"], one["held"]) for one in app_panel.waiting] == [("b", True)]
    app_panel.let()
    app_panel.ask("c")  # a new one goes before those that are held, and they stay
    app_panel.until_idle(2)
    app_panel.say(type="unqueue", n=2, ask_id="b")
    app_panel.say(type="unqueue", n=3, ask_id="b")
    until(lambda: 3 in app_panel.acks)
    assert (app_panel.acks[2]["ok"], app_panel.acks[3]["ok"]) == (True, False)
    assert app_panel.asked == ["a", "c"]
    assert app_panel.waiting == []


@pytest.mark.parametrize("fails", [True, False])
def test_what_ended_without_an_answer_sends_nothing_after_it(app_panel: PanelOfApp, *, fails: bool) -> None:
    app_panel.ask("a")
    app_panel.ask("b")
    if fails:
        app_panel.model.error = PersonError("No model.", "Start it.")
        app_panel.let()
    else:
        app_panel.app.conversation.stop()  # elsewhere: by the kernel's Interrupt, or copilot.stop()
    until(lambda: [one["held"] for one in app_panel.waiting] == [True])
    assert app_panel.asked == ["a"]


def test_a_question_waits_with_what_it_is_about(app_panel: PanelOfApp) -> None:
    cell = {"label": "[7]", "code": "t1.plot()", "output": "", "pictures": ["AAAA"], "cell_id": "c7"}
    result = {"task": "CheckT1", "qid": "3", "execution_id": None, "task_id": None}
    app_panel.ask("a")
    app_panel.ask("b", cell=cell)
    app_panel.ask("c", analysis=result)
    assert app_panel.waiting[0]["cell"] == cell | {"left_out": [], "fix": False, "selected": False}
    assert app_panel.waiting[1]["analysis"] == result
    app_panel.let(2)
    until(lambda: len(app_panel.asked) == 3)
    about = app_panel.app.conversation.turns[1].analysis
    assert getattr(about, "code", None) == "t1.plot()"


def test_so_many_wait_and_no_more(app_panel: PanelOfApp) -> None:
    app_panel.ask("a")
    acks = [app_panel.ask(f"q{place}") for place in range(MOST + 1)]
    assert [ack["ok"] for ack in acks] == [True] * MOST + [False]
    assert acks[-1]["message"] == "20 questions are already waiting. Remove one, or wait until one is answered."
