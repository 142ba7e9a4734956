"""`qdash-jupyter` as a process: what it prints, where, and how it ends."""

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from demo_chip.snapshot import write_demo_snapshot

from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.ui.cli import main
from qdash_jupyter.ui.options import DataOptions
from tests.mongo_documents import index_model, load_documents
from tests.mongo_server import PASSWORD, MongoServer
from tests.session.conversation import without_settings
from tests.tools.qdash_documents import NOW, a_chip, document
from tests.ui.kernel import command

LOST = "Q42, Q45, Q59, Q08 and Q56"


def test_ask_prints_the_answer_and_nothing_else_on_stdout() -> None:
    run = command("ask", "--demo", "Which qubits lost T1 in the last 30 days?")
    assert run.returncode == 0
    assert LOST in run.stdout
    assert "no language model" in run.stdout
    assert "Reading a parameter of the whole chip" in run.stderr
    assert "Reading a parameter" not in run.stdout


def test_ask_json_is_the_seeds_schema_and_more() -> None:
    run = command("ask", "--demo", "--json", "Which qubits lost T1 in the last 30 days?")
    answer = json.loads(run.stdout)
    assert answer["assessment"] == "warning"
    assert [block["type"] for block in answer["blocks"]] == ["text", "chart"]
    assert set(answer["blocks"][0]) == {"type", "content", "chart"}
    assert answer["frames"] == ["t1"]
    assert answer["stop_reason"] == "finished"
    assert [cell["status"] for cell in answer["cells"]] == ["ok", "ok"]


def test_tool_prints_what_the_model_would_get() -> None:
    run = command("tool", "--demo", "get_chip_parameter_timeseries", '{"parameter_name": "t1", "since": "60d"}')
    summary = json.loads(run.stdout)
    assert summary["data_key"] == "t1"
    assert len(run.stdout) <= 600 + 200 + 1  # the budget, what a trend means, and a line break
    fallen = {entry.split()[0] for entry in summary["down"]}
    assert {"8", "42", "45", "56", "59"} <= fallen


def test_chips_lists_projects_chips_and_sizes() -> None:
    run = command("chips", "--demo")
    assert run.returncode == 0
    assert run.stdout.splitlines()[1].split() == ["demo", "64Q-demo", "64", "active"]


def test_chips_lists_those_of_one_user(capsys: pytest.CaptureFixture[str]) -> None:
    listed = []
    for username in ("demo", "nobody"):
        assert main(["chips", "--demo", "--username", username]) == 0
        listed.append(capsys.readouterr().out.splitlines())
    (header, chip), nothing = listed
    assert "64Q-demo" in chip
    assert nothing == [header]


def test_settings_are_checked_and_described(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "copilot.yaml"
    file.write_text("modle: 3\nlimits: {same_call: 4}\n")
    assert main(["config", "check", str(file)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{file}: line 1, modle: There is no such key; did you mean models?",
        f"{file}: line 2, limits.same_call: There is no such key; did you mean max_same_call?",
    ]
    assert main(["config", "example"]) == 0
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["config", "check", str(file)]) == 0
    capsys.readouterr()
    assert main(["config", "schema"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["properties"]["policy"]["default"] == "guarded"


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("ask", "--demo", ""), 1, "The question is empty."),
        (("ask", "--demo", "x" * 100_000), 1, "100,000 characters"),
        (("ask", "--demo", "--chip", "64Q-dmo", "How is the chip?"), 1, "Did you mean 64Q-demo?"),
        (("ask", "--demo", "--project", "dmo", "How is the chip?"), 1, "Did you mean demo?"),
        (("ask", "--snapshot", "/nowhere", "How is the chip?"), 1, "is not a snapshot"),
        (("ask", "--demo", "How is the chip?", "-o", "/nowhere/x.ipynb"), 1, "/nowhere does not exist"),
        (("ask", "--mongo", "mongodb://u:hunter2@127.0.0.1:1/qdash", "How is the chip?"), 1, "127.0.0.1:1"),
        (("chips", "--mongo", "mongodb://u:hunter2@127.0.0.1:1/qdash"), 1, "127.0.0.1:1"),
        (("chips", "--mongo", "nonsense"), 1, "mongodb://"),
        (("tool", "--demo", "get_chip_sumary"), 1, "get_chip_summary"),
        (("tool", "--demo", "get_chip_summary", "{"), 2, "no JSON"),
        (("tool", "--demo", "get_chip_summary", "[1]"), 2, "JSON object"),
        (("tool", "--demo", "get_chip_parameter_timeseries", "{}"), 1, "parameter_name"),
        (("config", "check", "nowhere.yaml"), 1, "nowhere.yaml cannot be read"),
        (("nonsense",), 2, "invalid choice"),
        (("ask",), 2, "required"),
        (("ask", "--demo", "--snapshot", "x", "How is the chip?"), 2, "not allowed"),
    ],
)
def test_failures_say_what_to_do(  # noqa: PLR0917 - its parameters
    arguments: tuple[str, ...],
    status: int,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """In this process: fifteen others would take half a minute; `test_model_server_…` fails in one of its own."""
    without_settings(monkeypatch, tmp_path)
    try:
        ended = main(arguments)
    except SystemExit as exit_:
        ended = int(exit_.code or 0)
    shown = capsys.readouterr()
    assert ended == status, shown.err
    assert told in shown.err
    assert "hunter2" not in shown.err + shown.out


def test_model_server_that_is_down_or_has_no_key() -> None:
    asked = ("ask", "--demo", "How is the chip?")
    nobody = {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_API_KEY": "sk-hunter2"}
    down = command(*asked, QDASH_COPILOT_MODEL="m", **nobody)
    assert down.returncode == 1
    assert "127.0.0.1:1" in down.stderr
    assert "hunter2" not in down.stderr
    keyless = command(*asked, QDASH_COPILOT_MODEL="gpt-test")
    assert keyless.returncode == 1
    assert "OPENAI_API_KEY" in keyless.stderr
    assert "Traceback" not in down.stderr + keyless.stderr


def test_a_key_alone_sends_nothing_out() -> None:
    run = command(
        "ask", "--demo", "Heatmap of T1", OPENAI_API_KEY="sk-hunter2", OPENAI_BASE_URL="http://127.0.0.1:1/v1"
    )
    assert run.returncode == 0
    assert "no language model" in run.stdout


def test_the_environment_names_the_snapshot(tmp_path: Path) -> None:
    folder = write_demo_snapshot(tmp_path / "healthy", seed=3, size=16, days=70, faults=False)
    run = command("ask", "Which qubits lost T1 in the last 30 days?", QDASH_SNAPSHOT=str(folder))
    assert "No qubit lost T1" in run.stdout, run.stderr


@pytest.mark.mongo
def test_a_wrong_password_is_told_and_never_shown(guarded_port: int) -> None:
    run = command("chips", "--mongo", f"mongodb://reader:hunter2@127.0.0.1:{guarded_port}/qdash?authSource=admin")
    assert run.returncode == 1
    assert "password" in run.stderr
    assert "hunter2" not in run.stderr + run.stdout
    user = f"reader:{quote(PASSWORD, safe='')}"
    right = command("chips", "--mongo", f"mongodb://{user}@127.0.0.1:{guarded_port}/qdash?authSource=admin")
    assert right.returncode == 0, right.stderr
    assert "c1" in right.stdout


@pytest.mark.mongo
def test_status_names_an_index_that_is_missing(secantusd: MongoServer) -> None:
    database = secantusd.fresh_database()
    load_documents(a_chip() | {"task_result_history": [document()]}, database)
    data = ("status", "--mongo", f"{secantusd.uri}{database.name}")
    whole = command(*data)
    assert whole.returncode == 0, whole.stderr
    assert "1 chip\nindexes: all that the tools need" in whole.stdout
    database["task_result_history"].create_indexes([index_model("project_id chip_id")])
    for name in ("project_id_1_chip_id_1_start_at_-1", "project_id_1_task_id_1"):
        database["task_result_history"].drop_index(name)
    found = command(*data).stdout
    assert "missing index: task_result_history (project_id, chip_id, start_at)" in found
    assert "missing index: task_result_history (project_id, task_id)" in found
    assert found.count("missing") == 2
    assert command("status", "--demo").stdout.count("\n") == 1


def test_no_words_of_the_database_drive_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    driving = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2066\x08\r\x7f"
    made = a_chip() | {
        "chip_note": [document(note={"content": f"warm{driving}", "updated_by": "a", "updated_at": NOW})]
    }
    for rows in made.values():
        for row in rows:
            row.update({"chip_id": f"c{driving}"} if "chip_id" in row else {})
    data = ("--snapshot", str(write_snapshot(made, tmp_path / "made", as_of=NOW, source="the tests")))
    for arguments in (
        ("ask", *data, "notes mentioning warm"),
        ("ask", "--json", *data, "notes mentioning warm"),
        ("tool", *data, "search_notes"),
        ("chips", *data),
        ("ask", *data, "--chip", "d", "How is the chip?"),
    ):
        main(arguments)
        told = capsys.readouterr()
        shown = told.out + told.err
        assert "owned" in shown, arguments
        assert not [sign for sign in shown if not sign.isprintable() and sign not in "\n\t"], arguments


def test_the_current_qubit_is_an_option_like_the_chip(capsys: pytest.CaptureFixture[str]) -> None:
    options = DataOptions(demo=True, chip="64Q-demo", qid="33")
    assert options.patch()["qid"] == "33"
    assert options.line() == "--demo --chip 64Q-demo --qid 33"
    assert main(["ask", "--demo", "--qid", "640", "How is it?"]) == 1
    assert "640" in capsys.readouterr().err
