"""How a turn looks in the output of a cell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from qdash_jupyter.config.disk import expanded
from qdash_jupyter.domain.answer import ChartBlock
from qdash_jupyter.domain.cell_edit import code_fence
from qdash_jupyter.domain.cell_run import CellStatus
from qdash_jupyter.domain.chart_bundle import Bundle
from qdash_jupyter.domain.safe_text import harmless_words, printable, without_remote_content
from qdash_jupyter.errors import CopilotError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qdash_jupyter.domain.cell_run import CellRun
    from qdash_jupyter.session.parts import Parts, Status
    from qdash_jupyter.session.turn import Turn

_PNG = "image/png"

_ISSUE = {True: "missing", False: "note"}


def markdown(text: str) -> Bundle:
    """Markdown, readable as plain text too, which terminals print."""
    return {"text/markdown": text, "text/plain": printable(text)}


def cells_bundle(cells: tuple[CellRun, ...]) -> Bundle | None:
    """The code that ran for an answer, folded: what the user may keep."""
    if not cells:
        return None
    steps = "\n\n".join(
        f"**{number}. {harmless_words(run.request.purpose) or 'Analysis'}**\n\n{code_fence(run.request.code)}"
        for number, run in enumerate(cells, start=1)
    )
    count = f"{len(cells)} step{'' if len(cells) == 1 else 's'}"
    names = sorted({name for run in cells if run.status is CellStatus.OK for name in run.created})
    kept = f"\n\nNow in your kernel: {', '.join(f'`{name}`' for name in names)}." if names else ""
    folded = f"<details><summary>{count} of analysis code</summary>\n\n{steps}{kept}\n\n</details>"
    return {"text/markdown": folded, "text/plain": f"[{count} of analysis code]"}


def error_bundle(error: CopilotError) -> Bundle:
    """An error that the user reads: what happened, and what to do."""
    return markdown(without_remote_content(f"**{error.message}** {error.hint}".strip()))


def status_bundle(status: Status, log: Path | None = None, history: str = "") -> Bundle:
    """Database, chip and model in use; where the log is, and what is wrong with the history, when somebody asks."""
    model = status.model if status.is_language_model else f"{status.model}: it answers fixed kinds of questions"
    lines = [
        "| | |",
        "| --- | --- |",
        f"| database | {harmless_words(status.database)} |",
        f"| chip | {harmless_words(status.chip)} |",
        f"| model | {harmless_words(model)} |",
        f"| endpoint | {harmless_words(status.endpoint)} |",
    ]
    if status.code:
        lines.append(f"| code | {harmless_words(status.code)} |")
    if status.learned:
        lines.append(f"| learned of the server | {harmless_words(str(status.learned))} |")
    if status.problems:
        lines.append(f"| unreadable values | {status.problems} (they count as missing) |")
    lines += [f"| {_ISSUE[each.is_hard]} | {harmless_words(str(each))} |" for each in status.issues]
    if history:
        lines.append(f"| history | {harmless_words(history)} |")
    if log is not None:
        home = expanded("~")
        lines.append(f"| log | {Path('~') / log.relative_to(home) if log.is_relative_to(home) else log} |")
    return markdown("\n".join(lines))


def chips_table(parts: Parts) -> str:
    """The chips of the database as Markdown; the current one is marked. Reads the database."""
    current = parts.chip_id
    rows = ["| | project | qubits | status |", "| --- | --- | --- | --- |"]
    for chip in parts.reader.chips(parts.manifest.database.project):
        name = harmless_words(chip.ref.chip_id)
        mark = f"**{name}**, the current one" if chip.ref.chip_id == current else f"`%copilot chip {name}`"
        rows.append(f"| {mark} | {harmless_words(chip.ref.project_id)} | {chip.size} | {chip.activity_status} |")
    return "\n".join(rows)


def turn_bundles(turn: Turn) -> list[Bundle]:
    """What a finished turn shows: the answer, and what no cell of the notebook shows already.

    Raises:
        PersonError: there is no answer.
    """
    answer = turn.result()
    in_cells = [chart for run in turn.cells if run.in_notebook for chart in run.charts]
    nested = tuple(run for run in turn.cells if not run.in_notebook)
    blocks = tuple(block for block in answer.blocks if not (isinstance(block, ChartBlock) and block in in_cells))
    bundles = [*replace(answer, blocks=blocks).bundles(), *image_bundles(nested)]
    code = cells_bundle(nested)
    return bundles if code is None else [*bundles, code]


def transcript_markdown(turns: Sequence[Turn]) -> str:
    """Questions and answers as Markdown, for places that show no panel."""
    parts = ["**QDash Copilot**"]
    for turn in turns:
        try:
            answer = turn.result()
        except CopilotError as error:
            parts.append(without_remote_content(f"**{turn.question}**\n\n{error}"))
        else:
            badge = f"{answer.badge}\n\n" if answer.badge else ""
            parts.append(f"**{harmless_words(turn.question)}**\n\n{badge}{answer.text}")
    return "\n\n---\n\n".join(parts)


def image_bundles(cells: tuple[CellRun, ...]) -> list[Bundle]:
    """The pictures (matplotlib's) that cells drew; one that is also the cell's last expression is shown once."""
    bundles = [output["data"] for run in cells for output in run.outputs if _PNG in output.get("data", {})]
    return list({bundle[_PNG]: bundle for bundle in bundles}.values())


def publish(bundle: Bundle) -> None:
    """Show a bundle in the running cell."""
    from IPython.display import display

    display(bundle, raw=True)
