from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tool_sets.web import Web, web


@pytest.fixture
def lab() -> Iterator[Web]:
    with web() as made:
        yield made
