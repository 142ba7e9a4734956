from __future__ import annotations

import time

import pytest

from qdash_jupyter.tools.reading_progress import EVERY_S, ReadingProgress


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return now


def test_short_reads_say_nothing_and_long_ones_now_and_then(clock: list[float]) -> None:
    told: list[str] = []
    progress = ReadingProgress(told.append, "en")
    for documents in range(0, 100_000, 1000):  # a thousand documents in an eighth of a second
        progress(documents, documents * 130)
        clock[0] += 0.125
    every = round(EVERY_S / 0.125)
    assert told[:2] == ["4,000 documents, 520 kB", "8,000 documents, 1.0 MB"]
    assert len(told) == 100 // every - 1


@pytest.mark.parametrize(("language", "words"), [("en", "1,234,567 documents, 160 MB"), ("ja", "1,234,567件, 160 MB")])
def test_it_has_units_in_the_person_s_language(clock: list[float], language: str, words: str) -> None:
    told: list[str] = []
    progress = ReadingProgress(told.append, language)  # type: ignore[arg-type]
    clock[0] += EVERY_S
    progress(1_234_567, 160_493_710)
    assert told == [words]
