"""How a `Row` is run: reads, unreliable fits left out, elements that meet conditions, cells, figures, words."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from qdash_jupyter.domain.metrics import Metric
from qdash_jupyter.llm.offline.operations.parameters import TASK_OF
from qdash_jupyter.llm.offline.operations.row import (
    MOST_RESULTS,
    RESULTS,
    SUMMARY,
    Ask,
    Figure,
    Made,
    Reads,
    Row,
    Rows,
    Telling,
    Told,
    called,
    calls_of,
    cell_of,
)
from qdash_jupyter.llm.offline.operations.table import conditioned, met_alone, values_of, values_reads
from qdash_jupyter.llm.offline.phrases import Say, some, window_words
from qdash_jupyter.llm.offline.plan import BADNESS, CallOutcome, Cells, Finding, Plan, PlanFailed, PlannedCall, planned
from qdash_jupyter.llm.offline.query import Query, Window, moment_text
from qdash_jupyter.llm.offline.wording import sentence_of
from qdash_jupyter.messages.message import Message, Text, all_of, sentences

Reading = Generator[Sequence[PlannedCall], Sequence[CallOutcome], Any]


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of an answer: what was asked, the cells and their rows, and the words for these."""

    ask: Ask
    made: Sequence[Made]
    rows: Sequence[Rows]
    told: Told


@dataclass(slots=True)
class _Found:
    """What was found so far."""

    question: str
    cells: Cells = field(default_factory=Cells)
    parts: list[_Part] = field(default_factory=list)
    before: list[Text] = field(default_factory=list)
    behind: list[Text] = field(default_factory=list)
    unread: list[Text] = field(default_factory=list)
    """What could not be read, so that the answer is without it."""


def answered(row: Row, ask: Ask, question: str) -> Plan:
    """Return the answer of a row."""
    found = yield from _found(row, ask, question)
    parts = found.parts
    if row.closing:
        closing = row.closing(ask, [(one.ask, rows) for one in parts for rows in one.rows])
        parts.append(replace(parts[0], rows=(), told=closing))
    yield from found.cells.run_all([_drawn(one, figure) for one in parts for figure in one.told.drawn])
    worst = max((one.told.assessment for one in parts), key=BADNESS.__getitem__)
    if found.unread and worst == "good":
        worst = None
    texts = [text for one in parts for text in _texts(one.told, one.rows, ask.say)]
    said = [*found.before, *dict.fromkeys(found.unread), *texts, *found.behind]
    return Finding("\n\n".join(filter(None, map(ask.say, said))), worst)


def named_by(row: Row, ask: Ask, question: str) -> Reading:
    """Return the elements that the answer of a row names."""
    found = yield from _found(row, ask, question)
    return tuple(dict.fromkeys(qid for one in found.parts for qid in one.told.names))


def _found(row: Row, ask: Ask, question: str) -> Generator[Any, Any, _Found]:
    if ask.query.cooldown and ask.cooldown is None:
        raise PlanFailed(Message("plan-no-cooldown"))
    found = _Found(question)
    if row.over_time and ask.query.conditions:
        yield from _choose(row, ask, found)
    asks = yield from _read(row, row.asks(ask), found)
    tellings = [row.told(one) for one in asks]
    made = [[one] if isinstance(one, Made) else one for one in map(next, tellings)]
    cells = [_cell(row, one, each, question) for one, those in zip(asks, made, strict=True) for each in those]
    runs = iter((yield from found.cells.run_all(cells)))
    for one, telling, those in zip(asks, tellings, made, strict=True):
        errors = row.over_time and "Error" in one.metric.title
        rows = [Rows(next(runs), errors=errors) for _ in those]
        if not those and one.outcomes[0].rows is not None:
            rows = [Rows(one.outcomes[0], is_told=True)]
        found.parts.append(_Part(one, those, rows, _told(telling, rows)))
    return found


def _texts(told: Told, rows: Sequence[Rows], say: Say) -> list[Text]:
    parts = [*(told.head if isinstance(told.head, tuple) else (told.head,))]
    if told.columns and told.rows:
        most = len(told.rows) if rows and rows[0].is_told else told.most
        parts.append(say.table(told.columns, told.rows[:most]))
        total = len(told.rows) + (rows[0].left_out if rows and told.rows is rows[0] else told.left_out)
        parts += [Message("plan-first-rows", shown=most, all=total)] if total > most else []
    return [*parts, *told.after]


# --- cells ----------------------------------------------------------------------------------------------------------


def _told(telling: Telling, rows: list[Rows]) -> Told:
    try:
        telling.send(rows)
    except StopIteration as end:
        told: Told = end.value
        return told
    raise RuntimeError("all cells of an answer are asked for at once")


def _cell(row: Row, ask: Ask, made: Made, question: str) -> tuple[str, str]:
    lines = [*made.lines]
    if row.over_time:
        lines += ask.narrowed(made.frame, f'{made.frame}["qid"]')
        lines += [f'{made.frame} = {made.frame}[{made.frame}["qid"].isin(chosen)]'] if ask.query.conditions else []
    return cell_of(question, *lines, *made.last, made.shown or made.frame), sentence_of(ask.query, ask.language)


def _drawn(part: _Part, figure: Figure) -> tuple[str, str]:
    say = part.ask.say
    title = say(figure.title)
    language = [] if say.language == "en" else [f'language="{say.language}"']
    name = f"{part.made[0].frame}_figure" if part.made else "figure"
    code = cell_of(title, *called(name, figure.function, *figure.given, f'title="{title}"', *language), name)
    return code, say(Message("plan-chart", title=figure.title))


def _choose(row: Row, ask: Ask, found: _Found) -> Reading:
    """Run a cell that finds which elements meet the conditions now: `chosen`."""
    query = ask.query
    now = Query(
        query.asked, conditions=query.conditions, any_of=query.any_of, errors=query.errors, reliable=query.reliable
    )
    names = conditioned(query)
    meeting = replace(row, reads=lambda one: values_reads(one, names), over_time=False)
    [one] = yield from _read(meeting, [replace(ask, query=now)], found)
    values = met_alone(values_of(one, names))
    made = values.made([f"chosen = {values.frame}.index"], "chosen")
    code, _ = _cell(meeting, one, made, found.question)
    yield from found.cells.run_all([(code, ask.say(Message("plan-meeting")))])


_ABSENT = frozenset({"no_data", "not_found", "withheld"})
"""Failures of tools that say that nothing is there."""

# --- reads ----------------------------------------------------------------------------------------------------------


def _read(row: Row, asks: Sequence[Ask], found: _Found) -> Generator[Any, Any, Sequence[Ask]]:
    """The parts of the question with what was read for them.

    Raises:
        PlanFailed: nothing was, or an element, a parameter or a task is not there.
    """
    for reads in (row.reads, *([row.then] if row.then else [])):
        asks = yield from _with_reads(asks, reads)
        if (moved := _moved(asks)) is not None:
            newest, window = moved
            old, now = window_words(asks[0].window), window_words(window)
            found.before.append(Message("plan-stale", window=old, newest=moment_text(newest), moved=now))
            asks = [replace(one, query=replace(one.query, window=window, cooldown=False)) for one in asks]
            asks = yield from _with_reads(asks, reads)
        whys = dict.fromkeys(why for one in asks if not one.is_beside and (why := _why_not(row, one)))
        asks = [one for one in asks if not _why_not(row, one)]
        if all(one.is_beside for one in asks):
            raise PlanFailed(sentences(*whys))
        found.behind += whys
        found.unread += (words for one in asks for words in _unread(one))
    found.behind += dict.fromkeys(text for one in asks for text in _not_all(one))
    if asks[0].query.reliable:
        asks = yield from _reliable(asks, found)
    return asks


def _unread(ask: Ask) -> Iterator[Message]:
    """The reads beside the first that failed for another reason than that nothing is there."""
    for call, outcome in [*zip(ask.calls, ask.outcomes, strict=True)][1:]:
        if outcome.failed and outcome.content.get("kind") not in _ABSENT:
            yield Message("plan-not-read", tool=call.tool, why=outcome.why)


def _not_all(ask: Ask) -> list[Text]:
    """That a search for results gave only the newest ones, and no second one gave all that is needed of them."""
    pairs = zip(ask.calls, ask.outcomes, strict=True)
    whole = ((call, one) for call, one in pairs if call.arguments.get("last_n", MOST_RESULTS) == MOST_RESULTS)
    found = [one.content for call, one in whole if call.tool == RESULTS and not one.failed]
    cut = [content["total"] for content in found if "cut" in content]
    return [Message("plan-newest-of", read=MOST_RESULTS, all=cut[-1])] if cut and len(cut) == len(found) else []


def _why_not(row: Row, ask: Ask) -> Text:
    """Why there is no answer, or that there is nothing of the kind; empty where there is an answer."""
    first, *others = ask.outcomes
    if first.failed and row.nothing and first.failure and first.content.get("kind") == "no_data":
        return sentences(row.nothing(ask), first.failure.hint)
    unknown = [one for one in others if one.failed and one.content.get("kind") == "not_found"]
    return first.why if first.failed else unknown[0].why if unknown else ""


def _with_reads(asks: Sequence[Ask], reads: Reads) -> Reading:
    """The parts with what is read for them, all in one round; what several need is read once."""
    calls = [[*calls_of(reads, one)] for one in asks]
    each = {f"{call}": call for some in calls for call in some}
    outcomes = dict(zip(each, (yield [*each.values()]), strict=True))
    found = []
    for one, those in zip(asks, calls, strict=True):
        got = [outcomes[f"{call}"] for call in those]
        keys = [None if outcome.failed else outcome.content.get("data_key") for outcome in got]
        codes = [key and f'copilot.data["{key}"]' for key in keys]
        found.append(replace(one, calls=those, outcomes=got, codes=codes))
    return found


def _moved(asks: Sequence[Ask]) -> tuple[datetime, Window] | None:
    """When the newest measurement was, and as long a time before it, where all data are older than the question's."""
    query, window, now = asks[0].query, asks[0].window, asks[0].now
    newest = max(filter(None, (_newest(one) for ask in asks for one in ask.outcomes)), default=None)
    until = window.until or now
    if until < now or query.against or newest is None or window.since is None or newest >= window.since:
        return None
    if until <= window.since:  # today, at midnight: as long a time before is none
        return None
    end = newest + timedelta(minutes=1)
    return newest, Window(end - (until - window.since), end)


def _newest(outcome: CallOutcome) -> datetime | None:
    """When the newest measurement was that a read tells of, also one that found none in its time."""
    if outcome.failed:
        hint = outcome.failure.hint if outcome.failure else ""
        when = dict(hint.fields).get("when") if isinstance(hint, Message) else None
        return when if isinstance(when, datetime) else None
    last = str(outcome.content.get("measured", "")).split(" to ")[-1]
    year = "" if re.match(r"\d{4}-", last) else f"{str(outcome.content.get('as_of', ''))[:4]}-"
    return datetime.fromisoformat(f"{year}{last}").replace(tzinfo=UTC) if last else None


# --- reliable fits alone --------------------------------------------------------------------------------------------

_MOST_QUBITS = 4
"""So many are judged one by one; of more the whole chip is."""
_MOST_JUDGED, _FEW_JUDGED = 100, 10
_NO_VERDICT, _MOST_LISTED = "no verdict", 6


def _reliable(asks: Sequence[Ask], found: _Found) -> Generator[Any, Any, Sequence[Ask]]:
    """The parts with names in place of stored results: of what a cell leaves of these without unreliable fits."""
    stored, cells, say = dict[str, list[Metric]](), dict[str, tuple[str, str]](), asks[0].say
    for one in asks:
        for call, code in zip(one.calls, one.codes, strict=True):
            name = call.arguments.get("parameter_name")
            names = [name] if name else call.arguments.get("param_names", ()) if call.tool == SUMMARY else ()
            stored |= {code: [one.stored(name) for name in names]} if code and names else {}
    verdicts, refused = yield from _verdicts([one for some in stored.values() for one in some], asks[0].calls[0])
    for code, metrics in stored.items():
        whys = ((say.name(one), refused[one.key]) for one in metrics if one.key in refused)
        found.behind += [Message("plan-fits-count", name=name, why=why) for name, why in whys]
        if judged := [metric for metric in metrics if metric.key in verdicts]:
            given = [code, *dict.fromkeys(one for metric in judged for one in verdicts[metric.key])]
            what = say(Message("plan-reliable-only", names=all_of(say.name(metric) for metric in judged)))
            kept, out = _name_of(code, "reliable"), _name_of(code, "left_out")
            lines = [*called(kept, "reliable_only", *given), *called(out, "left_out", *given), out]
            cells[code] = cell_of(what, *lines), what
    sources: dict[str | None, str] = {}
    for code, run in zip(cells, (yield from found.cells.run_all([*cells.values()])), strict=True):
        name = _name_of(code, "reliable")
        sources[code] = found.cells.renamed.get(name, name)
        for metric in (one for one in stored[code] if one.key in verdicts):
            found.behind += _left_out([row for row in Rows(run) if row["parameter"] == metric.key], say.name(metric))
    return [replace(one, codes=[sources.get(code, code) for code in one.codes]) for one in asks]


def _verdicts(
    metrics: Sequence[Metric], read: PlannedCall
) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], tuple[dict[str, list[str]], dict[str, Text]]]:
    """By parameter the verdicts on its curves, as code, or why there are none."""
    tasks = {metric.key: TASK_OF[metric.key] for metric in metrics if metric.key in TASK_OF}
    calls = [(task, call) for task in dict.fromkeys(tasks.values()) for call in _verdict_calls(task, read.arguments)]
    outcomes = (yield [call for _, call in calls]) if calls else ()
    found: dict[str, list[str]] = {}
    refused: dict[str, Text] = {}
    for metric in metrics:
        of_task = [one for (task, _), one in zip(calls, outcomes, strict=True) if task == tasks.get(metric.key)]
        if codes := [f'copilot.data["{one.content["data_key"]}"]' for one in of_task if "data_key" in one.content]:
            found[metric.key] = codes
        else:
            nothing = Message("plan-no-curve") if of_task else Message("plan-curves-not-judged")
            refused[metric.key] = next((one.why for one in of_task if one.failed), nothing)
    return found, refused


def _name_of(code: str, what: str) -> str:
    """The name of what becomes of `copilot.data["t1"]`."""
    return re.sub(r"\W", "_", f"{code.split(chr(34))[1]}_{what}")


def _verdict_calls(task: str, read: Mapping[str, Any]) -> list[PlannedCall]:
    during = {name: read[name] for name in ("since", "until") if name in read}
    qids = read.get("qids", ())
    if not 0 < len(qids) <= _MOST_QUBITS:
        return [planned("get_result_curves", task_name=task, **during)]
    count = _MOST_JUDGED if during else _FEW_JUDGED
    return [planned("get_result_curves", task_name=task, qid=qid, **during, last_n=count) for qid in qids]


def _left_out(rows: Sequence[dict[str, Any]], name: str) -> Iterator[Message]:
    """How many values were left out and why, and how many nobody could judge."""
    unknown = [row for row in rows if row["why"] == _NO_VERDICT]
    if unknown and unknown[0]["values"] == unknown[0]["of"]:
        yield Message("plan-fits-count", name=name, why=Message("plan-no-curve"))
        return
    whose = {row["why"]: some(row["qids"].split(", "), _MOST_LISTED) for row in rows}
    if off := [row for row in rows if row["why"] != _NO_VERDICT]:
        whys = (
            Message("plan-left-out-why", code=row["why"], count=row["values"], names=whose[row["why"]]) for row in off
        )
        count = sum(row["values"] for row in off)
        yield Message("plan-values-left-out", count=count, all=off[0]["of"], name=name, whys=tuple(whys))
    else:
        yield Message("plan-none-left-out", name=name)
    for row in unknown:
        names = whose[_NO_VERDICT]
        yield Message("plan-values-not-judged", count=row["values"], all=row["of"], name=name, names=names)
