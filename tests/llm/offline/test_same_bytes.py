"""The same questions to the same database give the same output items, byte by byte, in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.llm.offline.planner_questions import Chip
from tests.llm.offline.tool_questions import CASES

ROOT = Path(__file__).parents[3]


@pytest.mark.long
@pytest.mark.timeout(900)
def test_two_processes_give_the_same_bytes(faulty: Chip) -> None:
    first, second = (said(faulty.folder, seed) for seed in ("1", "2"))
    assert first.count(b'"role": "user"') > sum(len(case.questions) for case in CASES)
    assert first == second


def said(folder: Path, seed: str) -> bytes:
    command = [sys.executable, "-m", "tests.llm.offline.answer_bytes", str(folder)]
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT / "bench")}
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True).stdout
