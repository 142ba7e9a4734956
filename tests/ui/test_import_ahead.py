from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import sys
from qdash_jupyter.ui.import_ahead import import_ahead
from qdash_jupyter import open_copilot

copilot = open_copilot(demo=True)
copilot.status()  # what the panel's greeting does
import_ahead()
before = set(sys.modules)
copilot.ask("Which qubits have the worst T1?")
print(*sorted(set(sys.modules) - before))
copilot.close()
"""


LOAD = """
import sys
from IPython.core.interactiveshell import InteractiveShell

InteractiveShell.instance().run_line_magic("load_ext", "qdash_jupyter")
print(*sys.modules)
"""


CELL = """
import sys
import time
from threading import Thread

from IPython.core.interactiveshell import InteractiveShell
from qdash_jupyter.ui.import_ahead import import_ahead

shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "qdash_jupyter")
Thread(target=import_ahead).start()
while "pandas.core" not in sys.modules:
    time.sleep(0.001)
print(shell.run_cell("from pandas.api.types import is_numeric_dtype").success)
"""


def test_a_cell_waits_for_libraries_that_are_being_imported() -> None:
    """It ended with "partially initialized module", and so did the thread (a process of its own: a second)."""
    ran = subprocess.run([sys.executable, "-c", CELL], capture_output=True, text=True, check=True)
    assert (ran.stdout.split()[-1], ran.stderr) == ("True", "")


def test_loading_the_extension_imports_no_settings_events_and_panel() -> None:
    """The models of the settings would be a third of what it costs, the others two fifths."""
    ran = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True)
    later = {"pandas", "plotly", "pydantic", "qdash_jupyter.domain.events", "qdash_jupyter.ui.panel_state"}
    assert not later & set(ran.stdout.split())


@pytest.mark.long
def test_the_first_question_imports_no_library_and_nothing_of_ours() -> None:
    """Takes some seconds: a process of its own, in which nothing is imported yet."""
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    imported = ran.stdout.split()
    assert not {
        "pandas",
        "plotly",
        "numpy",
        "pyarrow.parquet",
        "pyarrow.dataset",
        "pydantic",
        "plotly.graph_objects",
    } & set(imported)
    assert [name for name in imported if name.startswith("qdash_jupyter")] == []
