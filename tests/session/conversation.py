"""A conversation in a real IPython shell, with a model and tools that a test chooses."""

from __future__ import annotations

import atexit
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.domain.events import StampedEvent
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.kernel.shell_kernel import ShellKernel
from qdash_jupyter.llm.client import LLM
from qdash_jupyter.session.conversation import Conversation
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.parts import BuildParts, Given, Parts
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.chips import ChipScope
from qdash_jupyter.tools.spec import ToolContext, ToolSpec
from qdash_jupyter.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell


def small_demo(folder: Path) -> Path:
    """A demo chip of 16 qubits and 40 days, made once and copied into this folder."""
    return shutil.copytree(Path(_small_demo().name) / "snapshot", folder / "snapshot")


@cache
def _small_demo() -> TemporaryDirectory[str]:
    """Kept to the end of the process. What bench holds is out of the reach of processes that import this module."""
    from demo_chip.snapshot import write_demo_snapshot

    made = TemporaryDirectory(prefix="demo16-")
    write_demo_snapshot(Path(made.name) / "snapshot", seed=7, size=16, days=40)
    return made


@contextmanager
def open_shell() -> Iterator[InteractiveShell]:
    """A shell without history on disk, which is this process's shell as long as it is open."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    try:
        yield shell
    finally:
        shell.restore_sys_module_state()
        InteractiveShell.clear_instance()
        # Each shell would collect garbage at the end of the process, which takes half a second.
        atexit.unregister(shell.atexit_operations)


def without_settings(monkeypatch: Any, folder: Path) -> None:
    """Neither variables nor files of the person who runs the tests count. Nor do the world's certificates, which each
    client of a model's server would load for 20 ms.
    """
    for name in os.environ:
        if name.startswith(("QDASH_", "OPENAI_", "MONGO_", "DEFAULT_")):
            monkeypatch.delenv(name)
    monkeypatch.setattr("platformdirs.user_config_path", lambda name: folder / "home" / name)
    monkeypatch.setattr("platformdirs.site_config_path", lambda name: folder / "site" / name)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", str(folder))
    monkeypatch.chdir(folder)


@cache
def reader_of(snapshot: Path) -> QDashReader:
    """One for all conversations on it, as opening it takes 25 ms. Who is given a reader does not close it."""
    return SnapshotReader(snapshot)


def parts_with(
    llm: LLM, snapshot: Path, specs: Sequence[ToolSpec] = BUILTIN_TOOLS, manifest: Manifest | None = None
) -> BuildParts:
    """Everything as in real life, but for the model and perhaps the tools."""

    def build(namespace: Any, store: Any) -> Parts:
        given = Given(reader=reader_of(snapshot))
        context = ToolContext(reader_of(snapshot), store, namespace, ChipScope())
        toolbox = Toolbox(specs, context)
        return Parts(manifest or Manifest(), context.reader, llm, toolbox, MetricTable(), lambda _: llm, given=given)

    return build


def made(shell: InteractiveShell, build: BuildParts, notebook: Any = None, **doors: Any) -> Copilot:
    inside = Conversation(ShellKernel(shell, Namespace(shell.user_ns), notebook), build, **doors)
    copilot = Copilot(inside)
    inside.bind()
    return copilot


@contextmanager
def conversation(shell: InteractiveShell, build: BuildParts, notebook: Any = None, **doors: Any) -> Iterator[Copilot]:
    copilot = made(shell, build, notebook, **doors)
    try:
        yield copilot
    finally:
        copilot.close()


def names(events: Sequence[StampedEvent]) -> list[str]:
    return [type(stamped.event).__name__ for stamped in events]
