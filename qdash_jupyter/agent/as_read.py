"""Results as a language model reads them: the offline planner reads the same with ids, fields and all rows."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from operator import is_
from typing import Any, TypeAlias

from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.tools.analysis import PYTHON_ANALYSIS
from qdash_jupyter.tools.size_limit import json_within, with_both_ends

MOST_CHARS = 1_200
"""What a cell gave is read within these, as JSON."""
_LEAST_CHARS = 120
"""Of each kind so much is read in any case."""
_DIGITS = "fewer than there are, as the result is long"
_REST = "Cut to 1,200 characters, fewer digits. To read on, end a cell with that part: rows [20:40], fewer columns."
_GIVEN = ("result", "displayed", "text", "figures", "new_names")
"""What a cell may give, the most important first."""

_Columns: TypeAlias = list[tuple[str, list[Any]]]
_SECONDS = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?\+00:00")


def as_read(item: JsonObject, *, is_cell: bool = False) -> JsonObject:
    """The item with its output shorter, if it has one: times to the minute, of our messages the text alone, and of what
    a cell gave `MOST_CHARS`.
    """
    output = item.get("output")
    if not isinstance(output, str) or not output.startswith("{"):
        return item
    shorter = _shorter(output, is_cell=is_cell)
    return item if shorter == output else {**item, "output": shorter}


class AsRead:
    """The items of a conversation as a model reads them, each made once: all go out again in each round."""

    def __init__(self) -> None:
        self._read: list[JsonObject] = []
        self._shortened: dict[int, JsonObject] = {}  # what is read otherwise than it is kept, by its place
        self._is_language_model = True
        self._cells: set[str] = set()  # calls

    def __call__(self, items: Sequence[JsonObject], *, is_language_model: bool = True) -> list[JsonObject]:
        """Return them in their order, as they are where no language model reads them. The list only grows: where an
        item in it has changed, it is another list.
        """
        before = [self._shortened.get(place, item) for place, item in enumerate(self._read)]
        goes_on = len(items) >= len(before) and all(map(is_, items, before))
        if not goes_on or is_language_model != self._is_language_model:
            self._read, self._shortened, self._is_language_model = [], {}, is_language_model
        for item in items[len(self._read) :]:
            if item.get("name") == PYTHON_ANALYSIS.name:
                self._cells.add(str(item["call_id"]))
            read = as_read(item, is_cell=item.get("call_id") in self._cells) if is_language_model else item
            if read is not item:
                self._shortened[len(self._read)] = item
            self._read.append(read)
        return self._read


def _shorter(output: str, *, is_cell: bool) -> str:
    text = _SECONDS.sub(r"\1 \2", output)
    is_long = is_cell and len(text) > MOST_CHARS
    if is_long or '"fields":{' in text:
        told = _text_alone(json.loads(text))
        text = to_json(_within(told) if is_long else told)
    return text


def _within(told: JsonObject) -> JsonObject:
    """What a cell gave within `MOST_CHARS`. What a table says twice goes first, then digits that tell nothing apart,
    then the less important parts.
    """
    given = {name: told[name] for name in _GIVEN if name in told}
    notes: JsonObject = {}
    steps: tuple[tuple[Callable[[_Columns], JsonObject], JsonObject], ...]
    steps = ((_said_once, {}), (_with_few_digits, {"digits": _DIGITS}))
    for change, note in steps:
        if len(to_json(given | notes)) > MOST_CHARS and "result" in given:
            given["result"] = _with_tables(given["result"], change)
            notes = note
    if len(to_json(given | notes)) > MOST_CHARS:
        given, notes = _cut_to(given, MOST_CHARS - len(to_json({"rest": _REST, "_omitted": {}})))
        notes = {"rest": _REST} | ({"_omitted": notes} if notes else {})
    return told | given | notes


def _with_tables(value: Any, change: Callable[[_Columns], JsonObject]) -> Any:
    """The value with its tables changed."""
    if not isinstance(value, dict):
        return value
    names, rows = value.get("columns"), value.get("records")
    if not (isinstance(names, list) and isinstance(rows, list) and rows):
        return {name: _with_tables(each, change) for name, each in value.items()}
    if not all(isinstance(row, list) and len(row) == len(names) for row in rows):
        return value
    return value | change([(name, list(column)) for name, column in zip(names, zip(*rows, strict=True), strict=True)])


def _said_once(columns: _Columns) -> JsonObject:
    """A column that says the same in each row is in `same`, one that repeats another column is in `repeats`."""
    first: dict[str, str] = {}
    same, repeats, kept = {}, {}, []
    for name, values in columns:
        text = to_json(values)
        if len(values) > 1 and all(each == values[0] for each in values):
            same[name] = values[0]
        elif text in first:
            repeats[name] = first[text]
        else:
            first[text] = name
            kept.append((name, values))
    return _table(kept) | {key: words for key, words in (("same", same), ("repeats", repeats)) if words}


def _with_few_digits(columns: _Columns) -> JsonObject:
    """Four significant digits, or as many as tell the values of a column apart."""
    return _table([(name, _rounded(values)) for name, values in columns])


def _rounded(values: list[Any]) -> list[Any]:
    for digits in (4, 5):
        rounded = [float(f"{each:.{digits}g}") if isinstance(each, float) else each for each in values]
        if len(set(map(repr, rounded))) == len(set(map(repr, values))):
            return rounded
    return values


def _table(columns: _Columns) -> JsonObject:
    rows = zip(*(values for _, values in columns), strict=True)
    return {"columns": [name for name, _ in columns], "records": [list(row) for row in rows]}


def _cut_to(given: JsonObject, most: int) -> tuple[JsonObject, JsonObject]:
    """The less important, the more of it is left out; and what is omitted, by its path."""
    sizes = {name: len(to_json({name: value})) for name, value in given.items()}
    left = most - sum(min(size, _LEAST_CHARS) for size in sizes.values())
    omitted: JsonObject = {}
    for name, size in sizes.items():
        room = min(size, _LEAST_CHARS) + max(left, 0)
        left -= max(size - _LEAST_CHARS, 0)
        if size > room:
            given |= _cut(name, given[name], room)
            omitted |= given.pop("_omitted", {})
    return given, omitted


def _cut(name: str, value: Any, room: int) -> JsonObject:
    """Return the beginning of JSON values, saying what is omitted, or both ends of a text."""
    if not isinstance(value, str):
        cut: JsonObject = {name: None} | json.loads(json_within({name: value}, room))
        return cut
    most = room
    while len(to_json({name: (text := with_both_ends(value, most))})) > room:
        most = most * 9 // 10
    return {name: text}


def _text_alone(value: Any) -> Any:
    if isinstance(value, dict):
        if value.keys() == {"text", "message", "fields"}:
            return value["text"]
        return {name: _text_alone(each) for name, each in value.items()}
    return [_text_alone(each) for each in value] if isinstance(value, list) else value
