"""A query in words: the sentence that reads as this query again, shown above an answer and offered in place of one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qdash_jupyter.domain.metrics import named_metric
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.phrases import label, window_words
from qdash_jupyter.llm.offline.query import NEWEST_RUN, Amount, Asked, Condition, Query
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Field, Message, Text, all_of, text_in

_PAIR = 2
_LEFT_OVER = re.compile(r"^[がのはを]+| (of|with)$")
"""What a phrase begins or ends with where it names no parameter."""
_NEWEST = frozenset({Asked.VALUES, Asked.SELECT, Asked.MAP})
_RANKED = frozenset({Asked.SELECT, Asked.STABILITY})


def sentence_of(query: Query, language: Language) -> str:
    """The query in words, parts separated by middle dots: `T1 below 30 μs · in June 2026`."""
    phrases = (" ".join(str(text_in(part, language)).split()) for part in _phrases(query, language))
    return " · ".join(_LEFT_OVER.sub("", phrase) for phrase in phrases)


def _phrases(query: Query, language: Language) -> Iterator[Text]:
    yield from _what(query, language)
    if query.low or query.good:
        yield Message("ask-low") if query.low else Message("ask-good")
    for place, condition in enumerate(query.conditions):
        words = _condition(condition, language)
        yield Message("ask-or", words=words) if query.any_of and place else words
    if query.among is not None:
        newest = "yes" if query.among == NEWEST_RUN else "no"
        yield Message("ask-in-run", newest=newest) if query.among.asked is Asked.RUNS else Message("ask-among")
    yield from _whose(query)
    if query.window is not None:
        yield window_words(query.window)
    elif query.asked in _NEWEST and not (query.ever or query.run or query.tag or query.cooldown):
        yield Message("ask-newest")
    if query.against is not None:
        yield window_words(query.against)
    if query.asked is Asked.WINDOWS and query.direction:
        yield Message("ask-way", direction=query.direction)
    if query.asked is Asked.STATISTIC and query.order:
        yield Message("ask-order", order=query.order, count=query.count or 0)
    yield from _more(query)


def _what(query: Query, language: Language) -> Iterator[Text]:
    """What is asked, of which parameters."""
    names = _names(query, language)
    metrics = Message("ask-against", x=names[0], y=names[1]) if query.form == "scatter" else all_of(names)
    asked = query.asked
    if asked is Asked.SELECT and not query.order:
        if query.how_many:
            yield Message("ask-how-many")
        if names or query.kind:
            yield Message("ask-of", names=metrics) if names else Message("ask-kind", kind=str(query.kind))
        return
    if asked is Asked.STATISTIC and query.statistic is not None:
        yield Message("ask-statistic", statistic=query.statistic, metrics=metrics)
        return
    if query.order and asked in _RANKED:
        yield Message(
            "ask-ranked",
            order=query.order,
            count=query.count or 0,
            every="no" if not query.every else "some" if _whose_of(query) else "yes",
            kind=query.kind or "qubit",
            metrics=metrics,
            by="yes" if names else "no",
            stability="yes" if asked is Asked.STABILITY else "no",
        )
        return
    if query.how_many and asked in {Asked.CHANGE, Asked.EXCLUDED, Asked.UNMEASURED}:
        yield Message("ask-how-many")
    if asked is Asked.RESULTS and query.statistic:
        yield Message("ask-rate", status=query.status or "failed")
        return
    yield Message(
        "ask-what",
        asked=str(asked),
        kind=query.kind or "none",
        whose=_ids(query.qids) if _names_whose(query) else "",
        named_whose="yes" if query.qids else "no",
        metrics=metrics,
        named="yes" if names else "no",
        direction=query.direction or "none",
        fit=query.fit or "none",
        scatter="yes" if query.form == "scatter" else "no",
        count=0 if query.order and asked is Asked.RESULTS else query.count or 0,
        nth="first" if query.nth == -1 else query.nth or 0,
        status=query.status or "none",
        never="yes" if query.ever else "no",
        how_many="yes" if query.how_many else "no",
        order=query.order or "none",
    )
    if asked is Asked.RESULTS and names:
        yield Message("ask-of", names=metrics)
    if asked is Asked.RESULTS and query.order:
        yield Message("ask-most-often", per=str(query.per), count=query.count or 0)


def _whose_of(query: Query) -> bool:
    """Whether it is about some of all."""
    return bool(query.qids or query.places or query.among or query.conditions)


def _names(query: Query, language: Language) -> list[str]:
    """The parameters, or their errors: the lowest by an error are the best."""
    names = [name_of(name, language) for name in query.metrics]
    if _says_errors(query):
        return [name.replace("Fidelity", "Error").replace("忠実度", "エラー率") for name in names]
    return names


def _says_errors(query: Query) -> bool:
    """Whether the names of the parameters say that it is about errors."""
    return query.errors and bool(query.metrics) and all(name.endswith("_fidelity") for name in query.metrics)


def _names_whose(query: Query) -> bool:
    """Whether the words for what is asked name the elements, too."""
    told = {Asked.NEIGHBOURS, *([] if query.metrics else [Asked.COMPARE, Asked.VERDICT, Asked.WINDOWS])}
    if query.asked in {Asked.COMPARE, Asked.WINDOWS} and isinstance(_ids(query.qids), Message):
        return False  # "compare Q3 to Q7" may be the two
    return query.asked in told and bool(query.qids) and not query.neighbours


def _whose(query: Query) -> Iterator[Text]:
    if query.without:
        yield Message("ask-without", names=_ids(query.without))
    if query.qids and not _names_whose(query):
        names = _ids(query.qids)
        yield Message("ask-neighbours", names=names) if query.neighbours else Message("ask-of", names=names)
    says_kind = (
        (query.asked is Asked.SELECT and not query.every) or query.neighbours or any(map(is_coupling, query.qids))
    )
    if query.kind == "coupling" and query.qids and not says_kind:
        yield Message("ask-kind", kind="coupling")
    elif (
        query.kind
        and not query.qids
        and not (query.metrics or query.conditions or query.without)
        and query.asked not in {Asked.SELECT, Asked.RECALIBRATE}
    ):
        yield Message("ask-kind", kind=query.kind)
    for _, number in query.places:
        yield Message("ask-mux", number=str(number))


def _more(query: Query) -> Iterator[Text]:
    for field in ("task", "run", "tag", "user", "text"):
        if (said := getattr(query, field)) is not None:
            yield Message("ask-named", field=field, name=said)
    yield from _how_large(query)
    if query.per is not None and not (query.asked is Asked.RESULTS and query.order):
        yield Message("ask-per", per=query.per)
    if query.form in {"plot", "bars", "names"}:
        yield Message("ask-form", form=query.form)
    if query.chip is not None:
        yield Message("ask-chip", name=query.chip)
    said = {"errors"} if _says_errors(query) else set()
    for field in ("errors", "why", "reliable", "who", "cooldown"):
        if getattr(query, field) and field not in said:
            yield Message("ask-flag", flag=field)
    if query.ever and query.asked is not Asked.UNMEASURED:
        yield Message("ask-flag", flag="ever")


def _how_large(query: Query) -> Iterator[Text]:
    if query.count and query.asked is Asked.CHANGE:
        yield Message("ask-largest", count=query.count)
    if query.within is not None:
        yield Message("ask-closer", amount=_amount(query.within))
    if query.by is not None:
        yield Message("ask-by", amount=_amount(query.by))


def name_of(parameter: str, language: Language) -> str:
    """The parameter as a sentence names it."""
    metric = named_metric(parameter)
    if metric is None or parameter.endswith("_average"):
        return parameter
    return metric.title_in(language).removeprefix("Average ").removeprefix("平均")  # "average" asks for a statistic


def _condition(condition: Condition, language: Language) -> Message:
    name = name_of(condition.metric, language)
    below, above = condition.below, condition.above
    if isinstance(below, Amount) and isinstance(above, Amount):
        low = f"{above.value:g}"
        return Message("ask-between", metric=name, low=low, high=_amount(below))
    side, limit = ("below", below) if below is not None else ("above", above)
    words: Text = _amount(limit) if isinstance(limit, Amount) else name_of(str(limit), language)
    if condition.factor != 1:
        words = Message("ask-times", factor=f"{condition.factor:g}", name=words)
    kind = f"{side}-or-equal" if condition.inclusive else side
    return Message("ask-condition", metric=name, side=kind, limit=words)


def _amount(amount: Amount) -> str:
    return f"{amount.value:g} {amount.unit}".strip()


def _ids(qids: tuple[str, ...]) -> Field:
    """Ids as a list; neighbours in number as `Q00 to Q07`."""
    numbers = [int(qid) for qid in qids if qid.isdigit()]
    if len(numbers) == len(qids) > _PAIR and numbers == [*range(numbers[0], numbers[0] + len(numbers))]:
        return Message("ask-range", first=label(qids[0]), last=label(qids[-1]))
    return tuple(Message("ask-coupling", name=label(qid)) if is_coupling(qid) else label(qid) for qid in qids)
