"""The ports that a command listens on; what cannot be one: tests/server/test_access.py."""

from __future__ import annotations

from qdash_jupyter.ui.serving import listening


def test_zero_is_any_that_is_free() -> None:
    with listening(0) as one:
        assert one.getsockname()[1] > 0
