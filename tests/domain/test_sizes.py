from __future__ import annotations

import pytest

from qdash_jupyter.domain.sizes import MEGABYTE, size_words


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "1.0 kB"),
        (9_940, "9.9 kB"),
        (9_960, "10 kB"),
        (999_499, "999 kB"),
        (999_501, "1.0 MB"),
        (12 * MEGABYTE, "12 MB"),
        (1_340_000_000, "1.3 GB"),
        (2_000_000_000_000_000, "2000 TB"),
    ],
)
def test_sizes_in_words(count: int, words: str) -> None:
    assert size_words(count) == words
