"""The command that starts the copilot in a notebook, from the palette to the kernel."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.lab.conftest import Tab, end_kernels, running_lab
from tests.lab.in_browser import SLOW_MS, Lab, Notebook, until_there
from tests.lab.in_panel import Panel

START = "QDash Copilot: Start in This Notebook"
HIDE_THE_PACKAGE = """\
import pathlib, sys
before = list(sys.path)
sys.path[:] = [folder for folder in sys.path if not pathlib.Path(folder, "qdash_jupyter").is_dir()]
"""
INSTALL_A_NEWER_ONE = """\
sys.path[:] = before
import qdash_jupyter.version
qdash_jupyter.version.__version__ = "9.9.9"
"""


def test_start_waits_for_a_cell_that_fails_and_leaves_no_trace(notebook: Notebook, tmp_path: Path) -> None:
    """From the palette; a second start is no error."""
    held = notebook.start(until_there(tmp_path / "go-on", "1 / 0"))
    notebook.choose_in_palette(START)
    expect(notebook.notification).to_contain_text("Starting QDash Copilot")
    (tmp_path / "go-on").touch()
    expect(notebook.notification).to_contain_text("QDash Copilot is running in this notebook")
    expect(held).to_contain_text("ZeroDivisionError")
    expect(notebook.cells).to_have_count(2)
    answer = notebook.run("%copilot help")
    expect(answer.locator(".jp-InputPrompt")).to_have_text("[2]:")
    expect(answer.locator(".jp-OutputArea-output")).to_contain_text("%copilot")
    # A cell with our magic has one above that loads it, so that the notebook runs in a new kernel; once.
    expect(notebook.cells.nth(1).locator(".cm-content")).to_have_text("%load_ext qdash_jupyter")
    notebook.run("%copilot help")
    expect(notebook.cells).to_have_count(5)
    notebook.hide_notification()
    notebook.choose_in_palette(START)
    expect(notebook.notification).to_contain_text("is running")


@pytest.mark.long  # two kernels of its own
@pytest.mark.usefixtures("new_kernel")
def test_a_kernel_without_the_package_then_with_a_newer_one(lab: Lab, tab: Tab, notebook: Notebook) -> None:
    """Each time it says what to do where."""
    notebook.run(HIDE_THE_PACKAGE)
    notebook.choose_in_palette(START)
    expect(notebook.notification).to_contain_text("Run “pip install qdash_jupyter” there")
    notebook.hide_notification()
    panel = Panel.start(notebook, INSTALL_A_NEWER_ONE)
    expect(panel.region).to_contain_text(re.compile(r"qdash_jupyter is 9\.9\.9 in the kernel, \S+ in JupyterLab\."))
    expect(panel.region).to_contain_text("Update it in the Jupyter server's environment, then reload the page.")
    expect(panel.answer("Show T1 of the whole chip")).to_contain_text("median")
    end_kernels(lab, tab.profile)


@pytest.mark.long
def test_an_extension_of_a_newer_version_says_where_to_update(lab: Lab, page: Page) -> None:
    page.route(re.compile("/extensions/qdash-jupyter/static/remoteEntry"), newer)
    notebook = Notebook.open(page, lab, lab.write_notebook("newer extension.ipynb", ""))
    panel = Panel.start(notebook)
    expect(panel.region).to_contain_text(re.compile(r"qdash_jupyter is \S+ in the kernel, 9\.9\.9 in JupyterLab\."))
    expect(panel.region).to_contain_text("Update it in the kernel's environment, then restart the kernel.")
    expect(panel.answer("Show T1 of the whole chip")).to_contain_text("median")


def newer(route: Route) -> None:
    """Serves the built extension as if its version were 9.9.9."""
    body, times = re.subn(r"""(["'`])0\.\d+\.\d+\1""", r"\g<1>9.9.9\g<1>", (response := route.fetch()).text())
    assert times == 1, "the version stands in the script once"
    route.fulfill(response=response, body=body)


@pytest.mark.long
def test_where_it_starts_by_itself_it_does_so_after_a_restart_and_not_after_unloading(
    tmp_path: Path, browser: Browser
) -> None:
    """As `make demo` has it set up, in a JupyterLab of its own: that takes seven seconds to start."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    with (
        running_lab(tmp_path / "home", folder, starts_by_itself=True) as lab,
        # In a narrow window the toolbar hides the kernel's indicator.
        browser.new_context(viewport={"width": 1400, "height": 900}) as profile,
    ):
        cells = ("import time; time.sleep(1)", "1 / 0", "'never'")
        notebook = Notebook.open(profile.new_page(), lab, lab.write_notebook("by-itself.ipynb", *cells))
        panel = Panel(notebook.page)
        panel.wait_until_ready()
        panel.answer("Show T1 of the whole chip")
        restart_and_run_all(notebook)
        expect(panel.turns).to_contain_text("gone", timeout=SLOW_MS)  # the result, with the kernel that had it
        panel.wait_until_ready()
        # The start came to a kernel that executes a queue, of which a failure drops the rest.
        expect(notebook.cells.locator(".jp-InputPrompt")).to_have_text(["[1]:", "[2]:", "[ ]:"])
        panel.answer("Which qubits have the lowest T1?")
        notebook.run("%unload_ext qdash_jupyter")
        expect(panel.region).to_contain_text("The copilot was unloaded", timeout=SLOW_MS)
        notebook.run("1 + 1")
        expect(panel.region).to_contain_text("The copilot was unloaded")


def restart_and_run_all(notebook: Notebook) -> None:
    page = notebook.page
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_role("menuitem", name=re.compile("^Restart Kernel and Run All")).click()
    page.locator(".jp-Dialog").get_by_role("button", name="Confirm Kernel Restart").click()
