"""Stored results as a table on the screen, in whatever colours the page has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message, cut
from qdash_jupyter.store.table import StoredTable

MOST_COLUMNS = 8
"""So many columns of a table are named, and how many more there are."""

_LONGEST_ARGUMENT = 40


def listing_html(results: Iterable[tuple[str, str, str]]) -> str:
    """A row a result (`StoredResult.listed`): how one writes it, what is in it, and where it came from."""
    return _table(("in-python", "tables", "from"), results)


def tools_html(tools: Iterable[tuple[str, str, str]]) -> str:
    """A row a tool: its name, what it takes, and what it does."""
    rows = ((code_html(name), code_html(takes), escape(does)) for name, takes, does in tools)
    return _table(("tool", "takes", "does"), rows)


def tables_html(tables: Mapping[str, StoredTable], units: Mapping[str, str]) -> Iterator[str]:
    """A line a table: its name, rows × columns, and the first columns with their units. No file is opened."""
    for name, table in tables.items():
        names = table.columns
        shown = cut((f"{one} [{units[one]}]" if units.get(one) else one for one in names), MOST_COLUMNS)
        words = Message("stored-parts", parts=shown).of(reader())
        yield f"{code_html(f'[{name!r}]')} {table.rows:,} × {len(names)}: {escape(words)}"


def call_html(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call as one writes it in Python, long arguments shortened: `get_chip_summary(chip_id='64Q-demo')`."""
    texts = ((name, repr(value)) for name, value in arguments.items() if name != "project_id")
    shown = (f"{name}={text[:_LONGEST_ARGUMENT]}{'…' * (len(text) > _LONGEST_ARGUMENT)}" for name, text in texts)
    return escape(f"{tool}({', '.join(shown)})")


def code_html(text: str) -> str:
    """Text as code."""
    return f"<code>{escape(text)}</code>"


def _table(names: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    head = _row("th", *(Message("heading", name=name).of(reader()) for name in names))
    return f"<table><thead>{head}</thead><tbody>{''.join(_row('td', *row) for row in rows)}</tbody></table>"


def _row(tag: str, *cells: str) -> str:
    # Jupyter sets cells to the right, which suits numbers and not words.
    style = "text-align: left; vertical-align: top"
    # The last one holds ids, long words that would make the table wider than the page.
    styles = [*[style] * (len(cells) - 1), f"{style}; min-width: 14em; overflow-wrap: anywhere"]
    row = "".join(f'<{tag} style="{of}">{cell}</{tag}>' for of, cell in zip(styles, cells, strict=True))
    return f"<tr>{row}</tr>"
