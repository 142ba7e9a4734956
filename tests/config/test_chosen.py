"""The model that the user chose in the panel is remembered for all kernels, or it is said why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from qdash_jupyter.config import chosen
from qdash_jupyter.config.disk import not_kept
from qdash_jupyter.config.manifest import ModelSection


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(chosen, "user_folder", lambda _: tmp_path / "ours")
    return tmp_path / "ours"


def test_it_is_remembered_and_forgotten(folder: Path) -> None:
    assert not folder.exists()
    chosen.choose_model("ours", ModelSection(name="gpt-5"))
    assert chosen.chosen_model({}) == {"models": {"ours": {"name": "gpt-5"}}, "orchestrator": {"deployment": "ours"}}
    chosen.choose_none()
    assert chosen.chosen_model({}) == {}
    assert not not_kept()


def test_where_it_cannot_be_kept_is_said(folder: Path) -> None:
    folder.write_text("a file where the folder should be", encoding="utf-8")
    chosen.choose_model("ours", ModelSection(name="gpt-5"))
    assert "the model" in str(not_kept())
    assert str(folder) in str(not_kept())
