"""Writes and executes the example notebooks: `python -m scripts.notebooks [NAME …]`. `NOTEBOOKS` holds their cells.

A notebook with a cassette is executed twice: first with the scripted server as its model, to record the cassette anew.
It is also what to do after a change of the instructions or tools: the cassette holds them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode, v4

from qdash_jupyter.domain.consent import hash_of
from scripts.scripted_model import LOST, NAME, SHORT_JA, SWITCH, SWITCHED, WARM, turns
from tests.scripted_server import ScriptedServer

FOLDER = Path(__file__).parents[1] / "notebooks"
CHECKED = "nbval-check-output"
CASSETTE = "03-models-and-costs.cassette.yaml"
LAB_CASSETTE = "05-your-lab.cassette.yaml"
CONSENT_CASSETTE = "04-cells-and-consent.cassette.yaml"
SWITCHED_HASH = hash_of(SWITCHED.strip())
REPLAY = "%env QDASH_CASSETTE=replay"
KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}

NOTEBOOKS: dict[str, list[tuple[str, str]]] = {
    "01-first-question.ipynb": [
        (
            "text",
            "# Your first question\n\n"
            "A generated 64-qubit chip with 90 days of calibration results, some of its qubits with planted faults. "
            "Everything runs on this machine: no server, no key, no network. Without a language model the *offline "
            "planner* answers the common questions by fixed methods, and says so.\n\n"
            "Run the cells from the top (Shift+Enter), then ask your own: in a cell, or in the panel *QDash Copilot* "
            "on the right, where each step of an answer becomes a cell of this notebook. Here `--wait` keeps all of it "
            "in the asking cell, so that *Run All* works; without it `%%copilot` returns at once and its answer grows.",
        ),
        ("code", "%load_ext qdash_jupyter\n%copilot use --demo"),
        ("checked", "%%copilot --wait\nWhich qubits lost T1 in the last 30 days?"),
        (
            "text",
            "## The data stay here\n\n"
            "What was fetched is a live DataFrame in your kernel, with units and zones; no row of it went anywhere.",
        ),
        ("code", "copilot.data"),
        ("checked", 'series = copilot.data["t1"]["timeseries"]\nseries[["qid", "t", "v", "error"]].tail(3)'),
        (
            "text",
            "## The analysis is yours\n\n"
            "The code under the answer ran beside this kernel, in a process of its own, and its names are in the "
            "kernel now. Ask it something else: which qubits moved by 10 % or more, up or down?",
        ),
        (
            "checked",
            "from qdash_jupyter.methods import changes\n\n"
            'moved = changes(copilot.data["t1"], since="30d", smallest=10)\n'
            'moved[moved["verdict"].isin(["fell", "rose"])].select_dtypes(exclude="datetimetz").round(1)',
        ),
        ("text", "Or go on with pandas as always: the weekly median of one of them."),
        (
            "checked",
            'one = series[series["qid"] == "42"].set_index("t")["v"]\n'
            'one.resample("7D").median().round(1).rename("T1 of Q42 [μs]").to_frame()',
        ),
        ("text", "## More questions"),
        ("checked", "%%copilot --wait\nWhich couplings are the worst by ZX90 fidelity?"),
        ("code", "%%copilot --wait\nHeatmap of the readout fidelity"),
        ("text", "日本語でも質問できます。"),
        ("checked", "%%copilot --wait\n過去30日で周波数が飛んだ量子ビットは?"),
        ("text", "A question without a plan gets an honest answer."),
        ("checked", "%%copilot --wait\nWrite me a poem about transmons"),
    ],
    "02-data-and-frames.ipynb": [
        (
            "text",
            "# Data and frames\n\n"
            "The tools that answer a question are yours too, as functions: `copilot.tools`. There is no model and no "
            "key, and no row leaves this kernel. Here they read the demo chip; for your own, see *docs/data.md*. "
            "Everything about this chip is generated, people's notes too: see *docs/demo-chip.md*.",
        ),
        ("code", "%load_ext qdash_jupyter\n%copilot use --demo"),
        (
            "text",
            "## What is on the chip\n\n"
            "The parameters that were ever measured, with the number of results; where the qubits are; and the current "
            "value of every parameter of every qubit.",
        ),
        ("checked", 'copilot.tools.list_available_parameters()["results"]'),
        (
            "checked",
            "topology = copilot.tools.get_chip_topology()\n"
            'grid = topology["qubits"].pivot(index="row", columns="col", values="qid")\n'
            "grid",
        ),
        (
            "text",
            "What a tool gives is a *result*: tables (DataFrames) and single values by name, and `.frame`, its main "
            "table. Full precision, times with their zone, and units beside the columns.",
        ),
        (
            "checked",
            "summary = copilot.tools.get_chip_summary()\n"
            'summary.frame[["qid", "t1", "t2_echo", "average_readout_fidelity"]].head()',
        ),
        ("checked", 'summary.frame.attrs["units"]'),
        (
            "text",
            "A missing value is missing, and not 0: Q14 was never calibrated, and the newest T1 fit of Q17 failed. No "
            "value is without its date. Which T1 are older than a month?",
        ),
        (
            "checked",
            'values = summary["values"]\n'
            'old = values[(values["parameter"] == "t1") & (values["age_days"] > 30)]\n'
            'old[["qid", "value", "error", "unit", "calibrated_at", "age_days"]].round({"age_days": 1})',
        ),
        (
            "text",
            "## One qubit\n\n"
            "Ids may be written as you like: `42`, `Q42`, `qubit 42`. `execution_id` and `task_id` lead to the run and "
            "to the task that measured a value.",
        ),
        (
            "checked",
            'q42 = copilot.tools.get_qubit_params(qid="Q42")\n'
            'q42.frame[["parameter", "value", "error", "unit", "calibrated_at", "execution_id"]].head(8)',
        ),
        (
            "checked",
            'series = copilot.tools.get_parameter_timeseries(parameter_name="t1", qid="42", last_n=90)\n'
            '{name: series[name] for name in ("latest", "trend", "count", "change", "sigmas")}',
        ),
        (
            "text",
            "The trend is a test, not newest against oldest: `sigmas` is the change against noise, and counts from 3.4 "
            "on, whether the test for steps or the one for slopes found it. The tasks behind it, newest first:",
        ),
        ("checked", 'copilot.tools.get_latest_task_result(task_name="CheckT1", qid="42")'),
        (
            "checked",
            'history = copilot.tools.get_task_history(task_name="CheckRamsey", qid="42", last_n=3)\n'
            'history["outputs"][["start_at", "parameter", "value", "error", "unit"]]',
        ),
        ("text", "## Some qubits, side by side"),
        (
            "checked",
            "some = copilot.tools.compare_qubits(\n"
            '    qids=["3", "8", "42"], param_names=["t1", "t2_echo", "qubit_frequency", "x90_gate_fidelity"]\n'
            ")\n"
            "some.frame",
        ),
        (
            "text",
            "## A month of T1\n\n"
            "Every measurement of every qubit, however often or rarely it is measured. Results that somebody excluded "
            "do not count.",
        ),
        (
            "checked",
            't1 = copilot.tools.get_chip_parameter_timeseries(parameter_name="t1", since="30d")\n'
            't1["timeseries"][["qid", "t", "v", "error", "task_name", "execution_id"]].tail()',
        ),
        (
            "text",
            "One row a qubit: which ones fell? `test` says whether the test for steps or the one for slopes "
            "was clearer.",
        ),
        (
            "checked",
            'by_qubit = t1["qubits"]\n'
            'fell = by_qubit[by_qubit["trend"] == "down"].sort_values("change")\n'
            'fell[["qid", "latest", "mean", "count", "change", "sigmas", "test"]].round(2)',
        ),
        (
            "checked",
            "import plotly.graph_objects as go\n"
            "import plotly.io as pio\n"
            "\n"
            'pio.renderers.default = "plotly_mimetype"  # the figure, without a copy of plotly.js in each cell\n'
            'unit = t1["unit"]\n'
            "figure = go.Figure()\n"
            'for qid, one in t1["timeseries"].groupby("qid"):\n'
            '    if qid in ["8", "42", "59"]:\n'
            '        errors = {"type": "data", "array": one["error"], "thickness": 1}\n'
            '        figure.add_scatter(x=one["t"], y=one["v"], error_y=errors, mode="markers", name=f"Q{qid}")\n'
            'figure.update_layout(title="T1 in the last 30 days", yaxis_title=f"T1 [{unit}]", xaxis_title="UTC")',
        ),
        (
            "text",
            "## Couplings\n\nA coupling is written control-target; either direction finds it.",
        ),
        (
            "checked",
            'couplings = copilot.tools.get_coupling_params(qubit_id="36")\n'
            'couplings.frame[["qid", "parameter", "value", "error", "unit", "calibrated_at"]]',
        ),
        (
            "checked",
            'heatmap = copilot.tools.generate_chip_heatmap(metric_name="zx90_gate_fidelity")\n'
            'go.Figure(heatmap["figure"])',
        ),
        (
            "checked",
            'heatmap.frame[["qid", "value", "error", "t"]].nsmallest(3, "value").round({"value": 2, "error": 2})',
        ),
        ("text", "## What ran\n\nThe newest runs (`elapsed_time` in s), and what failed in the last two days."),
        (
            "checked",
            "runs = copilot.tools.get_execution_history(last_n=4)\n"
            'runs.frame[["execution_id", "name", "status", "start_at", "elapsed_time"]]',
        ),
        (
            "checked",
            'failed = copilot.tools.search_task_results(status="failed", since="2d")\n'
            'failed.frame.groupby("message")["qid"].agg(["count", ", ".join]).nlargest(5, "count")',
        ),
        ("text", "The machine's state that a run wrote down:"),
        (
            "checked",
            'state = copilot.tools.get_calibration_notes(qid="42", last_n=2)\n'
            'state.frame[["execution_id", "timestamp", "kind", "label", "name", "value"]]',
        ),
        ("text", "## What people wrote\n\nNotes, issues, the forum. Here nobody did: they are generated as well."),
        (
            "checked",
            'notes = copilot.tools.search_notes(last_n=5)\nnotes.frame[["kind", "target", "title", "content", "at"]]',
        ),
        (
            "text",
            "## Where a value comes from\n\n"
            "The versions of a value, and what the newest one was made of: the task, the values which that task used, "
            "and so on backwards.",
        ),
        (
            "checked",
            'versions = copilot.tools.get_parameter_lineage(parameter_name="t1", qid="42")\n'
            'versions.frame[["version", "current", "value", "error", "unit", "valid_from", "task_name"]]',
        ),
        (
            "checked",
            'newest = versions.frame["entity_id"].iloc[0]\n'
            "graph = copilot.tools.get_provenance_lineage_graph(entity_id=newest, max_depth=2)\n"
            'graph["nodes"][["depth", "type", "param", "value", "unit", "task", "exec_id", "status"]]',
        ),
        (
            "text",
            "Each of these tools is also what a model may call; there is one more, `execute_python_analysis`, which is "
            "for models only: you have cells. A wrong name says what is right.",
        ),
        (
            "checked",
            "from qdash_jupyter import CopilotError\n"
            "\n"
            "try:\n"
            '    copilot.tools.get_task_history(task_name="CheckT3", qid="42")\n'
            "except CopilotError as error:\n"
            "    print(error)",
        ),
        (
            "text",
            "## Live frames\n\n"
            "All that was fetched is in `copilot.data`, `data` for short, also what a model fetches. `%copilot data` "
            "lists it.",
        ),
        ("code", "%copilot data"),
        (
            "text",
            "A frame is yours to change. `refresh()` makes the same call again, and never takes a frame away that you "
            "changed: the new one stands beside it.",
        ),
        (
            "checked",
            'frame = data["t1"].frame\n'
            'frame["relative_error"] = frame["error"] / frame["v"]\n'
            "new = t1.refresh()\n"
            'new.key, "relative_error" in data["t1"].frame, "relative_error" in new.frame',
        ),
        ("checked", "%copilot data refresh t1 chip_summary"),
        (
            "text",
            "## A snapshot: the same data in a year\n\n"
            "A snapshot is a folder with one Parquet file for each collection. From your lab's MongoDB, in a terminal:"
            "\n\n"
            "```sh\n"
            "qdash-jupyter snapshot 64Q-a --project proj-alpha --since 90d -o 64Q-a-2026-11\n"
            "```\n\n"
            "Here there is no MongoDB, so a copy of the demo chip, which is a snapshot itself, stands for yours.",
        ),
        (
            "code",
            "import shutil\n"
            "from tempfile import TemporaryDirectory\n"
            "\n"
            "from qdash_jupyter.data.demo import DEMO\n"
            "\n"
            "place = TemporaryDirectory()\n"
            "%cd -q {place.name}\n"
            'shutil.copytree(DEMO, "64Q-a-2026-11")',
        ),
        ("code", "%copilot use --snapshot 64Q-a-2026-11"),
        (
            "text",
            "All tools answer from it as from the database; ages count from the moment at which it was taken.",
        ),
        (
            "checked",
            'copy = copilot.tools.get_chip_summary(param_names=["t1"])\n'
            "f\"{copy['chip_id']}, {copy['as_of']:%Y-%m-%d}: median T1 {copy.frame['t1'].median():.1f} μs\"",
        ),
    ],
    "03-models-and-costs.ipynb": [
        (
            "text",
            "# Models and costs\n\n"
            "Which model answers, what it is asked, and what that takes. Nothing here needs a key or a network.",
        ),
        ("code", "%load_ext qdash_jupyter\n%copilot use --demo"),
        (
            "text",
            "## Without a language model\n\n"
            "Until you configure one, the *offline planner* answers: fixed methods for common questions. It makes no "
            "requests to anybody.",
        ),
        ("checked", "%%copilot --wait\nWhich qubits have the lowest T1?"),
        ("checked", "copilot.turns[-1].result().usage"),
        (
            "text",
            "## With a language model\n\n"
            "`QDASH_COPILOT_MODEL` names a model, `OPENAI_API_KEY` holds the key; `OPENAI_BASE_URL` is the address of "
            "another server than OpenAI's, such as one in your lab (more in *docs/settings.md*). Only then does "
            "anything leave this kernel: your questions and short summaries of results, never the tables.\n\n"
            "## A recorded conversation\n\n"
            "So that this notebook runs anywhere, with the same answers each time, the model here is a *cassette*: the "
            f"file `{CASSETTE}` beside it holds its replies. Tools and code run for real, in your kernel.\n\n"
            "**This cassette was recorded from a scripted server, not from a language model.** Its replies were "
            "prepared by us: they show how a conversation goes, and say nothing about what a model can do. The numbers "
            "in them come from the results of the cells, the counts of tokens are guesses (four characters each).\n\n"
            "To record one with your own model, set `QDASH_CASSETTE=record` instead of `replay`.",
        ),
        ("code", f"{REPLAY}\n%env QDASH_CASSETTE_FILE={CASSETTE}\n%copilot use --demo"),
        ("code", "%copilot status"),
        ("checked", f"%%copilot --wait\n{LOST}"),
        (
            "text",
            "What the code made is yours, as always. `before`, `now` and `readout` are in μs, μs and percent.",
        ),
        ("checked", "t1_losses"),
        ("text", "A conversation goes on: the model knows what was said and fetched before."),
        ("checked", f"%%copilot --wait\n{SHORT_JA}"),
        (
            "text",
            "## What it took\n\n"
            "Tokens of each question, as the model's server counted them, and what each part of the prompts took.",
        ),
        ("checked", "%copilot cost"),
        (
            "text",
            "`%copilot sent 1` shows exactly what went out for the first question. In Python the same is "
            "`copilot.turns[0].requests`, and the tokens can be had as a table:",
        ),
        (
            "checked",
            "import pandas as pd\n"
            "\n"
            "usage = [(turn.question, turn.result().usage) for turn in copilot.turns]\n"
            "pd.DataFrame(\n"
            "    [(question, used.requests, used.input_tokens, used.output_tokens) for question, used in usage],\n"
            '    columns=["question", "requests", "tokens in", "tokens out"],\n'
            ")",
        ),
        (
            "text",
            "## What is not on the cassette\n\n"
            "is an error, which names the first difference to the nearest request that is. Nothing is sent anywhere.",
        ),
        ("checked", "%%copilot --wait\nWhich qubits have the best readout?"),
    ],
    "04-cells-and-consent.ipynb": [
        (
            "text",
            "# Cells you keep, and what needs your yes\n\n"
            "The copilot works in cells: short, in the order of the talk, and running again tomorrow. They run at "
            "once, in a process of their own beside the kernel. What has to run in the kernel (because it writes a "
            "file, opens a connection or uses an instrument) waits for you.",
        ),
        ("code", "%load_ext qdash_jupyter\n%copilot use --demo"),
        ("checked", "%%copilot --wait\nShow the 3 qubits with the best T1"),
        (
            "text",
            "## A cell says what it reads\n\n"
            "Asked in the panel, the code stands in cells of the notebook, below a heading with the question. The "
            "first cell of each question fetches what it reads, with moments in place of words such as \u201cthe last "
            "30 days\u201d, so that *Run All* gives the same tomorrow. This is the cell of the question above:",
        ),
        ("checked", "print(copilot.turns[-1].cells[0].request.source)"),
        (
            "text",
            "At each answer the panel says how many cells it has added. *Undo* takes away those that nobody changed, "
            "with the names that they bound, and can itself be undone. A cell that you edit is yours.\n\n"
            "## An instrument\n\n"
            "The connection to an instrument cannot be copied into another process. This instrument counts what is "
            "done to it.",
        ),
        (
            "code",
            "from threading import Lock\n"
            "\n"
            "\n"
            "class Awg:\n"
            "    level, pulses = 0.0, 0\n"
            "\n"
            "    def __init__(self):\n"
            "        self.connection = Lock()\n"
            "\n"
            "    def output_on(self):\n"
            "        self.pulses += 1\n"
            "\n"
            "\n"
            "awg = Awg()\n"
            "awg.pulses",
        ),
        (
            "text",
            "The model here is a *cassette*, as in notebook 03: prepared replies, so that this runs anywhere. Its code "
            "runs for real.",
        ),
        ("code", f"{REPLAY}\n%env QDASH_CASSETTE_FILE={CONSENT_CASSETTE}\n%copilot use --demo"),
        ("checked", f"%%copilot --wait\n{SWITCH}"),
        (
            "text",
            "Nothing happened. In JupyterLab you would see a card with the code, what it tried, and the buttons "
            "*Run in my kernel*, *Edit* and *Reject*; other front-ends show it below the cell. Here nobody reads "
            "along, so it was refused.",
        ),
        ("checked", "awg.level, awg.pulses"),
        (
            "text",
            "## Approved beforehand\n\n"
            "The hash is that of exactly this code. Approved once, it runs in the kernel once, as if you had run it.",
        ),
        ("code", f"%copilot approve {SWITCHED_HASH}"),
        ("checked", f"%%copilot --wait\n{SWITCH}"),
        ("checked", "awg.level, awg.pulses"),
        ("text", "Who approved what stands in the log of the conversation, with hash and time."),
        (
            "checked",
            "from qdash_jupyter.domain.events import ApprovalDecided\n"
            "\n"
            "for turn in copilot.turns:\n"
            "    for stamped in turn.events:\n"
            "        if isinstance(stamped.event, ApprovalDecided):\n"
            "            decision = stamped.event.decision\n"
            '            print(decision.verdict, decision.code_hash, decision.by.partition(", ")[2])',
        ),
        (
            "text",
            "## How far it may go\n\n"
            "`policy` in *copilot.yaml*: `guarded` as here; `review` asks for each cell; `insert_only` runs nothing "
            "and inserts cells for you to run; `trusted` runs all of it in the kernel. `docs/trust.md` says what is "
            "confined by what, and what is not.",
        ),
    ],
    "05-your-lab.ipynb": [
        (
            "text",
            "# Your lab's copilot\n\n"
            "What a lab adds is declared: here a REST API and an MCP server become tools, a skill says how to answer "
            "one kind of question, and a predefined tool is changed by an override. Nothing of the copilot is "
            "programmed. All of it stands in one folder, which this notebook makes; `docs/lab.md` says the rest.",
        ),
        (
            "code",
            "import os\n"
            "import sys\n"
            "import tempfile\n"
            "from pathlib import Path\n"
            "\n"
            'qdash_jupyter = f"{sys.executable} -m qdash_jupyter.ui.cli"  # in a terminal: qdash-jupyter\n'
            "lab = Path(tempfile.mkdtemp())\n"
            "%cd -q {lab}\n"
            '(lab / "predefined" / "tools").mkdir(parents=True)\n'
            '(lab / "predefined" / "skills" / "warm-fridge").mkdir(parents=True)\n'
            'sorted(path.name for path in Path("predefined").iterdir())',
        ),
        ("text", "An example of each setting is printed by one command; keep what you need."),
        ("checked", "!{qdash_jupyter} config example | head -n 5"),
        (
            "text",
            "## A REST API\n\n"
            "Here it is a server in this kernel, of a fridge that was warm for some hours; in a lab it has an address.",
        ),
        (
            "code",
            "import json\n"
            "import threading\n"
            "from http.server import BaseHTTPRequestHandler, HTTPServer\n"
            "\n"
            "\n"
            "class Fridge(BaseHTTPRequestHandler):\n"
            "    def do_GET(self):\n"
            '        rows = [{"hours_ago": ago, "mK": 31.0 if 6 <= ago < 9 else 10.4} for ago in range(12)]\n'
            "        self.send_response(200)\n"
            '        self.send_header("Content-Type", "application/json")\n'
            "        self.end_headers()\n"
            "        self.wfile.write(json.dumps(rows).encode())\n"
            "\n"
            "    def log_message(self, *_):\n"
            "        pass\n"
            "\n"
            "\n"
            'fridge = HTTPServer(("127.0.0.1", 0), Fridge)\n'
            "threading.Thread(target=fridge.serve_forever, daemon=True).start()\n"
            "fridge.server_address[0]",
        ),
        (
            "text",
            "The tool is *predefined content*: a file that any settings may take by its name. Rows become a DataFrame, "
            "because `response_as_attachment` is enabled.",
        ),
        (
            "code",
            "%%writefile predefined/tools/fridge_temperatures.yaml\n"
            "description: Temperatures of the mixing chamber in the last 12 hours, in mK.\n"
            "path: /mxc\n"
            "response_as_attachment: {enabled: true}",
        ),
        (
            "text",
            "## An MCP server\n\nA program that speaks the Model Context Protocol, written with its official SDK.",
        ),
        (
            "code",
            "%%writefile magnet.py\n"
            "from mcp.server import MCPServer\n"
            "from mcp.types import ToolAnnotations\n"
            "\n"
            'server = MCPServer("magnet")\n'
            "\n"
            "\n"
            "@server.tool(annotations=ToolAnnotations(read_only_hint=True))\n"
            "def current() -> str:\n"
            '    """The current in the magnet of the shield, and since when."""\n'
            '    return "0.00 A since 2026-06-01"\n'
            "\n"
            "\n"
            "server.run()",
        ),
        ("text", "## A skill\n\nThe model knows its name and description, and reads it when a question fits."),
        (
            "code",
            "%%writefile predefined/skills/warm-fridge/SKILL.md\n"
            "---\n"
            "name: warm-fridge\n"
            "description: Was the fridge warm, and does it explain a bad day?\n"
            "---\n"
            "1. `fridge_temperatures`: above 20 mK it was warm. Say from when to when.\n"
            "2. `magnet_current`: a magnet that was swept heats the fridge.\n"
            "3. What was measured in the warm hours is not compared with anything.",
        ),
        (
            "text",
            "## The settings\n\nOne tool set of each type. The override is a JSON Merge Patch of the predefined tool.",
        ),
        (
            "code",
            'settings = f"""\\\n'
            "orchestrator:\n"
            "  system_prompt: Temperatures are in mK. Name the hours.\n"
            "tool_sets:\n"
            "  - type: rest\n"
            "    name: fridge\n"
            "    base_url: http://127.0.0.1:{fridge.server_port}\n"
            "    tools:\n"
            "      - predefined: fridge_temperatures\n"
            "        override:\n"
            '          guidance: "Was the fridge warm: fridge_temperatures."\n'
            "  - type: mcp\n"
            "    name: magnet\n"
            "    command: {sys.executable}\n"
            "    args: [magnet.py]\n"
            "    cwd: .\n"
            '"""\n'
            'Path("copilot.yaml").write_text(settings)',
        ),
        ("text", "What is wrong with a file is said all at once, each with its line:"),
        (
            "checked",
            'Path("broken.yaml").write_text(\n'
            '    "orchestrator: {deploymnt: lab}\\ntool_sets:\\n  - {type: rest, name: fridge}\\n  - {type: soap}\\n"\n'
            ");\n"
            "!{qdash_jupyter} config check broken.yaml\n"
            "!{qdash_jupyter} config check copilot.yaml",
        ),
        (
            "text",
            "## See them used\n\n"
            "`QDASH_COPILOT_CONFIG` names the file. One in your notebook's folder is found by itself, but may be "
            "somebody else's: it starts no program and lends no tool until you say `%copilot trust`. The model is a "
            "cassette with prepared replies, as in notebook 03; the tools are called for real.",
        ),
        (
            "code",
            'os.environ["QDASH_COPILOT_CONFIG"] = str(lab / "copilot.yaml")\n'
            "%cd -q -\n"
            f"{REPLAY}\n%env QDASH_CASSETTE_FILE={LAB_CASSETTE}\n%load_ext qdash_jupyter\n%copilot use --demo",
        ),
        ("checked", '[name for name in dir(copilot.tools) if name.startswith(("fridge", "magnet"))]'),
        ("checked", "copilot.status().issues"),
        ("checked", f"%%copilot --wait\n{WARM}"),
        ("text", "What the tools gave is data in your kernel, as all results are."),
        ("checked", 'copilot.data["fridge_temperatures"]["table"].query("mK > 20")'),
        ("checked", "copilot.tools.magnet_current()"),
        (
            "text",
            "`%copilot config --explain` lists each value and the layer it comes from. Where a server is down or a "
            "skill is broken, the rest goes on, and `%copilot status` and the panel say what is missing.",
        ),
        ("code", "copilot.close()\nfridge.shutdown()\nlen(copilot.turns)"),
    ],
    "06-can-i-trust-this-fit.ipynb": [
        (
            "text",
            "# Can I trust this fit?\n\n"
            "A stored T1 is as good as the fit that it comes from. QDash keeps the points beside the picture, so a "
            "value is judged by numbers here: its points are fitted again, and the verdict says whether the value can "
            "be used, why, and what to measure next. No language model looks at anything. Some results of the demo "
            "chip have a planted fault.",
        ),
        ("code", "%load_ext qdash_jupyter\n%copilot use --demo"),
        ("checked", 'copilot.ask("Can I trust the last T1 of Q07?").text.split("\\n\\n")[:3]'),
        ("text", "This one can be used. The next one is stored as 49 μs, and its points say something else."),
        ("code", "%%copilot --wait\nCan I trust the last T1 of Q35?"),
        (
            "text",
            "## By hand\n\n"
            "The same in three steps: fetch the points, make a curve of them, judge it. A verdict has its code (they "
            "are in `docs/curves.md`), the numbers that decided, and each parameter with its own verdict and budget.",
        ),
        (
            "checked",
            "from qdash_jupyter import methods as qm\n\n"
            'stored = copilot.tools.get_result_curves(task_name="CheckT1", qid="Q35")\n'
            "(curve,) = qm.curves_of(stored)\n"
            "verdict = qm.judge(curve)\n"
            "print(verdict.told())",
        ),
        ("checked", 'print(*(number.told() for number in verdict.numbers), sep="\\n")'),
        ("checked", 'stored["points"].groupby(["trace", "role", "x_unit"]).size().rename("points").to_frame()'),
        (
            "text",
            "## A week of the whole chip\n\n"
            "Each curve is fitted again, in a few seconds. What to look at comes first: values that are stored and "
            "cannot be trusted, stored values that are off, and results that failed although the curve has its value.",
        ),
        ("checked", "%%copilot --wait\nWhich T1 fits of the last 7 days are unreliable?"),
        (
            "checked",
            'verdicts = copilot.data["curve_verdicts"]["verdicts"]\n'
            'off = verdicts[(verdicts["σ apart"] > 3) & ~verdicts["excluded"]]\n'
            'off[["qid", "code", "stored", "refit", "unit", "σ apart"]].round(1)',
        ),
        ("text", "One qubit over its last results, with `audit`:"),
        (
            "checked",
            'history = copilot.tools.get_result_curves(task_name="CheckT1", qid="Q30", last_n=8)\n'
            "audited = qm.audit(qm.curves_of(history))\n"
            'columns = ["stored", "refit", "σ apart", "fit", "code", "look at"]\n'
            'audited.set_index("time")[columns].round(1)',
        ),
        (
            "text",
            "## A fault of your own\n\n"
            "Any points can be judged. Here two decays stand in one curve: a single exponential leaves a pattern in "
            "the residuals, and the verdict says how far a second component moves T1.",
        ),
        (
            "checked",
            "import numpy as np\n\n"
            "rng = np.random.default_rng(6)\n"
            "wait = np.linspace(0.5, 300, 81)\n"
            "signal = 0.5 * np.exp(-wait / 8) + 0.5 * np.exp(-wait / 90)\n"
            "signal += rng.normal(0, 0.01, wait.size)\n"
            'given = {"t1": qm.StoredParameter(60, 2, "μs")}\n'
            'planted = qm.Curve("CheckT1", "Q99", wait, signal, x_unit="μs", stored=given)\n'
            "print(qm.judge(planted).told())",
        ),
        ("code", "qm.curve_chart(planted)"),
        ("text", "日本語でも質問できます。"),
        ("code", "%%copilot --wait\nQ12のRamseyの結果は信頼できる?"),
    ],
}


def build(name: str) -> None:
    """Write, execute and store one notebook."""
    if any(REPLAY in source for _, source in NOTEBOOKS[name]):
        record(name)
    notebook = written(name)
    executed(notebook)
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    nbformat.write(notebook, FOLDER / name)


def record(name: str) -> None:
    """Record the notebook's cassette, with the scripted server as the model from the cell on that sets the cassette."""
    notebook = written(name)
    with ScriptedServer(turns(name[:2])) as server:
        model = {"QDASH_COPILOT_MODEL": NAME, "OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "none"}
        lines = [f"%env {variable}={value}" for variable, value in {"QDASH_CASSETTE": "record", **model}.items()]
        for cell in notebook.cells:
            cell.source = cell.source.replace(REPLAY, "\n".join(lines))
        executed(notebook)


def written(name: str) -> NotebookNode:
    """The notebook without outputs."""
    cells = []
    for number, (kind, source) in enumerate(NOTEBOOKS[name], start=1):
        make = v4.new_markdown_cell if kind == "text" else v4.new_code_cell
        cell = make(source, id=f"cell-{number}")
        if kind == "checked":
            cell.metadata["tags"] = [CHECKED]
        cells.append(cell)
    return v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}})


def executed(notebook: NotebookNode) -> None:
    """Run all its cells in a new kernel."""
    client = NotebookClient(notebook, timeout=300, record_timing=False, resources={"metadata": {"path": str(FOLDER)}})
    client.execute()


if __name__ == "__main__":
    for name in sys.argv[1:] or NOTEBOOKS:
        build(name)
