"""Questions to begin with suit what is open."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.messages.message import text_in
from qdash_jupyter.session.starters import STARTERS, starters_of

OWN = {"label": "Warm?", "prompt": "Was it warm?", "skill": "fridge"}


def labels(manifest: Manifest, reader: QDashReader, names: tuple[str, ...] = (), *, sees: bool = False) -> list[str]:
    (chip,) = reader.chips()
    return [str(one["prompt"]) for one in starters_of(manifest, reader, chip, names, is_language_model=sees)]


def test_those_of_the_demo_chip_are_the_ones_that_are_there_at_once(snapshot: Path) -> None:
    assert labels(Manifest(), SnapshotReader(snapshot)) == [*map(str, STARTERS)]


def test_a_chip_without_t1_is_not_asked_for_it(snapshot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = SnapshotReader(snapshot)
    nothing = pd.DataFrame({"parameter": ["qubit_frequency"]})
    monkeypatch.setattr(reader, "current_parameters", lambda _: nothing)
    assert labels(Manifest(), reader) == ["How is the chip?", "Heatmap of the qubit frequency"]


def test_a_language_model_is_asked_about_the_newest_table_and_to_read_a_skill(snapshot: Path) -> None:
    reader = SnapshotReader(snapshot)
    names = ("n: int", "scan: DataFrame 10 × 3", "old: DataFrame 1 × 1")
    assert labels(Manifest(), reader, names, sees=True) == ["What stands out in @scan?", *map(str, STARTERS[:3])]
    assert labels(Manifest(), reader, names) == [*map(str, STARTERS)]
    own = Manifest.model_validate({"starters": [OWN]})
    assert labels(own, reader, sees=True) == ["Was it warm? (Read the skill fridge first.)"]
    assert labels(own, reader) == ["Was it warm?"]


def test_in_japanese(snapshot: Path) -> None:
    reader = SnapshotReader(snapshot)
    (chip,) = reader.chips()
    said = starters_of(Manifest(), reader, chip, (), is_language_model=False)
    assert text_in(said[1]["prompt"], "ja") == "チップの状態は？"
