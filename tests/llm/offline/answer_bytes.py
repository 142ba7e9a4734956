"""Prints what every question of the tables gives: `python -m tests.llm.offline.answer_bytes SNAPSHOT`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from demo_chip.generator import make_demo

from tests.llm.offline.planner_questions import Chip, ask, session
from tests.llm.offline.tool_questions import CASES

OPEN = ("latest CheckT1", "Q07", "fidelity of Q7", "the first", "compare Q3", "Q7", "What is the weather?")


def main(folder: Path) -> None:
    """All items of one conversation, as they go out with the next request."""
    copilot = session(Chip(folder, make_demo(seed=1, size=16, days=2)))
    for question in (*(question for case in CASES for question in case.questions), *OPEN):
        ask(copilot, question)
    for item in copilot._conversation.transcript.items:
        sys.stdout.write(json.dumps(item, ensure_ascii=True) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
