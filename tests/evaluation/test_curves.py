"""The evaluation of curves: what it counts, and that the judge reaches its goals on a few curves."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import demo_chip
import pytest
from demo_chip.curves import FAMILIES, OTHER_FAULTS, faults_of
from eval.curves.__main__ import page
from eval.curves.judged import Judged, judged
from eval.curves.report import alarms_of, code_of, coverage_of, headline, trust_of

from qdash_jupyter.methods.curves.codes import Code, Trust


@pytest.fixture(scope="module")
def rows() -> list[Judged]:
    """The first families of a seed that neither the limits nor the page were made with."""
    return list(islice(judged([90]), 40))


def test_it_is_as_wide_as_promised() -> None:
    assert len(FAMILIES) >= 8
    for family in FAMILIES:
        faults = set(faults_of(family)) - {"GOOD"}
        assert len(faults) >= 12, family
        assert faults <= {*map(str, Code), *OTHER_FAULTS}, family
    assert not set(OTHER_FAULTS) & set(Code)


@pytest.mark.long
def test_the_goals_are_reached() -> None:
    """Every family with every fault, twice."""
    rows = list(judged(range(90, 92)))
    for count, goal in ((trust_of, 0.97), (code_of, 0.92)):
        right, of = count(rows)
        assert of > 240
        assert right / of >= goal
    wrong, good = alarms_of(rows)
    assert good > 35
    assert wrong <= 1
    inside, told = coverage_of(rows, 2.0)
    assert told > 50
    assert inside / told > 0.88  # of so few, 95 % may be less


def test_wrong_verdicts_are_counted_as_wrong(rows: list[Judged]) -> None:
    def blind(one: Judged) -> Judged:
        return Judged(one.made, replace(one.verdict, code=Code.BAD_DATA, fit=Trust.UNRELIABLE))

    worse = [blind(one) for one in rows]
    assert code_of(worse)[0] == 0
    right, of = trust_of(worse)
    assert 0 < right < of
    assert alarms_of(worse)[0] == alarms_of(worse)[1]
    assert headline(worse).count("**missed**") >= 3


def test_the_page_names_what_is_wrong(rows: list[Judged]) -> None:
    text = page(rows, 90, 92)
    for heading in (
        "By kind",
        "By what was planted",
        "By noise",
        "Codes that were taken",
        "vision models",
    ):
        assert f"## {heading}" in text or heading in text
    assert "Their data are others" in text


def test_what_makes_curves_knows_no_fit() -> None:
    code = (
        "import sys; from demo_chip.curves import simulated; simulated('T1', 'DRIFT', 1, 'fair')\n"
        "print([m for m in sys.modules if m.startswith('qdash_jupyter.methods.curves.') or m.startswith('scipy')])"
    )
    path = {"PYTHONPATH": str(Path(demo_chip.__file__).parents[1])}
    run = subprocess.run([sys.executable, "-c", code], env=path, capture_output=True, text=True, check=True)
    assert run.stdout == "['qdash_jupyter.methods.curves.curve']\n"
