"""The same question gives the same qubits: from a snapshot and from MongoDB, from a magic and from the command line."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from demo_chip import make_demo
from demo_chip.snapshot import write_demo_snapshot

from tests.mongo_documents import load_documents
from tests.ui.kernel import command, kernel

pytestmark = [pytest.mark.kernel, pytest.mark.long]

SEED, SIZE, DAYS = 31, 16, 90
QUESTIONS = [
    "過去30日で周波数が飛んだ量子ビットは?",
    "Which qubits lost T1 in the last 30 days?",
    "Which 3 qubits have the lowest readout fidelity?",
    "Compare Q3 and Q7",
]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo_snapshot(tmp_path_factory.mktemp("same") / "chip", seed=SEED, size=SIZE, days=DAYS)


@pytest.fixture(scope="module")
def mongo_uri(secantusd: Any) -> str:
    database = secantusd.fresh_database()
    load_documents(make_demo(seed=SEED, size=SIZE, days=DAYS).documents, database)
    return f"{secantusd.uri.rstrip('/')}/{database.name}"


def labels(text: str) -> list[str]:
    return re.findall(r"Q\d\d(?:-Q\d\d)?", text)


def asked(*where: str, question: str, **environment: str) -> dict[str, Any]:
    run = command("ask", *where, "--json", question, **environment)
    assert run.returncode == 0, run.stderr
    answer: dict[str, Any] = json.loads(run.stdout)
    return answer


def words(answer: dict[str, Any]) -> str:
    return "\n".join(block["content"] or "" for block in answer["blocks"])


@pytest.mark.mongo
@pytest.mark.parametrize("question", QUESTIONS)
def test_snapshot_and_mongodb_agree(snapshot: Path, mongo_uri: str, question: str, tmp_path: Path) -> None:
    # A live database counts ages from the clock, a snapshot from its end: both from the same moment here.
    settings = tmp_path / "copilot.yaml"
    settings.write_text("database: {as_of: 2026-06-30T00:00:00Z}\n")
    from_snapshot = asked("--snapshot", str(snapshot), question=question)
    from_mongo = asked("--mongo", mongo_uri, question=question, QDASH_COPILOT_CONFIG=str(settings))
    assert labels(words(from_snapshot)) == labels(words(from_mongo)) != []
    assert from_snapshot["assessment"] == from_mongo["assessment"]
    assert from_snapshot["cells"] == from_mongo["cells"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_magic_and_command_line_agree(snapshot: Path, question: str) -> None:
    with kernel(QDASH_SNAPSHOT=str(snapshot)) as running:
        running.run("%load_ext qdash_jupyter")
        shown = running.run(f"%%copilot\n{question}")
    answer = asked("--snapshot", str(snapshot), question=question)
    assert words(answer).strip() in shown.bundles[0]["text/markdown"]
