from __future__ import annotations

import random
from threading import Thread
from typing import Any

import pytest

from qdash_jupyter.cells.interrupt import InterruptGate
from qdash_jupyter.cells.output_accumulator import OutputAccumulator
from qdash_jupyter.cells.tee import OutputTee
from qdash_jupyter.domain.chart_bundle import PLOTLY_MIME
from tests.cells.lab_bench import Cell


def outputs_of(*messages: tuple[str, dict[str, Any]], most: int = 10_000) -> list[dict[str, Any]]:
    kept = OutputAccumulator(most)
    for kind, content in messages:
        kept.add(kind, content)
    return list(kept.outputs())


def stream(text: str, name: str = "stdout") -> tuple[str, dict[str, Any]]:
    return "stream", {"name": name, "text": text}


def display(text: str, display_id: str | None = None, kind: str = "display_data") -> tuple[str, dict[str, Any]]:
    transient = {} if display_id is None else {"display_id": display_id}
    return kind, {"data": {"text/plain": text}, "metadata": {}, "transient": transient}


def texts(outputs: list[dict[str, Any]]) -> list[str]:
    return [output["text"] if "text" in output else output["data"].get("text/plain", "") for output in outputs]


@pytest.mark.parametrize(
    ("chunks", "shown"),
    [
        (["a", "b\n"], "ab\n"),
        (["0 %", "\r50 %", "\r100 %\n"], "100 %\n"),
        (["long line\rshort"], "shortline"),
        (["a\r\nb"], "a\nb"),
        (["ab\b", "c"], "ac"),
        (["a\n\b\bb"], "a\nb"),
        (["one\ntwo\r", "T", "W\n"], "one\nTWo\n"),
        (["abc\rX\nd"], "Xbc\nd"),
    ],
)
def test_a_cursor_moves_in_the_last_line(chunks: list[str], shown: str) -> None:
    assert texts(outputs_of(*map(stream, chunks))) == [shown]


def test_streams_of_one_name_are_one_until_something_else_comes() -> None:
    outputs = outputs_of(stream("a"), stream("b"), stream("e", "stderr"), stream("c"), display("d"), stream("f"))

    assert texts(outputs) == ["ab", "e", "c", "d", "f"]
    assert [output.get("name") for output in outputs] == ["stdout", "stderr", "stdout", None, "stdout"]


def test_chance_messages_are_kept_as_a_client_keeps_them() -> None:
    chance = random.Random(5)  # noqa: S311

    def message() -> tuple[str, dict[str, Any]]:
        kind = chance.choice(["stream"] * 4 + ["display_data", "update_display_data", "clear_output", "execute_result"])
        if kind == "stream":
            return stream("".join(chance.choices("ab\n\r\b", k=6)), chance.choice(["stdout", "stderr"]))
        if kind == "clear_output":
            return kind, {"wait": chance.random() < 0.5}
        return display(str(chance.random()), chance.choice([None, "x", "y"]) if "display" in kind else None, kind)

    for _ in range(500):
        messages = [message() for _ in range(chance.randrange(1, 15))]
        client = Cell("c", "")
        for kind, content in messages:
            client.take(kind, content)
        assert outputs_of(*messages) == client.outputs, messages


def test_what_is_beyond_the_budget_is_counted() -> None:
    outputs = outputs_of(stream("x" * 60), stream("y" * 60), display("z" * 60), stream("w"), most=100)

    assert texts(outputs)[0] == "x" * 60 + "y" * 40
    assert texts(outputs)[-1].startswith("… ")
    assert "only" in texts(outputs)[-1]
    assert sum(map(len, texts(outputs)[:-1])) == 100


def test_what_was_cleared_or_written_over_takes_no_room() -> None:
    frames = [message for n in range(50) for message in (("clear_output", {"wait": True}), display("x" * 60 + str(n)))]
    bar = [stream("\r" + "#" * 60) for _ in range(50)]
    updates = [display("x" * 60, "i"), *(display("y" * 60, "i", "update_display_data") for _ in range(50))]

    assert texts(outputs_of(*frames, most=120)) == ["x" * 60 + "49"]
    assert texts(outputs_of(*bar, most=100)) == ["#" * 60]
    assert texts(outputs_of(*updates, most=120)) == ["y" * 60]


def test_an_update_that_grows_too_large_is_left_out() -> None:
    first, note = outputs_of(display("x", "i"), display("y" * 200, "i", "update_display_data"), most=100)

    assert first["data"] == {}
    assert "more characters" in note["text"]


def test_errors_are_always_kept() -> None:
    error = {"ename": "E", "evalue": "v", "traceback": ["t" * 500]}

    outputs = outputs_of(stream("x" * 100), ("error", error), most=100)

    assert outputs[1] == {"output_type": "error", **error}


def test_threads_may_write_at_once() -> None:
    kept = OutputAccumulator()

    def write() -> None:
        for _ in range(500):
            kept.add(*stream("ab\n"))

    threads = [Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert texts(list(kept.outputs())) == ["ab\n" * 2000]


# --- the tee


class KeptSession:
    """Sends to nowhere."""

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send(self, _stream: Any, kind: Any, content: Any = None, parent: Any = "") -> Any:
        message = {"msg_type": kind, "content": content, "parent_header": {"msg_id": parent}}
        self.sent.append(message)
        return message

    def pack(self, value: Any) -> Any:
        return repr(value)

    def unpack(self, packed: str) -> Any:
        return eval(packed)  # noqa: S307


def test_only_messages_of_the_cell_are_kept_and_all_are_sent() -> None:
    session = KeptSession()
    tee = OutputTee(session)
    tee.begin("ours", InterruptGate())

    session.send(None, *stream("ours"), parent="ours")
    session.send(None, *stream("theirs"), parent="theirs")
    outputs = tee.end("ours")
    session.send(None, *stream("late"), parent="ours")

    assert texts(list(outputs)) == ["ours"]
    assert [message["content"]["text"] for message in session.sent] == ["ours", "theirs", "late"]


def test_data_that_changes_later_is_kept_as_it_was_sent() -> None:
    session = KeptSession()
    tee = OutputTee(session)
    tee.begin("ours", InterruptGate())
    figure: dict[str, Any] = {"data": [{"type": "bar", "y": [1]}], "layout": {}}

    session.send(None, "display_data", {"data": {PLOTLY_MIME: figure}, "metadata": {}}, parent="ours")
    figure["data"][0]["y"].append(2)

    (output,) = tee.end("ours")
    assert output["data"] == {PLOTLY_MIME: {"data": [{"type": "bar", "y": [1]}], "layout": {}}}


def test_what_a_page_would_execute_is_neither_sent_nor_kept() -> None:
    session = KeptSession()
    tee = OutputTee(session)
    tee.begin("ours", InterruptGate())
    place = {"transient": {"display_id": "d"}, "metadata": {}}
    script = {"data": {"application/javascript": "alert(1)"}, "metadata": {}}
    table = {"data": {"text/html": "<b onclick='alert(1)'>1</b>", "image/svg+xml": "<svg/>"}, **place}
    whole = {"header": {"msg_type": "display_data"}, "parent_header": {"msg_id": "ours"}, "content": script}

    session.send(None, "display_data", script, parent="ours")
    session.send(None, whole)
    session.send(None, "display_data", table, parent="ours")
    session.send(None, "update_display_data", table, parent="ours")
    session.send(None, "clear_output", {"wait": True}, parent="ours")
    session.send(None, "display_data", script, parent="theirs")

    shown = {"data": {"text/html": "<b>1</b>"}, **place}
    sent = [(message["msg_type"], message["content"]) for message in session.sent]
    assert sent[:2] == [("display_data", shown), ("update_display_data", shown)]
    assert sent[2:] == [("clear_output", {"wait": True}), ("display_data", script)]
    assert [output["data"] for output in tee.end("ours")] == [shown["data"]]


def test_a_message_that_cannot_be_kept_is_sent_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    session = KeptSession()
    tee = OutputTee(session)
    tee.begin("ours", InterruptGate())

    assert session.send(None, "stream", {"neither": "name", "nor": "text"}, parent="ours")
    assert "could not be kept" in caplog.text


def test_closed_also_below_somebody_else() -> None:
    session = KeptSession()
    tee = OutputTee(session)
    tee.close()
    assert "send" not in vars(session)

    below = OutputTee(session)
    above = OutputTee(session)
    below.begin("ours", InterruptGate())
    below.close()
    session.send(None, *stream("late"), parent="ours")
    above.close()

    assert len(session.sent) == 1
    assert below.end("ours") == ()


def test_without_a_kernel_there_is_nothing_to_keep() -> None:
    tee = OutputTee(None)
    tee.begin("ours", InterruptGate())

    assert tee.end("ours") == ()
    tee.close()
