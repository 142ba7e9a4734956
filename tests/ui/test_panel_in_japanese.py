"""What the kernel says in the panel's state is in the language of the page, and changes with it at once."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.domain.analysis import AnalysisRequest, asked_of
from qdash_jupyter.llm.offline.planner import OfflinePlanner
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.starters import _QUESTIONS
from qdash_jupyter.ui.screen import Screen
from tests.llm.offline.asking import is_answered
from tests.patience import until
from tests.session.conversation import conversation, open_shell, parts_with, without_settings
from tests.ui.in_app import PanelOfApp

JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
ENGLISH = re.compile(r"[A-Za-z]{2,} [a-z]{2,}\b")
CODE = re.compile(r"`[^`]*`|No such file or directory")

NO_WORDS = {"id", "instance", "call", "arguments", "sent", "code", "columns", "collection", "ids", "source"}
"""Fields of the state that hold code, and names of the database."""

SETTINGS = {
    "orchestrator": {"deployment": "lab"},
    "models": {"lab": {"name": "gpt-x", "base_url": "https://llm.example.com/v1", "accepts": ["image/png"]}},
    "knowledge": ["gone.md"],
    "contexts": [{"file": "gone.txt"}],
    "privacy": {"never_send": ["user_note"]},
}
QUESTIONS = (
    "過去30日でT1が下がった量子ビットは？",
    "チップの状態は？",
    "T1のヒートマップ",
    "Q03のT1は？",
    "最近の実行は？",
    "キャリブレーションノートは？",
)


def said(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """All texts, by their place."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, list):
        for each in value:
            yield from said(each, place)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key not in NO_WORDS:
                yield from said(each, f"{place}.{key}")


@pytest.fixture
def shell() -> Iterator[InteractiveShell]:
    with open_shell() as opened:
        yield opened


def test_nothing_in_the_state_of_a_japanese_panel_is_english(
    shell: InteractiveShell, demo16: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_settings(monkeypatch, tmp_path)
    shown: list[Any] = []
    with conversation(shell, parts_with(OfflinePlanner(), demo16)) as copilot:
        for question in QUESTIONS:
            copilot.ask(question)
        inside: Any = copilot._conversation
        inside.workbench.parts().manifest = Manifest.model_validate(SETTINGS)
        next(iter(inside.data.values())).refresh()

        async def play() -> None:
            screen = Screen("an instance", lambda _: None)
            screen.state.speak("ja")
            screen.show(inside)
            await screen.greet(inside)
            await screen.preview(inside, next(iter(inside.data)), "")
            await screen.list_mentions(inside)
            shown.append(screen.state.snapshot())
            screen.state.speak("en")
            shown.append(screen.state.take())
            screen.close()

        asyncio.run(play())
    state, changes = shown
    assert state["about"]["look"] is not None
    assert {each["stage"] for each in state["about"]["issues"]} == {"context", "prompt"}
    steps = [block for turn in state["turns"] for block in turn["blocks"] if block["kind"] == "step"]
    assert len(steps) >= len(QUESTIONS) - 1
    assert all(JAPANESE.search(source["filter"]) for step in steps for source in step["sources"])
    assert [each["language"] for each in state.pop("completions")] == ["en", "ja"]  # people type in either
    state["preview"].pop("rows")
    for turn in state["turns"]:
        turn["blocks"] = [block | {"about": ""} for block in turn["blocks"] if block["kind"] == "step"]
    assert [(place, text) for place, text in said(state) if ENGLISH.search(CODE.sub("", text))] == []
    assert JAPANESE.search(state["about"]["database"])
    assert JAPANESE.search(state["about"]["model"])
    assert {op["key"] for op in changes} >= {"about", "starters"}
    assert [(place, text) for place, text in said(changes) if JAPANESE.search(text)] == []


@pytest.mark.parametrize("question", [question for _, question in _QUESTIONS], ids=str)
def test_questions_to_begin_with_are_understood_in_japanese(question: Message) -> None:
    asked = question.of("ja")
    assert JAPANESE.search(asked)
    assert is_answered(asked)


def test_a_result_without_words_is_asked_about_in_the_language_of_the_page(app_panel: PanelOfApp) -> None:
    app_panel.say(type="resync", language="ja")
    chosen = {"task": "CheckT1", "qid": "3"}
    app_panel.acks.pop("a", None)
    app_panel.ask("a", text="", analysis=chosen)
    turn = app_panel.app.conversation.turns[0]
    assert (turn.question, turn.language) == ("3のCheckT1を分析", "ja")
    app_panel.let()
    app_panel.until_idle(1)
    assert asked_of(AnalysisRequest("CheckT1", "3", "7"), "ja") == "実行7の3のCheckT1を分析"


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("", "gone no longer exists."),
        ("en", "gone no longer exists."),
        ("ja", "goneはもうありません。"),
        ("xx", "gone no longer exists."),
    ],
)
def test_a_refusal_is_in_the_language_of_the_page(app_panel: PanelOfApp, language: str, said: str) -> None:
    app_panel.say(type="resync", language=language)
    app_panel.say(type="discard", n=5, key="gone")
    until(lambda: 5 in app_panel.acks)
    assert app_panel.acks[5]["message"] == said
