"""What changes from question to question stands at the end of a request."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.agent.situation import MOST_CHARS, situation_of
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.connect import open_copilot
from qdash_jupyter.data.records import ChipRecord, ChipRef
from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.domain.analysis import SITUATION
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.errors import PersonError
from tests.scripted_server import ScriptedServer, text_turn
from tests.session.prompt_prefix import GOAL, QUESTIONS, LiveReader, asked_on, shared_prefixes


def test_a_server_that_caches_prompts_goes_on_with_what_it_has(shell: InteractiveShell, snapshot: Path) -> None:
    bodies = asked_on(snapshot, shell)

    assert len(bodies) == 2 * QUESTIONS
    assert min(shared_prefixes(bodies)) >= GOAL
    assert len({body["instructions"] for body in bodies}) == 1


def test_the_model_reads_the_time_of_each_question_and_the_chip_once(shell: InteractiveShell, snapshot: Path) -> None:
    questions = [item for item in asked_on(snapshot, shell)[-1]["input"] if item.get("role") == "user"]
    told = [question["content"][1]["text"] for question in questions]

    assert [question["content"][0]["text"] for question in questions][1] == "Question 1: how is Q3?"
    assert all(text.startswith(SITUATION) for text in told)
    assert len(set(told)) == QUESTIONS
    assert '"database":"MongoDB at lab:27017","chip":"16Q-demo","project":"demo","qubits":16' in told[0]
    assert not [text for text in told[1:] if "chip" in text]


def test_a_snapshot_says_from_when_on_ages_count_and_says_it_once(snapshot: Path) -> None:
    reader = SnapshotReader(snapshot)
    chip = ChipRecord(ChipRef("demo", "16Q-demo"), 16, "square-lattice-mux-64", "active", None, None)
    situation = situation_of(reader, MetricTable(), chip)
    transcript = Transcript()
    transcript.ask("One?", situation=situation)
    transcript.ask("Two?", situation=situation)

    assert situation["now"] == f"{reader.now():%Y-%m-%d %H:%M} UTC, the snapshot's, for every age and window"
    assert [len(item["content"]) for item in transcript.items] == [2, 1]
    assert "chip" not in situation_of(reader, MetricTable(), None)


def test_a_digest_does_not_take_the_chip_along(snapshot: Path) -> None:
    reader, chip = LiveReader(snapshot), ChipRecord(ChipRef("demo", "16Q-demo"), 16, None, "active", None, None)
    transcript = Transcript()
    transcript.ask("One?", situation=situation_of(reader, MetricTable(), chip))
    transcript.ask("Two?", situation=situation_of(reader, MetricTable(), chip))
    transcript.replace_first(1, "Digest.")

    digest, question = transcript.sent_items
    assert '"chip":"16Q-demo"' in digest["content"][1]["text"]
    assert question["content"][0]["text"] == "Two?"


def test_the_current_qubit_and_the_user_s_names_are_known(shell: InteractiveShell, snapshot: Path) -> None:
    shell.user_ns["my_table"] = pd.DataFrame({"a": [1]})
    with ScriptedServer([text_turn("ok")] * 4) as server:
        models = {"lab": {"name": "m", "base_url": server.base_url, "api_key_env": "NO_KEY"}}
        settings = {"model": "lab", "models": models, "database": {"snapshot": str(snapshot)}, "qid": "Q003"}
        with closing(open_copilot(shell, settings=settings)) as copilot:
            copilot.ask("How is it?")
            copilot.ask("And?")
            copilot.analyze("CheckT1", "5")
            copilot.ask("And now?")
    told = [
        json.loads(text.split("\n")[2]) if (text := request.body["input"][-1]["content"][-1]["text"])[0] == "#" else {}
        for request in server.requests
    ]
    assert (told[0]["current_qubit"], told[0]["names_of_the_user"]) == ("3", ["my_table: DataFrame 1 × 1"])
    assert any(one.startswith("qubit_frequency: ") for one in told[0]["its_parameters"])
    assert [words for words in told[0]["its_parameters"] if words.startswith("t1: ") and "μs" in words]
    assert len("".join(told[0]["its_parameters"])) <= MOST_CHARS
    assert told[1] == {}
    assert set(told[2]) == {"current_qubit", "its_parameters"}
    assert told[2]["current_qubit"] == "5"
    assert told[3] == {}


def test_a_current_qubit_that_is_not_there_is_an_error_with_the_nearest(
    shell: InteractiveShell, snapshot: Path
) -> None:
    settings = {"database": {"snapshot": str(snapshot)}, "qid": "16"}
    with closing(open_copilot(shell, settings=settings)) as copilot, pytest.raises(PersonError, match="16"):
        copilot.ask("How is it?")


def test_what_does_not_fit_is_counted(snapshot: Path) -> None:
    names = [f"name_{number}: DataFrame 100 × 10" for number in range(100)]
    (*shown, left) = situation_of(SnapshotReader(snapshot), MetricTable(), None, None, names)["names_of_the_user"]
    assert shown == names[: len(shown)]
    assert left == f"+{100 - len(shown)} more"
    assert len(to_json(shown)) <= MOST_CHARS + 1
