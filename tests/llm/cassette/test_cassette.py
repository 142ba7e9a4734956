"""The model that records and plays: modes, order, streaming, secrets, and what it says when something is missing."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.mask import masked_line, note_secrets
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import ReasoningDelta, TextDelta
from qdash_jupyter.errors import CassetteError, ConfigurationError, ModelBroken, PersonError
from qdash_jupyter.llm.cassette import CassetteLLM
from qdash_jupyter.llm.cassette import model as module
from qdash_jupyter.llm.client import LLM, ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.scripted import ScriptedLLM, Step, call_reply, text_reply


def asked(question: str, *items: JsonObject) -> ModelRequest:
    return ModelRequest("Be brief.", ({"role": "user", "content": question}, *items))


def nobody() -> LLM:
    pytest.fail("a replay makes no model")


def steps(*of: Step) -> Callable[[], LLM]:
    return lambda: ScriptedLLM(of)


def ask(llm: LLM, *requests: ModelRequest) -> list[Reply]:
    return [parts[-1] for parts in heard(llm, *requests) if isinstance(parts[-1], Reply)]


def heard(llm: LLM, *requests: ModelRequest) -> list[list[ReplyPart]]:
    async def run() -> list[list[ReplyPart]]:
        return [[part async for part in llm.reply(request)] for request in requests]

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def _a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_begun", set())


@pytest.fixture
def file(tmp_path: Path) -> str:
    return str(tmp_path / "conversation.yaml")


def record(file: str, *pairs: tuple[ModelRequest, Reply]) -> None:
    llm = CassetteLLM("record", file, steps(*(reply for _, reply in pairs)))
    assert ask(llm, *(request for request, _ in pairs)) == [reply for _, reply in pairs]


def test_equal_requests_are_played_in_order_and_then_from_the_first(file: str) -> None:
    record(file, *((asked("Dice?"), text_reply(text)) for text in ("one", "two", "three")))
    llm = CassetteLLM("replay", file, nobody)
    assert [reply.text for reply in ask(llm, *[asked("Dice?")] * 5)] == ["one", "two", "three", "one", "two"]


def test_recording_begins_anew_and_a_second_conversation_adds_to_it(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    record(file, (asked("Old?"), text_reply("old")))
    monkeypatch.setattr(module, "_begun", set())  # another process
    record(file, (asked("First?"), text_reply("1")))
    record(file, (asked("Second?"), text_reply("2")))
    llm = CassetteLLM("replay", file, nobody)
    assert [reply.text for reply in ask(llm, asked("First?"), asked("Second?"))] == ["1", "2"]
    with pytest.raises(CassetteError):
        ask(llm, asked("Old?"))


def test_the_old_recording_stays_until_there_is_a_new_one(file: str) -> None:
    record(file, (asked("Old?"), text_reply("old")))
    module._begun.clear()
    llm = CassetteLLM("record", file, steps(ModelBroken("It broke.", "Ask again.")))
    with pytest.raises(ModelBroken):
        ask(llm, asked("New?"))
    assert ask(CassetteLLM("replay", file, nobody), asked("Old?"))[0].text == "old"


def test_auto_plays_what_is_there_and_records_the_rest(file: str) -> None:
    record(file, (asked("Known?"), text_reply("known")))
    inner = ScriptedLLM([text_reply("new"), text_reply("newer")])
    llm = CassetteLLM("auto", file, lambda: inner)
    replies = ask(llm, asked("Known?"), asked("New?"), asked("Newer?"), asked("New?"))
    assert [reply.text for reply in replies] == ["known", "new", "newer", "new"]
    assert [request.items[0]["content"] for request in inner.requests] == ["New?", "Newer?"]
    replayed = ask(CassetteLLM("replay", file, nobody), asked("Newer?"), asked("New?"), asked("Known?"))
    assert [reply.text for reply in replayed] == ["newer", "new", "known"]


def test_auto_without_a_file_records_it(file: str) -> None:
    assert ask(CassetteLLM("auto", file, steps(text_reply("new"))), asked("New?"))[0].text == "new"
    assert ask(CassetteLLM("auto", file, steps()), asked("New?"))[0].text == "new"


def test_a_replay_streams_the_same_text_in_pieces(file: str) -> None:
    class Thinking(ScriptedLLM):
        async def reply(self, request: ModelRequest) -> Any:
            yield ReasoningDelta("First ")
            yield ReasoningDelta("the series.")
            async for part in super().reply(request):
                yield part

    text = "Q07 and Q12 are the worst. " * 9
    first = heard(CassetteLLM("record", file, lambda: Thinking([text_reply(text)])), asked("Which?"))[0]
    again = heard(CassetteLLM("replay", file, nobody), asked("Which?"))[0]
    for kind in (TextDelta, ReasoningDelta):
        both = ["".join(part.text for part in parts if isinstance(part, kind)) for parts in (first, again)]
        assert both[0] == both[1] != ""
    assert sum(isinstance(part, TextDelta) for part in again) >= 3
    assert again[-1] == first[-1]
    assert isinstance(again[0], ReasoningDelta)


def test_a_reply_that_fails_or_is_stopped_is_not_recorded(file: str) -> None:
    llm = CassetteLLM("record", file, steps(ModelBroken("It broke."), text_reply("a b c"), text_reply("whole")))

    async def run() -> None:
        with pytest.raises(ModelBroken):
            [part async for part in llm.reply(asked("One?"))]
        stopped = llm.reply(asked("Two?"))
        assert isinstance(await anext(stopped), TextDelta)
        await stopped.aclose()
        [part async for part in llm.reply(asked("Three?"))]

    asyncio.run(run())
    assert re.findall("question: (.*)", Path(file).read_text(encoding="utf-8")) == ["Three?"]


def test_the_card_says_cassette_of_the_model(file: str) -> None:
    recording = CassetteLLM("record", file, steps(text_reply("1")))
    assert recording.card.name == "recording of scripted replies"
    assert recording.card.endpoint == f"this process, {file}"
    ask(recording, asked("One?"))
    replaying = CassetteLLM("replay", file, nobody).card
    assert (replaying.name, replaying.endpoint) == ("cassette of scripted replies", file)
    auto = CassetteLLM("auto", file, steps()).card
    assert auto.name == "cassette of scripted replies"
    assert auto.endpoint == f"this process, {file}", "a model may be asked: the screen says where"


def missing(file: str, request: ModelRequest) -> CassetteError:
    with pytest.raises(CassetteError) as caught:
        ask(CassetteLLM("replay", file, nobody), request)
    assert isinstance(caught.value, PersonError)
    assert file in str(caught.value.message)
    assert "QDASH_CASSETTE=auto" in str(caught.value.hint)
    return caught.value


def outcome(value: Any) -> tuple[JsonObject, ...]:
    call = call_reply(("get_chip_summary", {"n": 1}))
    return (*call.items, {"type": "function_call_output", "call_id": call.calls[0].call_id, "output": value})


def test_a_missing_entry_names_the_first_difference(file: str) -> None:
    record(
        file,
        (asked("Which qubits are weak?"), text_reply("1")),
        (asked("Which qubits are weak?", *outcome('{"values": {"t1": [1.5, 2.5], "n": 2}}')), text_reply("2")),
        (asked("Heatmap of T1"), text_reply("3")),
    )
    error = missing(file, asked("Which qubits are weak?", *outcome('{"values": {"t1": [1.5, 2.75], "n": 2}}')))
    before, _, difference = str(error.message).partition(" First difference: ")
    assert before.endswith(
        'has no reply to "Which qubits are weak?", round 2. '
        'The nearest recorded question is "Which qubits are weak?", round 2.'
    )
    here, recorded = difference.split("` here, `")
    assert '"output": {"values": {"n": 2, "t1": [1.5, 2.75]}}' in here
    assert '"output": {"values": {"n": 2, "t1": [1.5, 2.5]}}' in recorded


def test_a_question_after_the_end_of_the_recorded_conversation(file: str) -> None:
    answer = text_reply("1")
    record(file, (asked("Which qubits are weak?"), answer))
    message = str(
        missing(file, asked("Which qubits are weak?", *answer.items, {"role": "user", "content": "Why?"})).message
    )
    assert 'has no reply to "Why?", round 1.' in message
    assert message.endswith('Its conversation ends with the reply to "Which qubits are weak?", round 1.')


def test_a_missing_question_is_compared_with_the_nearest(file: str) -> None:
    record(file, (asked("Heatmap of T1"), text_reply("1")), (asked("Which qubits are weak?"), text_reply("2")))
    message = str(missing(file, asked("Which qubits are strong?")).message)
    assert 'The nearest recorded question is "Which qubits are weak?", round 1' in message
    assert 'Which qubits are strong?"' in message
    assert 'Which qubits are weak?", "role": "user"' in message.partition(" here, ")[2]


def test_other_instructions_are_shown_where_they_differ(file: str) -> None:
    text = "# Role\n" + "Be kind. " * 50 + "\n- Chip: 64Q-a (64 qubits).\n" + "x" * 500
    request = dataclasses.replace(asked("Which?"), instructions=text)
    record(file, (request, text_reply("1")))
    error = missing(file, dataclasses.replace(request, instructions=text.replace("64Q-a", "144Q-b")))
    assert r"\n- Chip: 144Q-b (64 qubits)." in str(error.message)
    assert r"\n- Chip: 64Q-a (64 qubits)." in str(error.message)
    assert len(str(error.message)) < 500


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tools": ({"name": "new"},)}, '"tools": [{"name": "new"}]}]…` here, `…'),
        ({"language": "ja"}, '"language": "ja"}]…` here, `…'),
        ({"items": ({"role": "user", "content": "Which?"},) * 2}, '{"content": "Which?", "role": "user"}, {"content"'),
    ],
)
def test_what_is_there_on_one_side_only(file: str, change: dict[str, Any], said: str) -> None:
    record(file, (asked("Which?"), text_reply("1")))
    assert said in str(missing(file, dataclasses.replace(asked("Which?"), **change)).message)


def test_an_empty_cassette_has_nothing(file: str) -> None:
    Path(file).write_text("", encoding="utf-8")
    assert "The cassette is empty." in str(missing(file, asked("Which?")).message)


@pytest.mark.parametrize("mode", ["play", "on", "1", "records"])
def test_a_wrong_mode(file: str, mode: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        CassetteLLM(mode, file, nobody)
    assert mode in str(caught.value.message)
    assert all(word in str(caught.value.hint) for word in ("record", "replay", "auto"))


def test_a_mode_in_capitals_will_do(file: str) -> None:
    record(file, (asked("Which?"), text_reply("1")))
    assert ask(CassetteLLM(" Replay ", file, nobody), asked("Which?"))[0].text == "1"


@pytest.mark.parametrize("wrong", ["", "  ", "no/such/folder/c.yaml"])
def test_a_wrong_path(wrong: str) -> None:
    with pytest.raises(ConfigurationError, match="QDASH_CASSETTE_FILE"):
        CassetteLLM("record", wrong, steps())


def test_auto_does_not_mix_models(file: str) -> None:
    class Other(ScriptedLLM):
        @property
        def card(self) -> Any:
            return dataclasses.replace(super().card, name="gpt-other")

    record(file, (asked("Which?"), text_reply("1")))
    with pytest.raises(ConfigurationError, match="was recorded with scripted replies, but gpt-other is configured"):
        CassetteLLM("auto", file, lambda: Other([]))


def test_no_secret_gets_into_the_file(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_KEY", "lab-secret-0123456789")
    manifest = Manifest.model_validate(
        {
            "models": {"lab": {"name": "m", "api_key_env": "LAB_KEY", "headers": {"X-Gate": "gate-word-77"}}},
            "database": {"mongo_uri": "mongodb://reader:pass-word-9@lab:27017/qdash"},
        }
    )
    secrets: Sequence[str] = ("lab-secret-0123456789", "gate-word-77", "pass-word-9", "sk-proj-Abc123def456ghi789")
    words = " and ".join([*secrets[:2], "mongodb://reader:pass-word-9@lab:27017", secrets[3]])
    call = call_reply(("execute_python_analysis", {"code": f"key = '{words}'\n"}))
    first, second = asked(words), asked(words, *call.items, *outcome(json.dumps({"text": words}))[1:])
    note_secrets(manifest)
    llm = CassetteLLM("record", file, steps(call, text_reply(f"Your key is {words}.")), masked_line)
    assert ask(llm, first, second)[0] == call, "who asks gets the reply as it came"
    text = Path(file).read_text(encoding="utf-8")
    assert not any(secret in text for secret in secrets)
    assert "[hidden]" in text
    replayed = ask(CassetteLLM("replay", file, nobody, masked_line), first)
    assert [each.name for each in replayed[0].calls] == ["execute_python_analysis"]
