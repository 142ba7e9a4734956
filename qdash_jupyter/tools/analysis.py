"""`execute_python_analysis`: code that the model wrote, run in the user's kernel as a cell."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Literal

from pydantic import Field

from qdash_jupyter.cells.outputs import displayed_of, pictures_of
from qdash_jupyter.cells.renaming import bound_names, read_names
from qdash_jupyter.domain.answer import JsonObject, TextBlock
from qdash_jupyter.domain.cell_run import CellRequest, CellRun, CellStatus
from qdash_jupyter.domain.consent import hash_of
from qdash_jupyter.domain.safe_text import harmless_words
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, lines
from qdash_jupyter.tools.approval import run_approved
from qdash_jupyter.tools.describe import signature_in
from qdash_jupyter.tools.fetch_lines import reads
from qdash_jupyter.tools.size_limit import with_both_ends
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolOutput, ToolSpec

MAX_TEXT = 8_000
"""Characters of printed output, displayed text or a traceback that are kept; how much of these a model reads, says
`qdash_jupyter.agent.as_read`."""

_FIRST_LINE = 60
_NEVER_RAN = (CellStatus.REJECTED, CellStatus.ABORTED, CellStatus.INSERTED)

METHODS = (
    "Prefer qdash_jupyter.methods (s: data['t1'], c: data['chip_summary'], g: data['topology']): changes(s, "
    "since='30d'), jumps(s), trends(s), compare_windows(s, ('60d', '30d'), ('30d', None)), by_period(s, 'week'), "
    "spread(s), outliers(s), relation(c, parameters=('t1', 't2_echo')), ranked(c, 't1'), findings(c), best_patch(c, "
    "data['zx90_gate_fidelity'], 8), best_connected(c, g, 8, parameter='t1'), series_chart(s, ['5']), histogram(s), "
    "scatter_chart(c, parameters=('t1', 't2_echo')). Also qids, since, until."
)
"""How the methods are called that a model needs most; a test calls each. `describe` has all of them."""

_MAY_BE_MISSING = ("matplotlib",)


class AnalysisArguments(ToolArguments):
    code: str = Field(description="Python.", min_length=1, max_length=50_000)
    purpose: str = Field("", description="For the user.", max_length=200)


async def execute_python_analysis(args: AnalysisArguments, context: ToolContext) -> ToolOutput:
    """Run code in the session; where it needs the user's kernel, have them asked, or refuse it, saying why.

    Content: `status` (`ok`, `error`, `rejected`, `interrupted`, `inserted`), `edited` (what the user made of the code),
    `text` (what was printed), `displayed` (other objects, as text), `result` (the last expression: rows of a DataFrame,
    or a value), `new_names` with type
    and shape (of a cell that failed: `bind_again`), `gone` (names of earlier code that are not there any more),
    `failed_before` (names that a cell of the same round would have bound, had it not failed),
    `copied` (other names for what it has changed of the user's), `not_bound` (names that the user has bound meanwhile),
    `charts` (how many Plotly figures the user sees), `figures` (what is on others), and `traceback` or `reason` where
    it did not work. A language model reads 1,200 characters of what it gave, with `rest` where that is cut.
    """
    names = context.namespace
    code, renamed = names.with_free_names(args.code.strip("\n"), context.renamed)
    context.renamed.update(renamed)

    def request_for(code: str) -> CellRequest:
        request_id, cell_id = uuid.uuid4().hex, uuid.uuid4().hex[:12]
        return CellRequest(request_id, cell_id, code, args.purpose, reads(code, context.store))

    run = await run_approved(code, context, request_for)
    content: JsonObject = {"status": run.status.value} | ({"renamed": renamed} if renamed else {}) | _told(run, context)
    if run.copies:
        content["copied"] = {**run.copies}
        context.renamed.update(run.copies)
    if run.left:
        content["not_bound"] = [*run.left]
    if failed := _failed_before(args.code, run.status, context.failed):
        content["failed_before"] = failed
    if not run.request.code.endswith(code) and not run.copies:  # earlier code may stand before it
        content["edited"] = run.request.code
    return ToolOutput(content=content, blocks=(*run.charts, *_texts(run, context.language)), cell=run)


def _failed_before(code: str, status: CellStatus, failed: dict[str, str]) -> JsonObject:
    """The names that the code reads and a cell of the same round would have bound, each with that cell's first line;
    then `failed` has those that this one would have bound, too.
    """
    told = {name: f"not bound by this round's cell that failed: {failed[name]}" for name in read_names(code, failed)}
    first = code.strip().partition("\n")[0][:_FIRST_LINE]
    for name in bound_names(code):
        if status in {CellStatus.OK, CellStatus.INSERTED}:
            failed.pop(name, None)
        else:
            failed[name] = first
    return told


def _told(run: CellRun, context: ToolContext) -> JsonObject:
    """What the model is told of the run, beside its status."""
    content: JsonObject = _shown(run)
    if run.created and run.status is CellStatus.OK:
        content["new_names"] = context.namespace.told(run.created)
    elif run.created and run.status not in _NEVER_RAN and context.cells.has_kernel:
        content["bind_again"] = [*run.created]  # the cell is no part of the notebook, and its names are gone
    if run.gone:
        content["gone"] = [*run.gone]
    if run.status in {CellStatus.REJECTED, CellStatus.INSERTED}:
        content["reason"] = run.reason
        if run.effects:
            content["class"] = run.effects[0].kind.value
    elif run.traceback:
        content["traceback"] = with_both_ends(run.traceback, MAX_TEXT)
        if signature := signature_in(run.traceback):
            content["signature"] = signature
    return content


def _shown(run: CellRun) -> JsonObject:
    shown = {
        "text": with_both_ends(run.text, MAX_TEXT) or None,
        "result": run.value,
        "displayed": with_both_ends(displayed_of(run.outputs, with_result=run.value is None), MAX_TEXT) or None,
        "figures": pictures_of(run.outputs) or None,
        "charts": len(run.charts) or None,
    }
    return {name: value for name, value in shown.items() if value is not None}


def _texts(run: CellRun, language: Language) -> Iterator[TextBlock]:
    """Yield what the user reads of code that nobody could approve, and of names that went with a process."""
    if run.unasked:
        code = hash_of(run.request.code)
        text = Message("code-not-run", hash=code)
        if effects := lines(*(f"- {harmless_words(str(effect))}" for effect in run.effects)):
            text = Message("code-not-run-effects", effects=effects, hash=code)
        yield TextBlock(text.of(language))
    if run.gone:
        yield TextBlock(Message("process-names-lost", names=tuple(f"`{name}`" for name in run.gone)).of(language))


def libraries(may_be_missing: Sequence[str] = _MAY_BE_MISSING) -> str:
    """What code may import here: some labs have no matplotlib."""
    return ", ".join(
        ["numpy", "pandas", "plotly", "scipy", *(name for name in may_be_missing if find_spec(name) is not None)]
    )


PYTHON_ANALYSIS = ToolSpec(
    label=Message("label-analysis"),
    description=(
        "Numbers per qubit, fits, charts: run Python in a cell; a comment says what it answers, one result a cell, its "
        f"last expression (or a figure). Import {libraries()}. Beyond computing, the user is asked. {METHODS}"
    ),
    run=execute_python_analysis,
    effect="run_code",
)


def isolated_analysis(shape: Literal["frames", "records"]) -> ToolSpec:
    """The same tool where code runs in the isolated worker (`qdash_jupyter.worker`); `shape` as it is set there."""
    shapes = {
        "frames": f"data['t1'] (or copilot.data['t1']) is a stored result, its tables are DataFrames. {METHODS}",
        "records": "data['t1'] is a dict, its tables are lists of dicts (times ISO text, None where nothing is).",
    }
    return replace(
        PYTHON_ANALYSIS,
        description=(
            f"Numbers per qubit, fits, charts: run Python; import {libraries([])}. No files, no network; names stay "
            "until your answer. "
            "Results are the last expression, what is printed, and figures, or result = {'output': text, 'chart': "
            f"figure or list of them}}. {shapes[shape]}"
        ),
    )
