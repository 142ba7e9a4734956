"""A conversation that is kept is written as a notebook or as Markdown without being gone on with."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from qdash_jupyter.domain.safe_text import one_line
from qdash_jupyter.errors import PersonError
from qdash_jupyter.llm.offline.planner import OfflinePlanner
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.journal import Journal
from qdash_jupyter.session.kept import KeptConversations
from qdash_jupyter.session.parts import Status
from qdash_jupyter.ui.export import _provenance
from qdash_jupyter.ui.options import DataOptions
from tests.session.conversation import made, open_shell, parts_with
from tests.ui.in_app import PanelOfApp


def test_as_a_notebook_and_as_markdown(
    app_panel: PanelOfApp, demo16: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / "data" / name)
    folder = tmp_path / "data" / "qdash-jupyter" / "conversations"
    with open_shell() as shell:
        journal = Journal("0" * 32, None, folder)
        copilot = made(shell, parts_with(OfflinePlanner(), demo16), journal=lambda *_: journal)
        copilot.ask("How is the chip?")
        copilot.close()
    app = app_panel.app
    cells = json.loads(app.exported("0" * 32))["cells"]
    assert "".join(cells[0]["source"]) == "# How is the chip?"
    assert "".join(cells[1]["source"]) == "%load_ext qdash_jupyter\n%copilot use --chip 16Q-demo"
    assert any("chip_summary" in "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    markdown = app.exported("0" * 32, as_markdown=True)
    day = f"{copilot.turns[0].asked_at:%Y-%m-%d}"
    assert markdown.startswith(f"# How is the chip?\n\n{day} · 16Q-demo\n\n## How is the chip?")
    KeptConversations().rename("0" * 32, "Monday")
    assert app.exported("0" * 32, as_markdown=True).startswith("# Monday\n")
    assert app.conversation.turns == ()
    with pytest.raises(PersonError, match="no longer exists"):
        app.exported("f" * 32)
    with pytest.raises(PersonError, match="Nothing has been asked yet"):
        app.exported()


def test_a_hostile_name_of_a_chip_is_a_word_in_the_notebook() -> None:
    """It comes from a database, and stands in Markdown and in the options of a magic."""
    name = "64Q\n\n![x](https://evil.example/?q)<img src=x onerror=alert(1)>'; import os\nos.system('id')"
    chip = Message("chip-in-use", chip=name, project="p", count=64)
    about = Status("demo", chip, "m", "", is_language_model=True, problems=0)
    said = _provenance(about, "en")
    assert "\n" not in said
    assert "![" not in said
    assert "<img" not in said
    line = DataOptions(chip=name).line()
    assert len(line.splitlines()) == 1
    assert shlex.split(line)[1] == one_line(name)
