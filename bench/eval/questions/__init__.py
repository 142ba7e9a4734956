"""The questions, by what they are about; each with its truth, which is computed from the chip's documents."""

from __future__ import annotations

from collections.abc import Iterator

from eval.book import Book
from eval.questions import beyond, changes, free, lookups, talks, times, values
from eval.questions.item import Item, Question

AREAS = (changes, values, times, lookups, talks, free, beyond)


def items_of(book: Book) -> Iterator[Item]:
    """All items about a chip."""
    for area in AREAS:
        yield from area.items(book)


def questions_of(book: Book) -> list[Question]:
    """All questions about a chip, in both languages."""
    return [
        question
        for place, item in enumerate(items_of(book))
        for question in item.questions(f"{book.chip.seed}.{place}")
    ]
