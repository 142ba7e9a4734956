"""The lines by which a notebook fetches again what a cell reads: `copilot.data["t1"] = copilot.tools.…`."""

from __future__ import annotations

import ast
import json

from qdash_jupyter.cells.scopes import parsed
from qdash_jupyter.store.store import FrameStore

LONGEST_LINE = 118


def reads(code: str, store: FrameStore) -> tuple[tuple[str, str], ...]:
    """The stored results that the code reads, each by its key with the line that fetches it, in the order of the store.
    Where a key is not written in the brackets, each text of the code counts that is one. Files that the user dropped
    have no such line.
    """
    if (tree := parsed(code)) is None:
        return ()
    nodes = list(ast.walk(tree))
    uses = sum(map(_is_data, nodes))
    keys = [node.slice for node in nodes if isinstance(node, ast.Subscript) and _is_data(node.value)]
    places = keys if uses == len(keys) and all(isinstance(key, ast.Constant) for key in keys) else nodes * bool(uses)
    texts = {place.value for place in places if isinstance(place, ast.Constant)}
    read = ((key, result.source) for key, result in store.items() if key in texts)
    return tuple((key, fetch_line(key, source.call)) for key, source in read if not source.is_file)


def _is_data(node: ast.AST) -> bool:
    """`data`, or `copilot.data`."""
    if isinstance(node, ast.Attribute):
        return node.attr == "data" and isinstance(node.value, ast.Name) and node.value.id == "copilot"
    return isinstance(node, ast.Name) and node.id == "data"


def fetch_line(key: str, call: str) -> str:
    """The line, broken where it is long."""
    start, line = f"copilot.data[{json.dumps(key)}] = ", f"copilot.tools.{call}"
    if len(start) + len(line) <= LONGEST_LINE:
        return start + line
    name, _, arguments = line.partition("(")
    broken = f"{start}{name}(\n    {arguments[:-1]}\n)"
    return broken if len(arguments) + 3 <= LONGEST_LINE else start + line
