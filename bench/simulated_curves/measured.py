"""What verdicts are worth: good ones called unreliable, bad ones called reliable, and coverage."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from qdash_jupyter.methods.curves.verdict import CurveVerdict
from simulated_curves.curves import Made


@dataclass(frozen=True, slots=True)
class Seen:
    """One parameter of one curve: what it should be (`good`, `bad`, or nothing), and what it was called."""

    family: str
    kind: str
    seed: int
    parameter: str
    expected: str
    is_reliable: bool
    covered: bool | None
    code: str


def seen_of(made: Made, seed: int, verdict: CurveVerdict) -> Iterator[Seen]:
    """Each parameter of which something is known."""
    for name in sorted({*made.good, *made.bad, *made.truth}):
        found: Any = verdict.parameters.get(name)
        expected = "good" if name in made.good else "bad" if name in made.bad else ""
        trust, code = _trust(verdict, found)
        covered = None
        if name in made.exact and found is not None and name in made.truth:
            low, high = _interval(found)
            covered = low <= made.truth[name] <= high
        yield Seen(made.family, made.kind, seed, name, expected, trust == "reliable", covered, code)


def _trust(verdict: CurveVerdict, found: Any) -> tuple[str, str]:
    """Of the parameter where verdicts are by parameter, else of the curve."""
    if hasattr(found, "fit"):
        return str(found.fit), str(found.code)
    return str(verdict.fit), str(verdict.code)


def _interval(found: Any) -> tuple[float, float]:
    """What is stated to hold the truth in 95 % of all cases."""
    if hasattr(found, "interval"):
        low, high = found.interval
        return float(low), float(high)
    return found.value - 1.96 * found.error, found.value + 1.96 * found.error


def _share(count: int, of: int) -> str:
    return f"{count} of {of} ({100 * count / of:.1f} %)" if of else "–"


def table(seen: Sequence[Seen]) -> str:
    """A row for each parameter of each family."""
    lines = [
        "| family | parameter | good called unreliable | bad called reliable | coverage of 95 % |",
        "| --- | --- | ---: | ---: | ---: |",
    ]
    for family, parameter in dict.fromkeys((one.family, one.parameter) for one in seen):
        own = [one for one in seen if (one.family, one.parameter) == (family, parameter)]
        good, bad = ([one for one in own if one.expected == what] for what in ("good", "bad"))
        covered = [one.covered for one in own if one.covered is not None]
        lines.append(
            f"| {family} | {parameter} | {_share(sum(not one.is_reliable for one in good), len(good))} | "
            f"{_share(sum(one.is_reliable for one in bad), len(bad))} | {_share(sum(covered), len(covered))} |"
        )
    return "\n".join(lines)


def worst(seen: Sequence[Seen]) -> Iterator[str]:
    """Where the verdicts are wrong: by kind and code, the most frequent first; and coverage by kind."""
    off = Counter(
        (one.family, one.kind, one.parameter, one.expected, one.code)
        for one in seen
        if one.expected and one.is_reliable != (one.expected == "good")
    )
    seeds: dict[tuple[str, ...], list[int]] = {}
    for one in seen:
        seeds.setdefault((one.family, one.kind, one.parameter, one.expected, one.code), []).append(one.seed)
    for key, count in off.most_common():
        yield f"{count:4d}  {' / '.join(key)}  {seeds[key][:6]}"
    groups: dict[tuple[str, ...], list[bool]] = {}
    for one in seen:
        if one.covered is not None:
            groups.setdefault((one.family, one.kind, one.parameter), []).append(one.covered)
    for group, covered in groups.items():
        share = sum(covered) / len(covered)
        if share < 0.95 - 2 * math.sqrt(0.0475 / len(covered)):
            yield f"covered {share:.2f} of {len(covered)}: {' / '.join(group)}"
