"""The tables of `make eval`, and what a machine reads."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from eval.asking import Asked
from eval.judge import Verdict
from eval.reading import ids_in, numbers_in

_HEADINGS = ("right", "asks", "partial", "silently wrong")


def table(title: str, rows: Iterable[Asked], key: Callable[[Asked], str]) -> str:
    """Counts by verdict for each key, and all together."""
    counts: dict[str, Counter[Verdict]] = {}
    for one in rows:
        counts.setdefault(key(one), Counter())[one.judged.verdict] += 1
    lines = [f"| {title} | asked | {' | '.join(_HEADINGS)} |", f"| --- |{' ---: |' * 5}"]
    lines += [_line(name, counts[name]) for name in sorted(counts)]
    if len(counts) > 1:
        lines.append(_line("all", sum(counts.values(), Counter())))
    return "\n".join(lines)


def _line(name: str, counts: Counter[Verdict]) -> str:
    asked = counts.total()
    shown = [
        f"{counts[verdict]} ({100 * counts[verdict] / asked:.0f} %)" if counts[verdict] else "0" for verdict in Verdict
    ]
    return f"| {name} | {asked} | {' | '.join(shown)} |"


def pairs(rows: Sequence[Asked]) -> list[tuple[Asked, Asked]]:
    """The same question in both languages."""
    japanese = {one.question.pair: one for one in rows if one.question.language == "ja"}
    return [
        (one, japanese[one.question.pair])
        for one in rows
        if one.question.language == "en" and one.question.pair in japanese
    ]


def say_the_same(one: Asked, other: Asked) -> bool:
    """Whether two answers name the same elements in their headlines, and the same numbers in their tables."""
    return _essence(one) == _essence(other)


def _essence(one: Asked) -> tuple[frozenset[str], frozenset[float]]:
    reading = one.reading
    numbers = {
        float(f"{number.value:.3g}")
        for rows in reading.tables
        for row in rows[1:]
        for heading, cell in zip(rows[0], row, strict=False)
        for number in numbers_in(cell, heading)
        if number.unit
    }
    numbers |= {float(f"{number.value:.3g}") for number in numbers_in(reading.headline) if number.unit}
    return frozenset(ids_in(reading.headline)), frozenset(numbers)


def markdown(rows: Sequence[Asked], model: str, seeds: Sequence[int]) -> str:
    """The page."""
    both = pairs(rows)
    same = sum(say_the_same(*pair) for pair in both)
    wrong = sum(one.judged.verdict is Verdict.WRONG for one in rows)
    cost = f"{sum(one.requests for one in rows)} requests, {sum(one.input_tokens + one.output_tokens for one in rows):,} tokens"
    return "\n\n".join(
        (
            f"Model: `{model}`; chips of the seeds {', '.join(map(str, seeds))}; {len(rows)} questions; {cost}.",
            f"**Silently wrong: {wrong} of {len(rows)} ({100 * wrong / max(1, len(rows)):.1f} %).** "
            f"English and Japanese say the same in {same} of {len(both)} pairs.",
            table("language", rows, lambda one: one.question.language),
            table("fault", rows, lambda one: one.question.family),
            table("form", rows, lambda one: one.question.form),
            table("fault, language", rows, lambda one: f"{one.question.family}, {one.question.language}"),
        )
    )


def write_lines(rows: Sequence[Asked], path: Path) -> None:
    """One JSON object a question."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for one in rows:
            question = one.question
            found = {
                "key": question.key,
                "pair": question.pair,
                "family": question.family,
                "form": question.form,
                "language": question.language,
                "before": list(question.before),
                "question": question.asked,
                "verdict": one.judged.verdict.value,
                "reason": one.judged.reason,
                "truth": repr(question.fact)[:600],
                "answer": one.reading.text,
                "charts": [f"{trace.kind} {trace.name} ({len(trace.y)})" for trace in one.reading.traces],
                "seconds": round(one.seconds, 2),
                "requests": one.requests,
                "input_tokens": one.input_tokens,
                "output_tokens": one.output_tokens,
                "failure": one.failure,
            }
            file.write(json.dumps(found, ensure_ascii=False) + "\n")
