"""No key and no password that code shows or a model repeats leaves the kernel, is shown, or is kept."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.config.manifest import ModelSection
from qdash_jupyter.domain.answer import TextBlock
from qdash_jupyter.domain.events import ReasoningDelta, TextDelta
from qdash_jupyter.llm.responses import ResponsesLLM
from qdash_jupyter.session.journal import Journal
from qdash_jupyter.ui.export import notebook_of
from tests.scripted_server import ScriptedServer, call_turn, text_turn
from tests.session.conversation import conversation, parts_with

SECRETS = ("model-key-0123456789", "pass-word-9", "slack-word-77", "sk-proj-Abc123def456ghi789", "bearer-word-88")
CODE = """\
print(settings)
print("Authorization: Bearer", settings["slack"])
import pandas as pd
table = pd.DataFrame({"name": list(settings), "value": list(settings.values())})
table
"""
FAILING = "raise ValueError(str(settings))\n"


def test_secrets_are_masked_at_every_door(
    shell: InteractiveShell, snapshot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRETS[0])
    monkeypatch.setenv("MONGO_URI", f"mongodb://reader:{SECRETS[1]}@db.lab/qdash")
    monkeypatch.setenv("SLACK_TOKEN", SECRETS[2])
    shell.user_ns["settings"] = {
        "model": SECRETS[0],
        "mongo": f"mongodb://reader:{SECRETS[1]}@db.lab/qdash",
        "slack": SECRETS[2],
        "other": SECRETS[3],
        "header": f"Bearer {SECRETS[4]}",
        "execution_id": "20260630-001",
        "qid": "Q012",
    }
    words = f"With {SECRETS[0]} and {SECRETS[3]} of Q012 in 20260630-001."
    turns = [
        call_turn(("execute_python_analysis", {"code": CODE})),
        call_turn(("execute_python_analysis", {"code": FAILING})),
        text_turn(words),
        text_turn("Well."),
    ]
    with ScriptedServer(turns) as server:
        llm = ResponsesLLM(ModelSection(name="m", base_url=server.base_url), api_key=lambda: SECRETS[0])
        opener = partial(Journal.open, "a" * 32, folder=tmp_path)
        with conversation(shell, parts_with(llm, snapshot), journal=lambda *_: opener(None)) as copilot:
            answer = copilot.ask("What are my settings?")
            turn = copilot.turns[-1]
            copilot.ask("And now?")
            notebook = notebook_of([turn], copilot.status(), "")
        sent = [str(request.body) for request in server.requests]

    streamed = "".join(
        stamped.event.text for stamped in turn.events if isinstance(stamped.event, TextDelta | ReasoningDelta)
    )
    assert [block for block in answer.blocks if isinstance(block, TextBlock)] == [TextBlock(streamed)]
    assert streamed == "With [hidden] and [hidden] of Q012 in 20260630-001."
    [log] = tmp_path.glob("*.jsonl")
    # The model's own words go back to its server as they came.
    told = {"results": str(turn.tool_results), "sent": "".join(sent[:3]), "answer": str(answer)}
    kept = {"log": log.read_text(encoding="utf-8"), "notebook": str(notebook)}
    for place, text in (told | kept).items():
        assert "20260630-001" in text, place
        assert "[hidden]" in text, place
        for secret in SECRETS:
            assert secret not in text, place
