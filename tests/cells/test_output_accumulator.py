from __future__ import annotations

import random
from threading import Thread
from typing import Any

import pytest

from qdash_jupyter.cells.output_accumulator import OutputAccumulator
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
    outputs = outputs_of(stream("x" * 60), stream("y" * 60), display("z" * 60), stream("w"), most=120)

    assert texts(outputs)[0] == "x" * 60 + "w"
    assert texts(outputs)[-1].startswith("… ")
    assert "only" in texts(outputs)[-1]


def test_what_was_cleared_takes_no_room() -> None:
    frames = [message for n in range(50) for message in (("clear_output", {"wait": True}), display("x" * 60 + str(n)))]

    assert texts(outputs_of(*frames, most=120)) == ["x" * 60 + "49"]


def test_an_update_takes_room_at_each_of_its_places() -> None:
    shown = [display("x", "i") for _ in range(3)]
    *places, note = outputs_of(*shown, display("y" * 100, "i", "update_display_data"), most=500)

    assert texts(places) == ["x"] * 3
    assert "more characters" in note["text"]


def test_errors_are_always_kept() -> None:
    error = {"ename": "E", "evalue": "v", "traceback": ["t" * 500]}

    outputs = outputs_of(stream("x" * 100), ("error", error), most=120)

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
