"""The planner is not tuned to one chip: chips of seeds that were not used in writing it, and healthy ones."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.llm.offline.planner_questions import Chip, chip_on_disk, ids_in
from tests.llm.offline.scores import Score, answers, scores_of

SEEDS = range(2001, 2021)  # never to be tuned on: use 1 to 60 for that
HEALTHY_SEEDS = range(2001, 2007)


def chips(folder: Path, seeds: Iterable[int], *, faults: bool) -> Iterator[Chip]:
    """One after the other; a snapshot goes away when the next is made."""
    for seed in seeds:
        chip = chip_on_disk(folder / f"seed-{seed}", seed=seed, faults=faults)
        yield chip
        shutil.rmtree(chip.folder)


def check(scores: dict[str, Score]) -> None:
    assert all(score.true > 0 for score in scores.values())
    # Of T1 lost, 98 of 106 are named on these seeds; the other 8 are said to fluctuate or to be too noisy to tell.
    poor = {kind: score for kind, score in scores.items() if min(score.precision, score.told) < 0.95}
    assert poor == {}
    assert min(score.recall for score in scores.values()) >= 0.9, scores


def check_healthy(chip: Chip) -> None:
    for language, none in enumerate((("No", "Every"), ("ありません",))):
        for kind, asked in answers(chip, language).items():
            assert ids_in(asked.headlines[0]) == set(), chip.folder.name
            assert any(word in asked.headlines[0] for word in none) or kind == "dead", asked.headlines[0]
            assert asked.answer.assessment == "good", asked.text


@pytest.mark.long
@pytest.mark.timeout(900)
def test_named_against_truth(tmp_path: Path) -> None:
    check(scores_of(chips(tmp_path, SEEDS, faults=True)))


@pytest.mark.long
@pytest.mark.timeout(900)
def test_nothing_is_named_on_healthy_chips(tmp_path: Path) -> None:
    for chip in chips(tmp_path, HEALTHY_SEEDS, faults=False):
        check_healthy(chip)
