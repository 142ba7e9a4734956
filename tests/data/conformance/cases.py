"""Which sets of documents are read behind which reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from random import Random
from typing import Any, TypeVar

import pytest

from tests.data.conformance.documents import LARGE, SMALL
from tests.data.conformance.lookup_documents import LOOKUP_SETS

Asked = TypeVar("Asked")

ALL_SETS = SMALL | LARGE | LOOKUP_SETS

READERS = [pytest.param("snapshot"), pytest.param("mongo", marks=pytest.mark.mongo)]


def cases(names: Iterable[str]) -> list[Any]:
    """`kind` and `name`: each set behind each reader. Large sets in MongoDB take a minute: that server is slow."""
    found = []
    for name in names:
        slow = [pytest.mark.long] if name in {"qdash-sample", "demo"} else []
        found += [pytest.param("snapshot", name, marks=slow)]
        found += [pytest.param("mongo", name, marks=[pytest.mark.mongo, *slow])]
    return found


THOROUGHLY = pytest.mark.parametrize("thoroughly", [False, pytest.param(True, marks=pytest.mark.long)])
"""Whether all questions are asked: tens of thousands, for a minute of processor time."""


def some_of(questions: Sequence[Asked], method_of: Callable[[Asked], str]) -> list[Asked]:
    """All questions of methods with few, of the others the first and a sixteenth of the rest, always the same ones."""
    by_method: dict[str, list[Asked]] = {}
    for question in questions:
        by_method.setdefault(method_of(question), []).append(question)
    chance, chosen = Random(1), []  # noqa: S311 - not for secrets
    for asked in by_method.values():
        chosen += [*asked[:4], *chance.sample(asked[4:], -(-len(asked[4:]) // 16))]
    return chosen


@cache
def documents_of(name: str) -> dict[str, list[dict[str, Any]]]:
    """The set's documents, by collection."""
    return ALL_SETS[name]()
