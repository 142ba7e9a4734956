"""Every reading tool on every kind of database, behind both readers: stored tables and what the model reads are true.

It takes most of a minute, for all tools on all kinds of databases; readers are shared. Large databases behind MongoDB
wait for `make long`: the tests' server reads them slowly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
from demo_chip import DemoChip, make_demo

from qdash_jupyter.data.records import ChipRef
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.chips import ChipScope
from tests.tools import test_topologies
from tests.tools.checks import CHECKS, Case
from tests.tools.conftest import AS_OF
from tests.tools.fault_documents import ON, TRUE_T1, faulty_chip
from tests.tools.qdash_documents import SAMPLE_NOW, sample
from tests.tools.tool_truth import Documents, ToolTruth
from tests.tools.toolbench import Tools

TASKS = ("CheckT1", "CheckBellStateTomography")
READS_NO_CHIP = {"execute_python_analysis", "describe"}


@dataclass(frozen=True)
class Database:
    """Documents, the chip that is asked about, and its elements that are asked about one by one."""

    documents: Documents
    chip: ChipRef
    qids: tuple[str, ...]
    pairs: tuple[str, ...]
    tasks: tuple[str, str]
    """One of qubits, and one of couplings."""


def _of_demo(demo: DemoChip) -> Database:
    faults = demo.truth
    kinds = (faults.excluded_outlier, faults.nan_as_zero, faults.dead, faults.stale, faults.t1_falling)
    qids = ["7", *(kind[0] for kind in kinds)]
    pairs = ("4-1", faults.unmeasured_couplings[0])
    chip = ChipRef("demo", demo.chip_id)
    return Database(demo.documents, chip, tuple(dict.fromkeys(qids)), pairs, TASKS)


def _of_shape(shape: str) -> Database:
    pairs = tuple(test_topologies.pairs_of(shape)[:2])
    return Database(test_topologies.documents(shape), ChipRef("p", "c"), ("0", "7"), pairs, ("Check", "Check"))


MAKERS: dict[str, Callable[[], Database]] = {
    "demo": lambda: _of_demo(make_demo(seed=7)),
    "demo of a week": lambda: _of_demo(make_demo(seed=7, days=7)),
    "144 qubits": lambda: _of_demo(make_demo(seed=7, size=144, days=7)),
    "heavy-hex-27": lambda: _of_shape("hex"),
    "linear-16": lambda: _of_shape("chain"),
    "sample": lambda: Database(sample(), ChipRef("proj-alpha", "16Q-demo"), ("4", "8"), ("4-1",), TASKS),
    "its twin": lambda: Database(sample(), ChipRef("proj-beta", "16Q-demo"), ("0", "8"), ("3-2",), TASKS),
    "faults": lambda: Database(
        faulty_chip(), ChipRef("p", "c"), tuple(ON.values()), ("0-1", "4-1"), ("CheckT1", "CheckZX90")
    ),
}
TWINS = ("sample", "its twin")

made = cache(lambda name: MAKERS[name]())


@pytest.fixture(scope="module")
def case_of(opened: Callable[..., Any]) -> Callable[[str, str], Case]:
    """A chip behind a reader of a kind, which all tests of it share."""

    @cache
    def reader_of(kind: str, name: str) -> Any:
        return opened(kind, made(name).documents, SAMPLE_NOW if name in TWINS else AS_OF)

    @cache
    def truth_of(name: str) -> ToolTruth:
        return ToolTruth(made(name).documents, made(name).chip, SAMPLE_NOW if name in TWINS else AS_OF)

    def make(kind: str, name: str) -> Case:
        database = made(name)
        reader = reader_of(kind, TWINS[0] if name in TWINS else name)
        tools = Tools(reader, ChipScope(database.chip.project_id, database.chip.chip_id))
        return Case(truth_of(name), tools, database.qids, database.pairs, database.tasks)

    return make


def cases() -> list[Any]:
    """Large chips are long: 16 processor seconds for three months of the demo chip, for which the tests' own server
    would take an hour.
    """
    large = {"demo", "144 qubits", "linear-16", "demo of a week", "heavy-hex-27", "its twin"}
    snapshots = [pytest.param("snapshot", name, marks=[pytest.mark.long] * (name in large)) for name in MAKERS]
    mongo = [
        pytest.param("mongo", name, marks=[pytest.mark.mongo, *[pytest.mark.long] * (name in large | {"sample"})])
        for name in list(MAKERS)[1:]
    ]
    return snapshots + mongo


@pytest.mark.parametrize("tool", CHECKS)
@pytest.mark.parametrize(("kind", "name"), cases())
def test_what_a_tool_says_is_true(case_of: Callable[[str, str], Case], kind: str, name: str, tool: str) -> None:
    CHECKS[tool](case_of(kind, name))


def test_no_tool_is_left_out() -> None:
    assert {one.name for one in BUILTIN_TOOLS} - READS_NO_CHIP == set(CHECKS)


def test_the_truth_about_faults_is_what_a_person_says(case_of: Callable[[str, str], Case]) -> None:
    """The computed truth, where it could be wrong in the way in which the product is."""
    truth = case_of("snapshot", "faults").truth
    found = {one.qid: one.value for one in truth.current("qubit") if one.parameter == "t1"}
    assert found == {ON[fault]: value for fault, value in TRUE_T1.items()}
