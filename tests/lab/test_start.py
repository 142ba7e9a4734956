"""The command that starts the copilot in a notebook, from the palette to the kernel."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.lab.conftest import running_lab
from tests.lab.in_browser import SLOW_MS, Lab, Notebook, shot
from tests.lab.in_panel import Panel

KERNEL_IS_NEWER = "import qdash_jupyter.version; qdash_jupyter.version.__version__ = '9.9.9'"
START = "QDash Copilot: Start in this notebook"
HIDE_THE_PACKAGE = """\
import pathlib, sys
sys.path[:] = [folder for folder in sys.path if not pathlib.Path(folder, "qdash_jupyter").is_dir()]
"""


def test_start_leaves_no_trace_in_the_notebook(notebook: Notebook) -> None:
    notebook.choose_in_palette(START)
    expect(notebook.notification).to_contain_text("The QDash copilot is running in this notebook")
    expect(notebook.cells).to_have_count(1)
    answer = notebook.run("%copilot help")
    expect(answer.locator(".jp-InputPrompt")).to_have_text("[1]:")
    expect(answer.locator(".jp-OutputArea-output")).to_contain_text("%copilot")


def test_start_again_is_no_error(notebook: Notebook) -> None:
    notebook.run("%load_ext qdash_jupyter")
    notebook.choose_in_palette(START)
    expect(notebook.notification).to_contain_text("is running")


def test_start_waits_for_a_busy_kernel_and_for_a_cell_that_fails(notebook: Notebook) -> None:
    notebook.start("import time; time.sleep(4); 1 / 0")
    notebook.choose_in_palette(START)
    expect(notebook.notification).to_contain_text("Starting the QDash copilot")
    expect(notebook.notification).to_contain_text("is running")


def test_a_kernel_without_the_package_says_what_to_do(notebook: Notebook) -> None:
    notebook.run(HIDE_THE_PACKAGE)
    notebook.choose_in_palette(START)
    expect(notebook.notification).to_contain_text('run "pip install qdash_jupyter" there')


def test_a_kernel_of_a_newer_version_says_where_to_update(notebook: Notebook) -> None:
    panel = Panel.start(notebook, KERNEL_IS_NEWER)
    expect(panel.region).to_contain_text(re.compile(r"qdash_jupyter is 9\.9\.9 in the kernel, \S+ in JupyterLab\."))
    expect(panel.region).to_contain_text("Update it in the Jupyter server's environment, then reload the page.")
    expect(panel.answer("Show T1 of the whole chip")).to_contain_text("median")


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


def test_what_is_set_in_jupyterlab_counts_below_the_folders_own_file(lab: Lab, page: Page) -> None:
    """The settings editor shows them; a kernel in which the copilot starts afterwards, here by itself, has them."""
    home = lab.folder / "set"
    home.mkdir()
    (home / "copilot.yaml").write_text("limits: {max_seconds: 77}\n", encoding="utf-8")
    headers = {"Authorization": f"token {lab.token}"}
    kept = f"{lab.url}lab/api/settings/qdash-jupyter:copilots"
    own = '{"start": true, "language": {"response": "ja"}, "limits": {"max_seconds": 5}}'
    wider = page.request.put(kept, headers=headers, data={"raw": '{"policy": "trusted"}'})
    assert wider.status == 400  # there is no such setting
    put = page.request.put(kept, headers=headers, data={"raw": own})
    assert put.ok, put.text()
    try:
        notebook = Notebook.open(page, lab, lab.write_notebook("set/set in lab.ipynb", ""))
        Panel(page).wait_until_ready()
        told = notebook.run("%copilot config --explain").locator(".jp-OutputArea-output")
        expect(told.get_by_role("row").filter(has_text="language.response")).to_contain_text("JupyterLab's settings")
        expect(told.get_by_role("row").filter(has_text="limits.max_seconds")).to_contain_text("77")
        expect(told.get_by_role("row").filter(has_text="policy")).to_contain_text("guarded")
        page.get_by_role("menuitem", name="Settings", exact=True).click()
        page.get_by_role("menuitem", name=re.compile("^Settings Editor")).click()
        page.get_by_role("tab", name="QDash Copilot").first.click()
        shot(page, "settings-editor")
        expect(page.get_by_text("Rounds of tool calls before the model has to answer").first).to_be_visible()
    finally:
        page.request.put(kept, headers=headers, data={"raw": "{}"})


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
        expect(panel.region).to_contain_text("Copilot unloaded", timeout=SLOW_MS)
        notebook.run("1 + 1")
        expect(panel.region).to_contain_text("Copilot unloaded")


def restart_and_run_all(notebook: Notebook) -> None:
    page = notebook.page
    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_role("menuitem", name=re.compile("^Restart Kernel and Run All")).click()
    page.locator(".jp-Dialog").get_by_role("button", name="Confirm Kernel Restart").click()
