"""`make eval`: makes the chips, asks, judges, and writes the report.

Variables: SEEDS (chips, such as "301 302"), QUESTIONS (a regular expression: only questions whose key, family, form or
words it finds), QDASH_COPILOT_MODEL (who is asked; the offline planner when there is none).
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
from eval.report import conditions_table, markdown, write_lines

SEEDS = "301 302"
PAGE = Path("docs/evaluation.md")
LINES = Path("build/eval.jsonl")
INTRODUCTION = """\
# How well questions are answered

Made by `make eval`.
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
            model = copilot.status().model
            copilot.close()
    page = markdown(rows, model, seeds)
    if added:
        page += "\n\n" + conditions_table(added)
    print(page)
    write_lines(rows, LINES)
    if not only:
        PAGE.write_text(f"{INTRODUCTION}\n{page}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
