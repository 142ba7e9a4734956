"""Which sets of documents are read behind which reader."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import pytest

from tests.data.conformance.documents import LARGE, SMALL
from tests.data.conformance.lookup_documents import LOOKUP_SETS

ALL_SETS = SMALL | LARGE | LOOKUP_SETS

READERS = [pytest.param("snapshot"), pytest.param("mongo", marks=pytest.mark.mongo)]


def cases(names: Iterable[str]) -> list[Any]:
    """`kind` and `name`: each set behind each reader. Large sets in MongoDB take a minute: that server is slow."""
    found = []
    for name in names:
        slow = [pytest.mark.long] if name in {"qdash-sample", "demo"} else []
        found += [pytest.param("snapshot", name), pytest.param("mongo", name, marks=[pytest.mark.mongo, *slow])]
    return found


@cache
def documents_of(name: str) -> dict[str, list[dict[str, Any]]]:
    """The set's documents, by collection."""
    return ALL_SETS[name]()
