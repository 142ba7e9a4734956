"""JupyterLab as the tests see it: a server with a folder of notebooks, and an open notebook to act on."""

import os
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page, WebSocket, expect

# The first kernel of a cold machine reads a good part of site-packages.
SLOW_MS = 60_000
# What the test before has left: its documents are closed, and a kernel with nothing to do waits for the next notebook.
CLEAR = """async () => {
    const { shell, serviceManager: { sessions } } = jupyterapp;
    for (const widget of [...shell.widgets('main')]) {
        if (widget.context) widget.context.model.dirty = false;  // nobody is asked whether to save
        widget.dispose();
    }
    await sessions.refreshRunning();
    const [kept, ...others] = sessions.running();
    for (const each of others) await sessions.shutdown(each.id);
    if (!kept) return;
    const session = sessions.connectTo({ model: kept });
    const tooLate = new Promise(done => setTimeout(done, 10_000, 'it is busy'));
    if (await Promise.race([session.kernel.info, tooLate]) === 'it is busy') await session.shutdown();
    else await session.setPath('free');
    session.dispose();
}"""
SHOW = """async ([path, code]) => {
    const { commands, serviceManager: { sessions } } = jupyterapp;
    await sessions.refreshRunning();
    const free = [...sessions.running()].find(each => each.path === 'free');
    if (free) {
        const session = sessions.connectTo({ model: free });
        await session.kernel.requestExecute({ code, silent: true }).done;
        await session.setPath(path);
        session.dispose();
    }
    await commands.execute('docmanager:open', { path, factory: 'Notebook' });
}"""
REOPEN = """async name => {
    const shown = [...jupyterapp.shell.widgets('main')].find(each => each.context?.path.endsWith(name));
    const { path } = shown.context;
    await shown.context.save();
    shown.dispose();
    await jupyterapp.commands.execute('docmanager:open', { path, factory: 'Notebook' });
}"""
# As a new kernel of that notebook, but for the packages that are imported.
EMPTIED = """%unload_ext qdash_jupyter
get_ipython().reset()
import os
os.chdir({folder!r})
for name in [name for name in os.environ if name.startswith(("QDASH", "OPENAI"))]:
    del os.environ[name]
os.environ["JPY_SESSION_NAME"] = {path!r}
del name, os
"""
# "[7]:" once a cell has ended, "[*]:" while it runs.
NUMBERED = re.compile(r"\[\d+\]:")

SHOTS = os.environ.get("SHOTS")
"""A folder for pictures, to look at what a test has done."""


def shot(page: Page, name: str) -> None:
    """A picture, where somebody wants them."""
    if SHOTS:
        page.wait_for_timeout(600)
        page.screenshot(path=Path(SHOTS) / f"{name}.png")


@dataclass(frozen=True)
class Lab:
    """A running JupyterLab."""

    url: str
    token: str
    folder: Path

    def write_notebook(self, name: str, *sources: str, kernel: str = "python3") -> Path:
        """A saved notebook with one code cell per source."""
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(source) for source in sources],
            metadata={"kernelspec": {"name": kernel, "display_name": "Python 3", "language": "python"}},
        )
        path = self.folder / name
        nbformat.write(notebook, path)
        return path

    def address(self, notebook: Path) -> str:
        """Where a tab finds that notebook, in a workspace swept clean."""
        return f"{self.url}lab/tree/{notebook.relative_to(self.folder).as_posix()}?reset&token={self.token}"


@dataclass(frozen=True)
class Notebook:
    """An open notebook, driven as a person would: by what is written on the screen."""

    page: Page

    @classmethod
    def open(cls, page: Page, lab: Lab, path: Path) -> "Notebook":
        page.goto(lab.address(path))
        opened = cls(page)
        opened.wait_until_there()
        return opened

    @classmethod
    def show(cls, page: Page, lab: Lab, path: Path) -> "Notebook":
        """Opens it in a tab that JupyterLab has been loaded into, with the emptied kernel of the test before."""
        emptied = EMPTIED.format(folder=str(path.parent), path=str(path))
        page.evaluate(SHOW, [path.relative_to(lab.folder).as_posix(), emptied])
        opened = cls(page)
        opened.wait_until_there()
        return opened

    def reopen(self, path: Path) -> None:
        """Closes it and opens it again: what is there then comes from disk and kernel."""
        self.page.evaluate(REOPEN, path.name)
        self.wait_until_there()

    def wait_until_there(self) -> None:
        expect(self.page.locator(".jp-NotebookPanel")).to_be_visible(timeout=SLOW_MS)
        # Until it has a kernel, the notebook's indicator says idle too.
        expect(self.page.locator(".jp-NotebookPanel .jp-KernelName")).to_contain_text("Python 3", timeout=SLOW_MS)
        self.wait_until_idle()

    def wait_until_idle(self) -> None:
        """Until the kernel has done all it was asked; it shows in the notebook's toolbar."""
        idle = self.page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']")
        expect(idle).to_be_visible(timeout=SLOW_MS)

    @property
    def cells(self) -> Locator:
        return self.page.locator(".jp-Notebook .jp-CodeCell")

    def start(self, source: str) -> Locator:
        """Types the code into the last cell and runs it, without waiting for it."""
        name = uuid.uuid4().hex  # the agent may insert cells above it
        self.cells.last.evaluate("(cell, name) => { cell.dataset.name = name }", name)
        cell = self.page.locator(f".jp-CodeCell[data-name='{name}']")
        cell.locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(source)
        self.page.keyboard.press("Shift+Enter")
        return cell

    def run(self, source: str) -> Locator:
        """The same, and the cell has ended when it comes back."""
        cell = self.start(source)
        expect(cell.locator(".jp-InputPrompt")).to_have_text(NUMBERED, timeout=SLOW_MS)
        return cell

    def choose_in_palette(self, label: str) -> None:
        self.page.keyboard.press("ControlOrMeta+Shift+C")
        palette = self.page.locator(".jp-ModalCommandPalette")
        palette.locator("input").fill(label)
        palette.locator(".lm-CommandPalette-item", has_text=label).click()

    @property
    def notification(self) -> Locator:
        """The last message that JupyterLab shows at the corner of the window."""
        return self.page.locator(".Toastify__toast").last

    def hide_notification(self) -> None:
        """So that it covers nothing, and the next one is not taken for it."""
        self.notification.get_by_role("button", name="Hide notification").click()
        expect(self.page.locator(".Toastify__toast")).to_have_count(0)


@dataclass(frozen=True)
class Held:
    """A cell that runs until it is let go."""

    cell: Locator
    flag: Path

    def let_go(self) -> None:
        """Its code is `until_there` of the flag."""
        self.flag.touch()


def sources_of(cells: Locator) -> list[str]:
    """What stands in their editors, which come a moment after the cells. The browser has no `innerText` of those out of
    sight.
    """
    editors = cells.locator(".cm-content")
    for editor in editors.all():
        expect(editor).not_to_have_text("")
    lines = "all => all.map(each => [...each.querySelectorAll('.cm-line')].map(line => line.textContent).join('\\n'))"
    return [text.strip() for text in editors.evaluate_all(lines)]


def follow(socket: WebSocket, sent: list[str], received: list[str] | None = None) -> None:
    """Notes what the page sends and receives on it; in the messages of kernels JSON stands between other bytes."""

    def noted_in(messages: list[str]) -> Callable[[str | bytes], None]:
        return lambda message: messages.append(
            message if isinstance(message, str) else message.decode("utf-8", "replace")
        )

    socket.on("framesent", noted_in(sent))
    if received is not None:
        socket.on("framereceived", noted_in(received))


def until_there(flag: Path, then: str = "") -> str:
    """Code that goes on when the file is there."""
    return f"import pathlib, time\nwhile not pathlib.Path({str(flag)!r}).exists():\n    time.sleep(0.01)\n{then}"
