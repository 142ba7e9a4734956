"""What the planner understands: a corpus of questions as people in a lab ask them, English and Japanese."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from qdash_jupyter.llm.offline.intent import Direction, Intent, Kind, Language, Limit
from qdash_jupyter.llm.offline.plans import LOOKUPS
from qdash_jupyter.llm.offline.recognition import recognise
from qdash_jupyter.llm.offline.spans import Window

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SAID = {
    "task": "task_name",
    "run": "execution_id",
    "entity": "entity_id",
    "status": "status",
    "last": "last_n",
    "kind": "kind",
    "text": "text",
    "tags": "tags",
    "cooldown": "cooldown_id",
    "excluded": "include_excluded",
}
FIELDS = {
    *SAID,
    "until",
    "or",
    "p",
    "q",
    "dir",
    "w",
    "why",
    "by",
    "chip",
    "n",
    "best",
    "limit",
    "below",
    "above",
    "dead",
    "sel",
}


@dataclass(frozen=True)
class Expected:
    question: str
    kind: Kind
    fields: dict[str, str]

    @property
    def language(self) -> Language:
        return "ja" if re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", self.question) else "en"


def corpus() -> list[Expected]:
    """Lines `kind [field=value …] | question`.

    Fields: p parameters, q ids, dir direction, w window (days, weekday or date; without it the default), n count, chip,
    best, sel selection of a heatmap, limit (the lab's own), below and above (a value with its unit), by (the smallest
    change), dead (only qubits without any result), why (the cause is asked for too), or (what its parameter may mean as
    well), until; and what it says for an argument of a tool (`SAID`).
    """
    found = []
    for line in (Path(__file__).parent / "questions.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        head, question = (part.strip() for part in line.split("|", 1))
        kind, *pairs = head.split()
        fields = dict(pair.partition("=")[::2] for pair in pairs)
        assert set(fields) <= FIELDS, line
        found.append(Expected(question, Kind(kind), fields))
    return found


CORPUS = corpus()


@pytest.mark.parametrize("expected", CORPUS, ids=lambda expected: expected.question)
def test_question(expected: Expected) -> None:
    intent = recognise(expected.question, expected.language)
    assert intent.kind is expected.kind
    if expected.kind is Kind.UNKNOWN:
        return
    assert told(intent, expected) == {"kind": expected.kind.value} | expected.fields


@pytest.mark.parametrize("expected", [e for e in CORPUS if e.language == "en"], ids=lambda expected: expected.question)
def test_capitals_and_a_full_stop_change_nothing(expected: Expected) -> None:
    intent = recognise(expected.question, "en")
    capital = recognise(expected.question.upper().rstrip("?!") + " .", "en")
    assert replace(capital, said=folded(capital)) == replace(intent, said=folded(intent)) or intent.chip_id


def folded(intent: Intent) -> dict[str, str]:
    """What else was said, as far as capitals say nothing."""
    return {name: str(value).lower() for name, value in intent.said.items()}


def told(intent: Intent, expected: Expected) -> dict[str, str]:
    """The intent in the notation of the corpus; what is at its default is left out, as there."""
    fields: dict[str, str] = {"kind": intent.kind.value}
    fields |= {"p": ",".join(intent.parameters)} if intent.parameters else {}
    fields |= {"q": ",".join(intent.qids)} if intent.qids else {}
    fields |= {"chip": intent.chip_id} if intent.chip_id else {}
    fields |= {"w": window(intent.window)} if intent.window.named else {}
    fields |= {"why": ""} if intent.why else {}
    fields |= {"dead": ""} if intent.dead_only else {}
    fields |= {"by": line(intent.by)} if intent.by else {}
    if intent.kind is Kind.CHANGE:
        fields["dir"] = intent.direction.value
    else:
        assert intent.by is None
    if intent.kind is Kind.WORST:
        fields |= {"best": ""} if intent.best else {}
        fields |= {"n": str(intent.count)} if intent.count != 5 or "n" in expected.fields else {}
        if intent.limit is not None:
            name = {None: "limit", True: "below", False: "above"}[intent.limit.below]
            fields[name] = "" if name == "limit" else line(intent.limit)
    for field, argument in SAID.items():
        if field in expected.fields or intent.kind in LOOKUPS:
            fields |= {field: said(intent.said[argument])} if argument in intent.said else {}
    fields |= {"until": intent.window.until} if intent.window.until else {}
    fields |= {"or": ",".join(intent.unclear[1:])} if intent.unclear else {}
    if intent.kind is Kind.HEATMAP and intent.selection != "latest":
        fields["sel"] = intent.selection
    return fields


def said(value: object) -> str:
    return ",".join(value) if isinstance(value, list) else "" if value is True else str(value)


def window(found: Window) -> str:
    if found.date is not None:
        return found.date
    return WEEKDAYS[found.weekday] if found.weekday is not None else f"{found.days:g}"


def line(limit: Limit) -> str:
    return f"{limit.value:g}{limit.unit}"


@pytest.mark.parametrize(
    ("question", "count"),
    [("worst 10 in the last 3 days", 10), ("worst qubits of the last 3 days", 5), ("worst 0 qubits", 1)],
)
def test_days_are_no_count(question: str, count: int) -> None:
    assert recognise(question, "en").count == count


@pytest.mark.parametrize("date", ["2026-06-31", "2026-13-01"])
def test_a_date_that_does_not_exist_is_no_window(date: str) -> None:
    intent = recognise(f"Which qubits lost T1 since {date}?", "en")
    assert intent.window == Window()
    assert intent.direction is Direction.DOWN
    assert intent.qids == ()
