"""What holds for one question alone: another chip, qubit or model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from demo_chip.generator import make_demo
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.errors import PersonError
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.records import TurnOptions
from tests.scripted_server import ScriptedServer, call_turn, text_turn

QUESTION = "How many qubits has the chip?"
OTHER = TurnOptions(chip="16Q-other", qid="3")


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two active chips."""
    first = make_demo(seed=3, size=16, days=6)
    second = make_demo(seed=4, size=16, days=6, chip_id="16Q-other")
    documents = {name: [*first.documents[name], *second.documents[name]] for name in first.documents}
    documents |= {name: first.documents[name] for name in ("project", "project_membership")}
    folder = tmp_path_factory.mktemp("chips") / "two"
    write_snapshot(documents, folder, as_of=first.as_of, source="generated for a test")
    return folder


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


@pytest.fixture
def copilot(shell: InteractiveShell, two: Path, server: ScriptedServer) -> Iterator[Copilot]:
    settings = {
        "database": {"snapshot": str(two)},
        "chip": "16Q-demo",
        "models": {"lab": {"name": "lab-model", "base_url": server.base_url, "api_key_env": None}},
    }
    opened = open_copilot(shell, settings=settings)
    yield opened
    opened.close()


def asked(copilot: Copilot, question: str, options: TurnOptions | None) -> str:
    turn = copilot.start(question, options=options)
    turn.wait()
    return turn.result().text


def test_another_chip_for_one_question(copilot: Copilot) -> None:
    asked(copilot, QUESTION, OTHER)
    assert {one.source.arguments["chip_id"] for one in copilot.data.values()} == {"16Q-other"}
    other = copilot.data["topology"]
    assert other.source.call == 'get_chip_topology(chip_id="16Q-other", project_id="demo")', "a cell has to say it"
    assert other.refresh().source == other.source
    asked(copilot, QUESTION, None)
    assert copilot.data["topology_2"].source.call == "get_chip_topology()"
    assert "16Q-demo" in str(copilot.status().chip)
    again = copilot.retry(copilot.turns[0].turn_id)
    again.wait()
    assert again.options == OTHER


def test_another_model_for_one_question(copilot: Copilot, server: ScriptedServer) -> None:
    server.add(call_turn(("get_chip_summary", {})))
    server.add(text_turn('{"blocks": [{"type": "text", "content": "Well.", "chart": null}], "assessment": null}'))
    assert asked(copilot, "How is it?", TurnOptions(chip="16Q-other", qid="3", model="lab")) == "Well."
    told = str(server.requests[0].body["input"])
    assert "16Q-other" in told
    assert "16Q-demo" not in told
    assert not copilot.status().is_language_model
    asked(copilot, QUESTION, None)
    assert len(server.requests) == 2


def test_what_does_not_exist_is_told(copilot: Copilot) -> None:
    for options, told in (
        (TurnOptions(chip="16Q-othr"), "Did you mean 16Q-other"),
        (TurnOptions(qid="99"), "There is no qubit 'Q99'"),
        (TurnOptions(model="nonsense"), "There is no model 'nonsense'"),
    ):
        with pytest.raises(PersonError, match=told):
            asked(copilot, QUESTION, options)
    assert asked(copilot, QUESTION, None)
