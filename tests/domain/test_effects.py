"""What code needs, in words, and what logs of earlier versions say of it."""

from __future__ import annotations

import json
from typing import Any

from qdash_jupyter.domain.consent import WRITES, Effect, EffectKind, each_once, why_not_run
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.codec import Decoder


def test_each_effect_is_told_once_with_its_way_out() -> None:
    writes, uses = (
        Effect(EffectKind.FILES, "a.csv", WRITES),
        Effect(EffectKind.UNKNOWN, "awg.on", Message("effect-uses")),
    )
    effects = each_once([writes, uses, writes, Effect(EffectKind.FILES, "a.csv", WRITES, note="new")])
    assert str(why_not_run(effects)) == (
        "Not run, because the code\n"
        "- writes `a.csv` (files). End the cell with the table so that the user can save it.\n"
        "- uses `awg.on` (unknown). Ask the user to do it, or compute it from data."
    )
    many = [Effect(EffectKind.FILES, f"{number}.csv", WRITES) for number in range(7)]
    assert str(why_not_run(many)).endswith("There are 2 more reasons.")


def test_logs_of_earlier_versions_are_read() -> None:
    """They have kinds, objects and grants that nothing makes any more."""
    grant = {"type": "grant", "kind": "mutates", "what": "df", "does": "changes", "target": 99}
    effect = {"type": "effect", "kind": "rebinds", "what": "df", "does": "binds", "line": 3, "target": 99}
    proposal = {"type": "proposal", "proposal_id": "p", "code": "df = 1", "effects": [effect], "done": [effect]}
    request = {"type": "cell_request", "request_id": "r", "cell_id": "c", "code": "df = 1", "grants": [grant]}
    asked = _event({"type": "approval_asked", "proposal": proposal}).proposal
    read = Effect(EffectKind.UNKNOWN, "df", "binds")
    assert (asked.code, asked.effects) == ("df = 1", (read,))
    moved = _event({"type": "cell_moved", "request": request, "stage": "running", "in_notebook": True})
    assert moved.request.code == "df = 1"


def _event(event: dict[str, Any]) -> Any:
    stamped = {"type": "event", "turn_id": "t", "seq": 1, "at": "2026-01-01T00:00:00+00:00", "event": event}
    read: Any = Decoder().decode(json.dumps(stamped).encode())
    return read.event
