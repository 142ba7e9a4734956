"""How a turn looks in the output of a cell, and the models that can be asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from qdash_jupyter.config.disk import expanded
from qdash_jupyter.domain.answer import ChartBlock
from qdash_jupyter.domain.bold import with_bold_in_japanese
from qdash_jupyter.domain.cell_edit import code_fence
from qdash_jupyter.domain.cell_run import CellRun, CellStatus
from qdash_jupyter.domain.chart_bundle import Bundle
from qdash_jupyter.domain.safe_text import harmless_words, printable, without_remote_content
from qdash_jupyter.errors import CopilotError
from qdash_jupyter.messages.languages import Language, reader
from qdash_jupyter.messages.message import Message, Text, text_in

if TYPE_CHECKING:
    from qdash_jupyter.config.manifest import ModelSection
    from qdash_jupyter.domain.wire import panel
    from qdash_jupyter.session.parts import Parts, Status
    from qdash_jupyter.session.turn import Turn

_PNG = "image/png"

_ISSUES = {True: Message("status-missing"), False: Message("status-note")}


def markdown(text: Text) -> Bundle:
    """Return Markdown in the reader's language, with its plain text, which terminals print."""
    words = with_bold_in_japanese(without_remote_content(text_in(text, reader())))
    return {"text/markdown": words, "text/plain": printable(words)}


def paragraphs(*parts: Text) -> str:
    """Return paragraphs of Markdown in the reader's language."""
    return "\n\n".join(text_in(part, reader()) for part in parts)


def table(head: Sequence[str], rows: Iterable[Sequence[Text]], *, left: int | None = None) -> str:
    """Return a Markdown table in the reader's language. `head` names its headings, which are variants of the message
    `heading`; behind the first `left` columns are those with numbers.
    """
    headings = [Message("heading", name=name) if name else "" for name in head]
    marks = ["---:" if left is not None and place >= left else "---" for place in range(len(head))]
    lines: list[Sequence[Text]] = [headings, marks, *rows]
    words = ([harmless_words(text_in(cell, reader())) for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in words)


def cells_bundle(cells: tuple[CellRun, ...], language: Language) -> Bundle | None:
    """The code that ran for an answer, folded: what the user may keep."""
    if not cells:
        return None
    parts = [
        f"**{number}. {harmless_words(run.request.purpose) or Message('code-step').of(language)}**\n\n"
        f"{code_fence(run.request.code)}"
        for number, run in enumerate(cells, start=1)
    ]
    if names := sorted({name for run in cells if run.status is CellStatus.OK for name in run.created}):
        parts.append(Message("names-in-kernel", names=tuple(f"`{name}`" for name in names)).of(language))
    title, inner = Message("code-steps", count=len(cells)).of(language), "\n\n".join(parts)
    folded = f"<details><summary>{title}</summary>\n\n{inner}\n\n</details>"
    return {"text/markdown": folded, "text/plain": f"[{title}]"}


def error_bundle(error: CopilotError) -> Bundle:
    """An error that the user reads: what happened, and what to do."""
    message, hint = (text_in(text, error.language or reader()) for text in (error.message, error.hint))
    return markdown(f"**{message}** {hint}".strip())


def status_bundle(status: Status, log: Path | None = None, history: Text = "") -> Bundle:
    """Database, chip and model in use; where the log is, and what is wrong with the history, when somebody asks."""
    model = status.model if status.is_language_model else Message("status-planner", model=status.model)
    rows: list[tuple[Message, Text]] = [
        (Message("status-database"), status.database),
        (Message("status-chip"), status.chip),
        (Message("status-model"), model),
        (Message("status-endpoint"), status.endpoint),
        (Message("status-code"), status.code),
        (Message("status-learned"), status.learned),
        (Message("status-problems"), Message("status-unreadable", count=status.problems) if status.problems else ""),
        *((_ISSUES[each.is_hard], each.text) for each in status.issues),
        (Message("status-fits"), Message("status-fits-kept", count=status.fits) if status.fits else ""),
        (Message("status-history"), history),
        (Message("status-log"), "" if log is None else _from_home(log)),
    ]
    return markdown(table(("", ""), [row for row in rows if row[1]]))


def _from_home(path: Path) -> str:
    home = expanded("~")
    return str(Path("~") / path.relative_to(home) if path.is_relative_to(home) else path)


def chips_table(parts: Parts) -> str:
    """The chips of the database as Markdown; the current one is marked. Reads the database."""
    current, rows = parts.chip_id, list[Sequence[Text]]()
    for chip in parts.reader.chips(parts.manifest.database.project):
        name = chip.ref.chip_id
        mark = Message("chip-current", name=f"**{name}**") if name == current else f"`%copilot chip {name}`"
        rows.append((mark, chip.ref.project_id, str(chip.size), chip.activity_status))
    return table(("", "project", "qubits", "status"), rows)


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
    code = cells_bundle(nested, turn.language)
    return bundles if code is None else [*bundles, code]


def final_bundles(turn: Turn) -> list[Bundle]:
    """What stands below the asking cell at the end."""
    try:
        return turn_bundles(turn)
    except CopilotError as error:
        return [error_bundle(error)]


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


def show(text: Text) -> None:
    """Show Markdown in the running cell."""
    publish(markdown(text))


def models_table(parts: Parts) -> str:
    """The models of the settings as Markdown; the one that is asked is marked."""
    rows = [
        (Message("in-use") if name == parts.model else f"`%copilot model {name}`", *_row(name, section))
        for name, section in parts.models.items()
    ]
    return table(("", "model", "endpoint", "window", "price"), rows)


def model_choices(parts: Parts) -> list[panel.ModelChoice]:
    """The models as the panel offers them."""
    return [
        {"name": name, "label": label, "endpoint": endpoint, "asked": name == parts.model}
        for name, section in parts.models.items()
        for label, endpoint, *_ in [_row(name, section)]
    ]


def _row(name: str, section: ModelSection | Text | None) -> tuple[Text, ...]:
    if section is None:
        return Message("offline-planner"), Message("this-kernel"), "", Message("costs-nothing")
    if isinstance(section, str | Message):
        return name, section, "", ""
    from qdash_jupyter.llm.openai_server.endpoint import endpoint_of

    price = section.price
    money = f"{price.input:g} / {price.output:g} {price.currency}" if price is not None else ""
    return section.name, endpoint_of(section.base_url).shown, f"{section.window:,}", money
