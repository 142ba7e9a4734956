"""A command by the control comm of a tab and one by the panel's own channel are one and the same beyond the link."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import comm
import pytest

from qdash_jupyter.domain.wire.kernel import Ack
from qdash_jupyter.domain.wire.page import PageMessage, Resync, Stop
from qdash_jupyter.ui.link.control import CLIENT, ControlLink
from qdash_jupyter.ui.link.page import Page
from qdash_jupyter.ui.panel import CopilotPanel

STOP = {"v": 1, "type": "stop", "n": 7, "turn_id": None, "of_a_later_version": 1}
ACK: Ack = {"type": "ack", "of": 7, "ok": True, "turn_id": None, "message": ""}


@dataclass
class Wire:
    """The page's end of a comm or of the panel's channel."""

    comm_id: str = "c1"
    sent: list[dict[str, Any]] = field(default_factory=list)
    comm: None = None
    hear: Callable[..., None] = print

    def on_msg(self, hear: Callable[..., None]) -> None:
        self.hear = hear

    def on_close(self, _: Callable[..., None]) -> None:
        """It stays open."""

    def close(self) -> None:
        """With the link."""

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)


@dataclass
class Listener:
    """Acknowledges, and notes what came."""

    commands: list[tuple[PageMessage, str | None]] = field(default_factory=list)

    def page_opened(self, page: Page) -> None:
        """It is not answered."""

    def commanded(self, message: PageMessage, client_id: str | None, answer: Callable[[Ack], None]) -> None:
        self.commands.append((message, client_id))
        answer(ACK)


@pytest.fixture
def link() -> Iterator[tuple[ControlLink, Listener]]:
    listener = Listener()
    opened = ControlLink(listener, lambda call, *arguments: call(*arguments))
    opened.open()
    yield opened, listener
    opened.close()


def test_both_routes_lead_to_one_command(link: tuple[ControlLink, Listener]) -> None:
    control, listener = link
    tab, panel = Wire(), Wire()
    comm.get_comm_manager().targets[CLIENT](
        cast("Any", tab), {"header": {"session": "s"}, "content": {"data": {"v": 1, "client_id": "tab-1"}}}
    )
    control.listen_to(cast("CopilotPanel", panel))

    tab.hear({"content": {"data": STOP}})
    panel.hear(panel, STOP, [])
    panel.hear(panel, {"v": 1, "type": "dance"}, [])
    panel.hear(panel, {"v": 1, "type": "resync"}, [])

    stop = Stop(type="stop", n=7)
    assert listener.commands == [(stop, "tab-1"), (stop, None), (Resync(type="resync"), None)]
    assert tab.sent == [{"v": 1, **ACK}]
    assert panel.sent == [{"v": 1, **ACK}] * 2
