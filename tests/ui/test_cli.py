"""`qdash-jupyter`: what it prints, where, and how it ends. In this process; `test_any_machine.py` has processes."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from urllib.parse import quote

import pytest

from qdash_jupyter.data.snapshot import SnapshotReader
from qdash_jupyter.data.snapshot_writer import write_snapshot
from qdash_jupyter.ui.cli import main
from qdash_jupyter.ui.options import DataOptions
from tests.mongo_documents import index_model, load_documents
from tests.mongo_server import PASSWORD, MongoServer
from tests.session.conversation import without_settings
from tests.tools.qdash_documents import NOW, a_chip, document

LOST = "Q45, Q42, Q59, Q08 and Q56"
NOBODY = {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1", "OPENAI_API_KEY": "sk-hunter2"}
Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """`qdash-jupyter …` in this process, with these variables."""
    without_settings(monkeypatch, tmp_path)

    def ran(*arguments: str, **environment: str) -> CompletedProcess[str]:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        try:
            status = main(arguments)
        except SystemExit as exit_:
            status = int(exit_.code or 0)
        for name in environment:
            monkeypatch.delenv(name)
        return CompletedProcess(arguments, status, *capsys.readouterr())

    return ran


def test_ask_prints_the_answer_and_nothing_else_on_stdout(run: Run) -> None:
    ran = run("ask", "--demo", "Which qubits lost T1 in the last 30 days?")
    assert ran.returncode == 0
    assert LOST in ran.stdout
    assert "no language model" in ran.stdout
    assert "Reading a parameter of the whole chip" in ran.stderr
    assert "Reading a parameter" not in ran.stdout


def test_ask_json_is_the_seeds_schema_and_more(run: Run) -> None:
    asked = run("ask", "--demo", "--json", "--fail-on", "bad", "Which qubits lost T1 in the last 30 days?")
    assert asked.returncode == 0, "it is a warning"
    answer = json.loads(asked.stdout)
    assert answer["assessment"] == "warning"
    assert [block["type"] for block in answer["blocks"]] == ["text", "chart"]
    assert set(answer["blocks"][0]) == {"type", "content", "chart"}
    assert answer["frames"] == ["t1"]
    assert answer["stop_reason"] == "finished"
    assert [cell["status"] for cell in answer["cells"]] == ["ok", "ok"]


def test_a_question_that_cannot_be_read_is_offered_by_number(run: Run) -> None:
    offered = run("ask", "--demo", "which qubits blorp T1?")
    assert offered.returncode == 1
    assert "1. heatmap of T1 · newest values\n2. T1 over time" in offered.stdout
    as_json = run("ask", "--demo", "--json", "which qubits blorp T1?")
    assert (as_json.returncode, json.loads(as_json.stdout)["offers"][1]) == (1, "T1 over time")
    picked = run("ask", "--demo", "which qubits blorp T1?", "--pick", "2")
    assert (picked.returncode, picked.stdout.startswith("Read as: T1 over time\n\n**T1 in the last 60 days")) == (
        0,
        True,
    )
    assert "There is no suggestion 9." in run("ask", "--demo", "which qubits blorp T1?", "--pick", "9").stderr


def test_tool_prints_what_the_model_would_get(run: Run) -> None:
    printed = run("tool", "--demo", "get_chip_parameter_timeseries", '{"parameter_name": "t1", "since": "60d"}').stdout
    summary = json.loads(printed)
    assert summary["data_key"] == "t1"
    assert len(printed) <= 600 + 300 + 1  # the budget, what a trend means and what was cut, and a line break
    fallen = {entry.split()[0] for entry in summary["down"]}
    assert {"8", "42", "45", "56", "59"} <= fallen


def test_chips_lists_projects_chips_and_sizes_and_those_of_one_user(run: Run) -> None:
    header, chip = run("chips", "--demo").stdout.splitlines()
    assert chip.split() == ["demo", "64Q-demo", "64", "active"]
    assert run("chips", "--demo", "--username", "demo").stdout.splitlines() == [header, chip]
    assert run("chips", "--demo", "--username", "nobody").stdout.splitlines() == [header]


def test_settings_are_checked_and_described(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("modle: 3\nlimits: {same_call: 4}\n")
    wrong = run("config", "check", str(file))
    assert wrong.returncode == 1
    assert wrong.stdout.splitlines() == [
        f"{file}: Line 1, modle: unknown key (did you mean models?).",
        f"{file}: Line 2, limits.same_call: unknown key (did you mean max_same_call?).",
    ]
    example = run("config", "example")
    assert example.returncode == 0
    file.write_text(example.stdout, encoding="utf-8")
    assert run("config", "check", str(file)).returncode == 0
    schema = json.loads(run("config", "schema").stdout)
    assert schema["properties"]["policy"]["default"] == "guarded"


WRONG: list[tuple[tuple[str, ...], int, str]] = [
    (("ask", "--demo", ""), 1, "The question is empty."),
    (("ask", "--demo", "x" * 100_000), 1, "100,000 characters"),
    (("ask", "--demo", "--chip", "64Q-dmo", "How is the chip?"), 1, "Did you mean 64Q-demo?"),
    (("ask", "--demo", "--project", "dmo", "How is the chip?"), 1, "Did you mean demo?"),
    (("ask", "--snapshot", "/nowhere", "How is the chip?"), 1, "isn't a snapshot"),
    (("ask", "--demo", "How is the chip?", "-o", "/nowhere/x.ipynb"), 1, "/nowhere doesn't exist"),
    (("ask", "--mongo", "mongodb://u:hunter2@127.0.0.1:1/qdash", "How is the chip?"), 1, "127.0.0.1:1"),
    (("chips", "--mongo", "mongodb://u:hunter2@127.0.0.1:1/qdash"), 1, "127.0.0.1:1"),
    (("chips", "--mongo", "nonsense"), 1, "mongodb://"),
    (("tool", "--demo", "get_chip_sumary"), 1, "get_chip_summary"),
    (("tool", "--demo", "get_chip_summary", '{"parem_names": ["t1"]}'), 1, "param_names"),
    (("tool", "--demo", "get_chip_summary", "{"), 2, "invalid JSON"),
    (("tool", "--demo", "get_chip_summary", "[1]"), 2, "JSON object"),
    (("tool", "--demo", "get_chip_parameter_timeseries", "{}"), 1, "parameter_name"),
    (("config", "check", "nowhere.yaml"), 1, "Can't read"),
    (("nonsense",), 2, "invalid choice"),
    (("ask",), 2, "required"),
    (("ask", "--demo", "--snapshot", "x", "How is the chip?"), 2, "not allowed"),
]
"""Arguments, the exit code, and what is said."""


def test_failures_say_what_to_do(run: Run) -> None:
    ended = [run(*arguments) for arguments, _, _ in WRONG]
    off = [
        (one.args, one.returncode, one.stderr)
        for one, (_, status, told) in zip(ended, WRONG, strict=True)
        if one.returncode != status or told not in one.stderr
    ]
    assert off == []
    assert "hunter2" not in "".join(one.stderr + one.stdout for one in ended)


def test_model_server_that_is_down_or_has_no_key(run: Run) -> None:
    asked = ("ask", "--demo", "How is the chip?")
    down = run(*asked, QDASH_COPILOT_MODEL="m", **NOBODY)
    assert down.returncode == 1
    assert "127.0.0.1:1" in down.stderr
    assert "hunter2" not in down.stderr
    keyless = run(*asked, QDASH_COPILOT_MODEL="gpt-test")
    assert keyless.returncode == 1
    assert "OPENAI_API_KEY" in keyless.stderr
    assert "Traceback" not in down.stderr + keyless.stderr


def test_a_key_alone_sends_nothing_out(run: Run) -> None:
    asked = run("ask", "--demo", "Heatmap of T1", **NOBODY)
    assert asked.returncode == 0
    assert "no language model" in asked.stdout


def test_the_environment_names_the_snapshot(run: Run, demo16: Path) -> None:
    asked = run("ask", "Which qubits lost T1 in the last 30 days?", QDASH_SNAPSHOT=str(demo16))
    assert "T1 of 2 qubits fell in the last 30 days: Q02 and Q10." in asked.stdout, asked.stderr


@pytest.mark.mongo
def test_a_wrong_password_is_told_and_never_shown(run: Run, guarded_port: int) -> None:
    wrong = run("chips", "--mongo", f"mongodb://reader:hunter2@127.0.0.1:{guarded_port}/qdash?authSource=admin")
    assert wrong.returncode == 1
    assert "password" in wrong.stderr
    assert "hunter2" not in wrong.stderr + wrong.stdout
    user = f"reader:{quote(PASSWORD, safe='')}"
    right = run("chips", "--mongo", f"mongodb://{user}@127.0.0.1:{guarded_port}/qdash?authSource=admin")
    assert right.returncode == 0, right.stderr
    assert "c1" in right.stdout


@pytest.mark.mongo
def test_status_names_an_index_that_is_missing(run: Run, secantusd: MongoServer) -> None:
    database = secantusd.fresh_database()
    load_documents(a_chip() | {"task_result_history": [document()]}, database)
    data = ("status", "--mongo", f"{secantusd.uri}{database.name}")
    whole = run(*data)
    assert whole.returncode == 0, whole.stderr
    assert "1 chip\nIndexes: complete" in whole.stdout
    database["task_result_history"].create_indexes([index_model("project_id chip_id")])
    for name in ("project_id_1_chip_id_1_start_at_-1", "project_id_1_task_id_1"):
        database["task_result_history"].drop_index(name)
    found = run(*data).stdout
    assert "Missing index: task_result_history (project_id, chip_id, start_at)" in found
    assert "Missing index: task_result_history (project_id, task_id)" in found
    assert found.count("Missing") == 2
    assert run("status", "--demo").stdout.count("\n") == 1


def test_no_words_of_the_database_drive_the_terminal(run: Run, tmp_path: Path) -> None:
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
        told = run(*arguments)
        shown = told.stdout + told.stderr
        assert "owned" in shown, arguments
        assert not [sign for sign in shown if not sign.isprintable() and sign not in "\n\t"], arguments


def test_the_current_qubit_is_an_option_like_the_chip(run: Run) -> None:
    options = DataOptions(demo=True, chip="64Q-demo", qid="33")
    assert options.patch()["qid"] == "33"
    assert options.line() == "--demo --chip 64Q-demo --qid 33"
    asked = run("ask", "--demo", "--qid", "640", "How is it?")
    assert asked.returncode == 1
    assert "640" in asked.stderr


@pytest.mark.mongo
def test_a_snapshot_of_a_chip_in_one_of_two_projects(run: Run, tmp_path: Path, secantusd: MongoServer) -> None:
    database = secantusd.fresh_database()
    load_documents({"chip": [document(project_id=name) for name in ("alpha", "beta")]}, database)
    data = ("--mongo", f"{secantusd.uri}{database.name}")
    several = run("snapshot", *data, "c", "-o", str(tmp_path / "taken"))
    assert several.returncode == 1
    assert "alpha/c, beta/c" in several.stderr
    assert "project/chip" in several.stderr
    taken = run("snapshot", *data, "beta/c", "-o", str(tmp_path / "taken"))
    assert (taken.returncode, "project beta" in taken.stdout) == (0, True), taken.stderr
    assert [chip.ref.project_id for chip in SnapshotReader(tmp_path / "taken").chips()] == ["beta"]
    assert "There is no project 'gamma'" in run("snapshot", *data, "gamma/c", "-o", str(tmp_path / "other")).stderr


@pytest.mark.long
def test_what_is_down_is_said_where_nobody_sees_a_panel(run: Run, tmp_path: Path) -> None:
    sets = [{"type": "mcp", "name": "pump", "command": "no-such-program"}]
    (tmp_path / "copilot.yaml").write_text(json.dumps({"tool_sets": sets}), encoding="utf-8")
    written = tmp_path / "answer.ipynb"
    settings = {"QDASH_COPILOT_CONFIG": str(tmp_path / "copilot.yaml")}
    asked = run("ask", "--demo", "How is Q7?", "-o", str(written), **settings)
    assert "qdash-jupyter: pump: Can't reach the server pump" in asked.stderr
    first = json.loads(written.read_text(encoding="utf-8"))["cells"][0]
    assert "- pump: Can't reach the server pump" in "".join(first["source"])
