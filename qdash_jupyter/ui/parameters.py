"""The moments of a notebook's cells as parameters, for papermill and for whoever runs it again tomorrow."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

FETCHED, COMPARED = "data_since", "since"
"""From when data are fetched, and from when the code counts what is new."""


def parameters_of(sources: Iterable[str]) -> dict[str, str]:
    """The first moment of each kind; none where the code has a variable of such a name."""
    found: dict[str, str] = {}
    for source in sources:
        tree = ast.parse(source)
        if any(isinstance(node, ast.Name) and node.id in {FETCHED, COMPARED} for node in ast.walk(tree)):
            return {}
        for name, node in _moments(tree):
            found.setdefault(name, str(node.value))
    return found


def with_parameters(source: str, parameters: Mapping[str, str]) -> str:
    """The code with the names of these moments in their places."""
    lines = [line.encode() for line in source.split("\n")]
    places = [(name, node) for name, node in _moments(ast.parse(source)) if parameters.get(name) == node.value]
    for name, node in sorted(places, key=lambda place: (place[1].lineno, place[1].col_offset), reverse=True):
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = line[: node.col_offset] + name.encode() + line[node.end_col_offset :]
    return b"\n".join(lines).decode()


def _moments(tree: ast.AST) -> Iterable[tuple[str, ast.Constant]]:
    """The texts that calls are given as `since`, each on one line, with the parameter that each would be."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        name = FETCHED if ast.unparse(call.func).startswith("copilot.tools.") else COMPARED
        for keyword in call.keywords:
            value = keyword.value
            if keyword.arg != "since" or not isinstance(value, ast.Constant) or value.lineno != value.end_lineno:
                continue
            if isinstance(value.value, str):
                yield name, value
