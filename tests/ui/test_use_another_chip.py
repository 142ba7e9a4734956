"""Another chip of the same database: chosen in the panel, and by `%copilot chip`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from demo_chip import make_demo

from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.errors import CopilotBusy, PersonError
from qdash_jupyter.ui.magics import CopilotMagics
from qdash_jupyter.ui.options import DataOptions
from qdash_jupyter.ui.screen import _in_use
from tests.session.conversation import open_shell, without_settings


@pytest.fixture(scope="module")
def two_chips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    one = make_demo(size=16, days=6, chip_id="16Q-one")
    two = make_demo(size=36, days=6, chip_id="36Q-two", seed=8)
    names = {*one.documents, *two.documents}
    both = {name: [*one.documents.get(name, ()), *two.documents.get(name, ())] for name in names}
    folder = tmp_path_factory.mktemp("chips") / "snapshot"
    write_snapshot(both, folder, as_of=one.as_of, source="two chips", is_demo=True)
    return folder


@pytest.fixture
def magics(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, two_chips: Path) -> Iterator[CopilotMagics]:
    without_settings(monkeypatch, tmp_path)
    monkeypatch.setenv("QDASH_SNAPSHOT", str(two_chips))
    with open_shell() as shell:
        made = CopilotMagics(shell)
        made.app.use(DataOptions(chip="16Q-one"))
        shell.events.register("pre_run_cell", made.before_cell)
        yield made
        made.close()


def offered(magics: CopilotMagics) -> list[tuple[str, str, int, bool]]:
    about, _ = _in_use(magics.app.conversation)
    return [(chip["id"], chip["project"], chip["qubits"], chip["current"]) for chip in about["chips"]]


def test_the_other_chip_is_asked_and_what_was_fetched_stays(magics: CopilotMagics) -> None:
    assert offered(magics) == [("16Q-one", "demo", 16, True), ("36Q-two", "demo", 36, False)]
    magics.app.conversation.bind()
    before = magics.app.copilot.ask("Show T1 of the whole chip")
    magics.app.use_chip("demo", "36Q-two")

    assert offered(magics) == [("16Q-one", "demo", 16, False), ("36Q-two", "demo", 36, True)]
    assert set(before.frame_keys) <= set(magics.app.copilot.data)
    shell = magics.shell
    shell.run_cell("n = len(copilot.tools.get_chip_summary(param_names=['t1'])['qubits']); same = copilot.data is data")
    assert (shell.user_ns["n"], shell.user_ns["same"]) == (36, True)
    assert shell.user_ns["copilot"] is magics.app.copilot


def test_a_chip_that_is_not_there_changes_nothing(magics: CopilotMagics) -> None:
    before = magics.app.copilot
    with pytest.raises(PersonError, match="There is no chip '36Q-tow'"):
        magics.app.use_chip("demo", "36Q-tow")
    assert magics.app.copilot is before
    assert offered(magics)[0][3]


def test_not_while_a_question_runs(magics: CopilotMagics) -> None:
    turn = magics.app.copilot.start("Show T1 of the whole chip")
    with pytest.raises(CopilotBusy):
        magics.app.use_chip("demo", "36Q-two")
    turn.wait()
