"""The shipped panel in a page of its own: JupyterLab's theme around it, the model and the labextension are fakes.

No Jupyter server is needed. Test modules get the fixtures by `pytest_plugins = ("tests.lab.panel_page",)`, and import
what they say and do with the panel from bare_panel.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.lab.bare_panel import PanelPage, load_anew
from tests.lab.conftest import FAILED

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "qdash_jupyter" / "ui" / "static"

# One model as anywidget hands it to a view, and a host that notes what it is asked. Canaries must stay alive.
PAGE = """<!doctype html><meta charset="utf-8"><title>panel</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="panel.css">
<style>body { margin: 0 } #place { width: 360px; height: 700px }</style>
<body class="jp-ThemedContainer" data-jp-theme-light="true" data-jp-theme-name="JupyterLab Light">
<div id="place" role="region" aria-label="QDash Copilot"></div>
<script type="module">
import panel, { renderMarkdown } from './panel.js';

const handlers = new Set();
const body = document.body.cloneNode(true);
const blank = () => ({ executed: [], sent: [], events: [], views: [], hosted: true, refuses: new Set() });
const kit = (window.kit = {
  renderMarkdown, render: panel.render, ...blank(),
  reset() {
    for (const { dispose } of kit.views) dispose();
    document.body.replaceWith(body.cloneNode(true));
    handlers.clear();
    localStorage.clear();
    sessionStorage.clear();
    delete kit.model.get;
    Object.assign(kit, blank());
  },
  model: {
    on: (name, callback) => { if (name === 'msg:custom') handlers.add(callback); },
    off: (name, callback) => handlers.delete(callback),
    send: message => kit.sent.push(structuredClone(message)),
  },
  get listeners() { return handlers.size; },
  receive(...messages) { for (const each of messages) for (const handler of [...handlers]) handler(each); },
  mount(id = 'place') {
    const el = document.createElement('div');
    document.getElementById(id).append(el);
    kit.views.push({ el, dispose: panel.render({ model: kit.model, el }) });
  },
  get root() { return kit.views.at(-1).el.querySelector('.qdash-panel'); },
  tell(type, detail) { kit.root.dispatchEvent(new CustomEvent('qdash:' + type, { detail })); },
  commands(type) { return kit.events.filter(e => e.type === 'command' && e.detail.type === type).map(e => e.detail); },
});
window.alert = window.canary = (...what) => kit.executed.push(String(what));

let n = 0;
const fake = {
  command: detail => { if (detail.type !== 'ask') detail.n = ++n; },
  render: detail => {
    detail.node.textContent = 'drawn';
    detail.done = Promise.resolve();
  },
  unrender: ({ node }) => node.replaceChildren(),
  highlight: ({ node, code }) => {
    node.replaceChildren(...code.split(/(?<= )/).map(word => {
      const span = document.createElement('span');
      span.textContent = word;
      span.style.color = ['var(--jp-mirror-editor-keyword-color, green)', ''][Number(!/^(import|for|in) $/.test(word))];
      return span;
    }));
  },
  insert: detail => { detail.cell_id = 'inserted'; },
  cells: detail => { detail.cells = [{ cell_id: 'c7', label: '[7]', first: 'fit.plot()' }]; },
  cell: detail => {
    const { cell_id } = detail;
    detail.cell = { cell_id, label: '[7]', code: 'fit.plot()', output: '', pictures: [], left_out: [], fix: false };
  },
};
for (const type of [...Object.keys(fake), 'mounted', 'typeset', 'reveal', 'open', 'attend']) {
  document.addEventListener('qdash:' + type, event => {
    if (kit.hosted && !kit.refuses.has(type)) {
      fake[type]?.(event.detail);
      const { node, done, ...detail } = event.detail ?? {};
      kit.events.push({ type, text: node?.textContent, detail: structuredClone(detail) });
      event.preventDefault();
    }
  });
}
kit.ready = true;
</script>
"""


class _Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        pages = {"/": ("text/html", PAGE.encode())}
        for name, kind in (("panel.js", "text/javascript"), ("panel.css", "text/css")):
            pages[f"/{name}"] = (kind, (STATIC / name).read_bytes())
        kind, body = pages.get(path, ("text/plain", b""))
        self.send_response(200 if path in pages else 404)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
        """Nothing: a test's output is for failures."""


@pytest.fixture(scope="session")
def panel_site() -> Iterator[str]:
    """The address of the page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Site) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@dataclass
class Trouble:
    """What a page did that it should not have done."""

    origin: str
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)


@pytest.fixture(scope="session")
def panel_tab(browser: Browser) -> Iterator[Page]:
    """The browser tab of these tests, and its page: loading it takes longer than most of them."""
    context = browser.new_context(viewport={"width": 360, "height": 700}, reduced_motion="reduce", locale="en-US")
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def panel_page(panel_site: str, panel_tab: Page, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page with nothing in it yet; at the end nothing failed, ran or was asked for that should not."""
    tab, context = panel_tab, panel_tab.context
    trouble = Trouble(panel_site)
    listeners: tuple[tuple[Any, str, Callable[[Any], None]], ...] = (
        (tab, "console", trouble.console),
        (tab, "pageerror", lambda error: trouble.errors.append(f"{error}\n{error.stack}")),
        (context, "request", lambda request: trouble.requests.append(request.url)),
    )
    for source, event, listener in listeners:
        source.on(event, listener)
    if tab.url != panel_site:
        tab.goto(panel_site)
        tab.wait_for_function("window.kit?.ready")
    own = {panel_site, f"{panel_site}panel.js", f"{panel_site}panel.css"}
    yield tab
    executed = tab.evaluate("window.kit?.executed ?? []")
    tab.evaluate("window.kit?.reset()")
    if FAILED in request.node.stash:
        load_anew(tab)
    for source, event, listener in listeners:
        source.remove_listener(event, listener)
    assert [url for url in trouble.requests if url not in own and not url.startswith(("data:,", "about:"))] == []
    assert trouble.errors == []
    assert executed == []


@pytest.fixture
def panel(panel_page: Page) -> PanelPage:
    """The panel in a sidebar, with a labextension and a kernel that has answered."""
    shown = PanelPage(panel_page)
    shown.theme("light")
    panel_page.evaluate("kit.mount()")
    shown.link()
    shown.snapshot()
    return shown
