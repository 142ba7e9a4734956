"""How much of each request a server that caches prompts has read already: the beginning that is the same as before."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count, pairwise
from pathlib import Path
from typing import Any

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.data.records import Origin
from qdash_jupyter.data.snapshot import SnapshotReader
from tests.scripted_server import ScriptedServer, call_turn, text_turn

GOAL = 0.95
QUESTIONS = 10


class LiveReader(SnapshotReader):
    """A snapshot that says it is a live database: its clock goes on by a minute with each look at it."""

    def __init__(self, folder: Path) -> None:
        self._minutes = count()
        super().__init__(folder)
        self.origin = Origin("mongodb", "MongoDB at lab:27017")

    def now(self) -> datetime:
        return super().now() + timedelta(minutes=next(self._minutes))


def shared_prefixes(bodies: Sequence[Mapping[str, Any]]) -> list[float]:
    """By request from the second one: the characters that it begins with like the one before, over all of that."""
    texts = [
        "".join(json.dumps(part, ensure_ascii=False) for part in (body["instructions"], body["tools"], *body["input"]))
        for body in bodies
    ]
    return [_common(before, after) / len(before) for before, after in pairwise(texts)]


def _common(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def asked_on(folder: Path, shell: Any = None) -> list[Mapping[str, Any]]:
    """The requests of a conversation of ten questions, each with a call of a tool."""
    turns = [
        turn for _ in range(QUESTIONS) for turn in (call_turn(("get_qubit_params", {"qid": "3"})), text_turn("ok"))
    ]
    with ScriptedServer(turns) as server:
        models = {"lab": {"name": "m", "base_url": server.base_url, "api_key_env": "NO_KEY"}}
        reader = LiveReader(folder)
        copilot = open_copilot(shell, reader=reader, settings={"model": "lab", "models": models, "chip": None})
        try:
            for number in range(QUESTIONS):
                copilot.ask(f"Question {number}: how is Q3?")
        finally:
            copilot.close()
            reader.close()
        return [request.body for request in server.requests]
