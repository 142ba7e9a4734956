"""The example page of the HTTP service in a browser, with a server that says what each test wants."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import plotly
import pytest
from playwright.sync_api import Browser, Page, Route, expect

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "qdash_jupyter/server/static"
PLOTLY = Path(plotly.__file__).with_name("package_data") / "plotly.min.js"
RECORDED = (ROOT / "tests/wire/chat-stream.sse").read_bytes()
BASE = "http://lab.example/qdash/copilot"
STREAM = {"Content-Type": "text/event-stream"}


@dataclass
class Service:
    """Answers the page's requests; `stream` is what the next question gets, None leaves it waiting."""

    stream: bytes | None = RECORDED
    refusal: tuple[int, dict[str, object]] | None = None
    token: str = ""
    has_plotly: bool = True
    sessions: dict[str, Any] = field(default_factory=dict)
    asked: list[Any] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def answer(self, route: Route) -> None:
        request = route.request
        if not request.url.startswith(BASE):
            self.foreign.append(request.url)
            return route.abort()
        path = urlsplit(request.url).path.removeprefix("/qdash/copilot")
        if path.startswith("/static/"):
            file = PLOTLY if path.endswith("/plotly.min.js") else STATIC / Path(path).name
            return route.fulfill(path=file) if file != PLOTLY or self.has_plotly else route.fulfill(status=404)
        if self.token and request.headers.get("authorization") != f"token {self.token}":
            return route.fulfill(status=403, json={"detail": "Forbidden"})
        if path == "/chat/stream":
            self.asked.append(request.post_data_json)
            return self._answer_question(route)
        return self._answer_session(route, path.removeprefix("/chat/sessions/"))

    def _answer_question(self, route: Route) -> None:
        if self.refusal:
            status, said = self.refusal
            route.fulfill(status=status, json=said)
        elif self.stream is not None:
            route.fulfill(body=self.stream, headers=STREAM)

    def _answer_session(self, route: Route, name: str) -> None:
        if route.request.method == "POST":
            sent: Any = route.request.post_data_json
            self.sessions[sent["session_id"]] = sent
        elif route.request.method == "DELETE":
            del self.sessions[name]
        if name == "/chat/sessions":
            listed = [{**about, "message_count": 0, "messages": None} for about in self.sessions.values()]
            return route.fulfill(json={"sessions": listed})
        return route.fulfill(json=self.sessions.get(name, {}))


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def page(browser: Browser, service: Service) -> Iterator[Page]:
    """The page at 360 px; at the end no script has failed in it, and it has asked nobody else."""
    errors: list[str] = []
    context = browser.new_context(viewport={"width": 360, "height": 740}, locale="en-US")
    context.route("**/*", service.answer)
    tab = context.new_page()
    tab.on("pageerror", lambda error: errors.append(str(error)))
    yield tab
    context.close()
    assert not errors
    assert not service.foreign


def opened(page: Page) -> Page:
    page.goto(f"{BASE}/static/example.html")
    return page


def ask(page: Page, question: str = "Which qubits lost T1?") -> None:
    page.get_by_role("textbox", name="Ask about your qubits").fill(question)
    page.keyboard.press("Enter")


def result(*texts: str, assessment: str | None = None) -> bytes:
    blocks = [{"type": "text", "content": text, "chart": None} for text in texts]
    return f"event: result\ndata: {json.dumps({'blocks': blocks, 'assessment': assessment})}\n\n".encode()


@pytest.mark.long
def test_a_recorded_answer_is_shown_and_is_there_after_a_reload(page: Page, service: Service) -> None:
    opened(page).get_by_label("Chip").fill("64Qv2")
    ask(page)
    for _ in range(2):
        expect(page.locator(".badge")).to_have_text("Warning")
        expect(page.locator(".text table td").first).to_have_text("Q012")
        expect(page.locator("figure .js-line")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth") == page.viewport_size["width"]  # pyrefly: ignore[unsupported-operation]
        page.reload()
    assert service.asked[0]["chip_id"] == "64Qv2"
    assert len(service.sessions) == 1


@pytest.mark.long  # the page of an example
def test_sessions_are_switched_and_deleted(page: Page, service: Service) -> None:
    opened(page)
    for question in "First", "Second":
        ask(page, question)
        expect(page.locator(".badge")).to_be_visible()
        page.locator("#new-too").click()
    page.get_by_label("Sessions").click()
    page.get_by_role("button", name="First", exact=True).click()
    expect(page.locator("article h2")).to_have_text("First")
    page.get_by_label("Sessions").click()
    page.locator(".session.current").hover()
    page.get_by_role("button", name="Delete: First").click()
    expect(page.locator(".session")).to_have_text(["Second"])
    assert [about["title"] for about in service.sessions.values()] == ["Second"]


def test_what_a_model_writes_does_and_loads_nothing(page: Page, service: Service) -> None:
    service.stream = result(
        "<img src=x onerror='window.hit = 1'><script>window.hit = 1</script>[a](javascript:window.hit=1)"
        "![b](https://elsewhere.example/b.png)<iframe src='https://elsewhere.example'></iframe>"
        "<svg onload='window.hit = 1'></svg> <b style='position:fixed' onclick='window.hit=1'>T1</b>"
    )
    ask(opened(page), "<img src=x onerror='window.hit = 1'>")
    expect(page.locator(".text b")).to_have_text("T1")
    expect(page.locator("main").locator("img, iframe, svg[onload], script, [style], [onclick]")).to_have_count(0)
    assert page.evaluate("window.hit") is None
    assert page.locator(".text a[href]").evaluate_all("all => all.map(each => each.href)") == [
        "https://elsewhere.example/b.png"
    ]


@pytest.mark.long
def test_a_refused_question_says_why_and_can_be_asked_again(page: Page, service: Service) -> None:
    service.refusal = 400, {"detail": "The request is not valid.", "violations": ["qid: no such qubit"]}
    ask(opened(page))
    expect(page.get_by_role("alert")).to_contain_text("The request is not valid.")
    expect(page.get_by_role("alert").get_by_role("listitem")).to_have_text("qid: no such qubit")
    service.refusal = None
    page.get_by_role("button", name="Ask again").click()
    expect(page.locator(".badge")).to_have_text("Warning")
    expect(page.locator("article")).to_have_count(1)


@pytest.mark.long
def test_stop_ends_a_question(page: Page, service: Service) -> None:
    service.stream = None
    ask(opened(page))
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped")).to_be_visible()
    service.stream = RECORDED
    ask(page)
    expect(page.locator(".badge")).to_have_text("Warning")


@pytest.mark.long
def test_it_asks_for_a_token_only_where_one_is_needed(page: Page, service: Service) -> None:
    service.token = "secret"
    opened(page).get_by_label("Token").fill("wrong")
    page.get_by_role("button", name="Connect").click()
    expect(page.get_by_role("alert")).to_have_text("Forbidden")
    page.get_by_label("Token").fill("secret")
    page.get_by_role("button", name="Connect").click()
    ask(page)
    expect(page.locator(".badge")).to_have_text("Warning")


@pytest.mark.long
def test_without_plotly_it_says_that_charts_cannot_be_drawn(page: Page, service: Service) -> None:
    service.has_plotly = False
    ask(opened(page))
    expect(page.locator("figure")).to_contain_text("plotly.min.js is missing")
    expect(page.locator(".text table")).to_be_visible()
