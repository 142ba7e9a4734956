"""What changes from question to question stands at the end of a request."""

from __future__ import annotations

from pathlib import Path

from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.agent.situation import HEADING, situation_of
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.data.records import ChipRecord, ChipRef
from qdash_jupyter.data.snapshot import SnapshotReader
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
    assert all(text.startswith(HEADING) for text in told)
    assert len(set(told)) == QUESTIONS
    assert '"database":"MongoDB at lab:27017","chip":"16Q-demo","project":"demo","qubits":16' in told[0]
    assert not [text for text in told[1:] if "chip" in text]


def test_a_snapshot_says_from_when_on_ages_count_and_says_it_once(snapshot: Path) -> None:
    reader = SnapshotReader(snapshot)
    chip = ChipRecord(ChipRef("demo", "16Q-demo"), 16, "square-lattice-mux-64", "active", None, None)
    situation = situation_of(reader, chip)
    transcript = Transcript()
    transcript.ask("One?", situation=situation)
    transcript.ask("Two?", situation=situation)

    assert situation["now"] == f"{reader.now():%Y-%m-%d %H:%M} UTC, the time of the snapshot, for every age and window"
    assert [len(item["content"]) for item in transcript.items] == [2, 1]
    assert "chip" not in situation_of(reader, None)


def test_a_digest_does_not_take_the_chip_along(snapshot: Path) -> None:
    reader, chip = LiveReader(snapshot), ChipRecord(ChipRef("demo", "16Q-demo"), 16, None, "active", None, None)
    transcript = Transcript()
    transcript.ask("One?", situation=situation_of(reader, chip))
    transcript.ask("Two?", situation=situation_of(reader, chip))
    transcript.replace_first(1, "Digest.")

    digest, question = transcript.sent_items
    assert '"chip":"16Q-demo"' in digest["content"][1]["text"]
    assert question["content"][0]["text"] == "Two?"
