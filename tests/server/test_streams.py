"""The three streams over real HTTP: their phases, their answers, and what the model gets."""

from __future__ import annotations

import base64
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.config.manifest import DatabaseSection, Manifest
from qdash_jupyter.connect import open_reader
from qdash_jupyter.domain.answer import Answer, TableBlock, TextBlock
from qdash_jupyter.server.history import past_of
from qdash_jupyter.server.lowered import lowered
from qdash_jupyter.server.sse import STATUS_LABELS, TOOL_LABELS
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from scripts.messages import examples, messages
from tests.patience import PATIENCE_S
from tests.scripted_server import Call, ScriptedServer, Text, call_turn, reply_turn, text_turn
from tests.server.conftest import Forks
from tests.server.served import Event, Served, scripted, steps

PNG = base64.b64encode(
    bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c63f8cfc0f01f0005000"
        "1ffcd3b2e9a0000000049454e44ae426082"
    )
).decode()
BLOCKS = {
    "blocks": [
        {"type": "text", "content": "T1 is **fine**.", "chart": None},
        {"type": "chart", "content": None, "chart": {"data": [{"type": "bar", "y": [1, 2]}], "layout": {}}},
    ],
    "assessment": "good",
}
ANSWER = json.dumps(BLOCKS)


def asked_of_model(model: ScriptedServer, request: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = model.requests[request].body["input"]
    return found


def texts_in(item: dict[str, Any]) -> str:
    return "\n".join(part.get("text", "") for part in item["content"])


def images_in(items: list[dict[str, Any]]) -> list[str]:
    return [
        part["image_url"]
        for item in items
        if isinstance(item.get("content"), list)
        for part in item["content"]
        if part.get("type") == "input_image"
    ]


def test_a_chat_tells_its_phases_and_ends_with_the_answer(service: Served, model: ScriptedServer) -> None:
    model.add(call_turn(("get_qubit_params", {"qid": "3"})), text_turn(ANSWER))
    events = service.chat("How is Q3?", qid="Q03")
    assert steps(events) == [
        "load_config",
        "load_qubit_params",
        "run_chat",
        "thinking",
        "tool_call",
        "thinking",
        "complete",
        "result",
    ]
    assert all(event.name == "status" for event in events[:-1])
    assert events[-1] == Event("result", events[-1].data)
    assert events[-1].data == BLOCKS
    tool, after = events[4].data, events[5].data
    assert tool == {"step": "tool_call", "tool": "get_qubit_params", "message": "Reading the parameters of a qubit..."}
    assert after["completed_tools"] == ["Reading the parameters of a qubit"]
    assert "Reading the parameters of a qubit" in after["message"]
    assert [name for name, event in enumerate(events) if "request_id" in event.data] == [0]


def test_a_chat_without_a_qubit_reads_none(service: Served, model: ScriptedServer) -> None:
    model.add(text_turn("Fine."))
    events = service.chat("How is the chip?")
    assert steps(events) == ["load_config", "run_chat", "thinking", "complete", "result"]
    assert events[-1].data == {"blocks": [{"type": "text", "content": "Fine.", "chart": None}], "assessment": None}


def test_a_japanese_question_is_answered_in_the_words_of_the_seed(service: Served, model: ScriptedServer) -> None:
    model.add(call_turn(("get_qubit_params", {"qid": "3"})), text_turn("良好です。"))
    events = service.chat("量子ビット3の状態は?")
    messages = [event.data.get("message") for event in events]
    assert "AIが考え中..." in messages
    assert "キュービットパラメータを取得中..." in messages


def test_the_labels_are_those_of_the_seed() -> None:
    seed = {
        "get_qubit_params": "キュービットパラメータを取得中",
        "get_latest_task_result": "最新タスク結果を取得中",
        "get_task_history": "タスク履歴を取得中",
        "get_parameter_timeseries": "パラメータ時系列を取得中",
        "execute_python_analysis": "Python分析コードを実行中",
    }
    assert {name: TOOL_LABELS[name] for name in seed} == seed
    assert STATUS_LABELS == {"thinking": "AIが考え中..."}
    assert set(TOOL_LABELS) == {spec.name for spec in BUILTIN_TOOLS}
    assert all(spec.label for spec in BUILTIN_TOOLS)


def test_all_steps_of_the_seed_are_known() -> None:
    named = (Path(__file__).parents[2] / "docs" / "service.md").read_text(encoding="utf-8")
    steps = [each["step"] for each in examples(messages("en")["service-step"])][1:]
    assert len(steps) == 12
    assert all(f"`{step}`" in named for step in (*steps, "tool_call"))


def test_a_history_goes_before_the_question(service: Served, model: ScriptedServer) -> None:
    model.add(text_turn("Yes."))
    history = [
        {"role": "user", "content": "How is Q3?"},
        {"role": "assistant", "content": ANSWER},
    ]
    events = service.chat("And is that good?", conversation_history=history)
    assert events[-1].name == "result"
    items = asked_of_model(model)
    assert [item["role"] for item in items] == ["user", "assistant", "user"]
    said = json.loads(texts_in(items[1]))
    assert [block["type"] for block in said["blocks"]] == ["text", "text"]  # the traces of charts are left out
    assert said["blocks"][0] == BLOCKS["blocks"][0]
    assert said["assessment"] == "good"
    assert texts_in(items[2]).startswith("And is that good?")


def test_questions_of_a_history_are_turns_with_their_answers() -> None:
    """What is left out of a long conversation is told to the model by its turns."""
    tools = {"type": "function_call", "call_id": "c1", "name": "get_fridge", "arguments": "{}"}
    questions = [{"role": "user", "content": text} for text in ("How is Q3?", "And Q4?")]
    turns = past_of([questions[0], {"role": "assistant", "content": ANSWER}, tools, questions[1]]).turns
    assert [(turn.began.question, turn.first_item, len(turn.events)) for turn in turns] == [
        ("How is Q3?", 0, 1),
        ("And Q4?", 3, 0),
    ]


def test_a_system_message_goes_first(service: Served, model: ScriptedServer) -> None:
    model.add(text_turn("Yes."))
    history = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "How is Q3?"},
        {"role": "assistant", "content": "Fine."},
    ]
    assert service.chat("Sure?", conversation_history=history)[-1].name == "result"
    items = asked_of_model(model)
    assert [item["role"] for item in items] == ["developer", "user", "assistant", "user"]
    assert texts_in(items[0]) == "Be brief."


def test_packed_calls_of_another_client_become_calls(service: Served, model: ScriptedServer) -> None:
    model.add(text_turn("Yes."))
    packed = [
        {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "get_fridge", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "10 mK"},
    ]
    history = [
        {"role": "user", "content": "How cold?"},
        {"role": "assistant", "content": "10 mK", "custom_content": {"state": {"tool_execution_history": packed}}},
    ]
    service.chat("Sure?", conversation_history=history)
    assert [item["type"] for item in asked_of_model(model)] == [
        "message",
        "function_call",
        "function_call_output",
        "message",
        "message",
    ]


@pytest.mark.parametrize(("mime", "image"), [("image/png", PNG), ("image/png", f"data:image/png;base64,{PNG}")])
def test_a_picture_of_the_client_goes_to_a_model_that_sees(
    service: Served, model: ScriptedServer, mime: str, image: str
) -> None:
    model.add(text_turn("A flat line."))
    events = service.chat("What is this?", image_base64=image)
    assert steps(events) == ["load_config", "load_images", "run_chat", "thinking", "complete", "result"]
    assert images_in(asked_of_model(model)) == [f"data:{mime};base64,{PNG}"]


def newest(snapshot: Path) -> tuple[str, str, str]:
    from qdash_jupyter.data.queries import ResultQuery

    reader = open_reader(Manifest(database=DatabaseSection(snapshot=snapshot)))
    try:
        chip = reader.chips()[0]
        (result,) = reader.task_results(ResultQuery(chip.ref, task_name="CheckT1", qid="3", last_n=1))
    finally:
        reader.close()
    return chip.ref.chip_id, result.execution_id, result.task_id


def test_an_analysis_reads_its_result_and_says_what_was_seen(
    service: Served, model: ScriptedServer, snapshot: Path
) -> None:
    model.add(text_turn(ANSWER))
    chip_id, execution_id, task_id = newest(snapshot)
    body = {
        "task_name": "CheckT1",
        "chip_id": chip_id,
        "qid": "3",
        "execution_id": execution_id,
        "task_id": task_id,
        "message": "Can this be trusted?",
        "image_base64": PNG,
        "conversation_history": [],
    }
    events = service.events("analyze/stream", body)
    assert steps(events) == ["build_context", "load_images", "run_analysis", "thinking", "complete", "result"]
    sent = events[-1].data["images_sent"]
    assert (sent["task_name"], sent["experiment_figure"]) == ("CheckT1", True)
    assert sent["experiment_images"] + sent["expected_images"] == len(images_in(asked_of_model(model)))
    context, question = asked_of_model(model)[-2:]
    assert task_id in texts_in(context)
    assert texts_in(question).startswith("Can this be trusted?")


def test_figures_of_the_configured_folder_go_to_a_model_that_sees(
    snapshot: Path, model: ScriptedServer, tmp_path: Path, forked: Forks
) -> None:
    """Of the result's figure, below the folder that stands for QDash's; a client's picture comes behind it."""
    chip_id, execution_id, task_id = newest(snapshot)
    reader = open_reader(Manifest(database=DatabaseSection(snapshot=snapshot)))
    chip = next(chip for chip in reader.chips() if chip.ref.chip_id == chip_id)
    detail = reader.task_detail(chip.ref, task_id)
    reader.close()
    assert detail is not None
    [stored] = detail.figures
    figure = tmp_path / "figures" / stored.split("calib_data/")[1]
    figure.parent.mkdir(parents=True)
    figure.write_bytes(base64.b64decode(PNG))
    settings = scripted(model.base_url, accepts=["image/png"])
    settings["database"] = {"snapshot": str(snapshot), "calib_data": str(tmp_path / "figures")}
    model.add(text_turn(ANSWER))
    body = {"task_name": "CheckT1", "chip_id": chip_id, "qid": "3", "execution_id": execution_id, "image_base64": PNG}
    with forked(tmp_path, settings=settings) as service:
        events = service.events("analyze/stream", body)
    sent = events[-1].data["images_sent"]
    assert sent["experiment_figure_paths"] == [f"Figure of this result: {figure.name}"]
    assert sent["experiment_images"] == 2
    assert sent["experiment_images"] + sent["expected_images"] == len(images_in(asked_of_model(model)))


def test_a_table_is_text_that_names_no_place_of_a_kernel() -> None:
    table = TableBlock("t1", ("qid", "t1"), (("1", 50.0), ("2", None)), 30)
    found = lowered(Answer((TextBlock("Here."), table)), ())
    assert [block["type"] for block in found["blocks"]] == ["text", "text"]
    assert found["blocks"][1]["content"].startswith("| qid | t1 |")
    assert "28 more rows" in found["blocks"][1]["content"]
    assert "data[" not in found["blocks"][1]["content"]


def test_an_analysis_without_a_message_asks_for_one(service: Served, model: ScriptedServer) -> None:
    model.add(text_turn("It is fine."))
    events = service.events("analyze/stream", {"task_name": "CheckT1", "qid": 3})
    assert events[-1].name == "result"
    assert texts_in(asked_of_model(model)[-1]).startswith("Analyze CheckT1 of 3")


def test_what_is_not_there_ends_with_an_error_that_names_the_nearest(service: Served, model: ScriptedServer) -> None:
    events = service.events("analyze/stream", {"task_name": "CheckT11", "qid": "3"})
    assert [event.name for event in events].count("error") == 1
    assert events[-1].name == "error"
    assert events[-1].data["step"] == "build_context"
    assert "CheckT1" in events[-1].data["detail"]
    assert not model.requests
    events = service.chat("How?", chip_id="no-such-chip")
    assert events[-1].data["step"] == "load_config"
    assert "no-such-chip" in events[-1].data["detail"]
    events = service.chat("How?", qid="99")
    assert events[-1].data["step"] == "load_qubit_params"


def test_text_is_sent_while_it_is_written_if_asked_for(service: Served, model: ScriptedServer) -> None:
    """The model waits with the rest until the first words have arrived."""
    has_arrived = threading.Event()
    turn = reply_turn(Text(ANSWER, pieces=len(ANSWER)))
    middle = turn.place_of("response.output_text.delta") + ANSWER.index("fine")
    model.add(turn.stalled(2 * PATIENCE_S, after=middle, until=has_arrived))
    asked, deltas = {"message": "How is Q3?", "stream_deltas": True}, list[str]()
    with service.client() as client, service.stream(client, "chat/stream", asked) as events:
        for event in events:
            if event.name == "delta":
                has_arrived.set()
                deltas.append(event.data["text"])
    assert "".join(deltas) == "T1 is **fine**."
    assert len(deltas) > 1
    model.add(reply_turn(Text(ANSWER, pieces=20)))
    assert all(event.name != "delta" for event in service.chat("How is Q3?"))


def test_what_is_said_between_calls_is_replaced_by_the_answer(service: Served, model: ScriptedServer) -> None:
    said = reply_turn(Text("I look at Q3."), Call("get_qubit_params", {"qid": "3"}))
    model.add(said, text_turn("It is fine."))
    events = service.chat("How is Q3?", stream_deltas=True)
    deltas = [event.data for event in events if event.name == "delta"]
    place = next(place for place, delta in enumerate(deltas) if delta.get("replace"))
    assert "".join(delta["text"] for delta in deltas[:place]) == "I look at Q3."
    assert "".join(delta["text"] for delta in deltas[place:]) == "It is fine."


def test_charts_leave_with_plain_lists_and_valid_json(service: Served, model: ScriptedServer) -> None:
    numbers = base64.b64encode(b"\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\xf8\x7f").decode()
    figure = {"data": [{"type": "bar", "y": {"dtype": "f8", "bdata": numbers}, "x": ["a", "b"]}], "layout": {}}
    model.add(text_turn(json.dumps({"blocks": [{"type": "chart", "content": None, "chart": figure}]})))
    (trace,) = service.chat("Draw it.")[-1].data["blocks"][0]["chart"]["data"]
    assert trace["y"] == [1.0, None]


def test_tables_leave_as_text(service: Served, model: ScriptedServer) -> None:
    model.add(call_turn(("compare_qubits", {"qids": ["1", "2"]})), text_turn("Compared."))
    result = service.chat("Compare 1 and 2.")[-1].data
    assert {block["type"] for block in result["blocks"]} <= {"text", "chart"}
    assert all(set(block) == {"type", "content", "chart"} for block in result["blocks"])


def test_an_issue_is_answered_and_the_reply_kept_here(service: Served, model: ScriptedServer, snapshot: Path) -> None:
    reader = open_reader(Manifest(database=DatabaseSection(snapshot=snapshot)))
    issues = [decoder.document_id for decoder in reader.documents_of("issue", ())]  # pyrefly: ignore[missing-attribute]
    reader.close()
    root, reply = issues
    model.add(text_turn("The pulse was missing."), text_turn("As I said."))
    events = service.events(f"issues/{reply}/ai-reply/stream", {})
    assert steps(events) == [
        "load_issue",
        "build_history",
        "load_context",
        "run_chat",
        "thinking",
        "save_reply",
        "complete",
        "result",
    ]
    kept = events[-1].data["reply"]
    assert (kept["parent_id"], kept["content"], kept["is_ai_reply"]) == (root, "The pulse was missing.", True)
    context, question = asked_of_model(model)[-2:]
    assert "9999" in texts_in(context)  # the result that the issue is about
    assert "Is this a fit at its bound?".lower() in texts_in(question).lower()

    events = service.events(f"issues/{root}/ai-reply/stream", {})
    assert events[-1].name == "error"  # nobody has asked anything since
    assert events[-1].data["step"] == "build_history"
    events = service.events(f"issues/{root}/ai-reply/stream", {"message": "Are you sure?"})
    assert events[-1].name == "result"
    spoken = [(item["role"], texts_in(item)) for item in asked_of_model(model, 1) if item["type"] == "message"]
    assert ("assistant", "The pulse was missing.") in spoken
    listed = service.get(f"issues/{root}/ai-replies").json()["replies"]
    assert [each["content"] for each in listed] == ["The pulse was missing.", "As I said."]


def test_an_issue_that_does_not_exist_is_an_error(service: Served) -> None:
    events = service.events("issues/nonsense/ai-reply/stream", {})
    assert steps(events) == ["load_issue", "load_issue"]
    assert events[-1].name == "error"


def test_an_empty_reply_is_not_kept(service: Served, model: ScriptedServer, snapshot: Path) -> None:
    reader = open_reader(Manifest(database=DatabaseSection(snapshot=snapshot)))
    root, _ = (decoder.document_id for decoder in reader.documents_of("issue", ()))  # pyrefly: ignore[missing-attribute]
    reader.close()
    before = service.get(f"issues/{root}/ai-replies").json()["replies"]
    model.add(text_turn(""))
    events = service.events(f"issues/{root}/ai-reply/stream", {"message": "So?"})
    assert events[-1].name in {"error", "result"}
    if events[-1].name == "error":
        assert events[-1].data["step"] == "save_reply"
        assert service.get(f"issues/{root}/ai-replies").json()["replies"] == before
