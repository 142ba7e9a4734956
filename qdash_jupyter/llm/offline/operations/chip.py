"""The chip: what of it wants attention, verdicts, what to recalibrate and to use; maps, its shape and parameters."""

from __future__ import annotations

from collections.abc import Collection, Generator, Mapping, Sequence
from datetime import timedelta
from functools import partial, reduce
from math import prod
from typing import Any

from qdash_jupyter.domain.answer import Assessment, JsonObject
from qdash_jupyter.domain.metrics import METRICS, Metric
from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline.operations.parameters import COUPLING_GATE, TASK_OF, column_of, limits_code
from qdash_jupyter.llm.offline.operations.row import (
    MOST_CALLS,
    MOST_NAMED,
    RESULTS,
    SERIES,
    SUMMARY,
    Ask,
    Figure,
    Made,
    Telling,
    Told,
    answer,
    called,
    listed_code,
)
from qdash_jupyter.llm.offline.operations.select import columns_of
from qdash_jupyter.llm.offline.operations.values import (
    bad_words,
    current_values,
    flag_in,
    flagged,
    value_columns,
    values_in,
)
from qdash_jupyter.llm.offline.phrases import Columns, columns, ids, ids_of, label, number, quoted, some
from qdash_jupyter.llm.offline.plan import CallOutcome, PlannedCall, planned
from qdash_jupyter.llm.offline.query import Asked, Window, moment_text
from qdash_jupyter.messages.message import Field, Message, Text, sentences

_Found = Sequence[dict[str, Any]]
_WATCHED = ("t1", "t2_echo", "qubit_frequency", "average_readout_fidelity", "x90_gate_fidelity")
_JUDGED = ("CheckT1", "CheckRamsey", "ReadoutClassification")
"""Tasks whose newest curves are judged where somebody asks what is wrong."""
_LEVEL_DAYS, _RECENT_DAYS, _ATTEMPT_DAYS, _JUDGED_DAYS, _OLD_DAYS = 75, 30, 14, 3, 30
_DRAWN = ("t1", "qubit_frequency")
_SHARE_THAT_IS_BAD = 0.05


def _levels_reads(ask: Ask) -> list[PlannedCall]:
    """The current values, and series with what was before the last days."""
    before = moment_text(ask.now - timedelta(days=_LEVEL_DAYS))
    of_couplings = bool(ask.qids) and ask.is_of_couplings
    names = [COUPLING_GATE] if of_couplings else [*_WATCHED, *([] if ask.qids else [COUPLING_GATE])]
    return [planned(SUMMARY), *(ask.series(name, since=before) for name in names)]


def _attention_reads(ask: Ask) -> list[PlannedCall]:
    """Everything that can be wrong: values, series, results, and the newest curves."""
    one = {"qid": ask.qid} if len(ask.qids) == 1 else {}
    lately = moment_text(ask.now - timedelta(days=_JUDGED_DAYS))
    newest: Mapping[str, Any] = {"last_n": 1} if one else {"since": lately}
    asked = {_RUN_AGAIN.get(name) for name in ask.query.metrics}
    judged = [] if ask.qids and ask.is_of_couplings else [task for task in _JUDGED if not asked or task in asked]
    attempts = {"since": moment_text(ask.now - timedelta(days=_ATTEMPT_DAYS)) if one else lately}
    return [
        *_levels_reads(ask),
        planned(RESULTS, **attempts, **one),
        *(planned(_CURVES, task_name=task, **newest, **one) for task in judged),
    ]


def _verdict_reads(ask: Ask) -> list[PlannedCall]:
    """That, the values of couplings, and what people wrote about each."""
    couplings = ask.qids if ask.is_of_couplings else ()
    return [
        *_attention_reads(ask),
        *(planned(_COUPLINGS, coupling_id=qid) for qid in couplings),
        *(planned("search_notes", qid=qid) for qid in ask.qids),
    ]


_COUPLINGS, _CURVES = "get_coupling_params", "get_result_curves"


def _codes_of(ask: Ask, tool: str) -> list[str]:
    """What this tool read, as code."""
    return [code for code, call in zip(ask.codes, ask.calls, strict=True) if code and call.tool == tool]


def _attention(ask: Ask, *more: str) -> Made:
    results, judged = _codes_of(ask, RESULTS), _codes_of(ask, _CURVES)
    given = [str(ask.codes[0]), *_codes_of(ask, SERIES)]
    given += [f"qids={listed_code(ask.qids)}"] if ask.qids else []
    given += [f"results={code}" for code in results]
    given += [f"verdicts=[{', '.join(judged)}]"] if judged else []
    given += [*more, *limits_code(ask.metrics)]
    lines = called("to_look_at", "attention", *given)
    if ask.query.metrics:
        lines.append(f'to_look_at = to_look_at[to_look_at["parameter"].isin({listed_code(ask.query.metrics)})]')
    if ask.query.kind and not ask.qids:
        which = "" if ask.query.kind == "coupling" else "~"
        lines.append(f'to_look_at = to_look_at[{which}to_look_at["qid"].str.contains("-")]')
    return Made(lines, "to_look_at")


@answer(
    "metrics qids why",
    _verdict_reads,
    answers=lambda query: (
        len(set(map(is_coupling, query.qids))) == 1 and (query.kind != "coupling" or len(query.qids) <= MOST_CALLS)
    ),
)
def verdict(ask: Ask) -> Telling:
    """What is wrong, and the current values."""
    frames = [f'{code}["values"]' for code in _codes_of(ask, _COUPLINGS)]
    of_couplings = [Made([f"current = pd.concat([{', '.join(frames)}])"], "current")] if frames else []
    rows, *current = yield [_attention(ask), *(of_couplings if ask.is_of_couplings else [current_values(ask)])]
    serious = [row for row in rows if row["severity"] != "note"]
    whose: Field = Message("plan-of", name=ask.name, whose=ask.whose) if ask.query.metrics else ask.whose
    is_judged = bool(_codes_of(ask, _CURVES))
    judged = "yes" if is_judged else "no"
    head = Message("plan-nothing-wrong", whose=whose, days=_RECENT_DAYS, judged=judged)
    if serious:
        what = _finding(serious[0], ask)
        head = Message("plan-wrong", whose=label(str(serious[0]["qid"])), what=what, more=len(serious) - 1)
    is_unlimited = ask.query.metrics and ask.metric.scoring is None
    heads = head, Message("plan-without-limit", name=ask.name) if is_unlimited else ""
    shown = _look_columns(ask, without=() if len(ask.qids) > 1 else {"element"})
    assessment = _assessed(rows, is_judged=is_judged or ask.is_of_couplings)
    drawn = [figure for _, figure in _moved(ask, rows)[:1]]
    values = _current_words(ask, [row for table in current for row in table])
    return Told(heads, shown, rows, assessment, drawn, [*values, *_notes(ask)])


def _finding(row: Mapping[str, Any], ask: Ask) -> Message:
    """`T1 fell: 51.3 → 23.6 μs (-54 %), since 2026-06-21`."""
    name = ask.named(row["parameter"])
    value = flag_in(ask.say, row["value"]) if row["finding"] == "flagged" else row["value"]
    finding = row["finding"].replace(" ", "-")
    return Message("plan-look", finding=finding, name=name, value=value, limit=row["limit"], since=row["since"])


def _assessed(rows: _Found, *, is_judged: bool) -> Assessment | None:
    """Good only where everything could be looked at, and not even a note was found."""
    worst = {row["severity"] for row in rows}
    return "bad" if "bad" in worst else "warning" if "warning" in worst else None if rows or not is_judged else "good"


def _moved(ask: Ask, rows: _Found) -> list[tuple[str, Figure]]:
    """The series of those that moved, by parameter."""
    kinds, found = {"fell", "rose", "moved", "dipped"}, []
    for call, code in zip(ask.calls, ask.codes, strict=True):
        name = call.arguments.get("parameter_name")
        qids = [str(row["qid"]) for row in rows if row["parameter"] == name and row["finding"] in kinds]
        if code and call.tool == SERIES and name in _WATCHED:
            found += [(name, figure) for figure in ask.drawn(qids, ask.named(name), code=code)]
    return found


def _look_columns(ask: Ask, without: Collection[str] = ()) -> Columns:
    return columns(
        "element weight finding",
        without=without,
        weight=lambda row: Message("plan-severity", severity=row["severity"]),
        finding=lambda row: _finding(row, ask),
    )


def _current_words(ask: Ask, current: _Found) -> list[Text]:
    """The current values."""
    names, say = ask.query.metrics, ask.say
    values = values_in([row for row in current if not names or row["parameter"] in names], ask)
    if not values:
        return []
    head = Message("plan-current-parameters", whose=ask.whose)
    return [head, say.table(value_columns(values, say), values), *bad_words(values, say), flagged(values, ask)]


def _notes(ask: Ask) -> list[Text]:
    """What people wrote about it."""
    found: list[Text] = []
    reads = zip(ask.calls, ask.outcomes, strict=True)
    notes = (note for call, one in reads if call.tool == "search_notes" and not one.failed for note in one.rows or [])
    for note in notes:
        if note.get("qid") in ask.qids:
            words = quoted(f"{note.get('title') or ''} {note.get('content') or ''}".strip())
            found.append(Message("plan-note-of", words=words, by=quoted(str(note.get("by") or "–"))))
    return found


@answer("why kind", lambda ask: [*_levels_reads(ask), planned("generate_chip_heatmap", metric_name="t1")])
def health(ask: Ask) -> Telling:
    """What of the chip needs attention, and an overview of its values."""
    overview = Made(called("chip_overview", "overview", str(ask.codes[0])), "chip_overview")
    rows, overview = yield [_attention(ask, f"old_days={_OLD_DAYS}"), overview]
    size = int(ask.outcomes[0].content["num_qubits"])
    found = [row for row in rows if row["severity"] != "note"]
    count = sum(number for severity, number in rows.counts("severity").items() if severity != "note")
    concerned = list(dict.fromkeys(ids_of(found)))
    measured = [row for row in overview if row["measured"]]
    can_tell = 2 * max((row["measured"] for row in measured), default=0) >= size
    head = Message("plan-health-unknown", count=size)
    if len(concerned) > MOST_NAMED or count > len(found):
        head = Message("plan-many-need-attention", count=count, names=ids(concerned[:MOST_NAMED]))
    elif concerned:
        head = Message("plan-needs-attention", names=ids(concerned))
    elif can_tell:
        head = Message("plan-nothing-needs-attention", count=size)
    share = sum("-" not in qid for qid in concerned) / max(size, 1)
    assessment: Assessment = "bad" if share > _SHARE_THAT_IS_BAD else "warning" if concerned else "good"
    of_chip = columns("metric", metric=lambda row: ask.say.name(_titled(row)))
    for name in ("median", "lowest", "highest"):
        of_chip[Message("plan-statistic", statistic=name)] = partial(_of_chip, name)
    of_chip |= columns("how-many-measured", how_many_measured=_measured_of)
    drawn = [figure for name, figure in _moved(ask, found) if name in _DRAWN]
    told = assessment if can_tell or concerned else None
    after = [ask.say.table(of_chip, measured)]
    return Told(head, _look_columns(ask), found, told, drawn, after, left_out=count - len(found))


def _of_chip(name: str, row: Mapping[str, Any]) -> str:
    return number(row[name], _titled(row))


def _measured_of(row: Mapping[str, Any]) -> Message:
    return Message("plan-measured-of", count=row["measured"], all=row["of"])


def _titled(row: Mapping[str, Any]) -> Metric:
    return next(metric for metric in METRICS.values() if metric.title == row["metric"])


@answer("qids count kind", _attention_reads)
def recalibrate(ask: Ask) -> Telling:
    """Which elements to measure again, why, and by which tasks."""
    [rows] = yield _attention(ask)
    by_element: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        by_element.setdefault(str(row["qid"]), []).append(row)
    dead = [qid for qid, found in by_element.items() if found[0]["finding"] == "no results"]
    wanted = [one for one in by_element.items() if one[0] not in dead and one[1][0]["severity"] != "note"]
    wanted = wanted[: ask.query.count]
    shown = columns(
        "element why run-tasks",
        element=lambda item: label(item[0]),
        why=lambda item: reduce(
            lambda first, more: Message("plan-then", first=first, more=more), (_finding(row, ask) for row in item[1])
        ),
        run_tasks=lambda item: ", ".join(_tasks(item[1])),
    )
    names = some([qid for qid, _ in wanted], 8, in_order=False)
    is_judged = bool(_codes_of(ask, _CURVES))
    head = Message("plan-recalibrate", count=len(wanted), names=names, judged="yes" if is_judged else "no")
    after = [Message("plan-recalibrate-dead", names=ids(dead)) if dead else ""]
    return Told(head, shown, wanted, _assessed(rows, is_judged=is_judged), after=after)


def _tasks(rows: _Found) -> list[str]:
    """What to run again."""
    wanted = [row["parameter"] for row in rows if row["severity"] != "note" or row["finding"] == "newest failed"]
    found = dict.fromkeys(
        _RUN_AGAIN.get(name, name) for name in wanted if name and _RUN_AGAIN.get(name, name) not in METRICS
    )
    return list(found) or ["CheckT1", "CheckT2Echo", "CheckRamsey", "ReadoutClassification"]


_RUN_AGAIN = {**TASK_OF, "qubit_frequency": "CheckRamsey"}


@answer("count! without", lambda _: [planned(SUMMARY), planned(SERIES, parameter_name=COUPLING_GATE, last_n=3)])
def patch(ask: Ask) -> Telling:
    """The best qubits to use: a patch, or a chain."""
    chain, count = ask.query.asked is Asked.CHAIN, ask.query.count or 2
    given = [*map(str, ask.codes), str(count), *(["chain=True"] if chain else [])]
    given += [f"without={listed_code(ask.query.without)}"] if ask.query.without else []
    [rows] = yield Made(called("patch", "best_patch", *given), "patch")
    if not rows:
        return Told(Message("plan-no-patch", count=count))
    known = {column_of(metric): metric for metric in map(ask.metrics.of, METRICS)}
    shares = [known[name] for name in rows[0] if name in known]
    factors = (row[column_of(metric)] for row in rows for metric in shares)
    fidelity = f"{100 * prod(factor / 100 for factor in factors if factor is not None):.1f} %"
    names = some([qid for qid in ids_of(rows) if not is_coupling(qid)], 40, in_order=not chain)
    head = Message("plan-patch", chain="yes" if chain else "no", count=count, names=names, fidelity=fidelity)
    return Told(head, columns_of(shares, ask, rows), rows, after=[Message("plan-patch-means")])


# --- its maps, shape and parameters ----------------------------------------------------------------------------------

_LAYOUTS = ("grid", "hex", "linear")
MOST_NEAR = 100
"""Qubits whose neighbours a cell tells."""


def has_coupling(qid: str) -> Generator[Sequence[PlannedCall], Sequence[CallOutcome], bool]:
    """Read whether the chip has a coupling, in either direction."""
    [outcome] = yield [planned("get_coupling_params", coupling_id=qid)]
    return outcome.content.get("kind") != "not_found"


def _map_reads(ask: Ask) -> list[PlannedCall]:
    window = ask.query.window or Window()
    during = {"since": window.since_text, "until": window.until_text}
    return [planned("generate_chip_heatmap", metric_name=ask.metric.key, selection_mode="latest", **during)]


@answer("metrics! window form", _map_reads, each="metrics")
def chip_map(ask: Ask) -> Telling:
    """The newest values of a parameter on the chip's grid."""
    yield []
    [outcome], metric = ask.outcomes, ask.metric
    found = outcome.content["statistics"]
    missing = [str(qid) for qid in outcome.content.get(f"missing_{metric.kind}s", ())]
    absent = some(missing, MOST_NAMED, unlisted=outcome.content.get("more_missing", 0))
    median, low, high = (number(found[name], metric) for name in ("median", "min", "max"))
    count, total = found["count"], found[f"total_{metric.kind}s"]
    head = Message(
        "plan-map", name=ask.name, kind=metric.kind, median=median, min=low, max=high, count=count, all=total
    )
    older = sorted({*outcome.content.get("newest_excluded", ()), *outcome.content.get("newest_without_value", ())})
    names = some([qid for qid in older if qid not in missing], MOST_NAMED)
    return Told(
        sentences(
            head,
            Message("plan-never-measured", names=absent) if missing else "",
            Message("plan-older-shown", names=names) if names else "",
        )
    )


@answer("qids", "list_available_parameters qid", each="qids", most=12)
def parameters(ask: Ask) -> Telling:
    """What was measured, how often."""
    yield []
    counts = ask.outcomes[0].content["results"]
    items = (Message("plan-parameter", parameter=one, name=ask.named(one), count=counts[one]) for one in counts)
    return Told((Message("plan-parameters", count=len(counts)), "\n".join(map(ask.say, items))))


@answer("qids", "get_chip_topology", answers=lambda query: len(query.qids) <= MOST_NEAR)
def neighbours(ask: Ask) -> Telling:
    """The chip's shape, or the neighbours of the named qubits: a row a qubit, as of pairs there may be more than a cell
    tells.
    """
    lines = [
        f'pairs = {ask.codes[0]}["couplings"]',
        'pairs = pd.concat([pairs, pairs.rename(columns={"control": "target", "target": "control"})]).sort_index()',
        f'near = pairs[pairs["control"].isin({listed_code(ask.qids)})]',
        'near = near.groupby("control", as_index=False)[["target", "coupling_id"]].agg(" ".join)',
    ]
    near = yield [Made(lines, "near")] if ask.qids else []
    if not near:
        return Told(_layout(ask.outcomes[0].content))
    heads, found = list[Text](), {row["control"]: row for row in near[0]}
    for qid in ask.qids:
        told: Text = Message("plan-no-neighbours", name=label(qid))
        if row := found.get(qid):
            names, pairs = ids(sorted(row["target"].split(), key=int)), row["coupling_id"].split()
            pairs = tuple(f"`{pair}`" for pair in pairs)
            told = Message("plan-neighbours", name=label(qid), names=names, couplings=pairs)
        heads.append(told)
    return Told(tuple(heads), names=sorted({one for row in near[0] for one in row["target"].split()}, key=int))


def _layout(content: JsonObject) -> Message:
    """The shape of the chip in a sentence."""
    size, pairs, layout = content["num_qubits"], content["couplings"]["_rows"], content["layout_type"]
    if layout not in _LAYOUTS:
        return Message("plan-no-layout", count=size, pairs=pairs)
    grid = str(content["grid_size"])
    return Message("plan-layout", topology=content["topology_id"], layout=layout, count=size, pairs=pairs, grid=grid)
