"""The models of notebooks 03 to 05: prepared replies from a scripted server. Numbers in them come from the results."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.scripted_server import Script, Text, Thought, Turn, call_turn, reply_turn

NAME = "scripted-model"
LOST = "Which qubits lost T1 in the last 30 days, and how good is their readout?"
SHORT_JA = "日本語で一文にまとめてください。"

CODE = """\
# T1 before the last 30 days (median) against now (median of the newest 5), beside the readout.
import pandas as pd
import plotly.express as px

t1_read = copilot.data["t1"]
measured = t1_read["timeseries"].dropna(subset=["v"]).sort_values("t")
month_ago = t1_read["as_of"] - pd.Timedelta(days=30)
before = measured[measured["t"] < month_ago].groupby("qid")["v"].median()
now = measured[measured["t"] >= month_ago].groupby("qid").tail(5).groupby("qid")["v"].median()
t1_losses = pd.DataFrame({"before": before, "now": now}).dropna()
t1_losses["change"] = 100 * (t1_losses["now"] / t1_losses["before"] - 1)
readout = copilot.data["chip_summary"]["qubits"].set_index("qid")["average_readout_fidelity"]
t1_losses["readout"] = 100 * readout.reindex(t1_losses.index)  # percent
t1_losses = t1_losses.nsmallest(4, "change").round(1).reset_index()
losses_chart = px.bar(t1_losses, x="qid", y=["before", "now"], barmode="group", title="The largest losses of T1")
losses_chart.update_layout(yaxis_title="T1 [μs]", xaxis_title="qubit", legend_title="")
losses_chart.show()
t1_losses
"""


SWITCH = "Switch the output of the AWG on, at a level of 0.3."
SWITCHED = """\
awg.level = 0.3
awg.output_on()
awg.pulses
"""


WARM = "Was the fridge warm today?"
_WARM_MK = 20


def turns(notebook: str) -> list[Turn]:
    """What the server answers, request by request, for the notebook with this number."""
    if notebook == "04":
        return [_counted(partial(_switched, status)) for status in (None, "rejected", None, "ok")]
    if notebook == "05":
        return [
            _counted(lambda _: call_turn(("read_skill", {"name": "warm-fridge"}))),
            _counted(lambda _: call_turn(("fridge_temperatures", {}), ("magnet_current", {}))),
            _counted(_warm, _told),
        ]
    return [
        _counted(
            lambda _: call_turn(
                ("get_chip_parameter_timeseries", {"parameter_name": "t1", "since": "60d"}),
                ("get_chip_summary", {"param_names": ["average_readout_fidelity"]}),
                thought=Thought("prepared, so there is nothing encrypted here", ["T1 over time, then the readout."]),
            )
        ),
        _counted(lambda _: call_turn(("execute_python_analysis", {"code": CODE, "purpose": "T1 before and now"}))),
        _counted(_answer),
        _counted(_answer_ja),
    ]


def _told(body: dict[str, Any]) -> list[dict[str, Any]]:
    """What the calls gave."""
    return [json.loads(item["output"]) for item in body["input"] if item["type"] == "function_call_output"]


def _counted(
    turn: Callable[[list[dict[str, Any]]], Script], read: Callable[[dict[str, Any]], list[dict[str, Any]]] | None = None
) -> Turn:
    """A turn whose usage is a guess, as no model counted tokens: four characters of the request are one. It gets what
    is read of the request: the rows of the analysis, unless something else is given.
    """

    def answer(body: dict[str, Any]) -> Script:
        script = turn((read or _losses)(body))
        closed: Any = script.steps[-1]
        written = json.dumps([item.to_dict() for item in closed.response.output], ensure_ascii=False)
        closed.response.usage.input_tokens = len(json.dumps(body, ensure_ascii=False)) // 4
        closed.response.usage.output_tokens = len(written) // 4
        return script

    return answer


def _losses(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows that the analysis gave; none before it ran."""
    results = _told(body)
    tables = [result["result"] for result in results if isinstance(result.get("result"), dict)]
    return [dict(zip(tables[-1]["columns"], row, strict=True)) for row in tables[-1]["records"]] if tables else []


def _answer(rows: list[dict[str, Any]]) -> Script:
    names = ", ".join(f"Q{row['qid']}" for row in rows)
    row = "| Q{qid} | {before:.1f} μs | {now:.1f} μs | {change:.0f} % | {readout:.1f} % |"
    lines = [row.format_map(each) for each in rows]
    text = (
        f"**{names} lost the most T1.**\n\n"
        "|  | T1 before | T1 now | change | readout |\n| --- | --- | --- | --- | --- |\n" + "\n".join(lines)
    )
    return _blocks(text, "warning")


def _switched(status: str | None, _: object) -> Script:
    """The call, and after it the answer to how it went."""
    if status is None:
        return call_turn(("execute_python_analysis", {"code": SWITCHED, "purpose": "Switch the output on"}))
    said = {
        "rejected": "I did not switch it on: that needs your approval.",
        "ok": "The output is on, at a level of 0.3.",
    }
    return _blocks(said[status], None)


def _warm(told: list[dict[str, Any]]) -> Script:
    """The warm hours among the rows that one tool told, and the other tool's own words."""
    _, temperatures, magnet = told
    warm = [row for row in temperatures["rows"] if row["mK"] > _WARM_MK]
    hours = [row["hours_ago"] for row in warm]
    highest = max(row["mK"] for row in warm)
    text = (
        f"**The fridge was warm from {max(hours) + 1} to {min(hours)} hours ago, at {highest:g} mK.** "
        f"The magnet does not explain it: {magnet['result']}. What was measured in these hours is not to be compared."
    )
    return _blocks(text, "warning")


def _answer_ja(rows: list[dict[str, Any]]) -> Script:
    worst = rows[0]
    return _blocks(
        f"T1が最も低下したのは Q{worst['qid']} で、{worst['before']:.1f} μs から {worst['now']:.1f} μs に"
        f"なりました（{worst['change']:.0f} %）。",
        None,
    )


def _blocks(text: str, assessment: str | None) -> Script:
    answer = {"blocks": [{"type": "text", "content": text, "chart": None}], "assessment": assessment}
    return reply_turn(Text(json.dumps(answer, ensure_ascii=False), pieces=8))
