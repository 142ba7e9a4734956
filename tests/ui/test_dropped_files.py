"""A table that is dropped on the panel is there for the next question; what cannot be read is said."""

from __future__ import annotations

import base64

from qdash_jupyter.domain.analysis import situation_in
from tests.patience import until
from tests.ui.in_app import PanelOfApp

CSV = base64.b64encode(b"qid,t1\n7,61.4\n").decode()


def test_it_is_stored_and_can_be_named(app_panel: PanelOfApp) -> None:
    data = app_panel.app.conversation.data
    app_panel.say(type="file", n=4, name="T1 scan.csv", data=CSV)
    until(lambda: "t1_scan" in data)
    assert app_panel.acks[4]["ok"]
    turn = app_panel.app.conversation.start("What is @t1_scan?")
    until(lambda: app_panel.model.requests)
    app_panel.let()
    until(lambda: turn.done)
    told = situation_in(app_panel.model.requests[0].items[-1])["named_in_the_question"]["t1_scan"]
    assert (told["type"], told["rows"], list(told["columns"])) == ("copilot.data['t1_scan']", 1, ["qid", "t1"])


def test_what_cannot_be_read_is_refused_once_that_is_known(app_panel: PanelOfApp) -> None:
    app_panel.say(type="file", n=4, name="a.parquet", data=CSV)
    until(lambda: not app_panel.acks.get(4, {}).get("ok", True))
    assert "Can't read a.parquet" in app_panel.acks[4]["message"]
    assert not app_panel.app.conversation.data
