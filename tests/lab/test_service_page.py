"""The example page of the real service, in a browser that brings nothing but a link with the token."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.server.served import TOKEN, Served, served
from tests.session.conversation import small_demo

pytestmark = pytest.mark.lab


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("page")
    with served(folder, "--snapshot", str(small_demo(folder))) as running:
        yield running


def test_a_question_is_answered_with_a_chart_and_is_there_after_a_reload(browser: Browser, service: Served) -> None:
    """By the cookie of the login and the XSRF token: the page knows no token of its own."""
    context = browser.new_context()
    page = context.new_page()
    refused: list[str] = []
    page.on("response", lambda answer: refused.append(answer.url) if answer.status >= 400 else None)
    page.goto(f"{service.endpoint}/example.html?token={TOKEN}")
    page.get_by_role("textbox", name="Ask about your qubits").fill("Show a heatmap of T1")
    page.keyboard.press("Enter")
    expect(page.locator("article").get_by_text("T1: median")).to_be_visible()
    expect(page.locator("article .main-svg").first).to_be_visible()
    page.goto(f"{service.endpoint}/example.html")
    expect(page.locator("article").get_by_text("T1: median")).to_be_visible()
    context.clear_cookies()
    context.close()
    other = browser.new_context()
    elsewhere = other.new_page()
    elsewhere.goto(f"{service.endpoint}/example.html?token={TOKEN}")  # another browser: the session is on the server
    elsewhere.get_by_role("button", name="Show a heatmap of T1", exact=True).click()
    expect(elsewhere.locator("article").get_by_text("T1: median")).to_be_visible()
    other.close()
    assert not refused
