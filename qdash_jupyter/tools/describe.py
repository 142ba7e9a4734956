"""`describe`: what a model is told only when it asks: of a tool, a method, a column, a metric or a verdict.

All of it is derived: from docstrings, declarations and tables of meanings that are there anyway.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from qdash_jupyter import methods
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.metrics import METRICS
from qdash_jupyter.errors import NotFound
from qdash_jupyter.messages.message import Message
from qdash_jupyter.tools.spec import ChipArguments, ToolArguments, ToolContext, ToolOutput, ToolSpec

DESCRIBE = "describe"
ALL_METHODS, ALL_TASKS = "methods", "tasks"
MOST_CHARS = 1_600
"""Of one docstring."""
MOST_SENTENCES = 4
_WRONG_CALL = re.compile(r"^TypeError: (\w+)\(\) ", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.;])\s+")


def _several(raw: object) -> object:
    return [raw] if isinstance(raw, str) else raw


class DescribeArguments(ToolArguments):
    names: Annotated[list[str], BeforeValidator(_several)] = Field(
        description='"methods", "tasks": all.', min_length=1, max_length=20
    )


def names_in(arguments: object) -> list[str]:
    """The names in the arguments of a call, as a model sent them."""
    try:
        names = _several(json.loads(str(arguments)).get("names"))
    except (ValueError, AttributeError, RecursionError):
        return []
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def description_of(tools: Sequence[ToolSpec]) -> ToolSpec:
    """The tool that describes these, and itself."""

    def describe(args: DescribeArguments, context: ToolContext) -> ToolOutput:
        """What each name is: of a tool all its arguments, tables and limits (and from then on it can be called with all
        of them), of a method its signature and the columns that it gives, of a metric its unit and thresholds, of a
        verdict what it means, of a column the sentences that explain it; and the tasks that ever ran on the chip.
        """
        specs = {one.name: one for one in (*tools, spec)}
        found = {name: _described(name.strip("` ()"), specs, context) for name in args.names}
        known = [ALL_METHODS, ALL_TASKS, *specs, *methods.__all__, *METRICS]
        for name in (name for name, told in found.items() if not told):
            unknown = NotFound(Message("kind-described"), name, known)
            if len(found) == 1:
                raise unknown
            found[name] = {"kind": unknown.kind, "nearest": list(unknown.nearest)}
        return ToolOutput(content=found)

    spec = ToolSpec(
        label=Message("label-describe"),
        description="What tools, methods, columns, metrics or verdicts are: arguments, limits, thresholds, meaning.",
        run=describe,
    )
    return spec


def _described(name: str, specs: Mapping[str, ToolSpec], context: ToolContext) -> Any:
    name = name.rpartition(".")[2]
    if name == ALL_METHODS:
        return [signature_of(each) for each in methods.__all__ if each[0].islower()]
    if name == ALL_TASKS:
        reader, chip = context.reader_and_chip(ChipArguments())
        return reader.task_names(chip.ref)
    if name in specs:
        return _tool(specs[name])
    if name in methods.__all__:
        return {"method": signature_of(name), "text": _shortened(inspect.getdoc(getattr(methods, name)) or "")}
    return _metric(name.lower().replace(" ", "_"), context) | _verdict(name) | _sentences(name, specs)


def _tool(spec: ToolSpec) -> JsonObject:
    arguments = {
        name: ", ".join(f"{word}: {value}" for word, value in line.items() if word != "items")
        for name, line in spec.arguments().items()
    }
    limit = {} if spec.max_calls_per_turn is None else {"calls_per_question": spec.max_calls_per_turn}
    return {"tool": _shortened(inspect.getdoc(spec.run) or spec.description), "arguments": arguments} | limit


def signature_of(method: str) -> str:
    """Its name and arguments with their defaults, on one line."""
    parameters = inspect.signature(getattr(methods, method)).parameters.values()
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in parameters]
    return f"{method}{inspect.Signature(plain)}"


def signature_in(traceback: str) -> str:
    """That of the method whose arguments were wrong; empty of any other error."""
    found = _WRONG_CALL.search(traceback)
    return signature_of(found[1]) if found and found[1] in methods.__all__ else ""


def _metric(name: str, context: ToolContext) -> JsonObject:
    if name not in METRICS:
        return {}
    metric = context.metrics.of(name)
    told: JsonObject = {"metric": metric.title, "kind": metric.kind, "unit": metric.stored_unit or "fraction"}
    if metric.scoring is not None:
        score = metric.scoring
        better = "higher" if score.higher_is_better else "lower"
        values = {"good": score.good, "excellent": score.excellent, "bad": score.bad}
        told |= {each: metric.stored(value) for each, value in values.items() if value is not None}
        told["better"] = better
    return told


def _verdict(name: str) -> JsonObject:
    from qdash_jupyter.methods.curves.codes import MEANINGS

    meaning = next((meaning for code, meaning in MEANINGS.items() if code.value == name), None)
    if meaning is None:
        return {}
    return {"verdict": str(meaning.sentence), "value": meaning.fit.value, "next": str(meaning.next)}


def _sentences(name: str, specs: Mapping[str, ToolSpec]) -> JsonObject:
    """What the docstrings of tools and methods say of a column or a word of a verdict."""
    homes = {spec.name: inspect.getdoc(spec.run) or "" for spec in specs.values()}
    homes |= {method: inspect.getdoc(getattr(methods, method)) or "" for method in methods.__all__}
    word = re.compile(rf"`{re.escape(name)}(?: \[[^\]]*\])?`")
    told = {home: " ".join(_with(word, text)) for home, text in homes.items() if word.search(text)}
    return dict(list(told.items())[:MOST_SENTENCES])


def _with(word: re.Pattern[str], text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(" ".join(text.split())):
        if found := word.search(sentence):
            at = found.start()
            yield sentence if len(sentence) <= 300 else f"… {sentence[max(0, at - 60) : at + 200]} …"  # noqa: PLR2004


def _shortened(text: str) -> str:
    """Up to so many characters; what comes back stands at the end of a docstring, so its middle is left out."""
    text = " ".join(text.split())
    if len(text) <= MOST_CHARS:
        return text
    head, mark, returns = text.partition(" Returns: ")
    room = max(MOST_CHARS - len(returns), MOST_CHARS // 4)
    return f"{head[:room]} …{mark}{returns[: MOST_CHARS - room]}"
