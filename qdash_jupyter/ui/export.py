"""A conversation as a notebook that runs again, or as Markdown: questions, data, cells and outputs, answers, charts."""

from __future__ import annotations

import ast
import base64
import builtins
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from nbformat import NotebookNode, v4, writes

from qdash_jupyter.cells.renaming import bound_names, is_read_first
from qdash_jupyter.cells.scopes import parsed
from qdash_jupyter.domain.answer import ChartBlock, JsonObject
from qdash_jupyter.domain.cell_edit import code_fence
from qdash_jupyter.domain.cell_run import CellRun, cells_in_notebook, cells_unseen
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME, chart_bundle
from qdash_jupyter.domain.safe_text import harmless_words, one_line, without_remote_content
from qdash_jupyter.domain.told_table import rows_of
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.domain.used_results import used_results
from qdash_jupyter.errors import CopilotError, PersonError
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, text_in
from qdash_jupyter.session.parts import Status
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.tools.fetch_lines import fetch_line
from qdash_jupyter.ui.chart_picture import picture_of
from qdash_jupyter.ui.display import image_bundles
from qdash_jupyter.ui.parameters import parameters_of, with_parameters

PNG = "image/png"
CHECKED = "nbval-check-output"
"""nbval compares the output of cells with this tag: the copilot's tables."""

UNCHECKED = "nbval-ignore-output"
"""nbval does not compare the output of these: what is in use, and charts, which each version of Plotly writes anew."""


def notebook_of(turns: Sequence[Turn], status: Status | None, use_line: str) -> NotebookNode:
    """The notebook of these turns, as far as they are finished.

    Args:
        turns: the questions of a conversation, in their order.
        status: what was in use, written down as provenance; None where that is not known any more.
        use_line: options of `%copilot use` that open the same data (see `DataOptions.line`); empty: the settings'.
    """
    cells = [cell for turn in turns if turn.done for cell in _turn_cells(turn)]
    if status is not None:
        cells[0].source += f"\n\n{_provenance(status, turns[0].language)}"
    written = [cell for cell in cells if cell.cell_type == "code" and parsed(cell.source) is not None]
    if needed := _needed(cell.source for cell in written):
        text = Message("export-needs", names=tuple(f"`{name}`" for name in needed))
        cells[0].source += f"\n\n{text.of(turns[0].language)}"
    setup = "%load_ext qdash_jupyter" + (f"\n%copilot use {use_line}" if use_line else "")
    cells.insert(1, v4.new_code_cell(setup, metadata={"tags": [UNCHECKED]}))
    if parameters := parameters_of(cell.source for cell in written):
        for cell in written:
            cell.source = with_parameters(cell.source, parameters)
        lines = [f"{name} = {json.dumps(value)}" for name, value in parameters.items()]
        cells.insert(2, v4.new_code_cell("\n".join(lines), metadata={"tags": ["parameters"]}))
    for number, cell in enumerate((cell for cell in cells if cell.cell_type == "code"), start=1):
        cell.execution_count = number
    for number, cell in enumerate(cells, start=1):
        cell.id = f"copilot-{number}"  # nbformat's random ids would make every export differ
    return v4.new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"},
            "language_info": {"name": "python"},
        },
    )


def notebook_text(turns: Sequence[Turn], status: Status | None, use_line: str) -> str:
    """The notebook's file; see `notebook_of`.

    Raises:
        PersonError: no question is finished.
    """
    if not any(turn.done for turn in turns):
        raise PersonError.with_hint("nothing-asked")
    return f"{writes(notebook_of(turns, status, use_line))}\n"


def markdown_text(turns: Sequence[Turn], status: Status | None, title: str, chip: str = "") -> str:
    """Return a conversation as Markdown: its title, day and chip, then questions and answers with their pictures.

    Args:
        turns: the questions of a conversation, in their order.
        status: what was in use; None where that is not known any more.
        title: what the user calls it; empty: its first question.
        chip: the chip, where there is no status.

    Raises:
        PersonError: nothing was asked yet.
    """
    if not turns:
        raise PersonError.with_hint("nothing-asked")
    days = dict.fromkeys(f"{turn.asked_at:%Y-%m-%d}" for turn in (turns[0], turns[-1]))
    about = " – ".join(days)
    if status is not None:
        about += f"\n\n{_provenance(status, turns[0].language)}"
    elif chip:
        about += f" · {harmless_words(chip)}"
    heading = harmless_words(one_line(title or turns[0].question))
    return "\n\n".join([f"# {heading}", about, *map(_turn_markdown, turns)]) + "\n"


def _turn_markdown(turn: Turn) -> str:
    asked = f"## {harmless_words(one_line(turn.question))}\n\n*{turn.asked_at:%Y-%m-%d %H:%M} UTC*"
    try:
        answer = turn.result()
    except CopilotError as error:
        return without_remote_content(f"{asked}\n\n{error}")
    drawn = [f"![](data:{PNG};base64,{bundle[PNG]})" for bundle in image_bundles(turn.cells)]
    blocks = [
        _picture_text(block) if isinstance(block, ChartBlock) else without_remote_content(block.content)
        for block in answer.blocks
    ]
    badge = f"**{answer.badge}**" if answer.badge else ""
    return "\n\n".join(part for part in (asked, badge, *blocks, answer.numbered, *drawn) if part)


def _picture_text(chart: ChartBlock) -> str:
    """The chart as a picture within the text; as a small table where none can be drawn."""
    bundle = _with_picture(chart_bundle(chart.figure(), chart.title))
    if PNG not in bundle:
        return code_fence(bundle["text/plain"], "text")
    return f"![{harmless_words(one_line(chart.title))}](data:{PNG};base64,{bundle[PNG]})"


def write_export(name: str, text: Callable[..., str]) -> Path:
    """Write the conversation as a notebook or as Markdown, by the end of the name.

    Args:
        name: of the file.
        text: gives its content; with `as_markdown` whether as Markdown.

    Raises:
        PersonError: the name has another end, there is such a file, it cannot be written, or there is no answer.
    """
    path = Path(name).expanduser()
    if path.suffix not in {".ipynb", ".md"}:
        raise PersonError.with_hint("bad-export-name", name=name)
    content = text(as_markdown=path.suffix == ".md")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(content)
    except FileExistsError:
        raise PersonError.with_hint("file-exists", path=str(path)) from None
    except OSError as error:
        raise PersonError.with_hint("file-not-written", path=str(path), why=str(error.strerror)) from None
    return path


def _turn_cells(turn: Turn) -> list[Any]:
    """The question, what was fetched and computed for it, and what came of it."""
    cells: list[Any] = [v4.new_markdown_cell(f"# {turn.question}")]
    lasting = cells_in_notebook(turn.cells) + cells_unseen(turn.cells)
    fetched = {key for run in lasting for key, _ in run.request.reads}  # by a cell that reads it
    results = [result for result in turn.tool_results if result.ok]
    shown = [one for one in results if one.cell in lasting or one.blocks or one.frame_key in fetched]
    try:
        used = used_results(results, shown, turn.question, turn.result().text)
    except CopilotError:
        used = {result.frame_key for result in results if result.frame_key} - fetched
    for result in results:
        if result.cell is not None and result.cell in lasting:
            cells.append(_analysis_cell(result.cell))
        elif result.frame_key is not None and (result.blocks or result.frame_key in used):
            cells.append(_data_cell(result.frame_key, result))
    return [*cells, *_ending(turn)]


def _ending(turn: Turn) -> list[NotebookNode]:
    try:
        answer = turn.result()
    except CopilotError as error:
        text = f"## {Message('export-no-answer').of(turn.language)}\n\n{error}"
        return [v4.new_markdown_cell(without_remote_content(text))]
    read = max((one.produced_at for one in turn.tool_results if one.produced_at), default=turn.asked_at)
    of_day = Message("export-answer-of-day", day=f"{read:%Y-%m-%d}").of(turn.language)
    ending = f"## {Message('export-answer').of(turn.language)}\n\n*{of_day}*\n\n{answer.markdown}"
    drawn = [block for result in turn.tool_results for block in result.blocks]
    charts = [_chart_cell(block) for block in answer.charts if block.code and block not in drawn]
    return [*charts, v4.new_markdown_cell(ending)]


def _needed(sources: Iterable[str]) -> list[str]:
    """The names that these cells read and none before has bound: what the user had in their kernel."""
    bound = {*vars(builtins), "copilot", "data", "get_ipython", "display"}
    needed: dict[str, None] = {}
    for source in sources:
        tree = ast.parse(source)
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        inner = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        stored = bound_names(source) | inner | {node.id for node in names if isinstance(node.ctx, ast.Store)}
        loaded = [node.id for node in names if isinstance(node.ctx, ast.Load) and node.id not in bound]
        outer = bound_names(source)
        needed |= dict.fromkeys(
            name for name in loaded if name not in stored or (name in outer and is_read_first(tree, name))
        )
        bound |= stored
    return list(needed)


def _provenance(status: Status, language: Language) -> str:
    said = Message("export-provenance", database=status.database, chip=status.chip, model=status.model)
    absent = [f"- {text_in(issue.text, language)}" for issue in status.issues]
    # Names are the database's.
    return "\n".join(harmless_words(one_line(line)) for line in (said.of(language), *([""] if absent else []), *absent))


def _data_cell(key: str, result: ToolResult) -> NotebookNode:
    charts = [_drawn(block) for block in result.blocks if isinstance(block, ChartBlock)]
    line = fetch_line(key, result.written)
    if not charts:
        line += f"\ncopilot.data[{json.dumps(key)}].frame"
    outputs = charts or _told_rows(result)
    return v4.new_code_cell(line, outputs=outputs, metadata={"tags": ["copilot", UNCHECKED]})


def _told_rows(result: ToolResult) -> list[NotebookNode]:
    """The table of a result as it was told, where it was told whole: what the answer builds on stands beside it."""
    content = json.loads(result.content)
    tables = [each for each in content.values() if isinstance(each, dict) and "rows" in each and "_schema" in each]
    rows = rows_of(tables[0]) if tables else content.get("rows")
    if not isinstance(rows, list) or not rows or not isinstance(rows[0], dict):
        return []
    frame = pd.DataFrame(rows)
    data = {"text/plain": frame.to_string(), "text/html": frame.to_html(border=1, escape=True)}
    return [v4.new_output("execute_result", data=data, execution_count=None)]


def _chart_cell(chart: ChartBlock) -> NotebookNode:
    """Of a chart that no tool drew: the curve of an analysis."""
    return v4.new_code_cell(chart.code, outputs=[_drawn(chart)], metadata={"tags": ["copilot", UNCHECKED]})


def _drawn(chart: ChartBlock) -> NotebookNode:
    return v4.new_output("display_data", data=_with_picture(chart_bundle(chart.figure(), chart.title)))


def _analysis_cell(run: CellRun) -> NotebookNode:
    outputs = [_output(output) for output in run.outputs]
    tags = ["copilot", UNCHECKED if run.charts else CHECKED]
    return v4.new_code_cell(run.request.source.rstrip("\n"), outputs=outputs, metadata={"tags": tags})


def _output(output: JsonObject) -> NotebookNode:
    kind = output["output_type"]
    parts = {key: value for key, value in output.items() if key != "output_type"}
    if isinstance(data := parts.get("data"), dict):
        parts["data"] = _with_picture(data)
    return v4.new_output(kind, **parts)


def _with_picture(bundle: JsonObject) -> JsonObject:
    """The bundle with a still picture of its chart, if it has one: JupyterLab and VS Code draw the chart, others show
    the picture.
    """
    if PLOTLY_MIME not in bundle or PNG in bundle:
        return bundle
    picture = picture_of(bundle[PLOTLY_MIME])
    return bundle if picture is None else bundle | {PNG: base64.b64encode(picture).decode()}
