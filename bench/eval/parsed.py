"""How well questions are read that were not written beside the grammar: run and right, offered, not offered, wrong.

    python -m eval.parsed

`meant.txt` holds the questions of a first trial, `asked_by_others/` those of people who had not seen the grammar, each
with the query that its author meant.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

from demo_chip import make_demo

from qdash_jupyter.domain.language import language_of
from qdash_jupyter.domain.qid import is_coupling, other_direction
from qdash_jupyter.llm.offline.grammar.assembling import queries
from qdash_jupyter.llm.offline.grammar.forms import checked
from qdash_jupyter.llm.offline.grammar.offers import offers
from qdash_jupyter.llm.offline.operations import can_answer
from qdash_jupyter.llm.offline.query import Amount, Asked, Condition, Query, Window

HERE = Path(__file__).parent
NOW = datetime(2026, 6, 30, 5, 40, tzinfo=UTC)
NOTHING = "~"
"""What no query of today means."""


@dataclass(frozen=True, slots=True)
class Meant:
    """A question, whether it follows the one before, and the queries that it may mean; none where no query does."""

    question: str
    follows: bool
    queries: tuple[Query, ...]


def read_all(path: Path) -> Iterator[Meant]:
    """The questions of a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        question, arrow, query = line.strip().partition("=>")
        if arrow and not line.startswith("#"):
            meant = () if query.strip() == NOTHING else tuple(map(_query, query.split("||")))
            yield Meant(question.strip("> "), question.startswith(">"), meant)


def judged(path: Path) -> Mapping[str, Counter[str]]:
    """What came of the questions of a file, by language."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    before: Query | None = None
    for meant in read_all(path):
        came = _came(meant, before if meant.follows else None)
        found[language_of(meant.question)][came] += 1
        before = meant.queries[0] if meant.queries else before
    return found


def _came(meant: Meant, before: Query | None) -> str:
    wanted = {_alike(_among(query, before)) for query in meant.queries}
    found = {_alike(query) for query in _of_the_chip(queries(meant.question, NOW, before)) if can_answer(query)}
    if not wanted:
        return "refused rightly" if len(found) != 1 else "wrong"
    if found == wanted and len(found) == 1:
        return "run and right"
    if len(found) == 1 and len(wanted) == 1:
        return "wrong"
    offered = found or {_alike(query) for query in offers(meant.question, NOW, before).queries}
    return "offered" if wanted & offered else "not offered"


def _among(query: Query, before: Query | None) -> Query:
    """A query among those that meet conditions has these, too."""
    if query.among is None or before is None or not before.conditions or before.order:
        return query
    return replace(query, among=None, conditions=(*before.conditions, *query.conditions))


def _of_the_chip(found: Sequence[Query]) -> Sequence[Query]:
    """Of a coupling and a range, which `36-38` can be, the coupling where the chip has it; so does the planner."""
    pairs = [query for query in found if len(query.qids) == 1 and is_coupling(query.qids[0])]
    known = [query for query in pairs if {query.qids[0], other_direction(query.qids[0])} & _couplings()]
    return known if len(found) == 2 and len(pairs) == 1 and known else found  # noqa: PLR2004 - two readings


@cache
def _couplings() -> frozenset[str]:
    return frozenset(row["qid"] for row in make_demo().documents["coupling"] if row["data"])


def _alike(query: Query) -> Query:
    """The query in one form, where the notation leaves a choice."""
    asked = query.asked
    known = (other if (other := other_direction(qid)) in _couplings() else qid for qid in query.qids)
    query = replace(query, qids=tuple(known))
    if asked is Asked.VALUES and not (query.qids or query.places or query.conditions or query.without or query.among):
        asked = Asked.MAP
    if asked is Asked.MEASUREMENTS and query.window and not (query.count or query.how_many or query.conditions):
        asked = Asked.HISTORY
    if asked is Asked.RESULTS and query.per in {"day", "week", "month"}:
        query = replace(query, how_many=False)  # they are counted
    if asked is Asked.AGE and query.order == "highest":
        query = replace(query, order=None)  # the oldest is told first
    if asked is Asked.CHANGE and query.direction is None:
        query = replace(query, direction="either")
    conditions = query.conditions
    if (whole := checked(query)) is not None:
        conditions = whole.conditions
    if query.statistic == "fraction" and query.conditions:  # how many of how many
        query, asked = replace(query, statistic=None, how_many=True), Asked.SELECT
    if asked is Asked.VERDICT and query.direction and query.window:
        asked = Asked.CHANGE
    metrics = tuple(sorted(query.metrics)) if asked is Asked.RELATION else query.metrics  # an author says no axis
    kind = query.kind if whole is None else whole.kind  # an author says none where the parameter tells it
    own = asked in {Asked.UNMEASURED, Asked.CHANGE, Asked.PARAMETERS} and kind == "coupling"
    if (
        query.low
        and asked is Asked.SELECT
        and not (query.metrics or query.conditions or query.order or kind == "coupling")
    ):
        asked = Asked.VERDICT if query.qids or query.places else Asked.HEALTH  # what is bad in nothing that is named
    drawn = query.form in {"plot", "histogram", "map"} or asked is Asked.RELATION
    return replace(
        query,
        asked=asked,
        kind="coupling" if own else None,
        conditions=conditions,
        errors=query.errors and not conditions,
        metrics=() if conditions and not query.order and asked is Asked.MEASUREMENTS else metrics,
        neighbours=query.neighbours and bool(query.qids),  # else all are meant
        low=query.low and asked not in {Asked.VERDICT, Asked.HEALTH},
        form=None if drawn else query.form,
        among=Query(Asked.SELECT) if query.among else None,
    )


# --- the notation ---------------------------------------------------------------------------------------------------


def _query(text: str) -> Query:
    asked, *fields = text.split()
    values: dict[str, Any] = {}
    for field in fields:
        name, equals, value = field.partition("=")
        values[name] = _VALUES[name](value) if name in _VALUES else value if equals else True
    return Query(Asked(asked), **{name: value for name, value in values.items() if name in Query.__dataclass_fields__})


def _window(text: str) -> Window:
    if text.endswith("d") and ".." not in text:
        days = float(text[:-1])
        return Window(NOW - timedelta(days=days), days=days)
    since, _, until = text.partition("..")
    return Window(_moment(since), _moment(until))


def _moment(text: str) -> datetime | None:
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None


def _ids(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for part in text.split(","):
        first, dots, last = part.partition("..")
        found += map(str, range(int(first), int(last) + 1)) if dots else [part]
    return tuple(found)


def _amount(text: str) -> Amount:
    number = re.match(r"[\d.]+", text)
    return Amount(float(number[0]), text[number.end() :]) if number else Amount(0, text)


def _condition(text: str) -> Condition:
    found = re.fullmatch(r"(\w+)(<=|>=|<|>|:)(.*)", text)
    if found is None:
        raise ValueError(text)
    metric, sign, limit = found.groups()
    if sign == ":":
        low, _, high = limit.partition("..")
        upper = _amount(high)
        return Condition(metric, upper, Amount(float(low), upper.unit), inclusive=True)
    factor, star, other = limit.rpartition("*")
    side: Any = other if star or not limit[0].isdigit() else _amount(limit)
    return Condition(
        metric, **{"below" if "<" in sign else "above": side}, factor=float(factor or 1), inclusive="=" in sign
    )


def _conditions(text: str) -> tuple[Condition, ...]:
    return tuple(map(_condition, text.split(",")))


_VALUES: Mapping[str, Any] = {
    "metrics": lambda text: tuple(text.split(",")),
    "qids": _ids,
    "without": _ids,
    "places": lambda text: tuple(
        (name, int(number)) for name, _, number in (one.partition(":") for one in text.split(","))
    ),
    "conditions": _conditions,
    "window": _window,
    "against": _window,
    "by": _amount,
    "count": int,
    "nth": int,
    "among": lambda _: Query(Asked.SELECT),
}


def main() -> None:
    """Print a table."""
    kinds = ("run and right", "offered", "not offered", "wrong", "refused rightly")
    print(f"| questions | language | {' | '.join(kinds)} |\n| --- | --- |{' ---: |' * len(kinds)}")
    for path in (HERE / "meant.txt", *sorted((HERE / "asked_by_others").glob("*.txt"))):
        for language, counts in sorted(judged(path).items()):
            print(f"| {path.stem} | {language} | {' | '.join(str(counts[kind]) for kind in kinds)} |")


if __name__ == "__main__":
    main()
