"""Cells as text: what they answer, their imports, their lines."""

from __future__ import annotations

from collections.abc import Sequence

LONGEST_COMMENT, LONGEST_LINE = 110, 118


def comment(question: str) -> str:
    """The question as the first line of a cell."""
    line = " ".join(question.split())
    return f"# {line if len(line) <= LONGEST_COMMENT else f'{line[:LONGEST_COMMENT].rstrip()}…'}"


def cell_of(question: str, imports: Sequence[str], *lines: str) -> str:
    """A cell: what it answers, the imports in their order, and the lines."""
    start = "from qdash_jupyter.methods import "
    ours = sorted({line.removeprefix(start) for line in imports if line.startswith(start)})
    heads = sorted({line for line in imports if not line.startswith(start)})
    heads += [*([""] if heads else []), f"{start}{', '.join(ours)}"] if ours else []
    return "\n".join([comment(question), *heads, *([""] if heads else []), *lines])


def method_cell(what: str, frame: str, method: str, *arguments: str, lines: Sequence[str] = ()) -> str:
    """A cell that runs a method and shows what it gave, after more lines on that."""
    made = [*called(frame, method, *arguments), *lines]
    return cell_of(what, [f"from qdash_jupyter.methods import {method}"], *made, frame)


def called(name: str, function: str, *arguments: str) -> list[str]:
    """Lines that set a name to what a function gives for these arguments."""
    line = f"{name} = {function}({', '.join(arguments)})"
    if len(line) <= LONGEST_LINE:
        return [line]
    return [f"{name} = {function}(", *(f"    {argument}," for argument in arguments), ")"]


def listed_code(names: Sequence[str]) -> str:
    """A list of texts as code."""
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
