"""Questions to the offline planner on the real path: a demo snapshot, a session in an IPython shell, its answer."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demo_chip.generator import DemoChip, make_demo
from demo_chip.snapshot import write_curves
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from qdash_jupyter.config.manifest import OFFLINE
from qdash_jupyter.connect import open_copilot
from qdash_jupyter.data.calib_file import CALIB_FILE
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.domain.answer import Answer
from qdash_jupyter.domain.cell_run import CellStatus
from qdash_jupyter.llm.client import LLM
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.turn import Turn

_LABEL = re.compile(r"Q\d+(?:-Q\d+)?", re.ASCII)
_BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)


@dataclass(frozen=True)
class Chip:
    """A demo chip on disk, and its truth."""

    folder: Path
    made: DemoChip


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question with everything that came of it."""

    turn: Turn
    answer: Answer

    @property
    def text(self) -> str:
        return self.answer.text

    @property
    def headlines(self) -> list[str]:
        """The bold sentences: they name what was asked for."""
        return _BOLD.findall(self.text)

    @property
    def named(self) -> set[str]:
        """The ids that the bold sentences name, in QDash's form."""
        return {qid for line in self.headlines for qid in ids_in(line)}

    @property
    def codes(self) -> list[str]:
        """The code of every cell that ran."""
        return [run.request.code for run in self.turn.cells]

    @property
    def problems(self) -> list[str]:
        """What went wrong below the answer: cells that raised or were refused, and tools that failed."""
        bad = []
        for result in self.turn.tool_results:
            if result.failure is not None:
                bad.append(f"{result.call.name}: {result.failure.message}")
            elif result.cell is not None and result.cell.status is not CellStatus.OK:
                bad.append(f"{result.cell.status.value}: {result.content}\n{result.cell.request.code}")
            elif result.cell is not None and result.cell.text and not result.cell.text.startswith("Out["):
                bad.append(f"printed: {result.cell.text}")
        return bad


def ids_in(text: str) -> set[str]:
    """Every qubit and coupling that a text names: `Q04-Q01` as `4-1`."""
    return {re.sub(r"Q0*(\d)", r"\1", label) for label in _LABEL.findall(text)}


def chip_on_disk(folder: Path, *, curves: bool = False, **how: Any) -> Chip:
    """Make a demo chip and write its snapshot to `folder`."""
    made = make_demo(**how)
    if curves:
        folder.mkdir()
        write_curves(made, folder / CALIB_FILE)
    write_snapshot(made.documents, folder, as_of=made.as_of, source=f"generated for a test: {how}", is_demo=True)
    return Chip(folder, made)


OPENED: list[Copilot] = []
"""Each has a thread and three file descriptors until it is closed."""


def session(chip: Chip, names: Mapping[str, object] | None = None, **options: Any) -> Copilot:
    """A fresh conversation with the offline planner; the shell's namespace then holds `names` only."""
    return opened(chip, names, model=OFFLINE, **options)


def opened(chip: Chip, names: Mapping[str, object] | None = None, *, model: str | LLM, **options: Any) -> Copilot:
    """The same with a model of the settings, or with this one."""
    copilot = open_copilot(_emptied(names), reader=_reader(chip.folder), model=model, settings=options)
    OPENED.append(copilot)
    return copilot


def _emptied(names: Mapping[str, object] | None) -> InteractiveShell:
    """The shell, with nothing but `names`."""
    shell = _shell()
    shell.reset(new_session=False)
    shell.user_ns.update(names or {})
    return shell


def ask(copilot: Copilot, question: str) -> AnsweredQuestion:
    """Ask, run the cells on this thread, and give the answer."""
    turn = copilot.start(question)
    turn.wait()
    return AnsweredQuestion(turn, turn.result())


def namespace() -> dict[str, Any]:
    """What the person's names hold now."""
    names: dict[str, Any] = _shell().user_ns
    return names


@functools.cache
def _reader(folder: Path) -> SnapshotReader:
    """Opened once for all conversations: it costs as much as a short answer."""
    return SnapshotReader(folder)


@functools.cache
def _shell() -> InteractiveShell:
    # As in `qdash_jupyter.ui.cli`; one for the whole process, because IPython allows no second one.
    settings = Config()
    settings.HistoryManager.enabled = False
    settings.InteractiveShell.colors = "nocolor"
    settings.InteractiveShell.cache_size = 0  # else each reset collects garbage: a tenth of a second a question
    shell: InteractiveShell = InteractiveShell.instance(config=settings)
    return shell
