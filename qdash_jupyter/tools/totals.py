"""What a list says that is not all there is."""

from __future__ import annotations

from collections.abc import Sequence

from qdash_jupyter.data.records import Execution, TaskResult
from qdash_jupyter.domain.answer import JsonObject


def cut_to(shown: int, total: int, each: int | None = None, *, is_least: bool = False) -> JsonObject:
    """Return how many there are, `total` (or, where nobody counted, that there are more), and which of them are given,
    `cut`: the newest, or the newest so many of `each` element. Nothing where all are.
    """
    if total <= shown:
        return {}
    which = f"newest {shown}" if each is None else f"newest {each} of each, {shown}"
    known = f"≥ {total}" if is_least else total
    return {"total": known, "cut": f"{which} of {known}{'; total: true counts them' if is_least else ''}"}


def odd_dates(found: Sequence[TaskResult] | Sequence[Execution]) -> JsonObject:
    """Return how many have a date that cannot be (`ODD_TIME`), and which; nothing where none has."""
    return {"odd_dates": f"{len(found)}, never newest, in no time range: {found[0].flag}"} if found else {}
