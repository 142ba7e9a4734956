"""What a language model is sent in 12 of the 21 questions of a trial with a strong one: characters, part by part.

Each question is a recorded conversation with the calls that a good model makes; its requests are counted as they reach
a server: instructions, tools, the schema of an answer, and the conversation so far, which is sent again in each round.
`--json` prints the numbers alone: that is how another version of the package is counted with the same calls.

    PYTHONPATH=. python bench/model_seat.py
    git worktree add /tmp/then a84040f0; PYTHONPATH=/tmp/then python bench/model_seat.py --json SNAPSHOT
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

sys.path.insert(0, os.environ.get("PYTHONPATH", str(Path(__file__).parents[1])).partition(":")[0])

from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.connect import open_copilot
from qdash_jupyter.data.snapshot import SnapshotReader
from tests.scripted_server import ScriptedServer, call_turn, text_turn

Round: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
GOAL = 0.65
PARTS = ("instructions", "tools", "answer schema", "conversation")

BEFORE = {
    "Which qubits need recalibration before tonight's run, and why?": 47_574,
    "Did the cool-down change the frequencies?": 43_786,
    "Which couplings got worse since mid June, and what changed around then?": 44_394,
    "Show T1 per MUX as a box plot.": 44_013,
    "Which 8 connected qubits have the best ZX90?": 46_645,
    "Do T1 drops come with frequency shifts?": 51_000,
    "Show a histogram of T2/T1 and its outliers.": 44_038,
    "At which hours of the day do tasks fail?": 42_501,
    "When will Q33 fall below 20 μs?": 42_101,
    "Write a health report of Q33 with charts.": 50_423,
    "先月より悪くなった読み出しはどれですか": 42_542,
    "Which lost T1? · When? · And their neighbours? · Compare with last month.": 151_956,
}
"""Characters at a84040f0, the last commit before the trial's findings were worked on: same calls, same demo chip."""


def series(parameter: str, since: str, **more: Any) -> tuple[str, Mapping[str, Any]]:
    """The call that fetches a series of the whole chip."""
    return "get_chip_parameter_timeseries", {"parameter_name": parameter, "since": since, **more}


def cell(code: str) -> tuple[str, Mapping[str, Any]]:
    """The call that runs this code."""
    return "execute_python_analysis", {"code": code}


SUMMARY: tuple[str, Mapping[str, Any]] = ("get_chip_summary", {})
BOX = """import plotly.express as px
t1 = copilot.data["chip_summary"]["qubits"]
t1 = t1.assign(mux=t1["qid"].astype(int) // 4)
px.box(t1, x="mux", y="t1", title="T1 per MUX (μs)")"""
PATCH = """from qdash_jupyter import methods as qm
qm.best_connected(copilot.data["zx90_gate_fidelity"], copilot.data["topology"], 8)"""
LEVELS = """import pandas as pd
t1, f = (copilot.data[key]["timeseries"] for key in ("t1", "qubit_frequency"))
both = pd.merge_asof(t1.sort_values("t"), f.sort_values("t"), on="t", by="qid", tolerance=pd.Timedelta("1D"))
both.groupby("qid")[["v_x", "v_y"]].corr().unstack().iloc[:, 1].sort_values().head(5)"""
RATIO = """import plotly.express as px
q = copilot.data["chip_summary"]["qubits"]
ratio = (q["t2_echo"] / q["t1"]).rename("T2/T1")
px.histogram(ratio, nbins=20)"""
HOURS = """r = copilot.data["task_results"]["results"]
r.groupby(r["start_at"].dt.hour)["status"].count()"""
FIT = """from scipy.stats import linregress
import numpy as np
t = copilot.data["t1_33"]["timeseries"].dropna(subset=["v"])
days = (t["t"] - t["t"].iloc[0]).dt.total_seconds() / 86400
fit = linregress(days, t["v"])
(20 - fit.intercept) / fit.slope"""
CHART = """from qdash_jupyter import methods as qm
qm.series_chart(copilot.data["{key}"], ["33"])"""
CHANGES = """from qdash_jupyter import methods as qm
qm.changes(copilot.data["{key}"], since="30d").head(8)"""

QUESTIONS: dict[str, Sequence[Sequence[Round]]] = {
    "Which qubits need recalibration before tonight's run, and why?": [
        [[SUMMARY, ("search_task_results", {"status": "failed", "since": "7d"})], [series("t1", "30d")]]
    ],
    "Did the cool-down change the frequencies?": [
        [
            [("search_notes", {"kind": "cooldown"}), series("qubit_frequency", "60d")],
            [cell(CHANGES.format(key="qubit_frequency"))],
        ]
    ],
    "Which couplings got worse since mid June, and what changed around then?": [
        [
            [series("zx90_gate_fidelity", "2026-06-15")],
            [
                ("get_execution_history", {"since": "2026-06-10", "until": "2026-06-20"}),
                ("search_notes", {"since": "2026-06-10"}),
            ],
        ]
    ],
    "Show T1 per MUX as a box plot.": [[[SUMMARY], [cell(BOX)]]],
    "Which 8 connected qubits have the best ZX90?": [
        [[series("zx90_gate_fidelity", "30d"), ("get_chip_topology", {})], [cell(PATCH)]]
    ],
    "Do T1 drops come with frequency shifts?": [
        [[("read_skill", {"name": "t1-drift"}), series("t1", "30d"), series("qubit_frequency", "30d")], [cell(LEVELS)]]
    ],
    "Show a histogram of T2/T1 and its outliers.": [[[SUMMARY], [cell(RATIO)]]],
    "At which hours of the day do tasks fail?": [
        [[("search_task_results", {"status": "failed", "since": "30d", "last_n": 5000})], [cell(HOURS)]]
    ],
    "When will Q33 fall below 20 μs?": [
        [
            [("get_chip_parameter_timeseries", {"parameter_name": "t1", "qids": ["33"], "since": "60d"})],
            [cell(FIT.replace("t1_33", "t1"))],
        ]
    ],
    "Write a health report of Q33 with charts.": [
        [
            [
                ("get_qubit_params", {"qid": "33"}),
                series("t1", "60d", qids=["33"]),
                series("t2_echo", "60d", qids=["33"]),
                ("search_notes", {"qid": "33"}),
            ],
            [cell(CHART.format(key="t1")), cell(CHART.format(key="t2_echo"))],
        ]
    ],
    "先月より悪くなった読み出しはどれですか": [
        [[series("average_readout_fidelity", "30d")], [cell(CHANGES.format(key="average_readout_fidelity"))]]
    ],
    "Which lost T1? · When? · And their neighbours? · Compare with last month.": [
        [[series("t1", "30d")]],
        [[cell('from qdash_jupyter import methods as qm\nqm.changes(copilot.data["t1"], since="30d").head(8)')]],
        [
            [("get_chip_topology", {})],
            [("compare_qubits", {"qids": ["8", "9", "11", "13"], "param_names": ["t1", "t2_echo"]})],
        ],
        [
            [
                cell(
                    "from qdash_jupyter import methods as qm\n"
                    'qm.compare_windows(copilot.data["t1"], ("60d", "30d"), ("30d", None)).head(8)'
                )
            ]
        ],
    ],
}
"""The rounds of calls of each question of a conversation, whose questions are put together by " · "."""


def counted(snapshot: Path, question: str, turns: Sequence[Sequence[Round]]) -> list[dict[str, int]]:
    """Characters of each part of each request of one conversation."""
    scripts = [turn for rounds in turns for turn in (*(call_turn(*calls) for calls in rounds), _answer())]
    shell = InteractiveShell.instance()
    shell.reset(new_session=True)  # the names of the question before are not this user's
    with ScriptedServer(scripts) as server:
        models = {"lab": {"name": "m", "base_url": server.base_url, "api_key_env": "NO_KEY"}}
        reader = SnapshotReader(snapshot)
        copilot = open_copilot(shell, reader=reader, settings={"model": "lab", "models": models})
        try:
            for part in question.split(" · "):
                copilot.ask(part)
        finally:
            copilot.close()
            reader.close()
        failed = [told for told in _results(server.requests[-1].body) if '"error"' in told[:60]]
        if failed:
            print(question, *failed, sep="\n  ", file=sys.stderr)
        return [_parts(request.body) for request in server.requests]


def _answer() -> Any:
    blocks = [{"type": "text", "content": "Q33 fell by 42 %: see the table above.", "chart": None}]
    return text_turn(json.dumps({"blocks": blocks, "assessment": None}))


def _results(body: Mapping[str, Any]) -> list[str]:
    return [item["output"] for item in body["input"] if item.get("type") == "function_call_output"]


def _parts(body: Mapping[str, Any]) -> dict[str, int]:
    texts = (body["instructions"], _json(body["tools"]), _json(body.get("text", {})), _json(body["input"]))
    return dict(zip(PARTS, map(len, texts), strict=True))


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def all_counted(snapshot: Path) -> dict[str, dict[str, int]]:
    """By question: the sum of each part over its requests, and their number."""
    sums = {}
    for question, turns in QUESTIONS.items():
        requests = counted(snapshot, question, turns)
        sums[question] = {part: sum(one[part] for one in requests) for part in PARTS} | {"requests": len(requests)}
    return sums


def main() -> None:
    """Print the table, or, with `--json SNAPSHOT`, the numbers alone."""
    if "--json" in sys.argv:
        print(json.dumps(all_counted(Path(sys.argv[-1])), ensure_ascii=False))
        return
    from qdash_jupyter.data.demo import DEMO

    sums = all_counted(DEMO)
    print(f"{'characters of all requests':<72} {'rounds':>6} {'now':>8} {'before':>8} {'ratio':>6}")
    for question, parts in sums.items():
        now = sum(parts[part] for part in PARTS)
        print(f"{question:<72} {parts['requests']:>6} {now:>8,} {BEFORE[question]:>8,} {now / BEFORE[question]:>6.2f}")
    now, before = sum(parts[part] for parts in sums.values() for part in PARTS), sum(BEFORE.values())
    requests = sum(parts["requests"] for parts in sums.values())
    print(f"{'all':<72} {requests:>6} {now:>8,} {before:>8,} {now / before:>6.2f}; goal {GOAL}")
    for part in PARTS:
        print(f"  {part}: {sum(parts[part] for parts in sums.values()) / requests:,.0f} a request")


if __name__ == "__main__":
    main()
