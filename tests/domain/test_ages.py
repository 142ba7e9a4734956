from __future__ import annotations

from datetime import timedelta

import pytest

from qdash_jupyter.domain.ages import age_words


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(), "just now"),
        (timedelta(seconds=59.9), "just now"),
        (timedelta(seconds=-59.9), "just now"),
        (timedelta(minutes=1), "1 min ago"),
        (timedelta(minutes=59, seconds=59), "59 min ago"),
        (timedelta(hours=1), "1.0 h ago"),
        (timedelta(hours=3, minutes=12), "3.2 h ago"),
        (timedelta(days=1), "1.0 d ago"),
        (timedelta(days=3, hours=4, minutes=48), "3.2 d ago"),
        (timedelta(days=99), "99.0 d ago"),
        (timedelta(days=214, hours=3), "214 d ago"),
        (timedelta(minutes=-5), "in 5 min"),
        (timedelta(days=-2), "in 2.0 d"),
    ],
)
def test_ages_in_words(age: timedelta, words: str) -> None:
    assert age_words(age) == words
