"""The command that starts the copilot in a notebook, from the palette to the kernel."""

from in_browser import Notebook
from playwright.sync_api import expect

START = "QDash Copilot: Start in this notebook"
HIDE_THE_PACKAGE = """\
import pathlib, sys
sys.path[:] = [folder for folder in sys.path if not pathlib.Path(folder, "qdash_jupyter").is_dir()]
"""


def test_start_from_the_palette(notebook: Notebook) -> None:
    notebook.choose_in_palette(START)
    expect(notebook.notification).to_contain_text("The QDash copilot is running in this notebook")
    answer = notebook.run("%copilot help")
    expect(answer.locator(".jp-OutputArea-output")).to_contain_text("%copilot")


def test_start_leaves_no_trace_in_the_notebook(notebook: Notebook) -> None:
    notebook.choose_in_palette(START)
    expect(notebook.notification).to_contain_text("is running", timeout=15_000)
    expect(notebook.cells).to_have_count(1)
    expect(notebook.run("1 + 1").locator(".jp-InputPrompt")).to_have_text("[1]:")


def test_start_again_is_no_error(notebook: Notebook) -> None:
    notebook.run("%load_ext qdash_jupyter")
    notebook.choose_in_palette(START)
    expect(notebook.notification).to_contain_text("is running", timeout=15_000)


def test_start_waits_for_a_busy_kernel(notebook: Notebook) -> None:
    notebook.start("import time; time.sleep(4)")
    notebook.choose_in_palette(START)
    expect(notebook.notification).to_contain_text("Starting the QDash copilot")
    expect(notebook.notification).to_contain_text("is running", timeout=15_000)


def test_a_kernel_without_the_package_says_what_to_do(notebook: Notebook) -> None:
    notebook.run(HIDE_THE_PACKAGE)
    notebook.choose_in_palette(START)
    expect(notebook.notification).to_contain_text('run "pip install qdash_jupyter" there')
