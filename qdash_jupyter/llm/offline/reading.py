"""One result, read by fixed rules from the context of an analysis: verdict on its curve, thresholds, history, trend."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from qdash_jupyter.domain.analysis import CURVE, HISTORY, RESULT
from qdash_jupyter.domain.answer import Assessment, JsonObject
from qdash_jupyter.domain.safe_text import harmless_words, one_line
from qdash_jupyter.llm.offline.operations.curves import ASSESSMENTS, verdict_words
from qdash_jupyter.llm.offline.operations.values import flag_in
from qdash_jupyter.llm.offline.phrases import Say, columns, grade_words, label, status_words, trend_words, why_words
from qdash_jupyter.llm.offline.plan import BADNESS, Finding
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Field, Message, Text, of_json, sentences


def reading(data: Mapping[str, Any], language: Language, *, own_question: bool) -> Finding:
    """The reading of a context's data; `own_question` says that the user asked something beyond it."""
    result: JsonObject = data[RESULT]
    outputs: dict[str, JsonObject] = result["outputs"]
    curve: JsonObject = data.get(CURVE, {})
    say = Say(language)
    parts = [
        _verdict(curve, say),
        say(Message("plan-read-result", what=f"{result['task']} {label(result['qid'])}", found=_found(result, say))),
        *map(say, _run(result)),
        _values(outputs, say),
        say(_history(data.get(HISTORY, {}))),
        _beside(data, outputs, say),
        say(Message("plan-why-not-found") if "fit" in curve else Message("plan-figure-not-read")),
        say(Message("plan-beyond-rules")) if own_question else "",
    ]
    said = {_assessment(result), *([ASSESSMENTS[curve["fit"]]] if "fit" in curve else [])}
    return Finding("\n\n".join(part for part in parts if part), max(said, key=BADNESS.__getitem__))


def _verdict(curve: JsonObject, say: Say) -> str:
    """Whether the value can be trusted; nothing where no curve was stored."""
    if "fit" in curve:
        return verdict_words(curve, say)
    why = of_json(curve.get("left_out", "")) or Message("plan-unknown-curve")
    return say(sentences(Message("plan-not-judged"), why)) if curve else ""


def _assessment(result: JsonObject) -> Assessment | None:
    outputs = result["outputs"].values()
    grades = {output["grade"] for output in outputs if "grade" in output}
    if result["status"] == "failed" or "bad" in grades:
        return "bad"
    lost = not outputs or any(output["value"] in {"no fit", "no number"} for output in outputs)
    if lost or result.get("excluded") or "below good" in grades or any(output.get("worse") for output in outputs):
        return "warning"
    return "good" if grades else None


def _found(result: JsonObject, say: Say) -> Field:
    """What the result gave: what stands out, else the outputs."""
    if result["status"] != "completed":
        return status_words(result["status"])
    outputs: dict[str, JsonObject] = result["outputs"]
    plain = [f"{name} {flag_in(say, output['value'])}" for name, output in outputs.items()]
    notable = [
        Message("plan-with-value", what=what, value=words)
        for what, output in zip(plain, outputs.values(), strict=True)
        if (words := _notable(output))
    ]
    return tuple((notable or plain)[:3]) or Message("plan-no-output-kept")


def _notable(output: JsonObject) -> tuple[Text, ...]:
    """What stands out about an output; empty where nothing does."""
    grade = (grade_words(output["grade"]),) if "grade" in output else ()
    return (*grade, *((trend_words(output["trend"]),) if "worse" in output else ()))


def _run(result: JsonObject) -> Iterable[Message]:
    run, start = result.get("execution_id", "–"), why_words(str(result.get("started", "–")).partition(" (")[0])
    if "took" in result:
        yield Message("plan-run-took", run=run, start=start, took=result["took"])
    else:
        yield Message("plan-run", run=run, start=start)
    if "excluded" in result:
        yield Message("plan-is-excluded", why=why_words(str(result["excluded"])))
    if result["status"] != "completed" and "message" in result:
        yield Message("plan-message", message=result["message"])
    if "quality_metrics" in result:
        shown = tuple(f"{name} {value}" for name, value in result["quality_metrics"].items())
        yield Message("plan-fit-quality", names=shown)
    if "note_of_a_person" in result:
        yield Message("plan-note", note=result["note_of_a_person"])


def _values(outputs: Mapping[str, JsonObject], say: Say) -> str:
    shown = columns(
        "parameter value grade median-before range-before trend",
        parameter=lambda one: f"`{one['name']}`",
        value=lambda one: flag_in(say, one["value"]),
        grade=lambda one: grade_words(one["grade"]) if "grade" in one else "–",
        median_before=lambda one: one.get("earlier", {}).get("median", "–"),
        range_before=lambda one: one.get("earlier", {}).get("range", "–"),
        trend=lambda one: trend_words(one["trend"]),
    )
    return say.table(shown, [{"name": name, **output} for name, output in outputs.items()]) if outputs else ""


def _history(history: Mapping[str, Any]) -> Message:
    count = str(history.get("completed_before", "0"))
    at_least = count.removeprefix("at least ")
    if at_least != count:
        return Message("plan-completed-before-at-least", count=at_least)
    return Message("plan-completed-before", count=count)


def _beside(data: Mapping[str, Any], outputs: Mapping[str, JsonObject], say: Say) -> str:
    """The neighbours' values of the outputs, where the context has them."""
    shown = tuple(
        f"{label(qid)} {parameter} {words.partition(',')[0]}"
        for name in ("Neighbours", "Couplings")
        for qid, values in data.get(name, {}).items()
        for parameter, words in values.items()
        if parameter in outputs
    )
    return say(Message("plan-beside", names=shown)) if shown else ""


_PLAIN = re.compile(
    r"@\w+|\b(?:what|which|how|many|is|are|in|the|of|a|an|describe|show|me|shape|columns?|rows?|size|d?types?|head"
    r"|look|like|does|do|has|have|names?|tell|about|and|please|this|table|array|its?|kind|there)\b"
    r"|何|なに|列|行|形状?|型|ですか|です|説明|教えて|して|ください|いくつ|は|の|を|が|と|名|数|どんな|テーブル|表|。|、",
    re.IGNORECASE | re.ASCII,
)


def of_failed_cell(error: str, say: Say) -> str:
    """The error by its name and its line, and why that is all. `error` is its text as a model reads it."""
    *lines, last = error.strip().split("\n")
    places = [line for line in lines if line.startswith("line ")]
    failed = Message("plan-cell-failed", error=_code(last))
    if places:
        failed = Message("plan-cell-failed-at", error=_code(last), line=_code(places[-1]))
    return f"{say(failed)}\n\n{say(Message('plan-cannot-fix'))}"


def of_named(question: str, named: Mapping[str, Any], say: Say) -> str:
    """What the variables are; where the question asks for more, that it cannot be done."""
    found = [_of_one(name, told) for name, told in named.items()]
    if re.search(r"\w", _PLAIN.sub(" ", question)):
        found.append(Message("plan-cannot-compute"))
    return "\n\n".join(map(say, found))


def _of_one(name: str, told: Mapping[str, Any]) -> Message:
    kind = told.get("type", "")
    if "shape" in told:
        shape = " × ".join(map(str, told["shape"])) or "()"
        return Message("plan-array", name=name, shape=shape, type=told["dtype"])
    if "rows" not in told:
        return Message("plan-variable", name=name, kind=told.get("not_told") or kind)
    if "columns" not in told:
        return Message("plan-series", name=name, kind=kind, rows=told["rows"], type=told["dtype"])
    columns = tuple(
        f"{harmless_words(label)} ({dtype})" if dtype else harmless_words(label)
        for label, dtype in told["columns"].items()
    )
    more = told.get("more_columns", 0)
    count, names = len(columns) + more, (*columns, *(("…",) if more else ()))
    return Message("plan-table", name=name, kind=kind, rows=told["rows"], count=count, columns=names)


def _code(text: str) -> str:
    return one_line(text).replace("`", "'")
