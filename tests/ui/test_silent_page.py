"""How long a page that says nothing is waited for before its cell goes elsewhere."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from qdash_jupyter.cells.shown_cell import CellPlace, ShownCell
from qdash_jupyter.domain.cell_run import CellRequest
from qdash_jupyter.domain.wire.kernel import KernelMessage
from qdash_jupyter.domain.wire.page import CellDeleted, CellInserted, ClientOpened
from qdash_jupyter.errors import PageLost
from qdash_jupyter.ui.link.page import PATIENT_S, READY_S, Page

PLACE = CellPlace("t", 1)
REQUEST = CellRequest("request", "cell", "1 + 1", "A test")


class Comm:
    """Keeps what was sent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)


class ScriptedPage(Page):
    """Answers or does not, and notes for how long it was waited for."""

    def __init__(self, *, alive: bool = False, can_hear: bool = True) -> None:
        super().__init__(Comm(), ClientOpened(client_id="tab"), "session", lambda: can_hear)
        self.alive = alive
        self.asked_for: list[tuple[str, float]] = []

    async def _answered(self, key: int | str, within_s: float, message: KernelMessage) -> Any:
        self.asked_for.append((message["type"], within_s))
        return await super()._answered(key, within_s, message) if self.alive else None

    async def lose(self, *, patient: bool) -> None:
        with pytest.raises(PageLost):
            await self.insert(ShownCell(REQUEST, PLACE, lambda _: None), patient=patient)


def test_the_only_page_is_waited_for_longer_once() -> None:
    async def scene() -> ScriptedPage:
        page = ScriptedPage()
        for _ in range(3):
            await page.lose(patient=True)
        return page

    page = asyncio.run(scene())
    assert page.asked_for == [("run_cell", PATIENT_S), ("ping", READY_S), ("ping", READY_S)]


def test_while_the_kernel_cannot_hear_a_stop_the_cell_waits_here() -> None:
    """In the page it would be queued behind the person's cell, before the Stop."""

    async def scene() -> ScriptedPage:
        page = ScriptedPage(can_hear=False)
        await page.lose(patient=True)
        return page

    assert asyncio.run(scene()).asked_for == [("ping", READY_S)]


def test_a_page_that_is_heard_again_is_worth_the_patience() -> None:
    async def scene() -> ScriptedPage:
        page = ScriptedPage()
        await page.lose(patient=True)
        page.heard()
        await page.lose(patient=True)
        await page.lose(patient=True)
        return page

    assert asyncio.run(scene()).asked_for == [("run_cell", PATIENT_S), ("run_cell", PATIENT_S), ("ping", READY_S)]


def test_a_page_beside_others_keeps_its_patience_for_later() -> None:
    async def scene() -> ScriptedPage:
        page = ScriptedPage()
        await page.lose(patient=False)
        await page.lose(patient=True)
        return page

    assert asyncio.run(scene()).asked_for == [("ping", READY_S), ("run_cell", PATIENT_S)]


@pytest.mark.parametrize("is_taken", [False, True])
def test_a_cell_that_comes_too_late_is_taken_out_unless_another_page_has_it(is_taken: bool) -> None:
    async def scene() -> list[str]:
        page = ScriptedPage()
        cell = ShownCell(REQUEST, PLACE, lambda _: None)
        with pytest.raises(PageLost):
            await page.insert(cell, patient=True)
        cell.is_taken = is_taken
        page.heard(CellInserted(type="cell_inserted", req_id="request", cell_id="cell", index=3))
        return [message["type"] for message in page.comm.sent]

    assert asyncio.run(scene()) == ([] if is_taken else ["remove_cell"])


def test_a_page_that_answers_gets_the_cell_and_reports_to_it() -> None:
    async def scene() -> list[bool]:
        page = ScriptedPage(alive=True)
        cell = ShownCell(REQUEST, PLACE, lambda _: None)
        insertion = asyncio.ensure_future(page.insert(cell, patient=True))
        await asyncio.sleep(0)
        page.heard(CellInserted(type="cell_inserted", req_id="request", cell_id="cell", index=3))
        await insertion
        before = cell.is_deleted
        page.heard(CellDeleted(type="cell_deleted", req_id="request", cell_id="cell"))
        return [before, cell.is_deleted]

    assert asyncio.run(scene()) == [False, True]
