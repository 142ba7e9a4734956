"""The tables of `make eval`, and what a machine reads."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from eval.asking import Asked
from eval.conditions import Ignored
from eval.judge import Verdict
from eval.questions.item import Question

_MOST_LISTED = 40
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


def line_of_model(rows: Sequence[Asked], model: str) -> str:
    """Return how a model did, as a line of the table of language models."""
    tokens, seconds = sum(one.input_tokens + one.output_tokens for one in rows), sum(one.seconds for one in rows)
    counted = _line(model, Counter(one.judged.verdict for one in rows))
    return f"{counted} {tokens / len(rows):,.0f} | {seconds / len(rows):.1f} |"


def pairs(rows: Sequence[Asked]) -> list[tuple[Asked, Asked]]:
    """The same question in both languages."""
    japanese = {one.question.pair: one for one in rows if one.question.language == "ja"}
    return [
        (one, japanese[one.question.pair])
        for one in rows
        if one.question.language == "en" and one.question.pair in japanese
    ]


def markdown(rows: Sequence[Asked], model: str, seeds: Sequence[int]) -> str:
    """The page."""
    both = pairs(rows)
    same = sum(one.reading.essence == other.reading.essence for one, other in both)
    wrong = sum(one.judged.verdict is Verdict.WRONG for one in rows)
    requests, tokens = (sum(one.requests for one in rows), sum(one.input_tokens + one.output_tokens for one in rows))
    share = 100 * wrong / max(1, len(rows))
    chips = f"chips of the seeds {', '.join(map(str, seeds))}"
    cost = f"{requests:,} requests, {tokens:,} tokens"
    headline = f"**Silently wrong: {wrong} of {len(rows)} ({share:.1f} %).**"
    return "\n\n".join(
        (
            f"Model: `{model}`; {chips}; {len(rows)} questions; {cost}.",
            f"{headline} English and Japanese say the same in {same} of {len(both)} pairs.",
            table("language", rows, lambda one: one.question.language),
            table("fault, language", rows, lambda one: f"{one.question.family}, {one.question.language}"),
            table("form", rows, lambda one: one.question.form),
            *_listed(rows),
        )
    )


def _listed(rows: Sequence[Asked]) -> list[str]:
    """The questions with a wrong answer, where they are few."""
    wrong = [one for one in rows if one.judged.verdict is Verdict.WRONG]
    if not 0 < len(wrong) <= _MOST_LISTED:
        return []
    lines = [f"- {one.question.key}: {' → '.join((*one.question.before, one.question.asked))}" for one in wrong]
    return ["Silently wrong:", "\n".join(lines)]


def conditions_table(added: Sequence[tuple[Question, list[Ignored]]], each: int = 2) -> str:
    """How often a condition that nobody can know was ignored."""
    lines = [
        "| an unknown condition added | asked | answered without a mark | the same answer |",
        "| --- | ---: | ---: | ---: |",
    ]
    for language in ("en", "ja"):
        found = [ignored for question, ignored in added if question.language == language]
        unmarked = [one for several in found for one in several]
        lines.append(f"| {language} | {each * len(found)} | {len(unmarked)} | {sum(one.same for one in unmarked)} |")
    return "\n".join(lines)


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
