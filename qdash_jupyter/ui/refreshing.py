"""`%copilot data refresh`: stored results fetched again, and what came of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from qdash_jupyter.domain.safe_text import harmless_words
from qdash_jupyter.errors import PersonError, ToolError

if TYPE_CHECKING:
    from qdash_jupyter.store.frame import StoredResult
    from qdash_jupyter.store.store import FrameStore


def refreshed(data: FrameStore, keys: Sequence[str]) -> str:
    """Fetch the results of these keys again, or all of them, each call once; a line of Markdown says what came of each.

    Raises:
        PersonError: there is no such key.
    """
    wanted = meant(data, keys)
    if not wanted:
        return "Nothing was fetched yet."
    lines: list[str] = []
    fetched: list[StoredResult] = []
    broken = False
    for old in wanted:
        new = next((new for new in fetched if new.source.same_call(old.source)), None)
        try:
            if new is None and not broken:
                fetched.append(new := old.refresh())
            outcome = _outcome(old, new) if new is not None else "not tried"
        except (ToolError, PersonError) as error:
            broken = isinstance(error, PersonError)  # then the others would fail as well
            outcome = f"not fetched: {error}"
        lines.append(f"- `data[{old.key!r}]`: {harmless_words(outcome)}")
    return "\n".join(lines)


def meant(data: FrameStore, keys: Sequence[str]) -> list[StoredResult]:
    """The results of these keys, or all.

    Raises:
        PersonError: there is no such key.
    """
    try:
        return [data[key] for key in keys] or list(data.values())
    except KeyError as error:
        raise PersonError(error.args[0]) from None


def _outcome(old: StoredResult, new: StoredResult) -> str:
    if new.key != old.key:
        return f"stays as it is, because you changed it; what was fetched now is data[{new.key!r}]"
    rows = new.rows - old.rows
    return f"{new.version_words} ({rows:+,} rows)" if rows else new.version_words
