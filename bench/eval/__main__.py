"""`make eval`: makes the chips, asks, judges, and writes the report.

Variables: SEEDS (chips, such as "301 302"), QUESTIONS (a regular expression: only questions whose key, family, form or
words it finds), QDASH_COPILOT_MODEL (who is asked; the offline planner when there is none).
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

from eval.asking import Asked, asked, opened
from eval.book import Book
from eval.chips import make_chip
from eval.judge import Verdict
from eval.questions import questions_of
from eval.report import markdown, write_lines

SEEDS = "301 302"
PAGE = Path("docs/evaluation.md")
LINES = Path("build/eval.jsonl")
INTRODUCTION = """\
# How well questions are answered

Made by `make eval`.
"""


def main() -> int:
    """Ask everything."""
    seeds = [int(seed) for seed in os.environ.get("SEEDS", SEEDS).split()]
    only = os.environ.get("QUESTIONS", "")
    rows: list[Asked] = []
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
            model = copilot.status().model
            copilot.close()
    page = markdown(rows, model, seeds)
    print(page)
    write_lines(rows, LINES)
    if not only:
        PAGE.write_text(f"{INTRODUCTION}\n{page}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
