"""`make eval`: makes the chips, asks, judges, and writes the report.

Variables: SEEDS (chips, "301 302" by default), QUESTIONS (a regular expression: only questions whose key, fault, form
or words it finds), QDASH_COPILOT_MODEL (who is asked; the offline planner when there is none). The tables go to
standard output, what is silently wrong to standard error, every answer to build/eval.jsonl. The page in docs/ is that
of the planner on the chips of the default.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from functools import partial
from pathlib import Path

from eval.asking import Asked, asked, opened, read_answer
from eval.book import Book
from eval.chips import make_chip
from eval.conditions import Ignored, ignored
from eval.judge import Verdict
from eval.questions import questions_of
from eval.questions.item import Question
from eval.report import conditions_table, line_of_model, markdown, write_lines

SEEDS = "301 302"
PAGE = Path("docs/evaluation.md")
LINES = Path("build/eval.jsonl")
INTRODUCTION = """\
# How well questions are answered

`make eval` makes chips with planted faults in QDash's documents, asks about them in English and Japanese, and judges
each answer against a truth that plain Python computes from the documents (`bench/eval/book.py`); none of the tools
takes part. The faults are those of [the demo chip](demo-chip.md#what-is-planted) and more (`bench/eval/chips.py`): a
slope, a step, telegraph noise, failing fits, a cool-down that shifted all frequencies, values in other units. Some of
the questions follow a pattern, others are as people type them.

This page is the offline planner's. `QDASH_COPILOT_MODEL=lab make eval` asks the same of any other model, with what it
costs; `SEEDS="311 312"` makes other chips, `QUESTIONS=weekdays` asks some, and `build/eval.jsonl` holds every answer
with its verdict and why.

Language models so far: none. The line that a run of one ends with stands here, so that two can be compared.

| model | asked | right | asks | partial | silently wrong | tokens a question | seconds a question |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |

| an answer is | when |
| --- | --- |
| right | its ids, numbers (with units, within their digits) or drawn points are the true ones; or it says of what the \
data cannot tell that they cannot |
| asks | it asks back, or says that it cannot answer |
| partial | it names the words of the question that it left out |
| silently wrong | anything else: other numbers or ids, or a condition that was dropped without a mark |

"None" are questions that need no fault, "no answer" those that the data cannot answer.

The seeds of this page are those that mistakes were mended on. On two others, 911 and 912, which nobody had looked at
(2026-11-29), 21 of 1,132 were silently wrong. 17 still are: 13 about a slope that is called fluctuating (T1 drifted
before it, too, and one slope does not describe both), 4 about the newest result of a task, which had failed (the judge
wants the newest that did not). On 1213 and 1214, which nobody had looked at either, none is.
"""


def first_of_each(questions: list[Question]) -> list[Question]:
    """One question of each fault, form and language, without conversations and what cannot be answered."""
    found: dict[tuple[str, str, str], Question] = {}
    for question in questions:
        if question.family != "no answer" and not question.before:
            found.setdefault((question.family, question.form, question.language), question)
    return list(found.values())


def main() -> int:
    """Ask everything."""
    seeds = [int(seed) for seed in os.environ.get("SEEDS", SEEDS).split()]
    only = os.environ.get("QUESTIONS", "")
    rows: list[Asked] = []
    added: list[tuple[Question, list[Ignored]]] = []
    model = ""
    for seed in seeds:
        chip = make_chip(seed)
        wanted = [
            question
            for question in questions_of(Book(chip))
            if re.search(only, f"{question.key} {question.family} {question.form} {question.asked}", re.IGNORECASE)
        ]
        with tempfile.TemporaryDirectory() as folder:
            copilot = opened(chip.written(Path(folder)))
            for one in asked(copilot, wanted):
                rows.append(one)
                if one.judged.verdict is Verdict.WRONG or only:
                    print(f"{one.judged.verdict}: {one.question.asked}\n  {one.judged.reason}", file=sys.stderr)
            if seed == seeds[0] and not only:
                added = list(ignored(first_of_each(wanted), partial(read_answer, copilot)))
            model = str(copilot.status().model)
            copilot.close()
    page = markdown(rows, model, seeds)
    if added:
        page += "\n\n" + conditions_table(added)
    print(page if model.startswith("offline") else f"{page}\n\n{line_of_model(rows, model)}")
    write_lines(rows, LINES)
    if not only and seeds == [int(seed) for seed in SEEDS.split()] and model.startswith("offline"):
        PAGE.write_text(f"{INTRODUCTION}\n{page}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
