"""Writes `docs/planner.md` from what the planner reads and heeds: `make docs` checks that it is what they say."""

from __future__ import annotations

from pathlib import Path

from qdash_jupyter.llm.offline.abilities import EXAMPLES
from qdash_jupyter.llm.offline.operations import OPERATIONS
from qdash_jupyter.llm.offline.query import Asked

__all__ = ["EXAMPLES", "FIELDS", "PAGE", "page"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "planner.md"

HEAD = """\
# The offline planner

It answers without a language model, by fixed methods. Each question, English or Japanese, is read into one form
(what is asked, of which parameters and qubits, under which conditions, in which time), and one operation of
that kind calls the tools and computes in cells of a few lines, with the [methods](methods.md). The same
question to the same database gives the same answer, byte by byte. It invents nothing: each number comes from a
tool or from a cell that ran. Why something is so, it cannot tell.

This page is written by `scripts/planner_page.py` from the code. How well it understands:
[evaluation](evaluation.md). Why it is as it is: [decision 0029](decisions/0029-every-word-is-accounted-for.md).

| asked | for instance | it may also say |
| --- | --- | --- |
"""

TAIL = """
Everything else is `unknown`: the answer lists what can be asked.

## Every word counts

- A word that nothing took is named below the answer: "Not considered: “new firmware”.", 「考慮していない語：…」.
- Where leaving it out would ask something else (a condition, a time, "not", "except" in a question of another kind),
  there is no answer to that other question: "The offline planner can't answer this. …",
  「オフラインプランナーはこの質問に回答できません」, with what is nearest.
- A time has a beginning and an end: "June 10 to 20", "in May", "on Friday", "since mid June", "the last 60 days",
  "before 2026-04-03", "since the last cool-down", 「6月10日から20日」, 「先週の金曜日」. A date without its
  year is the last one that was. All are days of UTC.
- If nothing was measured in that time, the answer says so and looks at the same length before the newest measurement.
- "What about the last 60 days?", "and Q5?", "same for T2 echo" take the rest from the question before.

## Reliable fits only

"…, reliable fits only", "leave out unreliable fits", 「信頼できるフィットだけで…」 beside such a question: the curves
behind its values are fitted anew ([curves](curves.md)), of up to four qubits those of these, else those of the whole
chip, and a cell leaves out what they do not support (`reliable_only`). The answer says how many values that were, and
by which codes, and of how many there is no curve, so that they count. What cannot leave them out says so.

## What it asks back

A question that leaves open what it is about gets one question back, with the choices that there are: no qubit
or parameter where one is needed, a word that fits several measured parameters ("fidelity", "T2"), several
chips, "compare Q3". The next words complete it, or one of the buttons: `Q07`, `T1`, "the second", "all of
them". Anything else is taken as a new question.

## What it is judged by

Values of qubits, couplings and task results carry the grade of the lab's thresholds (`scoring` in
[settings.md](settings.md)), and the answer that of the worst. Failed runs and what people wrote are told and
not judged.
"""

FIELDS = {
    "metrics": "parameters",
    "qids": "qubits or couplings",
    "without": "all but some",
    "element": "",
    "conditions": "conditions",
    "any_of": "",
    "unclear": "",
    "window": "a time",
    "against": "a second time",
    "direction": "which way",
    "by": "by how much",
    "order": "an order",
    "count": "how many to list",
    "how_many": "how many there are",
    "statistic": "a statistic",
    "form": "its form (list, plot, histogram, …)",
    "fit": "what to fit",
    "errors": "errors in place of fidelities",
    "low": "bad ones",
    "good": "good ones",
    "why": "why",
    "reliable": "reliable fits only",
    "dead": "never",
}
"""Fields of a query in words; what every question of its kind says has none."""


def page() -> str:
    """The whole page."""
    rows = [f"| `{asked}` | {examples} | {_heeded(asked)} |" for asked, examples in EXAMPLES.items()]
    return HEAD + "\n".join(rows) + "\n" + TAIL


def _heeded(asked: Asked) -> str:
    heeds = OPERATIONS[asked].heeds
    fields = [words for field, words in FIELDS.items() if field in heeds and words]
    details = sorted(field.removeprefix("details.") for field in heeds if field.startswith("details."))
    return ", ".join([*fields, *(f"`{name}`" for name in details)]) or "–"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
