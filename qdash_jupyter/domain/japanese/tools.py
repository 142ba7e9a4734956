"""Of tools: what other rooms say of them, and what the offline planner finds again in the English of a tool's answer.

`TOLD` goes with the planner's use of `in_language`.
"""

from __future__ import annotations

from collections.abc import Mapping

from qdash_jupyter.messages.message import Message, sentences, text_in

OTHERS: Mapping[str, str] = {
    "There is no result of {name} on {name2} that fits.": "条件に合う {name2} の {name} の結果がありません。",
    "It ran in {names}.": "実行されたのは {names} です。",
    "It never ran there.": "そこでは一度も実行されていません。",
    "Did you mean {text}?": "もしかして: {text}",
    "There are: {text}.": "あるもの: {text}。",
    "{name} is {text}, which is no time.": "{name} の値 {text} は時刻ではありません。",
    'Write "30d", "24h", or an ISO date such as "2026-05-01".': (
        "「30d」「24h」、または「2026-05-01」のような ISO 形式の日付にしてください。"
    ),
    "since is not before until.": "since が until より前になっていません。",
    "since is the older end of the time range.": "since は期間の始まり（古い方）です。",
    "No version of {name} is known.": "{name} のバージョンがありません。",
    "The analysis gave no table.": "解析の結果に表がありませんでした。",
}

_NO_SUCH = Message("not-found", what="{what}", asked="{text}")
_NOT_THERE = Message("not-found-there", what="{what}", asked="{text}", where="{where}")
_KNOWN = Message("not-found-known", names="{names}")
_NEAREST = Message("not-found-nearest", names="{text2}")

TOLD = (
    *(sentences(what, hint) for what in (_NO_SUCH, _NOT_THERE) for hint in (_KNOWN, _NEAREST)),
    _NO_SUCH,
    _NOT_THERE,
    Message("kind-chip"),
    Message("kind-coupling"),
    Message("kind-metric"),
    Message("kind-parameter"),
    Message("kind-qubit"),
    Message("kind-run"),
    Message("kind-task"),
    Message("on-chip", chip="{name}"),
    Message("unknown-time"),
    Message("no-chip"),
    Message("no-chip-hint"),
    Message("several-chips", chips="{names}"),
    Message("several-chips-hint"),
    Message("no-calibration-notes", chip="{name}"),
    Message("no-calibration-note-fits"),
    Message("calibration-note-newest", when="{when}", run="{name}", task="{name2}"),
    Message("withheld", setting="{name}", names="{names}"),
    Message("withheld-hint"),
    Message("no-qubits", chip="{name}"),
    Message("no-couplings-of-qubit", qid="{name}", chip="{name2}"),
    Message("no-couplings-of-qubit-hint"),
    Message("no-current-parameters", parameters="{names}", qids="{elements}", chip="{name}"),
    Message("no-current-parameters-hint", parameters="{names}"),
    Message("never-calibrated", qids="{elements}", chip="{name}"),
    Message("never-calibrated-hint"),
    Message("no-current-values", qids="{elements}", chip="{name}"),
    Message("no-current-values-hint", parameters="{names}"),
    Message("no-current-values-results-hint"),
    Message("elements", kind="qubit", count=1, qids="{name}"),
    Message("elements", kind="qubit", count=2, qids="{name}"),
    Message("elements", kind="coupling", count=1, qids="{name}"),
    Message("elements", kind="coupling", count=2, qids="{name}"),
    Message("no-earlier-values", qids="{elements}", chip="{name}", when="{when}"),
    Message("no-earlier-values-hint"),
    Message("nothing-measured", chip="{name}"),
    Message("nothing-measured-on", qid="{name}", chip="{name2}"),
    Message("never-measured", parameter="{name}", chip="{name2}"),
    Message("never-measured-hint"),
    Message("never-measured-on", parameter="{name}", qids="{names}", chip="{name2}"),
    Message("never-measured-there", parameter="{name}", qid="{name2}"),
    Message("never-measured-there-hint", parameters="{names}"),
    Message("no-measurement-fits", parameter="{name}", chip="{name2}", conditions="{conditions}"),
    Message("no-measurement-fits-hint", when="{when}"),
    Message("condition-time-range"),
    Message("condition-cooldown", id="{name}"),
    Message("condition-tags", names="{names}"),
    Message("no-measurement-in-range", parameter="{name}", measured="{measured}", chip="{name2}"),
    Message("measured-since", since="{time}"),
    Message("measured-before", until="{time}"),
    Message("measured-between", since="{time}", until="{time2}"),
    Message("no-cooldown-now", chip="{name}"),
    Message("no-cooldown-now-hint"),
    Message("no-runs", chip="{name}"),
    Message("no-run-fits"),
    Message("newest-run", run="{name}", when="{when}"),
    Message("no-result-fits"),
    Message("no-results-of-task", task="{name}", chip="{name2}"),
    Message("no-results-of-task-in-range", task="{name}", chip="{name2}"),
    Message("no-results-on", task="{name}", qid="{name2}"),
    Message("no-results-on-in-range", task="{name}", qid="{name2}"),
    Message("no-completed-results", task="{name}", qid="{name2}"),
    Message("no-results-at-all", what="{what}"),
    Message("newest-result", what="{what}", when="{when}", state="{state}"),
    Message("result-excluded"),
    Message("any-task"),
    Message("task-on", task="{task}", qid="{name}"),
    Message("no-versions", parameter="{name}", qid="{name2}"),
    Message("no-versions-hint"),
    Message("tool-timed-out", name="{name}", seconds="{seconds}"),
    Message("tool-timed-out-hint"),
    Message("tool-failed-inside"),
    Message("rejected-without-reason"),
)

TOOLS: Mapping[str, str] = {**OTHERS, **{str(each): text_in(each, "ja") for each in TOLD}}
