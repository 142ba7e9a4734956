"""The tools, the planner, the panel and a notebook about one chip: the same values, doubts and changes from each."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

import qdash_jupyter.methods as qm
from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.ui.panel_state.state import PanelState
from tests.llm.offline.planner_questions import Chip, ask, ids_in, session
from tests.tools.qdash_documents import NOW
from tests.tools.test_odd_dates import YEAR_9999, chip_of, odd

NAMES = {"t1": "T1", "t2_echo": "T2 echo", "average_readout_fidelity": "readout", "qubit_frequency": "frequency"}
_ROW = re.compile(r"^\| (Q\d+) \| (.+) \|$", re.MULTILINE)
_NUMBER = re.compile(r"[−-]?\d+(?:\.\d+)?")


@pytest.fixture(scope="module")
def copilot(faulty: Chip) -> Copilot:
    return session(faulty)


def cells_of(text: str) -> dict[str, list[str]]:
    """By qubit, what stands behind it in a table."""
    return {qid.removeprefix("Q").lstrip("0") or "0": row.split(" | ") for qid, row in _ROW.findall(text)}


def is_same(shown: str, value: float, scale: float) -> bool:
    """Whether a cell shows a value, within its digits; a cell of the notebook tells nine of them."""
    if math.isnan(value):
        return _NUMBER.match(shown) is None
    number = _NUMBER.match(shown)
    if number is None:
        return False
    digits = len(number[0].partition(".")[2])
    return abs(float(number[0].replace("−", "-")) - value * scale) <= 0.51 * 10**-digits + 5e-9 * abs(value * scale)


@pytest.mark.parametrize("first", [16, *(pytest.param(one, marks=pytest.mark.long) for one in (0, 32, 48))])
def test_values_and_doubts(copilot: Copilot, first: int) -> None:
    copilot.tools.get_chip_summary()
    summary = copilot.data["chip_summary"]
    values = {(row.qid, row.parameter): row for row in summary["values"].itertuples()}
    notebook = qm.shown(summary, *NAMES).set_index("qid")
    qids = [str(qid) for qid in range(first, first + 16)]
    asked = ask(copilot, f"{', '.join(NAMES.values())} of Q{first} to Q{first + 15}")
    told, panel = cells_of(asked.text), cells_of(shown_by_panel(copilot))
    assert told == panel
    for qid in qids:
        for (name, _), cell in zip(NAMES.items(), told[qid], strict=True):
            row, metric = values.get((qid, name)), METRICS[name]
            value = row.value if row is not None else math.nan
            in_doubt = row is not None and re.search("impossible|suspicious", row.flag)
            assert in_doubt or is_same(cell, value, metric.scale), (qid, name, cell, value)
            own = notebook[f"{metric.title} [{metric.unit}]"][qid]
            assert math.isnan(value) == math.isnan(own)
            assert math.isnan(own) or own == pytest.approx(value * metric.scale)
            label = f"Q{int(qid):02d} {metric.title}: "
            assert (row is not None and bool(row.flag) and row.flag != "no fit") == (label in asked.text), label


@pytest.mark.parametrize("name", ["t1", pytest.param("t2_echo", marks=pytest.mark.long)])
def test_changes(copilot: Copilot, name: str) -> None:
    copilot.tools.get_chip_parameter_timeseries(parameter_name=name, since="30d")
    stored = copilot.data[[*copilot.data][-1]]
    by_tool = {row.qid for row in stored["qubits"].itertuples() if row.trend == "down"}
    found = qm.changes(stored, since="30d")
    by_notebook = {str(qid) for qid in found.loc[found["verdict"] == "fell", "qid"]}
    asked = ask(copilot, f"which qubits lost {NAMES[name]} in the last 30 days?")
    trends = qm.trends(stored, since="30d").set_index("qid")
    assert by_notebook == set(trends.index[trends["verdict"] == "fell"])
    assert trends["sigmas"].to_dict() == pytest.approx(found.set_index("qid")["sigmas"].to_dict(), nan_ok=True)
    assert by_tool == by_notebook == asked.named == ids_in(" ".join(headlines(shown_by_panel(copilot))))
    assert by_tool, name
    rows = cells_of(asked.text)
    for row in found[found["verdict"] == "fell"].itertuples(index=False):
        qid, _, before, now, change = row[:5]
        for cell, value in zip(rows[qid], (before, now, change), strict=False):
            assert is_same(cell, value, 1), (qid, cell, value)


def headlines(text: str) -> list[str]:
    return re.findall(r"\*\*(.+?)\*\*", text)


def shown_by_panel(copilot: Copilot) -> str:
    """The text of the newest answer as the panel has it."""
    conversation, state = copilot._conversation, PanelState("an instance")
    state.load(conversation.turns[-1:], conversation.data)
    blocks = state.snapshot()["turns"][-1]["blocks"]
    return "\n\n".join(str(block.get("markdown") or block.get("text") or "") for block in blocks)


def test_a_result_from_the_future_is_marked_in_the_series_and_in_the_answer(faulty: Chip, tmp_path: Path) -> None:
    folder = write_snapshot(chip_of(odd(99.0, YEAR_9999)), tmp_path / "snapshot", as_of=NOW, source="the tests")
    copilot = session(replace(faulty, folder=folder))
    answer = ask(copilot, "How did T1 of Q0 develop in the last 30 days?").text
    assert "9999-06-01" in answer
    assert "99" not in answer.replace("9999", "")
    (key,) = copilot.data
    assert copilot.data[key]["odd_dates"]["v"].tolist() == [99.0]
    assert 99.0 not in copilot.data[key]["timeseries"]["v"].tolist()
