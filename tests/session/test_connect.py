from __future__ import annotations

import socket
import threading
import traceback
from pathlib import Path
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.cells.host import NoCells
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.connect import open_copilot, open_model
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.errors import ConfigurationError, DatabaseUnreachable, PersonError, SnapshotError
from qdash_jupyter.session.copilot import Copilot
from tests.session.conversation import small_demo

QUESTION = "How many qubits has the chip?"


def failure(copilot: Copilot, kind: type[PersonError]) -> PersonError:
    """What `ask` raises; everything else that needs the parts raises the same."""
    with pytest.raises(kind) as caught:
        copilot.ask(QUESTION)
    with pytest.raises(kind):
        copilot.status()
    with pytest.raises(kind):
        _ = copilot.tools.get_chip_summary
    assert caught.value.message
    assert caught.value.hint
    return caught.value


def test_no_thread_outlives_a_closed_copilot(shell: InteractiveShell, tmp_path: Path) -> None:
    """One that lets go of a database while the interpreter ends would abort it."""
    small_demo(tmp_path)
    before = set(threading.enumerate())
    copilot = open_copilot(shell, settings={"database": {"snapshot": str(tmp_path / "snapshot")}})
    copilot.ask("Which qubits have the worst T1?")
    copilot.close()
    assert {thread.name for thread in set(threading.enumerate()) - before if thread.name.startswith("qdash-")} == set()


def test_a_snapshot_that_is_not_there_and_then_is(shell: InteractiveShell, tmp_path: Path) -> None:
    folder = tmp_path / "snapshot"
    copilot = open_copilot(shell, settings={"database": {"snapshot": str(folder)}})

    error = failure(copilot, SnapshotError)
    assert str(folder) in str(error.message)
    small_demo(tmp_path)

    assert copilot.ask(QUESTION).text
    copilot.close()


def test_a_port_at_which_nobody_answers(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    monkeypatch.setattr("qdash_jupyter.data.mongo.connection.connect.__kwdefaults__", _quick())
    uri = f"mongodb://reader:s3cr3t-Pa55@127.0.0.1:{port}/qdash"
    copilot = open_copilot(shell, settings={"database": {"mongo_uri": uri}})

    error = failure(copilot, DatabaseUnreachable)

    assert str(port) in str(error.message)
    assert "s3cr3t" not in "".join(traceback.format_exception(error))
    copilot.close()


def _quick() -> dict[str, Any]:
    from qdash_jupyter.data.mongo.connection import connect

    return {**(connect.__kwdefaults__ or {}), "timeout_seconds": 0.3}


def test_an_address_that_is_none(shell: InteractiveShell) -> None:
    copilot = open_copilot(shell, settings={"database": {"mongo_uri": "mongodb://reader:s3cr3t-Pa55@"}})

    error = failure(copilot, PersonError)

    assert "s3cr3t" not in "".join(traceback.format_exception(error))
    copilot.close()


def test_a_chip_that_is_not_there_and_a_file_that_is_mended(
    shell: InteractiveShell, snapshot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QDASH_COPILOT_TRUST", str(tmp_path))  # for the snapshot outside of it
    settings = tmp_path / "copilot.yaml"
    settings.write_text(f"chip: 64Q\ndatabase: {{snapshot: '{snapshot}'}}\n")
    copilot = open_copilot(shell)

    error = failure(copilot, PersonError)
    assert "64Q" in str(error.message)
    assert "16Q-demo" in str(error.hint)

    settings.write_text(f"chip: 16q-demo\ndatabase: {{snapshot: '{snapshot}'}}\n")
    assert copilot.ask(QUESTION).text
    copilot.close()


def test_a_project_that_is_not_there(shell: InteractiveShell, snapshot: Path) -> None:
    copilot = open_copilot(shell, settings={"database": {"snapshot": str(snapshot), "project": "dmeo"}})

    assert "demo" in str(failure(copilot, PersonError).hint)
    copilot.close()


def test_settings_that_are_wrong_and_then_right(shell: InteractiveShell, snapshot: Path, tmp_path: Path) -> None:
    settings = tmp_path / "copilot.yaml"
    settings.write_text("chap: x\n")
    copilot = open_copilot(shell)

    assert "chap" in str(failure(copilot, ConfigurationError).message)

    settings.write_text(f"database: {{snapshot: '{snapshot}'}}\n")
    assert copilot.ask(QUESTION).text
    copilot.close()


def test_a_file_of_knowledge_that_is_missing_and_then_there(
    shell: InteractiveShell, snapshot: Path, tmp_path: Path
) -> None:
    copilot = open_copilot(
        shell, settings={"knowledge": [str(tmp_path / "lab.md")], "database": {"snapshot": str(snapshot)}}
    )

    assert copilot.ask(QUESTION).text
    (issue,) = copilot.status().issues
    assert (issue.stage, issue.is_hard, issue.name) == ("prompt", False, "lab.md")
    (tmp_path / "lab.md").write_text("Q3 has a TLS.")

    assert copilot.status().issues == ()
    assert "Q3 has a TLS." in copilot._conversation.parts().setting("en", NoCells()).instructions
    copilot.close()


def test_the_lab_settles_thresholds_limits_and_language(shell: InteractiveShell, snapshot: Path) -> None:
    copilot = open_copilot(
        shell,
        settings={
            "database": {"snapshot": str(snapshot)},
            "scoring": {"t1": {"good": 33, "excellent": 66}},
            "bands": {"t1": [10, 500]},
            "limits": {"max_tool_rounds": 3, "max_same_call": 2, "tool_timeout_seconds": 7, "data_memory_mb": 50},
            "language": {"response": "ja"},
        },
    )

    setting = copilot._conversation.parts().setting("en", NoCells())

    assert "\nt1: >33, >66" in setting.instructions
    assert setting.toolbox.context.metrics.of("t1").band == (10, 500)
    assert "Answer in Japanese" in setting.instructions
    assert (setting.max_rounds, setting.limits.max_same_call) == (3, 2)
    assert not any(spec.fallbacks for spec in setting.toolbox.specs.values())
    timeouts = {spec.name: spec.timeout_s for spec in setting.toolbox.specs.values()}
    assert timeouts.pop("execute_python_analysis") is None
    assert timeouts.pop("get_result_curves") == 300, "a tool that names its own limit keeps it"
    assert set(timeouts.values()) == {7}
    assert copilot.data.memory_budget == 50_000_000
    copilot.close()


def test_which_model_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    metrics = MetricTable()
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://gateway.lab:8000/v1")
    named = {"lab": {"name": "qwen", "base_url": "http://localhost:1234/v1"}}

    assert not open_model(Manifest(), metrics).card.is_language_model
    assert open_model(Manifest().asking("gpt-x"), metrics).card.endpoint == "gateway.lab:8000"
    card = open_model(Manifest.model_validate({"orchestrator": {"deployment": "lab"}, "models": named}), metrics).card
    assert (card.name, card.endpoint, card.is_language_model) == ("qwen", "localhost:1234", True)
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert open_model(Manifest().asking("gpt-x"), metrics).card.endpoint == "api.openai.com"


def test_a_base_url_that_is_none_leaves_nothing_open(shell: InteractiveShell, snapshot: Path) -> None:
    copilot = open_copilot(
        shell,
        settings={
            "model": "lab",
            "models": {"lab": {"name": "m", "base_url": "gateway:8000"}},
            "database": {"snapshot": str(snapshot)},
        },
    )

    assert "base URL" in str(failure(copilot, ConfigurationError).message)
    copilot.close()


def test_the_settings_say_what_a_late_tool_ends(shell: InteractiveShell, snapshot: Path) -> None:
    limits = {"on_tool_timeout": "stop"}
    copilot = open_copilot(shell, settings={"database": {"snapshot": str(snapshot)}, "limits": limits})
    specs = copilot._conversation.parts().setting("en", NoCells()).toolbox.specs.values()
    assert {(each.strategy, each.trigger_on) for spec in specs for each in spec.fallbacks} == {("stop", ("timeout",))}
    copilot.close()
