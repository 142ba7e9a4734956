"""A real JupyterLab and a real browser. `lab` is the server, `page` a tab of its own that watches for trouble."""

import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    ConsoleMessage,
    Page,
    Request,
    ViewportSize,
    WebError,
    expect,
    sync_playwright,
)

from tests.lab.in_browser import CLEAR, SLOW_MS, Lab, Notebook
from tests.patience import PATIENCE_S, end
from tests.scripted_server import ScriptedServer

ROOT = Path(__file__).parents[2]
OURS = "qdash-jupyter"
# Without these Chromium asks Google for updates and experiments: noise here, and refused on closed networks.
BROWSER_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

VIEWPORT = ViewportSize(width=1400, height=900)

FAILED = pytest.StashKey[bool]()

# The machine is busy with other tests; how fast things are is said by bench/.
expect.set_options(timeout=1000 * PATIENCE_S)


def is_ours(item: pytest.Item) -> bool:
    return item.path.is_relative_to(Path(__file__).parent)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """They run last: once Playwright's own event loop runs in this thread, no other test could use asyncio.run."""
    items.sort(key=is_ours)
    for item in filter(is_ours, items):
        item.add_marker("lab")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Adds a picture of the page to the report of a test that failed."""
    report = yield
    arguments = getattr(item, "funcargs", {})
    tab = arguments.get("page")
    if report.failed:
        item.stash[FAILED] = True
    if report.failed and isinstance(tab, Page) and not tab.is_closed() and "tmp_path" in arguments:
        picture = arguments["tmp_path"] / "page.png"
        tab.screenshot(path=picture)
        report.sections.append(("The page when it failed", str(picture)))
    return report


@dataclass
class Watch:
    """What a tab did that it should not have done."""

    origin: str
    foreign: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.netloc != self.origin:
            self.foreign.append(request.url)

    def error(self, told: WebError) -> None:
        self.errors.append(f"{told.error}\n{told.error.stack}")

    def console(self, message: ConsoleMessage) -> None:
        # JupyterLab logs errors of its own (a missing setting is a 404); only ours count.
        if message.type == "error" and (OURS in message.location["url"] or OURS in message.text):
            self.errors.append(message.text)


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """JupyterLab on a free port, with none of the person's own settings."""
    with running_lab(tmp_path_factory.mktemp("jupyter"), tmp_path_factory.mktemp("notebooks")) as running:
        yield running


@contextlib.contextmanager
def running_lab(
    home: Path,
    folder: Path,
    *options: str,
    disabled: tuple[str, ...] = (),
    starts_by_itself: bool = False,
    app: str = "jupyterlab",
    python: str | Path = sys.executable,
) -> Iterator[Lab]:
    """A server with more options, without some front-end extensions, or of another environment (the one with that
    interpreter); `app` may be `notebook`.
    """
    port = free_port()
    running = Lab(f"http://127.0.0.1:{port}/", secrets.token_hex(16), folder)
    # Otherwise JupyterLab asks whether it may fetch news, in a notification over ours.
    answer = home / "config/lab/user-settings/@jupyterlab/apputils-extension/notification.jupyterlab-settings"
    answer.parent.mkdir(parents=True)
    answer.write_text('{"fetchNews": "false", "checkForUpdates": false}')
    page_config = home / "config/labconfig/page_config.json"
    page_config.parent.mkdir(parents=True)
    told = {"disabledExtensions": dict.fromkeys(disabled, True)}
    page_config.write_text(json.dumps(told | ({"qdashCopilot": "start"} if starts_by_itself else {})))
    command = [
        *(python, "-m", app, "--no-browser", "--allow-root"),
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={running.token}",
        f"--ServerApp.root_dir={folder}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
        "--LabApp.expose_app_in_browser=True",
        *options,
    ]
    env = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "QDASH", "OPENAI"))}
    env |= {
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "IPYTHONDIR": str(home / "ipython"),
        # Conversations and logs go to the person's folders; the demo chip is made once for all tests.
        "XDG_DATA_HOME": str(home / "share"),
        "XDG_STATE_HOME": str(home / "state"),
    }
    log = home / "jupyterlab.log"
    with log.open("wb") as out, subprocess.Popen(command, cwd=folder, env=env, stdout=out, stderr=out) as server:
        try:
            wait_until_it_answers(running, server, log)
            yield running
        finally:
            try:
                end(server)
            finally:
                server.kill()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def wait_until_it_answers(lab: Lab, server: subprocess.Popen[bytes], log: Path, limit_s: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline and server.poll() is None:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{lab.url}api"):  # noqa: S310  # our own server
            return
        time.sleep(0.1)
    pytest.fail(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[BrowserType]:
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def browser(chromium: BrowserType) -> Iterator[Browser]:
    """The Chromium or Chrome of this machine, without a window."""
    launched = chromium.launch(executable_path=chromium_path(), args=BROWSER_OPTIONS)
    yield launched
    launched.close()


@contextlib.contextmanager
def running_browser() -> Iterator[Browser]:
    """The same, where there are no fixtures."""
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium_path(), args=BROWSER_OPTIONS)
        yield launched
        launched.close()


def chromium_path() -> str:
    found = subprocess.run([ROOT / "scripts" / "browser.sh"], stdout=subprocess.PIPE, text=True, check=True)
    return found.stdout.strip()


@pytest.fixture(scope="session")
def profile(chromium: BrowserType, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A browser that keeps the compiled scripts of JupyterLab, as a person's does: pages open a second sooner.

    `tab` watches all its pages: a page of another server than `lab` belongs in a context of its own.
    """
    context = chromium.launch_persistent_context(
        tmp_path_factory.mktemp("profile"),
        executable_path=chromium_path(),
        args=BROWSER_OPTIONS,
        viewport=VIEWPORT,
        reduced_motion="reduce",
    )
    context.set_default_timeout(30_000)
    yield context
    context.close()


@dataclass
class Tab:
    """JupyterLab, loaded once: parsing it takes three seconds. Tests open their notebooks in it one after the other;
    a new one takes its place when a test has failed in it or left it.
    """

    lab: Lab
    profile: BrowserContext
    watch: Watch
    page: Page | None = None

    def opened(self) -> Page:
        """With no document open."""
        if self.page is None:
            self.page = self.profile.new_page()
            self.page.goto(f"{self.lab.url}lab?reset&token={self.lab.token}")
            self.page.wait_for_function("window.jupyterapp?.restored.then(() => true)", timeout=SLOW_MS)
        self.page.set_viewport_size(VIEWPORT)
        return self.page

    def leave(self, *, failed: bool) -> None:
        """At the end of a test."""
        for other in self.profile.pages:
            if other is not self.page:
                other.close()
        if self.page is None or failed or self.page.is_closed() or not self.page.evaluate("'jupyterapp' in window"):
            end_kernels(self.lab, self.profile)
            if self.page is not None:
                self.page.close()
            self.page = None
        else:
            self.page.evaluate(CLEAR)


@pytest.fixture(scope="session")
def tab(lab: Lab, profile: BrowserContext) -> Tab:
    watch = Watch(urlsplit(lab.url).netloc)
    profile.on("request", watch.request)
    profile.on("console", watch.console)
    profile.on("weberror", watch.error)
    return Tab(lab, profile, watch)


@pytest.fixture
def page(tab: Tab, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """JupyterLab without a document; at the end no script has failed in it, and nothing was asked of another origin."""
    yield tab.opened()
    tab.leave(failed=FAILED in request.node.stash)
    watch, tab.watch.foreign, tab.watch.errors = replace(tab.watch), [], []
    assert watch.foreign == []
    assert watch.errors == []


def end_kernels(lab: Lab, context: BrowserContext) -> None:
    """Without their notebooks."""
    headers = {"Authorization": f"token {lab.token}"}
    for kernel in context.request.get(f"{lab.url}api/kernels", headers=headers).json():
        context.request.delete(f"{lab.url}api/kernels/{kernel['id']}", headers=headers)


@pytest.fixture
def new_kernel(lab: Lab, tab: Tab) -> None:
    """For a test that restarts its kernel: by the server's words it is again that of the first notebook then."""
    end_kernels(lab, tab.profile)


@pytest.fixture
def notebook(lab: Lab, page: Page, request: pytest.FixtureRequest) -> Notebook:
    """The tab with an empty notebook open and its kernel ready."""
    return Notebook.show(page, lab, lab.write_notebook(f"{request.node.name}.ipynb", ""))


@pytest.fixture
def model() -> Iterator[ScriptedServer]:
    """A model's server with nothing to say yet; `configured` makes a kernel use it."""
    with ScriptedServer() as server:
        yield server
