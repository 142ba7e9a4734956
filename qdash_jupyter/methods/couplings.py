"""Which qubits to use together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from qdash_jupyter.methods.current import Values, values_of
from qdash_jupyter.methods.measurements import metric_of, order_of

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
        (qid, sign * score[qid], ", ".join(sorted(near[qid] & best, key=order_of)))
        for qid in sorted(best, key=lambda qid: (-score[qid], order_of(qid)))
    ]
    found = pd.DataFrame(rows, columns=["qid", name, "coupled to"])
    how = (
        "exact: no connected set has a better mean" if exact else "the best of those looked at: a better set may exist"
    )
    found.attrs |= {
        "method": f"Best connected set of {count} of {len(score)} qubits by mean score, {how}.",
        "exact": exact,
    }
    found.attrs["mean score"] = sign * float(np.mean([score[qid] for qid in best])) if best else float("nan")
    return found


MOST_OPEN = 400
"""Sets of one size that the search for a patch goes on from."""


def best_patch(
    summary: Mapping[str, Any],
    couplings: Mapping[str, Any],
    count: int,
    *,
    chain: bool = False,
    qubits: Sequence[str] = ("average_readout_fidelity", "x90_gate_fidelity"),
    old_days: float = 30.0,
    without: Iterable[str] = (),
) -> pd.DataFrame:
    """The connected qubits, so many, with the best product of fidelities: those of each qubit, and those of the
    couplings that hold them together.

    Of a chain the couplings are those from one to the next; of any other set the best tree. Values older than
    `old_days` do not count, nor does a qubit or coupling without all of its values. The search keeps the best 400 sets
    of each size: exact for pairs, and where no more sets exist.

    Args:
        summary: Current values of qubits.
        couplings: A series of a fidelity of couplings: the newest of each counts.
        count: Qubits.
        chain: Whether each may be coupled to the next alone.
        qubits: Which fidelities of a qubit are multiplied.
        old_days: Age in days beyond which a value does not count.
        without: Qubits that are not used.

    Returns:
        One row a qubit and one a coupling, in their order along a chain: `qid`, a column for each fidelity `[%]`,
        `age [d]` (of the oldest of them). `attrs["fidelity"]` is the product. Empty where no set is that large.
    """
    values = summary["values"]
    values = values[(values["age_days"] <= old_days) & values["parameter"].isin(qubits)].dropna(subset=["value"])
    wide = values.pivot_table(index="qid", columns="parameter", values="value").reindex(columns=list(qubits)).dropna()
    wide = wide[(wide > 0).all(axis=1)].drop(index=list(without), errors="ignore")
    two = couplings["qubits"].dropna(subset=["latest"])
    two = two[(two["age_days"] <= old_days) & (two["latest"] > 0)].set_index("qid")
    score = np.log(wide).sum(axis=1).to_dict()
    links: dict[str, dict[str, str]] = {qid: {} for qid in score}
    for name in two.index:
        one, other = str(name).split("-")
        if one in links and other in links:
            links[one][other] = links[other][one] = str(name)
    gain = {str(name): float(np.log(value)) for name, value in two["latest"].items()}
    order, used = _patch(score, links, gain, count, chain=chain)
    titles = {name: f"{metric_of(name).title} [%]" for name in (*qubits, couplings["parameter_name"])}
    ages = values.groupby("qid")["age_days"].max() if len(values) else pd.Series(dtype=float)
    rows = [{"qid": qid} | {titles[name]: 100 * wide.loc[qid, name] for name in qubits} for qid in order]
    rows = [row | {"age [d]": ages[row["qid"]]} for row in rows]
    gate = titles[couplings["parameter_name"]]
    rows += [{"qid": name, gate: 100 * two.loc[name, "latest"], "age [d]": two.loc[name, "age_days"]} for name in used]
    found = pd.DataFrame(rows, columns=["qid", *titles.values(), "age [d]"])
    total = sum(score[qid] for qid in order) + sum(gain[name] for name in used)
    found.attrs = {
        "fidelity": float(np.exp(total)) if order else float("nan"),
        "method": f"Product of {', '.join(titles.values())} over qubits and couplings; of the last {old_days:g} d.",
    }
    return found


def _patch(
    score: Mapping[str, float],
    links: Mapping[str, Mapping[str, str]],
    gain: Mapping[str, float],
    count: int,
    *,
    chain: bool,
) -> tuple[list[str], list[str]]:
    """The qubits and the couplings of the best patch; sets grow by one qubit at a time, the best ones go on."""
    open_sets: dict[Any, tuple[float, list[str], list[str]]] = {
        frozenset([qid]): (value, [qid], []) for qid, value in score.items()
    }
    for _ in range(count - 1):
        grown: dict[Any, tuple[float, list[str], list[str]]] = {}
        for total, order, used in open_sets.values():
            for at in [order[0], order[-1]] if chain else order:
                for near, name in links[at].items():
                    if near in order:
                        continue
                    first = chain and at == order[0] and len(order) > 1
                    longer = [near, *order] if first else [*order, near]
                    key = (frozenset(longer), frozenset([longer[0], longer[-1]])) if chain else frozenset(longer)
                    better = total + score[near] + gain[name]
                    if key not in grown or better > grown[key][0]:
                        grown[key] = better, longer, [name, *used] if first else [*used, name]
        open_sets = dict(sorted(grown.items(), key=lambda item: -item[1][0])[:MOST_OPEN])
    if count < 1 or not open_sets:
        return [], []
    _, order, used = max(open_sets.values(), key=lambda one: one[0])
    return order, used


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
