"""Which qubits to use together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.methods.current import Values, values_of

MOST_STEPS = 200_000
"""Sets that the exact search looks at before it gives up."""


def best_connected(
    scores: Values,
    couplings: Iterable[Any] | pd.DataFrame | Mapping[str, Any],
    count: int,
    *,
    parameter: str | None = None,
    higher_is_better: bool = True,
) -> pd.DataFrame:
    """The connected set of so many qubits with the best mean score.

    The best of every qubit's greedy set (always the best neighbour next) is the start; then all connected sets that
    could be better are looked through (branch and bound). Where that ends within 200,000 sets the result is exact, else
    the best that was found: `attrs["exact"]` and `attrs["method"]` say which.

    `scores` are a stored summary or series, a table of values, or a Series by qid; who has none is not used.
    `couplings` are ids (`"0-1"`), pairs, a table with `qid` or with `control` and `target`, or a stored series of
    couplings (those with a newest value) or topology.

    Returns:
        One row a qubit, the best first: `qid`, `score [unit]`, `coupled to` (those in the set, as text).
        `attrs["mean score"]`. Empty where no connected set is that large.
    """
    table, metric = values_of(scores, parameter)
    sign = 1.0 if higher_is_better else -1.0
    score = {str(qid): sign * float(value) for qid, value in zip(table["qid"], table["value"], strict=True)}
    near: dict[str, set[str]] = {qid: set() for qid in score}
    for one, other in _pairs(couplings):
        if one in near and other in near and one != other:
            near[one].add(other)
            near[other].add(one)
    best, exact = _search(score, near, count)
    name = f"score [{metric.unit}]" if metric.key != "value" else "score"
    rows = [
        (qid, sign * score[qid], ", ".join(sorted(near[qid] & best, key=_number)))
        for qid in sorted(best, key=lambda qid: (-score[qid], _number(qid)))
    ]
    found = pd.DataFrame(rows, columns=["qid", name, "coupled to"])
    how = (
        "exact: no connected set has a better mean" if exact else "the best of those looked at: a better set may exist"
    )
    found.attrs = {
        "method": f"Best connected set of {count} of {len(score)} qubits by mean score, {how}.",
        "exact": exact,
    }
    found.attrs["mean score"] = sign * float(np.mean([score[qid] for qid in best])) if best else float("nan")
    return found


def _search(score: Mapping[str, float], near: Mapping[str, set[str]], count: int) -> tuple[set[str], bool]:
    """The best connected set, and whether no other can be better."""
    if count < 1:
        return set(), True
    best: set[str] = set()
    for start in score:
        grown = _grown(start, score, near, count)
        if len(grown) == count and (not best or _total(grown, score) > _total(best, score)):
            best = grown
    order, steps = sorted(score, key=lambda qid: -score[qid]), MOST_STEPS
    for place in range(len(order)):
        found, steps = _better(order[place:], score, near, count, best, steps)
        best = found or best
        if steps < 0:
            return best, False
    return best, True


def _better(  # noqa: PLR0917 - one search in two functions
    order: list[str], score: Mapping[str, float], near: Mapping[str, set[str]], count: int, best: set[str], steps: int
) -> tuple[set[str], int]:
    """The best connected set with the first of `order` and others of it, if it is better; and the steps left."""
    allowed, found = set(order), set[str]()
    bound = _total(best, score) if best else -np.inf
    border = near[order[0]] & allowed
    todo = [(order[:1], sorted(border, key=score.__getitem__), {order[0], *border})]
    while todo and steps >= 0:
        steps -= 1
        chosen, choices, seen = todo.pop()
        total, left = _total(chosen, score), count - len(chosen)
        if left == 0 and total > bound + 1e-12 * abs(bound):
            found, bound = set(chosen), total
        if left == 0 or total + sum(score[qid] for qid in order[1 : 1 + left]) <= bound:
            continue
        # Each set once: with a choice, the ones before it stay open, those behind it are done.
        for end, added in enumerate(choices):
            fresh = (near[added] & allowed) - seen
            todo.append(([*chosen, added], sorted([*choices[:end], *fresh], key=score.__getitem__), seen | fresh))
    return found, steps


def _grown(start: str, score: Mapping[str, float], near: Mapping[str, set[str]], count: int) -> set[str]:
    chosen = {start}
    while len(chosen) < count:
        border = set().union(*(near[qid] for qid in chosen)) - chosen
        if not border:
            break
        chosen.add(max(border, key=lambda qid: (score[qid], qid)))
    return chosen


def _total(chosen: Iterable[str], score: Mapping[str, float]) -> float:
    return sum(score[qid] for qid in chosen)


def _pairs(couplings: Any) -> list[tuple[str, str]]:
    if isinstance(couplings, Mapping):
        rows = couplings["couplings"] if "couplings" in couplings else couplings["qubits"].dropna(subset=["latest"])
        return _pairs(rows)
    if isinstance(couplings, pd.DataFrame):
        if {"control", "target"} <= set(couplings.columns):
            return [(str(a), str(b)) for a, b in zip(couplings["control"], couplings["target"], strict=True)]
        return _pairs(couplings["qid"])
    found = []
    for one in couplings:
        parts: Sequence[Any] = one.split("-") if isinstance(one, str) else one
        if len(parts) != 2:  # noqa: PLR2004
            msg = f"A coupling is '0-1' or a pair; this is {one!r}."
            raise ValueError(msg)
        found.append((str(parts[0]), str(parts[1])))
    return found


def _number(qid: str) -> tuple[int, str]:
    return (int(qid), "") if qid.isdigit() else (10**9, qid)
