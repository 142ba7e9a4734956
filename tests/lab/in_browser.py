"""JupyterLab as the tests see it: a server with a folder of notebooks, and an open notebook to act on."""

import os
import re
import uuid
from dataclasses import dataclass
from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page, expect

# The first kernel of a cold machine reads a good part of site-packages.
SLOW_MS = 60_000
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
        expect(page.locator(".jp-NotebookPanel")).to_be_visible(timeout=SLOW_MS)
        # Until it has a kernel, the notebook's indicator says idle too.
        expect(page.locator(".jp-NotebookPanel .jp-KernelName")).to_contain_text("Python 3", timeout=SLOW_MS)
        opened = cls(page)
        opened.wait_until_idle()
        return opened

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


@dataclass(frozen=True)
class Held:
    """A cell that runs until it is let go."""

    cell: Locator
    flag: Path

    def let_go(self) -> None:
        """Its code is `until_there` of the flag."""
        self.flag.touch()


def until_there(flag: Path, then: str = "") -> str:
    """Code that goes on when the file is there."""
    return f"import pathlib, time\nwhile not pathlib.Path({str(flag)!r}).exists():\n    time.sleep(0.01)\n{then}"
