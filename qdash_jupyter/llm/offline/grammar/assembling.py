"""Puts the parts of a sentence together: the one query that uses all of them, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields as fields_of
from dataclasses import replace
from datetime import datetime, timedelta

from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.grammar.follow_ups import (
    REFERRING,
    Slots,
    Unfit,
    among_those,
    by_its_condition,
    is_one,
    is_short,
    meant,
    says,
)
from qdash_jupyter.llm.offline.grammar.forms import checked
from qdash_jupyter.llm.offline.grammar.parts import MOST_CHARACTERS, Part, normal, parts_of, weight
from qdash_jupyter.llm.offline.query import Amount, Asked, Condition, Query, Window, kinds

_LISTS = frozenset({"metrics", "qids", "without", "places", "asked", "conditions", "windows"})
"""Fields of which a sentence may name several."""
_TWO = 2
_ONLY_JOINS = frozenset(
    {"add", "and", "both", "each", "filler", "it", "level", "only", "recent", "refer"} | {"what_is", "which_ones"}
)
_NAMING = frozenset(
    {"among", "conditions", "count", "everything", "how_many", "kind", "order", "places", "qids", "refer"}
)
"""Parts that say which qubits are meant."""


def queries(sentence: str, now: datetime, before: Query | None = None, current: str | None = None) -> tuple[Query, ...]:
    """What a sentence asks for: nothing where it does not parse whole, several where its words mean several things. One
    that names no qubits may be about the `current` one.
    """
    if current is not None and before is None:
        before = Query(Asked.VERDICT, qids=(current,))
    found: dict[Query, tuple[int, int]] = {}
    for parts in parts_of(normal(sentence), now) if len(sentence) <= MOST_CHARACTERS else ():
        meant = assembled(parts, before)
        if current is not None and not _NAMING & {part.name for part in parts}:
            meant = [*assembled((*parts, Part("qids", (current,)))), *meant, *assembled(parts)]
        for query in meant:
            found[query] = min(weight(parts), found.get(query, weight(parts)))
    least = min(found.values(), default=None)
    read = [query for query, size in found.items() if size == least]
    if before is not None and before.window and before.asked in {Asked.RESULTS, Asked.RUNS}:  # perhaps of that time
        same = [query for query in read if query.asked is before.asked and not (query.window or query.count)]
        read += [query for one in same if (query := checked(replace(one, window=before.window)))]
    return tuple(dict.fromkeys(read))


def assembled(parts: Sequence[Part], before: Query | None = None) -> list[Query]:
    """The queries that use every part; none where some does not fit the others or refers to nothing. Behind a question
    these are that one with other fields, one that stands alone, or both where nobody can tell.
    """
    said = [
        part for part in parts if part.name not in _ONLY_JOINS and part.value != "of_two"
    ]  # "the whole chip" is no "it"
    alone = _made(parts, before)
    if before is None:
        return _known(alone)
    names = {part.name for part in said}
    adds = _adds(parts) or names <= _OF_WHOM
    goes_on = adds or _goes_on(names, said, before)
    has_subject = _has_subject(said, before)
    carried = _made(parts, before, carries=True) if goes_on or len(names) == 1 or not has_subject else None
    if goes_on:
        begins = before.asked in {Asked.HEALTH, Asked.SELECT} and not _names_some(before) and names <= _OF_NOTHING
        return _known(carried or (alone if begins or adds else None))
    is_one = len(names) == 1
    if is_one and alone is not None and alone.asked in kinds("whole"):  # "how is the chip?" behind a question
        return [alone]
    if is_one and (len(parts) - len(said) <= _TWO or (names == {"metrics"} and _names_some(before))):
        stands = names != {"metrics"} and Part("asked", "neighbours") not in said
        return _known(carried or (alone if stands else None))
    refers = not _REFERS.isdisjoint(part.name for part in parts)
    names_some = _names_some(before) or before.asked in kinds("list")
    if refers or not names_some or (has_subject and not _lacks_subject(alone, before)):
        return _known(alone)
    return _known(_made(parts, before, carries=True), alone)


def _known(*found: Query | None) -> list[Query]:
    return [query for query in dict.fromkeys(found) if query is not None]


def _goes_on(names: set[str], said: Sequence[Part], before: Query) -> bool:
    """Whether it can only be the question before with something else in it."""
    asks_again = before.neighbours and names == {"qids", "asked"} and Part("asked", "neighbours") in said
    asks_again = asks_again or (before.asked is Asked.RESULTS and names == {"newest", "status"})
    of_some = before.conditions or before.low or before.among or before.places or len(before.qids) > 1
    sorts = names <= _OF_NOTHING | {"metrics"} and "every" in names and bool(of_some)
    ids = [qid for one in said if one.name == "qids" for qid in one.value]
    other = {"qids"} if len(ids) == len(before.qids) == 1 else set()
    compares = names <= _OF_NOTHING | {"asked"} | other and Part("asked", "compare") in said
    return not names or bool(names & REFERRING) or names <= _OF_NOTHING or asks_again or sorts or compares


def _adds(parts: Sequence[Part]) -> bool:
    """Whether it says "also" of what it names first, and joins nothing with it: 「T2も90 us以上？」."""
    said = [part for part in parts if part.name != "filler"]
    names = [part.name for part in said]
    return any(part.value == "also" and at and names.count(names[at - 1]) == 1 for at, part in enumerate(said))


def _has_subject(parts: Sequence[Part], before: Query) -> bool:
    """Whether it says itself of what it is; "any neighbouring pairs?" does not, nor "which tasks failed?" of a run."""
    asked = {part.value for part in parts if part.name == "asked"}
    subjects = _SUBJECTS - ({"kind"} if asked == {"neighbours"} else set())
    of_all = kinds("all") - ({Asked.RESULTS} if before.asked is Asked.RUNS else set())
    return any(part.name in subjects or (part.name == "asked" and part.value in of_all) for part in parts)


def _lacks_subject(alone: Query | None, before: Query) -> bool:
    """Whether it asks for changes without a parameter: "which qubits got better?" behind a question about one."""
    return alone is not None and alone.asked is Asked.CHANGE and bool(before.named) and not alone.named


_SUBJECTS = frozenset({"chip", "everything", "kind", "metrics", "places", "qids", "run", "task", "text"})
_REFERS = frozenset({"add", "among", "it", "only", "refer"})


def _names_some(query: Query) -> bool:
    return bool(query.named or query.qids or query.places or query.without)


_OF_WHOM = frozenset({"all", "everything", "kind", "places", "qids", "without"})
"""Parts that say only of whom: "the pairs in MUX 5"."""
_OF_NOTHING = frozenset(
    {"conditions", "count", "every", "form", "newest", "on_day", "order", "ordered_by", "per", "preceding", "statistic"}
    | {"than", "window"}
)
"""Parts that do not say of what: "the worst 3", "in June" say it of what the question before was about."""


def _made(parts: Sequence[Part], before: Query | None, *, carries: bool = False) -> Query | None:
    """The query of these parts, with `carries` as the one before with other fields."""
    try:
        said = _slots(_bound(parts, before))
        slots = _completed(said | ({"refer": True} if carries else {}))
        return next(filter(None, map(_query_of, meant(slots, before, said))), None)
    except Unfit:
        return None


def _query_of(slots: Slots) -> Query | None:
    with suppress(Unfit):
        both, slots = slots.get("both"), {name: value for name, value in slots.items() if name != "both"}
        asked = _asked(slots)
        fields = _shaped(asked, slots)
        if both and not any(len(fields.get(name, ())) > 1 for name in ("conditions", "metrics", "places", "qids")):
            return None
        return checked(Query(asked, **fields)) if fields.keys() <= _FIELDS else None
    return None


_FIELDS = frozenset(field.name for field in fields_of(Query))


def nearly(parts: Sequence[Part], before: Query | None = None) -> Iterator[Query]:
    """The queries that use every part but one: what says least is left out first."""
    for left in sorted(parts, key=lambda part: (part.name not in _HEARD, part.name in _NAMING | {"good", "low"})):
        yield from assembled([part for part in parts if part is not left], before)


def slots_of(parts: Sequence[Part], before: Query | None = None) -> Slots:
    """What parts say, where they need not fit each other: of those that say the same thing the first."""
    try:
        bound = _bound(parts, before)
    except Unfit:
        bound = [part for part in parts if part.name not in {"conditions", "filler", "everything"}]
    with suppress(Unfit):
        bound = _said_otherwise(bound)
    bound = [part for part in bound if part.name != "failures"]
    first = {part.name: part for part in reversed(bound)}
    kept = [part for part in bound if part.name in _LISTS or part is first[part.name]]
    kept = [part for part in kept if part.name not in {"or", "what_is"}]
    try:
        slots = _completed(_slots(kept))
    except Unfit:
        return {"asked": ()}
    among = slots.pop("among", None)
    if among is not None and before is not None:
        with suppress(Unfit):
            slots |= among_those(slots, before, among, slots)[0]
    words = slots.pop("asked", ())
    asked: list[Asked] = []
    for some in filter(None, (words, *((word,) for word in words))):
        with suppress(Unfit):
            asked.append(_asked({**slots, "asked": some}))
    return slots | {"asked": tuple(asked)}


# --- parts to fields ------------------------------------------------------------------------------------------------


def _bound(parts: Sequence[Part], before: Query | None) -> list[Part]:
    """The parts with each condition bound to its parameter.

    Raises:
        Unfit: one has none.
    """
    flat = [part for part in parts if part.name not in {"filler", "everything"}]
    named = {value for part in flat if part.name in {"qids", "metrics"} and not part.vague for value in part.value}
    of_pairs = any(part.name == "metrics" and part.vague and METRICS[part.value[0]].kind == "coupling" for part in flat)
    if of_pairs and not (any(map(is_coupling, named)) or Part("kind", "coupling") in flat):
        raise Unfit  # "gate fidelity" is that of couplings where these are named
    if any(name.endswith("_fidelity") for one in flat if one.name == "metrics" and not one.vague for name in one.value):
        flat = [one for one in flat if not one.vague]  # "the ZX90 gate's fidelity" names one parameter
    found = [part for part in parts if part.name == "everything"]
    used: set[int] = set()
    for place, part in enumerate(flat):
        if part.name == "conditions":
            where = _metrics_of(flat, place)
            nearer = [one.name for one in flat[place + 1 : place + 3]]
            if where and {*where} <= used and nearer[:1] == ["metrics"] and nearer[1:] != ["conditions"]:
                where = [place + 1]  # "at least 50 us T1 and at least 98 % readout"
            names = [name for at in where for name in flat[at].value]
            if not where and before is not None:
                names = [name for name in dict.fromkeys(before.named) if not _is_of_change(part.value, name, before)]
                names = [name for name in names if len(names) == 1 or _has_unit(part.value, name)]
            is_apart = Part("asked", "detuning") in flat or Part("asked", "difference") in flat
            if not names and is_apart and all(one.endswith("Hz") for one in _units_of(part.value)):
                names = ["qubit_frequency"]
            if not names or (not where and len(names) > 1):
                raise Unfit
            used.update(where)
            found += [Part("conditions", (replace(part.value, metric=name),)) for name in names]
        elif part.name != "metrics" and (part.name != "and" or part is parts[0]):  # "and its neighbours?"
            found.append(part)
    return [*found, *(part for at, part in enumerate(flat) if part.name == "metrics" and at not in used)]


def _is_of_change(condition: Condition, name: str, before: Query) -> bool:
    """Whether it may be the change that is meant: "of these, more than 5 MHz" behind frequencies that jumped."""
    units = {side.unit for side in (condition.below, condition.above) if isinstance(side, Amount)} - {""}
    return before.asked in {Asked.CHANGE, Asked.WHEN_CHANGED} and not units <= {METRICS[name].unit}


def _has_unit(condition: Condition, name: str) -> bool:
    """Whether a limit has this parameter's unit."""
    return name in METRICS and _units_of(condition) == {METRICS[name].unit}


def _units_of(condition: Condition) -> set[str]:
    return {side.unit for side in (condition.below, condition.above) if isinstance(side, Amount)}


def _metrics_of(parts: Sequence[Part], place: int) -> list[int]:
    """Where the parameters of a condition stand: the nearest before it and what is joined to it, else those behind."""
    found: list[int] = []
    for at in reversed(range(place)):
        if parts[at].name == "metrics" and (not found or parts[at + 1].name in {"and", "or"}):
            found.insert(0, at)
        elif found and parts[at].name not in {"and", "or"}:
            break
    for at in range(place, len(parts)) if not found else ():
        if parts[at].name == "metrics" and (not found or parts[at - 1].name in {"and", "or"}):
            found.append(at)
        elif found and parts[at].name not in {"and", "or"}:
            return found if parts[at].name != "conditions" else found[:1]
    return found


def _slots(parts: Sequence[Part]) -> Slots:
    """The parts by the field that they set.

    Raises:
        Unfit: two set the same one.
    """
    slots: Slots = {}
    parts = _said_otherwise(parts)
    for part in parts:
        name, value = part.name, part.value
        if name == "window" and part.vague and sum(one.name == name for one in parts) > 1:
            raise Unfit  # of two weeks both are the calendar's
        if name in {"window", "asked"}:
            value = value if isinstance(value, tuple) else (value,)
            name = {"window": "windows"}.get(name, name)
        if name in _LISTS:
            slots[name] = tuple(dict.fromkeys((*slots.get(name, ()), *value)))
        elif name == "newest":
            slots[name] = max(value, slots.get(name, 0))
        elif slots.setdefault(name, value) != value and name != "refer":
            raise Unfit
    chooses = "compare" in slots.get("asked", ()) or ("order" in slots and len(slots.get("qids", ())) > 1)
    if slots.pop("or", None) and ("conditions" in slots or not chooses):
        if len(slots.get("conditions", ())) != _TWO:
            raise Unfit
        slots["any_of"] = True
    return slots | _windows(slots.pop("windows", ()), slots.pop("preceding", None), slots)


def _said_otherwise(parts: Sequence[Part]) -> list[Part]:
    """The parts with errors that no parameter has as failed results, two statistics as the table that has them, and
    the mean where "average" may be more than the beginning of a name.

    Raises:
        Unfit: the errors may be those of something that is named.
    """
    if Part("failures") in parts:
        if any(one.name in {"metrics", "conditions", "ordered_by"} or one == Part("asked", "runs") for one in parts):
            raise Unfit
        parts = [Part("status", "failed") if one == Part("failures") else one for one in parts]
    statistics = {one.value for one in parts if one.name == "statistic"}
    if not statistics and any(one.averaged for one in parts) and {"per", "everything"} & {one.name for one in parts}:
        parts = [*parts, Part("statistic", "mean")]
    if len(statistics) > 1:
        parts = [*(one for one in parts if one.name not in {"statistic", "and"}), Part("form", "histogram")]
    if len({one.value for one in parts if one.name == "form"}) > 1:
        parts = [one for one in parts if one != Part("form", "plot")]  # "plot it as a heatmap"
    return [*parts]


def _windows(windows: tuple[Window, ...], before: Window | None, slots: Slots) -> Slots:
    """One time or two, of which the second may be as long as it says right before the first.

    Raises:
        Unfit: they are more.
    """
    if before is not None and len(windows) == 1 and windows[0].since:
        slots["asked"] = (*slots.get("asked", ()), "compare")
        before = Window(windows[0].since - timedelta(days=before.days or 0), windows[0].since)
    elif before is not None and not windows:
        return {"preceding": before}
    windows = (*windows, *([] if before is None else [before]))
    if len(windows) > _TWO:
        raise Unfit
    return dict(zip(("window", "against"), windows, strict=False))


def _completed(slots: Slots) -> Slots:
    """The fields with what goes without saying.

    Raises:
        Unfit: some go not together.
    """
    counts_both = {"all", "how_many", "status"} <= slots.keys()  # how many in all, and how many of these failed
    slots = _to_its_end(_of_pair(slots))
    if counts_both or any(test(slots) for test in _APART):
        raise Unfit
    words = set(slots.get("asked", ()))
    slots = _by_level(slots)
    if slots.pop("how_went", None) and words <= {"results", "runs"}:
        slots.pop("status", None)  # "did the last 3 runs succeed?": not the last that did
    if slots.pop("infidelity", None):
        if "conditions" in slots:
            slots["conditions"] = tuple(map(_of_fidelity, slots["conditions"]))
        else:
            slots["errors"] = True
    slots = _with_way(slots)
    if _asks_for_the_last(slots, words) or (
        slots.get("newest") == 0 and ("duration" in words or ("runs" in words and words & {"when", "who"}))
    ):
        slots["count"] = 1
    if newest := slots.get("newest"):
        slots["count"] = newest
        words = words or {"results" if "task" in slots else "measurements"}
    if by := slots.pop("ordered_by", None):
        slots["metrics"] = tuple(dict.fromkeys((by, *slots.get("metrics", ()))))
    slots, words = _with_who(slots, _of_all(slots, words))
    slots, words = _of_neighbours(_with_largest(slots, words), words)
    if "never_measured" in words:
        slots["ever"] = "window" not in slots or None
    if slots.get("statistic") == "fraction" and "conditions" in slots:
        slots |= {"statistic": None, "how_many": True}
    slots = {name: value for name, value in slots.items() if name not in _HEARD and value is not None}
    return slots | {"asked": tuple(sorted(words))}


def _of_pair(slots: Slots) -> Slots:
    """A parameter of couplings with two qubits is that of the coupling between them."""
    qids, named = slots.get("qids", ()), [METRICS[name].kind for name in slots.get("metrics", ()) if name in METRICS]
    is_pair = len(qids) == _TWO and not any(map(is_coupling, qids)) and {*named} == {"coupling"}
    return slots | {"qids": ("-".join(qids),)} if is_pair and "kind" not in slots and "among" not in slots else slots


def _by_level(slots: Slots) -> Slots:
    """High errors are bad ones; a plot of all is their map.

    Raises:
        Unfit: of a parameter neither high nor low values are better.
    """
    named = (METRICS[name] for name in slots.get("metrics", ()) if name in METRICS)
    if "level" in slots and slots.keys() <= _OF_ONE_LEVEL and not all(one.higher_is_better for one in named):
        raise Unfit
    if "level" in slots and "infidelity" in slots:
        turned = {"low": "good", "good": "low"}
        slots = {turned.get(name, name): value for name, value in slots.items()}
    is_of_all = {"form", "metrics"} < slots.keys() <= {"form", "metrics", "everything", "kind", "each", "all"}
    return slots | {"form": "map"} if is_of_all and slots["form"] == "plot" else slots


def _with_largest(slots: Slots, words: set[str]) -> Slots:
    """A limit of a difference, which is none of the values."""
    if not (words & {"detuning", "difference"} and len(slots.get("conditions", ())) == 1):
        return slots
    [one] = slots["conditions"]
    if not isinstance(one.below, Amount) or one.above is not None:
        raise Unfit
    told = {name: value for name, value in slots.items() if name != "conditions"}
    return {"metrics": (one.metric,)} | told | {"within": one.below}


def _of_neighbours(slots: Slots, words: set[str]) -> tuple[Slots, set[str]]:
    """What is asked of the neighbours; the couplings around a qubit are its own."""
    of_its_own = slots.get("kind") == "coupling" and "qids" in slots
    if "neighbours" not in words or not (of_its_own or len(words) > 1 or says("metrics", "conditions", "order")(slots)):
        return slots, words
    of_them = "qids" in slots or not words & {"detuning", "difference"}  # else of all of them
    of_them = of_them and not of_its_own
    if slots.get("among") == "its" and words & {"detuning", "difference"} and len(slots.get("qids", ())) == _TWO:
        of_them = False  # "between Q20 and its neighbour Q21"
    pairs = {"kind": "qubit"} if "within" in slots and "kind" not in slots else {}
    return slots | pairs | {"neighbours": of_them or None}, words - {"neighbours"}


def _to_its_end(slots: Slots) -> Slots:
    """All in an order, where it says "sorted", "qubits by T1", or "all" beside an order; or the first so many."""
    is_table = "metrics" in slots and {"table"} <= slots.keys() <= {"table", "metrics", "kind", "all"}
    by = {"ordered_by", "kind"} <= slots.keys() and not {"order", "refer", "asked", "conditions"} & slots.keys()
    is_list = is_table or by
    first = METRICS.get(next(filter(None, (slots.get("ordered_by"), *slots.get("metrics", ()))), ""))
    has_sides = first is None or first.higher_is_better is not None
    usual = {"order": "best" if has_sides else "highest"}
    slots = usual | slots | {"every": True} if is_list or "every" in slots else slots
    named = {"all", "every"} & slots.keys() and slots.get("order", "both") != "both" and "count" not in slots
    said = {name: value for name, value in slots.items() if name not in {"all", "every"}}
    return said | {"every": True} if named else said


def _of_all(slots: Slots, words: set[str]) -> set[str]:
    """What is asked, where "is it OK?" is asked of the whole chip."""
    of_all = words == {"verdict"} and "everything" in slots and not says("metrics", "qids", "places")(slots)
    return {"health"} if of_all else words


def _with_way(slots: Slots) -> Slots:
    """What is worse than at another time fell since then; the best three that are good are the best three."""
    known = {"best": "good", "worst": "low"}.get(slots.get("order", "")) if "count" in slots else None
    slots = {name: value for name, value in slots.items() if name != known}
    if not slots.pop("than", None):
        return slots
    ways = [way for flag, way in (("low", "down"), ("good", "up")) if flag in slots]
    way = "either" if "against" not in slots else None
    told = {"direction": next(iter(ways), way)} | slots
    return {name: value for name, value in told.items() if name not in {"low", "good"} or "direction" in slots}


def _with_who(slots: Slots, words: set[str]) -> tuple[Slots, set[str]]:
    """Where nobody can be meant, "who" is qubits."""
    if "who" not in words:
        return slots, words
    of_qubits = words == {"who"} and says("direction", "order", "conditions")(slots)
    of_qubits = of_qubits and not says("qids", "task", "status")(slots)
    return (slots, set()) if of_qubits else (slots | {"who": True}, words)


def _asks_for_the_last(slots: Slots, words: set[str]) -> bool:
    """Whether it names a task, and says of its results that it means the newest, or nothing."""
    more = says("window", "run", "how_many", "count", "per", "statistic", "order")
    of_task = "task" in slots or (words == {"results"} and "metrics" in slots and "newest" in slots)
    return (
        of_task
        and "refer" not in slots
        and not more(slots)
        and not slots.get("newest")
        and ("newest" in slots or not (words or "status" in slots))
    )


_HEARD = frozenset(
    {
        "and",
        "apart",
        "averaged",
        "each",
        "often",
        "everything",
        "level",
        "newest",
        "on_day",
        "preceding",
        "recent",
        "size",
        "soon",
        "table",
        "what_is",
    }
)
"""Fields that only say which others go with them."""
_OF_ONE_LEVEL = frozenset({"kind", "level", "low", "good", "metrics", "how_many", "everything", "each", "all"})
"""Fields of a question about those that are high or low in something."""
_DIFFERING = frozenset({"compare", "difference", "detuning", "fluctuation", "slope", "stability"})
"""What is asked of how much something changes or differs."""
_NOW = frozenset({"recalibrate", "health", "verdict"})
"""What is asked of today as it is now."""
_APART: tuple[Callable[[Slots], object], ...] = (
    lambda s: {"status", "why", "order", "count"} <= s.keys(),  # so many messages
    lambda s: s.get("newest") and "count" in s,
    lambda s: "recent" in s and _counts_events(s),  # "failing most these days": since when?
    lambda s: "ordered_by" in s and "every" not in s and s.get("metrics", (s["ordered_by"],)) != (s["ordered_by"],),
    lambda s: s.get("newest") == 0 and ({"window", "nth"} & s.keys() or ("statistic" in s and is_one(s))),
    lambda s: (
        {"each", "order"} <= s.keys() and s.get("per") == "mux" and not {"statistic", "count", "every"} & s.keys()
    ),
    lambda s: "what_is" in s and s.keys() <= {"what_is", "metrics"},  # what T1 means
    lambda s: "soon" in s and not (_NOW if s["soon"] == "today" else {"recalibrate"}) & {*s.get("asked", ())},
    lambda s: "ordered_by" in s and not {"order", "refer"} & s.keys(),
    lambda s: "apart" in s and not (_DIFFERING | {"relation"}) & {*s.get("asked", ())},
    lambda s: "often" in s and "runs" in s.get("asked", ()) and not {"task", "status"} & s.keys(),
    lambda s: "size" in s and not (says("direction", "statistic")(s) or _DIFFERING & {*s.get("asked", ())}),
    lambda s: "each" in s and "statistic" in s and "per" not in s,  # the median of each is none of all
)
"""Fields that do not go together."""


def _counts_events(slots: Slots) -> bool:
    """Whether it asks how many results, runs or notes there are."""
    of_events = "status" in slots or kinds("list") & {*slots.get("asked", ())}
    return bool(of_events and says("how_many", "often", "per", "statistic")(slots))


def _of_fidelity(condition: Condition) -> Condition:
    """A condition on an error as one on the fidelity that is stored: below 1 % is above 99 %."""

    def turned(side: Amount | str | None) -> Amount | str | None:
        if not isinstance(side, Amount):
            return side
        whole = 1 if not side.unit and side.value <= 1 else 100
        return Amount(round(whole - side.value, 9), side.unit)

    return replace(condition, below=turned(condition.above), above=turned(condition.below))


# --- what is asked --------------------------------------------------------------------------------------------------


def _asked(slots: Slots) -> Asked:
    """What is asked: by its own words, else by what is said.

    Raises:
        Unfit: nothing that can be, or several things.
    """
    words, facts = "+".join(slots["asked"]), _facts(slots)
    rows = [(asked, tests) for by, asked, *tests in _TABLE if words in by.split("|")]
    found = next((asked for asked, tests in rows if all(_holds(one, facts) for one in tests)), None)
    found = words if not rows and words in {*Asked} else found
    if found is None:
        raise Unfit
    return Asked(found)


def _facts(slots: Slots) -> set[str]:
    """What the table asks of fields: which there are, those that are one of few words, how many ids and parameters."""
    facts = {*slots} | {f"{name}={value}" for name, value in slots.items() if isinstance(value, str)}
    facts |= {"one"} if is_one(slots) else {"several"} if len(slots.get("qids", ())) > 1 else set()
    facts |= {"pair"} if len(slots.get("metrics", ())) > 1 else set()
    lasts = "cooldown" in slots or ("window" in slots and not is_short(slots["window"]))
    return facts | ({"days"} if lasts else set())


def _holds(test: str, facts: set[str]) -> bool:
    return facts.isdisjoint(test.removeprefix("!").split("|")) == test.startswith("!")


_NO_WORD = """
histogram     form=histogram
relation      form=scatter
map           form=map
fit           fit
results       run direction !metrics|qids
verdict       low|good one !conditions|order|neighbours
verdict       low places !metrics|conditions|order|form|count|how_many|per
verdict       direction one !metrics|window
windows       against direction
change        direction
results       task|run|status !metrics
measurements  nth
statistic     per
statistic     statistic !order
statistic     order one !neighbours
measurements  how_many conditions one
values        conditions metrics !how_many|order
health        low !metrics|conditions|order|qids|places|without|neighbours|kind=coupling|form|count|how_many|per|window
select        conditions|order|low|good
history       metrics qids days
measurements  metrics qids window|run|tag
map           metrics window !days|run|tag
statistic     metrics window|run|tag
history       metrics form=plot qids !places|among|without|conditions|kind
values        metrics qids|places|among|without
history       metrics form=plot
map           metrics
values        qids !window
neighbours    how_many kind
"""
_WORDS = """
when_measured measurements    how_many metrics
when_measured|when+when_measured|age+when_measured|age+when|age+measurements age
measurements+when     age            !nth|count|window|run|how_many
difference    compare        several !metrics|conditions|neighbours|within|order
difference    difference
never_measured        unmeasured
verdict       histogram      form=histogram !qids
verdict       verdict
fluctuation   stability
stability     change         one !metrics|order
stability     stability
detuning|detuning+difference difference
difference|compare    windows        against
difference            difference
slope                 fit
best_pair             best_set
results+runs  runs           run
duration+runs|runs+who|duration+runs+who|runs+when+who runs
duration+results       duration
duration      duration       task|order|per=task
health+verdict        health
history+versions      versions
measurements+when_measured measurements
excluded+measurements|excluded+results|excluded+who|excluded+outliers excluded
history+measurements  history
measurements+trust|results+trust trust
notes+who|notes+when   notes
each_task             results
when          when_changed   direction|low|good
history+results results      per
history       statistic      statistic per
who           runs           run
runs          results        qids|task
runs          results        run status
runs          runs
runs+when     runs
history       results        task
history       fit            fit
history       history
measurements  results        status
measurements  history        form=plot
measurements  results        window|run|tag !metrics|qids|places
measurements  measurements
compare+history history      several|places
origin+when_measured origin
measurements+outliers outliers
trust+verdict trust
runs+verdict  runs           !qids|metrics|places|task
compare       windows        against
compare       compare        several|neighbours|places
compare       relation       pair !form=names|form=map|form=histogram
"""
_TABLE = [["", *line.split()] for line in _NO_WORD.strip().split("\n")]
_TABLE += [line.split() for line in _WORDS.strip().split("\n")]
"""What is asked, by its words and what else is said: the first row that holds. A word without a row is itself asked."""


def _shaped(asked: Asked, slots: Slots) -> Slots:
    """The fields as this kind of question has them."""
    words = slots["asked"]
    fields = {name: value for name, value in slots.items() if name != "asked"}
    for kind, shape in _SHAPES:
        if asked in kind.split():
            fields |= shape(fields)
    if asked is Asked.STABILITY and words == ("fluctuation",) and {"kind", "metrics"} <= fields.keys():
        fields.setdefault("order", "worst")  # "qubits with unstable T1"
    if asked is Asked.STABILITY and fields.get("order") in {"lowest", "highest"}:  # the steadiest are the best
        fields["order"] = "best" if (fields["order"] == "lowest") == ("fluctuation" in words) else "worst"
    if asked is Asked.RELATION and "compare" in words and "form" in fields:  # y against x
        fields |= {"metrics": fields["metrics"][::-1], "form": "scatter"}
    if "each_task" in words and "status" not in fields:
        fields |= {"per": "task", "order": "highest"}
    of_pairs = "kind" in slots and "within" in slots and slots["within"].unit.endswith("Hz")
    if asked is Asked.DIFFERENCE and ("detuning" in words or of_pairs):
        fields.setdefault("metrics", ("qubit_frequency",))
    return {name: value for name, value in fields.items() if value is not None}


def _is_counted_by(fields: Slots) -> bool:
    """Whether it asks how many there are of each, which is a table with most on top."""
    return fields.get("per") in {"task", "qubit", "coupling"} and not {"order", "statistic"} & fields.keys()


def _names_elements(fields: Slots) -> bool:
    """Whether it asks which qubits have results that failed."""
    more = says("count", "how_many", "metrics", "per", "places", "qids", "run")
    return {"kind", "status"} <= fields.keys() and not more(fields)


def _first_of(fields: Slots) -> Slots:
    """So many of those that meet conditions: the farthest beyond the first of these."""
    first = fields["conditions"][0]
    return {"metrics": (first.metric,), "order": "highest" if first.below is None else "lowest"}


def _extremes(fields: Slots) -> Slots:
    """Of one element the order of its measurements is their lowest or highest."""
    if "order" not in fields or fields.get("per") == "mux":
        return {"statistic": fields.get("statistic", "median")}
    known = {"both": "extremes", "best": "highest", "worst": "lowest"}
    return {"order": None, "statistic": known.get(fields["order"], fields["order"])}


def _ends_of(qids: tuple[str, ...]) -> tuple[str, ...]:
    """The two qubits of a coupling."""
    return tuple(qids[0].split("-")) if len(qids) == 1 and is_coupling(qids[0]) else qids


_SHAPES: Sequence[tuple[str, Callable[[Slots], Slots]]] = (
    ("runs", lambda _: {"every": None}),  # all are listed
    ("statistic", _extremes),
    ("statistic", lambda f: {"every": None} if f.get("per") == "mux" else {}),  # whose order is always whole
    ("select", lambda f: {} if "metrics" in f or "every" not in f else by_its_condition(f)),
    ("select", lambda f: _first_of(f) if {"count", "conditions"} <= f.keys() and "order" not in f else {}),
    ("change", lambda f: {"order": None} if f.get("order") == "highest" else {}),
    ("change", lambda f: {"ever": None} if "window" in f else {}),  # "at some point in June"
    ("change", lambda f: {"order": None} if f.get("order") == "worst" and "count" in f else {}),
    ("results", lambda f: {"order": None} if {"order", "why"} <= f.keys() and not {"per", "count"} & f.keys() else {}),
    ("results", lambda f: {"per": f.get("kind", "task"), "kind": None} if f.get("order") and "per" not in f else {}),
    ("results", lambda f: {"per": f["kind"], "kind": None} if _names_elements(f) else {}),
    ("results", lambda f: {"order": "highest", "how_many": None} if _is_counted_by(f) else {}),
    ("results", lambda f: {"order": "highest"} if f.get("order") in {"best", "worst"} else {}),
    ("results", lambda f: {"how_many": None} if f.get("per") in {"day", "week", "month"} else {}),
    ("best_set chain recalibrate", lambda f: {"order": None} if f.get("order") == "best" else {}),
    ("best_set chain", lambda _: {"good": None}),  # which the best are
    ("notes outliers neighbours", lambda _: {"how_many": None}),  # which are told with their number
    ("difference", lambda f: {"qids": _ends_of(f["qids"])} if "qids" in f else {}),
    ("trust", lambda f: {"low": None, "good": None} if "qids" in f else {}),
    ("windows", lambda f: {"statistic": None} if f.get("statistic") == "median" else {}),  # which it compares
    ("duration", lambda f: {"per": None} if f.get("per") == "task" else {}),
    ("best_set", lambda f: {} if "count" in f else {"count": 2, "kind": None}),
    ("values statistic", lambda _: {"how_many": None}),
    ("map histogram", lambda _: {"form": None}),
    ("neighbours", lambda f: {} if "qids" in f else {"how_many": None, "kind": None}),
    ("trust", lambda _: {"fit": None}),
    ("duration", lambda f: {} if f.get("statistic") == "fraction" else {"statistic": None}),  # its table has all
    ("difference", lambda f: {"how_many": None} if len(f.get("qids", ())) == _TWO else {}),  # 「いくつ」
    ("runs", lambda f: {"how_many": None} if f.get("per") == "user" else {}),  # which are counted, most on top
    ("runs", lambda f: {"order": None} if f.get("per") == "user" and f.get("order") in {"highest", "best"} else {}),
    ("difference", lambda f: {"kind": None} if "within" in f or "qids" not in f else {}),  # "pairs closer than 50 MHz"
    ("difference", lambda f: {"neighbours": True} if "within" in f and len(f.get("qids", ())) == 1 else {}),
    ("results", lambda f: {"direction": None} if f.get("direction") == "either" and "run" in f else {}),
    ("verdict", lambda f: {"low": None, "good": None, "kind": None} if "places" in f else {"low": None, "good": None}),
    ("health", lambda _: {"low": None}),  # bad in nothing that is named
    ("fit", lambda f: {"direction": None, "fit": f.get("fit", "line")}),
    ("when_changed", lambda f: {"direction": f.get("direction") or ("up" if "good" in f else "down")}),
    ("when_changed", lambda _: {"low": None, "good": None}),
    ("change", lambda f: {"direction": f.get("direction", "either")}),
)
"""For some kinds of questions, what their fields become; None takes one away."""
