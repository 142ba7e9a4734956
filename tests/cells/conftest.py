"""A plain shell, and one kernel for all tests that need a real one: it starts in two seconds of the processor."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.inline import InlineCellHost
from qdash_jupyter.cells.namespace import Namespace
from tests.cells.lab_bench import Lab, open_lab
from tests.session.conversation import open_shell


@pytest.fixture(scope="session")
def running_lab() -> Iterator[Lab]:
    with open_lab() as opened:
        opened.person("import numpy, pandas, matplotlib.pyplot, plotly.io").done()  # no test stops in these imports
        opened.be_patient(30)
        yield opened


@pytest.fixture
def lab(running_lab: Lab) -> Lab:
    running_lab.removed.clear()
    return running_lab


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    with open_shell() as opened:
        yield opened


@pytest.fixture
def host(shell: InteractiveShell) -> InlineCellHost:
    return InlineCellHost(shell, Namespace(shell.user_ns))
