"""Values of reliable fits alone: the verdicts on curves are read, and a cell leaves out what these do not support."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.llm.offline.operations.parameters import TASK_OF
from qdash_jupyter.llm.offline.operations.row import called, cell_of
from qdash_jupyter.llm.offline.phrases import Say, some
from qdash_jupyter.llm.offline.plan import CallOutcome, Cells, PlannedCall, planned
from qdash_jupyter.messages.message import Field, Message, Text, all_of

MOST_QUBITS = 4
"""So many are judged one by one; of more the whole chip is."""

_MOST_RESULTS = 100
_FEW_RESULTS = 10
_MOST_LISTED = 6
_NO_VERDICT = "no verdict"
_METHODS = ("from qdash_jupyter.methods import left_out", "from qdash_jupyter.methods import reliable_only")

NOT_LEFT_OUT = Message("plan-all-fits-count")


@dataclass(frozen=True, slots=True)
class Kept:
    """The code of what is left by that of stored results, and what is said of what was left out."""

    sources: Mapping[str, str]
    notes: tuple[Text, ...] = ()


def kept_of(
    stored: Mapping[str, Sequence[Metric]], read: PlannedCall, cells: Cells, say: Say
) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], Kept]:
    """What is left of stored results where unreliable fits are left out: names that a cell gives to them.

    Args:
        stored: The metrics of each stored result, by its code.
        read: How the first of them was read: its verdicts are those of the same time and the same qubits.
        cells: What the cell is run with.
        say: The language of the answer.
    """
    sources, notes, steps = {code: code for code in stored}, list[Text](), dict[str, tuple[str, str]]()
    metrics = [metric for of_code in stored.values() for metric in of_code]
    verdicts, refused = yield from _verdicts(metrics, read)
    for metric in metrics:
        if metric.key in refused:
            notes.append(Message("plan-fits-count", name=say.name(metric), why=refused[metric.key]))
    for code, of_code in stored.items():
        judged = [metric for metric in of_code if metric.key in verdicts]
        if judged:
            given = [code, *dict.fromkeys(one for metric in judged for one in verdicts[metric.key])]
            names = all_of(say.name(metric) for metric in judged)
            steps[code] = _cell(code, given, say(Message("plan-reliable-only", names=names)))
    runs = yield from cells.run_all(list(steps.values()))
    for code, run in zip(steps, runs, strict=True):
        name = _name(code, "reliable")
        sources[code] = cells.renamed.get(name, name)
        for metric in stored[code]:
            if metric.key in verdicts:
                rows = [row for row in run.records if row["parameter"] == metric.key]
                notes += _told(rows, say.name(metric))
    return Kept(sources, tuple(notes))


def _verdicts(
    metrics: Sequence[Metric], read: PlannedCall
) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], tuple[dict[str, list[str]], dict[str, Text]]]:
    """By parameter the verdicts on its curves, as code, or why there are none."""
    tasks = {metric.key: TASK_OF[metric.key] for metric in metrics if metric.key in TASK_OF}
    calls = [(task, call) for task in dict.fromkeys(tasks.values()) for call in _verdict_calls(task, read.arguments)]
    outcomes = (yield [call for _, call in calls]) if calls else ()
    found: dict[str, list[str]] = {}
    refused: dict[str, Text] = {}
    for metric in metrics:
        of_task = [one for (task, _), one in zip(calls, outcomes, strict=True) if task == tasks.get(metric.key)]
        codes = [f'copilot.data["{one.content["data_key"]}"]' for one in of_task if "data_key" in one.content]
        if codes:
            found[metric.key] = codes
        else:
            failed = [one.why for one in of_task if one.failed]
            nothing = Message("plan-no-curve") if of_task else Message("plan-curves-not-judged")
            refused[metric.key] = failed[0] if failed else nothing
    return found, refused


def _cell(code: str, given: Sequence[str], what: str) -> tuple[str, str]:
    """The cell that leaves out, and shows what; and its purpose."""
    kept, out = _name(code, "reliable"), _name(code, "left_out")
    lines = [*called(kept, "reliable_only", *given), *called(out, "left_out", *given), out]
    return cell_of(what, _METHODS, *lines), what


def _name(code: str, what: str) -> str:
    """The name of what becomes of `copilot.data["t1"]`."""
    return re.sub(r"\W", "_", f"{code.split(chr(34))[1]}_{what}")


def _verdict_calls(task: str, read: Mapping[str, Any]) -> list[PlannedCall]:
    during = {name: read[name] for name in ("since", "until") if name in read}
    qids = read.get("qids", ())
    if not 0 < len(qids) <= MOST_QUBITS:
        return [planned("get_result_curves", task_name=task, **during)]
    count = _MOST_RESULTS if during else _FEW_RESULTS
    return [planned("get_result_curves", task_name=task, qid=qid, **during, last_n=count) for qid in qids]


def _told(rows: Sequence[dict[str, Any]], name: str) -> list[Message]:
    """How many values were left out and why, and how many nobody could judge."""
    off = [row for row in rows if row["why"] != _NO_VERDICT]
    unknown = [row for row in rows if row["why"] == _NO_VERDICT]
    if unknown and unknown[0]["values"] == unknown[0]["of"]:
        return [Message("plan-fits-count", name=name, why=Message("plan-no-curve"))]
    told = [Message("plan-none-left-out", name=name)]
    if off:
        whys = tuple(Message("plan-left-out-why", code=row["why"], count=row["values"], names=_ids(row)) for row in off)
        count = sum(row["values"] for row in off)
        told = [Message("plan-values-left-out", count=count, all=off[0]["of"], name=name, whys=whys)]
    return told + [
        Message("plan-values-not-judged", count=row["values"], all=row["of"], name=name, names=_ids(row))
        for row in unknown
    ]


def _ids(row: dict[str, Any]) -> Field:
    return some(row["qids"].split(", "), _MOST_LISTED)
