"""`%load_ext` where the user has opened a conversation already, as `copilot`."""

from __future__ import annotations

from pathlib import Path

import pytest

import qdash_jupyter
from qdash_jupyter.data.demo import DEMO
from tests.session.conversation import open_shell, without_settings


@pytest.mark.long
def test_a_conversation_that_is_open_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was replaced: 0 turns, empty data."""
    without_settings(monkeypatch, tmp_path)
    with open_shell() as shell:
        mine = qdash_jupyter.open_copilot(shell, settings={"database": {"snapshot": str(DEMO)}})
        shell.user_ns["copilot"] = mine
        try:
            mine.ask("Which qubits lost T1 in the last 30 days?")
            shell.run_line_magic("load_ext", "qdash_jupyter")
            assert shell.user_ns["copilot"] is mine
            assert (len(mine.turns), list(mine.data)) == (1, ["t1"])
            shell.run_cell("%copilot ask How many qubits does the chip have?")
            assert len(mine.turns) == 2
            shell.run_line_magic("unload_ext", "qdash_jupyter")
            assert shell.user_ns["copilot"] is mine
            mine.ask("Which qubits lost T1 in the last 30 days?")
            assert len(mine.turns) == 3
        finally:
            mine.close()


def test_without_one_there_is_a_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_settings(monkeypatch, tmp_path)
    with open_shell() as shell:
        shell.run_line_magic("load_ext", "qdash_jupyter")
        assert len(shell.user_ns["copilot"].turns) == 0
        shell.run_line_magic("unload_ext", "qdash_jupyter")
        assert "copilot" not in shell.user_ns
