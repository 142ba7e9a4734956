"""The tables of the evaluation of curves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from eval.curves.judged import Judged


def share(right: int, count: int) -> str:
    """A count with its part of all."""
    return f"{right} of {count} ({100 * right / count:.1f} %)" if count else "0 of 0"


def counted(
    rows: Iterable[Judged], clear: Callable[[Judged], bool], right: Callable[[Judged], bool]
) -> tuple[int, int]:
    """How many are right, of how many where the truth is clear."""
    found = [right(one) for one in rows if clear(one)]
    return sum(found), len(found)


def code_of(rows: Iterable[Judged]) -> tuple[int, int]:
    """Right codes."""
    return counted(rows, lambda one: one.made.truth.code_clear, lambda one: one.code_right)


def trust_of(rows: Iterable[Judged]) -> tuple[int, int]:
    """Right answers whether a value can be trusted."""
    return counted(rows, lambda one: one.made.truth.fit_clear, lambda one: one.fit_right)


def alarms_of(rows: Iterable[Judged]) -> tuple[int, int]:
    """Good curves that are not called good."""
    return counted(
        rows,
        lambda one: one.made.truth.code == "SUCCESS" and one.made.truth.fit_clear and one.made.truth.code_clear,
        lambda one: one.false_alarm,
    )


def coverage_of(rows: Iterable[Judged], sigmas: float) -> tuple[int, int]:
    """Planted parameters of good curves within so many errors of the new fit."""
    found = [
        each
        for one in rows
        if one.made.truth.code == "SUCCESS" and one.made.fault == "GOOD" and str(one.verdict.fit) == "reliable"
        for each in one.within(sigmas)
    ]
    return sum(found), len(found)


GOALS: tuple[tuple[str, Callable[[Sequence[Judged]], tuple[int, int]], str, float, bool], ...] = (
    ("whether the value can be trusted", trust_of, "≥ 97 %", 0.97, True),
    ("the code", code_of, "≥ 92 %", 0.92, True),
    ("planted values of good curves within 2 σ", lambda rows: coverage_of(rows, 2.0), "95 %", 0.94, True),
    ("false alarms on good curves", alarms_of, "≤ 1 %", 0.01, False),
)


def headline(rows: Sequence[Judged]) -> str:
    """What was found beside the goals."""
    lines = ["| | found | goal | |", "| --- | ---: | ---: | --- |"]
    for name, count, goal, limit, least in GOALS:
        right, of = count(rows)
        reached = (right / max(of, 1) >= limit) if least else (right / max(of, 1) <= limit)
        lines.append(f"| {name} | {share(right, of)} | {goal} | {'reached' if reached else '**missed**'} |")
    return "\n".join(lines)


def by(rows: Sequence[Judged], title: str, key: Callable[[Judged], str]) -> str:
    """Both scores for each key."""
    groups: dict[str, list[Judged]] = {}
    for one in rows:
        groups.setdefault(key(one), []).append(one)
    lines = [f"| {title} | curves | trust right | code right | clear in both |", "| --- | ---: | ---: | ---: | ---: |"]
    for name, group in groups.items():
        clear = sum(one.made.truth.code_clear and one.made.truth.fit_clear for one in group)
        lines.append(f"| {name} | {len(group)} | {share(*trust_of(group))} | {share(*code_of(group))} | {clear} |")
    return "\n".join(lines)


def confusion(rows: Iterable[Judged]) -> str:
    """Which codes were taken for which; rows are the truth."""
    counts = Counter((one.made.truth.code, str(one.verdict.code)) for one in rows if one.made.truth.code_clear)
    truths = sorted({truth for truth, _ in counts})
    lines = ["| planted | right | taken for |", "| --- | ---: | --- |"]
    for truth in truths:
        others = {found: count for (one, found), count in counts.items() if one == truth and found != truth}
        named = ", ".join(f"{found} {count}" for found, count in sorted(others.items(), key=lambda item: -item[1]))
        right = counts[truth, truth]
        lines.append(f"| {truth} | {right} of {right + sum(others.values())} | {named or '–'} |")
    return "\n".join(lines)


def unclear(rows: Sequence[Judged]) -> str:
    """What is said where the planted numbers leave it to chance."""
    trust = [one for one in rows if not one.made.truth.fit_clear]
    code = [one for one in rows if not one.made.truth.code_clear]

    def trusted(of: Sequence[Judged]) -> str:
        return share(sum(one.fit_right for one in of), len(of))

    def coded(of: Sequence[Judged]) -> str:
        return share(sum(one.code_right for one in of), len(of))

    return (
        f"Of {len(rows)} curves the planted numbers leave the trust of {len(trust)} and the code of {len(code)} to "
        "chance: they lie near a limit, and do not count above. Counted by the side of the limit on which they are "
        f"planted, the trust is right in {trusted(trust)} of these, the code in {coded(code)}. **Of all curves, clear "
        f"or not, the trust is right in {trusted(rows)}, the code in {coded(rows)}.**"
    )
