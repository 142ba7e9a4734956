"""What a question means that goes on with the one before: which of that one's fields it keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.query import (
    NEWEST_RUN,
    PER_MUX,
    Amount,
    Asked,
    Condition,
    Query,
    Window,
    kinds,
    names_elements,
)

Slots: TypeAlias = dict[str, Any]
"""Values by the field of a query that they set; `asked` holds the words for what is asked."""


class Unfit(Exception):
    """Some part does not go with the others."""


_FIELDS = """
qids       whose
places     whose
without    whose
kind       whose
neighbours whose
window     when timed
cooldown   when timed
run        when timed
tag        when timed
against    timed
direction  timed tells
ever       timed
fit        timed tells
nth        timed tells
per        timed tells
statistic  timed tells
form       tells
order      tells
status     tells
task       tells
"""
_OF = {name: {*what} for name, *what in map(str.split, _FIELDS.strip().split("\n"))}


def _those(what: str) -> tuple[str, ...]:
    return tuple(name for name, said in _OF.items() if what in said)


_WHOSE, _WHEN, _TIMED, _TELLING = map(_those, ("whose", "when", "timed", "tells"))
"""Fields that say whose values are meant, of which time, that speak of measurements of a time, and that tell what is
asked.
"""
_ENDS = {
    "every": {"count"},
    "count": {"every"},
    "how_many": {"order", "every"},
    "order": {"task"},
    "per": {"task"},
    "who": {"status"},
    "statistic": {"form"},
    "window": {"ever"},
}
"""What a field of the question before gives way to."""
REFERRING = frozenset({"dropped", "less", "others", "person", "raised", "same_mux", "shifted", "that_time"})
"""Parts that speak of what the question before said."""
_TWO = 2
_DAY = timedelta(days=1)


def meant(slots: Slots, before: Query | None, said: Slots) -> list[Slots]:
    """The fields of a question, with those of the one before where it goes on with that; what changes fewest stands
    first.

    Raises:
        Unfit: it refers to nothing.
    """
    adds = bool(slots.pop("add", False)) and before is not None
    only = slots.pop("only", False) and before is not None and not says("metrics", "qids", "conditions")(slots)
    if before is None and slots.get("refer") == "only":
        del slots["refer"]  # "only the T1 of Q12"
    carries = bool({slots.pop("refer", only), slots.pop("it", False), adds} - {False})
    among = slots.pop("among", None)
    if among == "they" and not (before is not None and _selects(before)):
        among, carries = None, True
    if among == "among" and "conditions" in slots and before is not None and not (_selects(before) or _names(before)):
        among, carries = None, True  # "only those below 20 us" behind a map
    if slots.pop("which_ones", None) and before is not None:
        before = replace(before, how_many=False)
    if _names_them(among, slots, before):
        among = None
    if adds and before is not None and among is None:
        slots |= _added(slots, before)
        slots |= {"any_of": True} if "conditions" in slots else {}
    if "preceding" in said and (among or not carries):
        raise Unfit  # it speaks of the time of the question before
    if among in {"in_run", "newest_run"}:
        return [_in_run(slots, NEWEST_RUN if among == "newest_run" else before)]
    if among:
        return among_those(slots, before, among, said)
    return _carried(slots, before, said) if carries else [slots]


def _names_them(among: str | None, slots: Slots, before: Query | None) -> bool:
    """Whether those that it speaks of are named in the same sentence, or are the other end of a ranking."""
    if among == "of_two":
        return "qids" in slots or (before is not None and bool(before.order))
    # "Q03 and its T1", "qubits that recovered their T1"
    return among == "its" and ("qids" in slots or (before is None and "kind" in slots))


def _carried(slots: Slots, before: Query | None, said: Slots) -> list[Slots]:
    """The fields of the question before with those of this one; what changes fewest stands first.

    Raises:
        Unfit: there is none before.
    """
    if before is None:
        raise Unfit
    if _is_of_results(slots) and (tells_run(before) or (before.asked is Asked.RUNS and slots["asked"])):
        return [_fields_of(before)] if "it" in said else [_in_run(slots, before)]
    own, slots = slots, _referred(slots, before)
    if "every" in said and before.count and not {"all", "metrics"} & said.keys():  # the other end of so many
        slots = {name: value for name, value in slots.items() if name != "every"}
    kept, slots = _kept(before, slots, said), _beside(slots, before)
    if slots["asked"] == ("neighbours",):
        return _near(slots, before, kept, refers=bool({"and", "refer"} & said.keys()))
    if before.asked is Asked.VERSIONS and "nth" in slots:  # which is one of the measurements
        raise Unfit
    slots = _with_time(_with_limit(_as_limit(slots, before), before), before, said)
    if _asks_of_it(slots, said, before):
        return [_fields_of(before)]
    if said.get("newest") == 0 and (said.keys() <= {"newest", "refer"} or _asks_for_the_last(said, before)):
        told = {name: value for name, value in kept.items() if name not in _TIMED}
        last = {"count": 1, "asked": ("results",), "status": said["status"]} if "status" in said else {"asked": ()}
        return [told | last]
    if "conditions" not in slots.keys() - own.keys():  # else these are all
        slots |= _joined(slots, kept)
    by = by_its_condition(kept) if "order" in slots else {}
    return _meant_with(by | kept | slots, slots, before, is_asked="asked" in said)


def _joined(slots: Slots, kept: Slots) -> Slots:
    """The conditions of the question before with these, each in place of one of the same parameter."""
    new = slots.get("conditions", ())
    old = (one for one in kept.get("conditions", ()) if one.metric not in {each.metric for each in new})
    return {"conditions": (*old, *new)} if new else {}


def _meant_with(told: Slots, slots: Slots, before: Query, *, is_asked: bool) -> list[Slots]:
    """What all these fields may ask, of which `slots` are new."""
    meant = [told | {"asked": words} for words in _words_for(slots, before, is_asked=is_asked)]
    tells_more = {"status"} & slots.keys() and before.asked not in kinds("list")  # "any failures on it?"
    if not (slots.keys() <= {"asked", "status", "window"} and (is_asked or tells_more)):
        return meant
    # "the notes?" have no parameter, and are about the same qubits, and the same time where they have one
    whose, timed = ({name: told[name] for name in names if name in told} for names in (_WHOSE, (*_WHOSE, *_WHEN)))
    return [*meant, slots | {"among": before}] if _selects(before) else [*meant, timed | slots, whose | slots]


def _asks_of_it(slots: Slots, said: Slots, before: Query) -> bool:
    """Whether it asks how that one went, which its row tells: "did it succeed?"."""
    return "status" in slots and before.count == 1 and {"it"} <= said.keys() <= {"it", "refer", "status"}


def _asks_for_the_last(said: Slots, before: Query) -> bool:
    """Whether it asks when a task failed or succeeded last."""
    of_it = said.keys() <= {"asked", "it", "newest", "refer", "status"} and "status" in said
    return of_it and before.asked is Asked.RESULTS and {*said.get("asked", ())} <= {"when"}


def _words_for(slots: Slots, before: Query, *, is_asked: bool) -> list[tuple[str, ...]]:
    """What may be asked of the question before with other fields: what it asked, or what these fields tell.

    Raises:
        Unfit: it is to be compared with another time, which is not one of two.
    """
    if is_asked and len(slots["asked"]) == 1 and before.asked in kinds(slots["asked"][0]):  # it tells who, or when
        return [tuple(sorted((*slots["asked"], str(before.asked)))), (str(before.asked),)]
    if is_asked:
        compares = slots["asked"] == ("compare",) and "window" in slots
        if compares and ("against" not in slots or before.asked in kinds("shape")):
            raise Unfit
        return [slots["asked"]]
    telling = slots.keys() & {*_TELLING} if slots.get("form") != "plot" else set()
    words = [slots["asked"]] if slots["asked"] else []
    # "the shortest?", "the worst 3" of what fell, "per day" of what failed
    telling -= {"order"} if before.order or before.asked is Asked.CHANGE else set()
    telling -= {"per"} if before.asked is Asked.RESULTS else set()
    telling -= {"task"} if before.asked is Asked.EXCLUDED else set()  # "only CheckT1"
    telling -= {"task", "order"} if before.asked is Asked.DURATION else set()
    if before.asked is not Asked.SELECT and (
        words or telling <= {"direction", "status"}
    ):  # "the last 3" of what was asked
        words.insert(0, (str(before.asked),))
    is_new = "order" in slots and not before.named and before.asked is not Asked.SELECT
    by_fields = not is_new if telling else _is_by_fields(before, slots)
    counts = ("how_many" in slots or before.how_many) and before.asked is not Asked.SELECT
    drawn = [("history",)] if "form" in slots and not telling else []  # "plot it": of one value that is its history
    return [*words, (), *drawn] if by_fields and not counts else words


_OF_RESULTS = {"asked", "status", "how_many", "task"}
"""Fields of questions about the results of a run."""


def _is_by_fields(before: Query, slots: Slots) -> bool:
    """Whether the question before, with other fields, may be one of another kind."""
    if before.asked in {Asked.MAP, Asked.MEASUREMENTS}:  # of one element these are other questions
        return "qids" in slots or before.window is None
    return before.asked in {Asked.VALUES, Asked.SELECT, Asked.STATISTIC}


def _kept(before: Query, slots: Slots, said: Slots) -> Slots:
    """The fields of the question before that those of this one leave as they are."""
    out = {name for name, others in _ENDS.items() if others & slots.keys()}
    if {"qids", "places"} & slots.keys():
        own_kind = before.qids and all(is_coupling(qid) == (before.kind == "coupling") for qid in before.qids)
        out |= {"qids", "places", "kind"} if own_kind else {"qids", "places"}
    elif {"everything", "kind"} & said.keys():  # "and for all qubits?"
        out |= {*_WHOSE}
    kept = {name: getattr(before, name) for name in before.said - out}
    if "direction" in slots and is_short(before.window) and "window" in kept:
        kept["window"] = Window(kept["window"].since)  # how much it changed since that day
    return kept


def _with_time(slots: Slots, before: Query, said: Slots) -> Slots:
    """With a day of its month, or the time that lies before that of the question before: "and the day before?".

    Raises:
        Unfit: that has no time, or its month no such day.
    """
    since = None if before.window is None else before.window.since
    if "on_day" in said and since is not None:
        day = since.replace(day=1, hour=0, minute=0) + (said["on_day"] - 1) * _DAY
        if day.month != since.month:
            raise Unfit
        return slots | {"window": Window(day, day + _DAY)}
    if "preceding" not in said:
        return slots
    if since is None:
        raise Unfit
    return slots | {"window": Window(since - timedelta(days=said["preceding"].days), since)}


def _referred(slots: Slots, before: Query) -> Slots:
    """With what the words mean that speak of something in the question before: that day, the same MUX, the others.

    Raises:
        Unfit: it says nothing of the kind.
    """
    found = {name: value for name, value in slots.items() if name not in _MEANT}
    for name in slots.keys() & _MEANT.keys():
        field, value = _MEANT[name](before, slots[name])
        if value is None or field in found:
            raise Unfit
        found |= {field: value}
    return found


def _at_another_time(before: Query, by: tuple[int, int]) -> tuple[str, Window | None]:
    window, (days, months) = before.window, by
    if window is None or window.since is None or window.until is None:
        return "window", None
    try:
        since, until = (_months_later(end, months) + days * _DAY for end in (window.since, window.until))
    except ValueError:
        return "window", None  # that month has no such day
    return "window", Window(since, until) if since < until else None


def _months_later(moment: datetime, months: int) -> datetime:
    years, month = divmod(moment.month - 1 + months, 12)
    return moment.replace(year=moment.year + years, month=month + 1)


def _without_some(before: Query, names: tuple[str, ...]) -> tuple[str, tuple[str, ...] | None]:
    left = tuple(name for name in before.metrics if name not in names)
    return "metrics", left if left and len(left) < len(before.metrics) else None


def _without_limit(before: Query, name: str) -> tuple[str, tuple[Condition, ...] | None]:
    left = tuple(one for one in before.conditions if one.metric != name)
    return "conditions", left if len(left) < len(before.conditions) else None


def _mux_of(before: Query, _: bool) -> tuple[str, tuple[tuple[str, int], ...] | None]:
    of_qubits = before.qids and not any(map(is_coupling, before.qids))
    return "places", tuple(dict.fromkeys(("mux", int(qid) // PER_MUX) for qid in before.qids)) if of_qubits else None


def _others_than(before: Query, _: bool) -> tuple[str, tuple[Condition, ...] | None]:
    """On the other side of the one limit that it has."""
    found = tuple(
        replace(one, below=one.above, above=one.below, inclusive=not one.inclusive)
        for one in before.conditions
        if (one.below is None) != (one.above is None)
    )
    return "conditions", found if before.asked is Asked.SELECT and len(found) == len(before.conditions) == 1 else None


def _as_limit(slots: Slots, before: Query) -> Slots:
    """A bare number behind a limit as another one: "T1 below 20 us", "and 30?"."""
    if slots.keys() != {"asked", "count"} or before.count or before.order or len(before.conditions) != 1:
        return slots
    return {"asked": slots["asked"], "limit_alone": Amount(slots["count"])}


def _with_limit(slots: Slots, before: Query) -> Slots:
    """The limit of the question before replaced by this one.

    Raises:
        Unfit: it has none, or several; or more is said.
    """
    if (limit := slots.get("limit_alone")) is None:
        return slots
    slots = {name: value for name, value in slots.items() if name != "limit_alone"}
    if slots.keys() > {"asked"}:
        raise Unfit
    if before.by is not None:
        return slots | {"by": replace(limit, unit=limit.unit or before.by.unit)}
    if len(before.conditions) != 1 or (found := _limited(before.conditions[0], limit)) is None:
        raise Unfit
    return slots | {"conditions": (found,)}


def _limited(one: Condition, limit: Amount) -> Condition | None:
    """The condition with another limit; None where it has two, or one of another parameter."""
    sides = [(name, side) for name, side in (("below", one.below), ("above", one.above)) if side is not None]
    name, side = sides[0] if len(sides) == 1 else ("", None)
    if not isinstance(side, Amount):
        return None
    return replace(one, **{name: replace(limit, unit=limit.unit or side.unit)})  # pyrefly: ignore[bad-argument-type]


def _raised(before: Query, limit: tuple[str, Amount]) -> tuple[str, tuple[Condition, ...] | None]:
    name, amount = limit
    found = [_limited(one, amount) if one.metric == name else one for one in before.conditions]
    changed = None not in found and any(one.metric == name for one in before.conditions)
    return "conditions", tuple(filter(None, found)) if changed else None


def _near(slots: Slots, before: Query, kept: Slots, *, refers: bool) -> list[Slots]:
    """The same of the neighbours, or who these are.

    Raises:
        Unfit: nobody is named.
    """
    if qids := slots.get("qids", before.qids):
        same = kept | {"qids": qids, "neighbours": True, "asked": () if before.metrics else (str(before.asked),)}
        return [same] if before.metrics or refers else [slots | {"qids": qids}]
    if before.places and not refers:
        return [slots | {"places": before.places}]
    if not _selects(before) or before.asked is Asked.VALUES:
        raise Unfit
    return [slots | {"among": before}]


def among_those(slots: Slots, before: Query | None, among: str, said: Slots) -> list[Slots]:
    """The fields of a question about what the one before was about: those that it names, or that its answer does.

    Raises:
        Unfit: there is none, or it cannot be referred to: it names some, and others are named here.
    """
    if before is None or (among == "of_two" and len(before.qids) != _TWO) or (before.qids and "qids" in slots):
        raise Unfit
    if "qids" in slots or (before.asked is Asked.VALUES and before.conditions and "conditions" in slots):
        return _carried(slots, before, slots)  # "only those with Q05"; "and those over 60 us?"
    kept = {name: getattr(before, name) for name in before.said}
    if slots["asked"] == ("neighbours",) and (before.asked is Asked.VALUES or (among == "its" and before.qids)):
        return _near(slots, before, kept, refers=bool({"and", "refer"} & said.keys()))
    asks_more = slots["asked"] and before.asked not in kinds(slots["asked"][0])
    of_elements = _selects(before) and bool(asks_more or {"metrics", "conditions"} & said.keys())
    if before.asked in kinds("list") and not of_elements:
        words = _words_for(slots, before, is_asked=True) if slots["asked"] else [(str(before.asked),)]
        return [kept | slots | {"asked": those} for those in words]
    if (before.qids or before.places) and not _selects(before):
        named = {name: kept[name] for name in _WHOSE if name in kept.keys() - slots.keys()}
        return [slots | named | ({"neighbours": True} if before.asked is Asked.NEIGHBOURS else {})]
    return _of_selected(slots, before, kept)


def _of_selected(slots: Slots, before: Query, kept: Slots) -> list[Slots]:
    """The fields of a question about those that the answer before named."""
    is_met = before.conditions and not before.any_of and before.order is None
    if is_met and before.asked in {Asked.SELECT, Asked.VALUES}:
        carried = {name: kept[name] for name in (*_WHOSE, "window", "ever") if name in kept.keys() - slots.keys()}
        by = by_its_condition(kept) if "order" in slots else {}
        conditions = (*before.conditions, *slots.get("conditions", ()))
        return [by | slots | carried | {"conditions": conditions}, slots | {"among": before}]
    if "order" in slots and before.order:  # the worst of a ranking are so by what it ranks
        slots = {"metrics": before.metrics} | slots
    elif slots["asked"] and before.named and {*slots["asked"]} <= {"age", "when", "when_measured"}:
        slots = {"metrics": tuple(dict.fromkeys(before.named))} | slots
    return [slots | {"among": before}]


def _is_of_results(slots: Slots) -> bool:
    """Whether nothing but the results of a run can be meant: "which tasks failed?"."""
    says_some = slots["asked"] == ("results",) or (slots["asked"] == () and len(slots) > 1)
    return says_some and slots.keys() <= _OF_RESULTS


def tells_run(query: Query) -> bool:
    """Whether its answer is a single run."""
    is_first = query.count == 1 or (query.order and not query.count)
    return query.asked is Asked.RUNS and bool(is_first or query.run)


def _in_run(slots: Slots, before: Query | None) -> Slots:
    """The fields of a question about results of the run before, or of the time of several.

    Raises:
        Unfit: it was not about runs, or about those of a person.
    """
    if before is None or before.asked is not Asked.RUNS:
        raise Unfit
    said = {"asked": ("results",)} | {name: value for name, value in slots.items() if value}
    if tells_run(before):
        return said | ({"run": before.run} if before.run else {"among": before})
    when = {name: getattr(before, name) for name in _WHEN if name in before.said}
    if not when or before.user:
        raise Unfit
    return when | said


def _fields_of(query: Query) -> Slots:
    return {name: getattr(query, name) for name in query.said} | {"asked": (str(query.asked),)}


def _selects(query: Query) -> bool:
    """Whether its answer names some of those that it is about."""
    return names_elements(query)


def _names(query: Query) -> bool:
    return bool(query.qids or query.places)


def _added(slots: Slots, before: Query) -> Slots:
    """The parameters and elements of the question before, with those that this one adds.

    Raises:
        Unfit: it was about all of them.
    """
    if ("metrics" in slots and not before.metrics) or ("qids" in slots and not (before.qids or before.places)):
        raise Unfit
    added = {name: (*getattr(before, name), *slots[name]) for name in ("metrics", "qids") if name in slots}
    return added | ({"places": before.places} if "qids" in slots and before.places else {})


def _beside(slots: Slots, before: Query) -> Slots:
    """With those that were compared, where one more is named; with one of two parameters, where the other is."""
    if before.asked is Asked.RELATION and len(slots.get("metrics", ())) == 1:
        [new], (first, second) = slots["metrics"], before.metrics
        units = [METRICS[name].unit if name in METRICS else name for name in (new, first, second)]
        is_first = units[0] == units[1] != units[2]  # T2 echo takes the place of T1, not of a fidelity
        return slots | {"metrics": (new, second) if is_first else (first, new)}
    compares = slots["asked"] == ("compare",) and is_one({"qids": before.qids, "kind": before.kind})
    adds = (before.asked is Asked.COMPARE or compares) and is_one(slots)
    return slots | {"qids": (*before.qids, *slots["qids"])} if adds else slots


def is_short(window: Window | None) -> bool:
    """Whether it is of a day or two, whose measurements can be told one by one."""
    if window is None or window.days is not None or window.since is None or window.until is None:
        return False
    return window.until - window.since <= _TWO * _DAY


def says(*names: str) -> Callable[[Slots], object]:
    """Return whether slots name one of these fields."""
    return lambda slots: not slots.keys().isdisjoint(names)


def is_one(slots: Slots) -> bool:
    """Whether it is about one element: not one qubit whose couplings are meant."""
    qids = slots.get("qids", ())
    return len(qids) == 1 and (slots.get("kind") != "coupling" or is_coupling(qids[0]))


def by_its_condition(fields: Slots) -> Slots:
    """Below 97 %, sorted: by the parameter of the limit, if that is one."""
    names = {one.metric for one in fields.get("conditions", ())}
    return {"metrics": tuple(names)} if len(names) == 1 else {}


_MEANT: Mapping[str, Callable[[Query, Any], tuple[str, Any]]] = {
    "dropped": _without_limit,
    "less": _without_some,
    "others": _others_than,
    "person": lambda before, name: ("user", name if before.user else None),
    "raised": _raised,
    "same_mux": _mux_of,
    "shifted": _at_another_time,
    "that_time": lambda before, _: ("window", before.window),
}
"""The field that such a part sets, and its value by the question before; None where that said nothing of the kind."""
