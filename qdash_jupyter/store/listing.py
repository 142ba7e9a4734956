"""Stored results as a table on the screen, in whatever colours the page has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING

from qdash_jupyter.domain.ages import age_words

if TYPE_CHECKING:
    from qdash_jupyter.store.frame import FrameSource, StoredResult

MOST_COLUMNS = 8
"""So many columns of a table are named, and how many more there are."""

_LONGEST_ARGUMENT = 40


def listing_html(results: Iterable[StoredResult]) -> str:
    """A row a result: how one writes it, its tables (rows × columns, columns with units) and their memory, where it
    came from and when, its version, and whether the person changed it. No table in a file is opened.
    """
    head = _row("th", "in Python", "tables: rows × columns", "from")
    return f"<table><thead>{head}</thead><tbody>{''.join(map(_result, results))}</tbody></table>"


def _result(result: StoredResult) -> str:
    return _row("td", _code(f"data[{result.key!r}]"), "<br>".join(_tables(result)), "<br>".join(_origin(result)))


def _tables(result: StoredResult) -> Iterator[str]:
    for name, table in result.stored_tables.items():
        names = table.columns
        shown = [_with_unit(column, result.units) for column in names[:MOST_COLUMNS]]
        more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
        yield f"{_code(f'[{name!r}]')} {table.rows:,} × {len(names)}: {escape(', '.join(shown))}{more}"
    yield result.memory_words


def _with_unit(column: str, units: Mapping[str, str]) -> str:
    return f"{column} [{units[column]}]" if units.get(column) else column


def _origin(result: StoredResult) -> Iterator[str]:
    yield escape(_call(result.source))
    yield f"fetched {age_words(result.age)} ({result.fetched_at:%Y-%m-%d %H:%M} UTC), {result.version_words}"
    if result.changed:
        yield "<b>changed by you</b>"
    if result.kept is not None:
        yield f"{_code(f'data[{result.kept!r}]')} is the one that you changed"


def _call(source: FrameSource) -> str:
    """The call as one writes it in Python, long arguments shortened: `get_chip_summary(chip_id='64Q-demo')`."""
    texts = ((name, repr(value)) for name, value in source.arguments.items() if name != "project_id")
    shown = (f"{name}={text[:_LONGEST_ARGUMENT]}{'…' * (len(text) > _LONGEST_ARGUMENT)}" for name, text in texts)
    return f"{source.tool}({', '.join(shown)})"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _row(tag: str, *cells: str) -> str:
    # Jupyter sets cells to the right, which suits numbers and not words.
    style = "text-align: left; vertical-align: top"
    # The last one holds ids, long words that would make the table wider than the page.
    styles = [*[style] * (len(cells) - 1), f"{style}; min-width: 14em; overflow-wrap: anywhere"]
    row = "".join(f'<{tag} style="{of}">{cell}</{tag}>' for of, cell in zip(styles, cells, strict=True))
    return f"<tr>{row}</tr>"
