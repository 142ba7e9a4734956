"""Questions that reach each of the tools: what the call has to say, and what the answer has to hold.

What it has to hold is computed here, from the documents of the demo chip, not by our tools.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from demo_chip.generator import DemoChip

from qdash_jupyter.domain.units import with_error

Truth = Callable[[DemoChip], Sequence[str]]


@dataclass(frozen=True)
class Case:
    """Several ways to ask for one call of a tool."""

    tool: str
    arguments: Mapping[str, Any]
    holds: Truth
    questions: tuple[str, ...]
    also: tuple[str, ...] = ()
    """Tools that are called beside it."""
    assessment: str | None = field(default=None, compare=False)


def results(chip: DemoChip, **wanted: Any) -> list[dict[str, Any]]:
    """Results with these values, newest first."""
    found = [row for row in chip.documents["task_result_history"] if wanted.items() <= row.items()]
    return sorted(found, key=lambda row: row["start_at"], reverse=True)


def completed(chip: DemoChip, task: str, qid: str) -> list[dict[str, Any]]:
    return [row for row in results(chip, name=task, qid=qid, status="completed") if not row["excluded"]]


def since(chip: DemoChip, rows: Sequence[dict[str, Any]], begin: datetime) -> list[dict[str, Any]]:
    return [row for row in rows if row["start_at"] >= begin]


def monday(chip: DemoChip) -> datetime:
    day = chip.as_of.replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())


def microseconds(value: float) -> str:
    return f"{value:.4g} μs"


def percent(value: float) -> str:
    return f"{float(f'{value:.4g}') * 100:.4g}"


def current_of(kind: str, qid: str) -> Callable[[DemoChip], dict[str, Any]]:
    def read(chip: DemoChip) -> dict[str, Any]:
        [row] = [row for row in chip.documents[kind] if row["qid"] == qid]
        data: dict[str, Any] = row["data"]
        return data

    return read


def q7_values(chip: DemoChip) -> list[str]:
    data = current_of("qubit", "7")(chip)
    t1, readout = data["t1"], data["average_readout_fidelity"]
    return [
        "Q07",
        with_error(t1["value"], t1["error"], "μs"),
        with_error(100 * readout["value"], 100 * readout["error"], "%"),
        f"| {round((chip.as_of - t1['calibrated_at']) / timedelta(hours=1))}",
    ]


def q11_readout(chip: DemoChip) -> list[str]:
    return ["Q11", percent(current_of("qubit", "11")(chip)["average_readout_fidelity"]["value"])]


def couplings_of_q5(chip: DemoChip) -> list[str]:
    rows = [row for row in chip.documents["coupling"] if "5" in row["qid"].split("-") and row["data"]]
    assert len(rows) == 3
    return [percent(row["data"]["zx90_gate_fidelity"]["value"]) for row in rows]


def coupling_4_1(chip: DemoChip) -> list[str]:
    data = current_of("coupling", "4-1")(chip)
    return ["Q04-Q01", *(percent(data[name]["value"]) for name in ("zx90_gate_fidelity", "bell_state_fidelity"))]


def newest_t1(count: int) -> Truth:
    def told(chip: DemoChip) -> list[str]:
        rows = completed(chip, "CheckT1", "7")[:count]
        values = [row["output_parameters"]["t1"] for row in rows]
        shown = [with_error(value["value"], value["error"], "μs") for value in values]
        return shown + [row["execution_id"] for row in rows]

    return told


def newest_stored(task: str, parameter: str, qid: str, form: str) -> Truth:
    """The stored value of the newest result, and its task; what the new fit gives is for the tests of curves."""

    def told(chip: DemoChip) -> list[str]:
        newest = results(chip, name=task, qid=qid)[0]
        value = newest["output_parameters"][parameter]["value"]
        return [task, f"{value:{form}}", f"{newest['start_at']:%Y-%m-%d %H:%M}"]

    return told


def t1_of_june(chip: DemoChip) -> list[str]:
    rows = since(chip, completed(chip, "CheckT1", "7"), datetime.fromisoformat("2026-06-01T00:00:00+00:00"))
    values = [row["output_parameters"]["t1"]["value"] for row in rows]
    return [f"{len(rows)} measurements", microseconds(values[0]), microseconds(min(values)), microseconds(max(values))]


def readout_of_q11(chip: DemoChip) -> list[str]:
    newest = completed(chip, "ReadoutClassification", "11")[0]
    return [percent(newest["output_parameters"]["average_readout_fidelity"]["value"]), newest["execution_id"]]


def reason(message: str) -> str:
    """Without the task and the status, which stand beside it."""
    return message.partition(" failed: ")[2]


def failed_this_week(chip: DemoChip) -> list[str]:
    rows = since(chip, results(chip, status="failed"), chip.as_of - timedelta(days=7))
    (most, count), *_ = Counter(row["message"] for row in rows).most_common()
    return [f"{len(rows)} failed", f"{reason(most)} | {count} ("]


def failed_of_q5_since_monday(chip: DemoChip) -> list[str]:
    rows = since(chip, results(chip, status="failed", qid="5"), monday(chip))
    assert rows
    return [f"{len(rows)} failed", *(reason(row["message"]) for row in rows), *(row["execution_id"] for row in rows)]


def failed_t1_of_q2(chip: DemoChip) -> list[str]:
    rows = results(chip, status="failed", qid="2", name="CheckT1")
    return [f"{min(len(rows), 5)} failed", reason(rows[0]["message"]), "CheckT1"]


def of_a_run(chip: DemoChip) -> list[str]:
    rows = results(chip, execution_id="20260620-000")
    status = Counter(row["status"] for row in rows)
    messages = Counter(row["message"] for row in rows if row["status"] == "failed")
    return [
        f"{status['completed']} completed",
        f"{status['failed']} failed",
        *(f"{reason(m)} | {n} (" for m, n in messages.items()),
    ]


def executions(chip: DemoChip) -> list[dict[str, Any]]:
    return sorted(chip.documents["execution_history"], key=lambda row: row["start_at"], reverse=True)


def newest_runs(count: int) -> Truth:
    return lambda chip: [row["execution_id"] for row in executions(chip)[:count]]


def runs_of_a_month(chip: DemoChip) -> list[str]:
    rows = since(chip, executions(chip), chip.as_of - timedelta(days=30))
    return [str(len(rows)), *(row["execution_id"] for row in rows[:20])]


def runs_of_three_days(chip: DemoChip) -> list[str]:
    begin, end = (datetime.fromisoformat(f"2026-06-0{day}T00:00:00+00:00") for day in (1, 4))
    rows = [row for row in executions(chip) if begin <= row["start_at"] < end]
    return [str(len(rows)), *(row["execution_id"] for row in rows)]


def pulses_of_q7(chip: DemoChip) -> list[str]:
    notes = chip.documents["calibration_note"]
    return [str(len(notes)), *(str(note["note"]["hpi_params"]["Q07"]["amplitude"]) for note in notes)]


def all_machine_notes(chip: DemoChip) -> list[str]:
    return [note["execution_id"] for note in chip.documents["calibration_note"]]


def notes_of_q8(chip: DemoChip) -> list[str]:
    [note] = [note for note in chip.documents["target_note"] if note["target_id"] == "8"]
    return [note["note"]["content"], *(comment["content"] for comment in note["comments"])]


def notes_on_tls(chip: DemoChip) -> list[str]:
    found = [n["note"]["content"] for n in chip.documents["target_note"] if "TLS" in n["note"]["content"]]
    return [*found, f"{len(found)} note"]


def versions_of(parameter: str, qid: str) -> Callable[[DemoChip], list[dict[str, Any]]]:
    def read(chip: DemoChip) -> list[dict[str, Any]]:
        rows = [
            row
            for row in chip.documents["parameter_versions"]
            if (row["parameter_name"], row["qid"]) == (parameter, qid)
        ]
        return sorted(rows, key=lambda row: row["valid_from"], reverse=True)

    return read


def t1_versions(chip: DemoChip) -> list[str]:
    rows = versions_of("t1", "7")(chip)
    return [with_error(row["value"], row["error"], "μs") for row in rows] + [rows[0]["entity_id"]]


def t1_origin(chip: DemoChip) -> list[str]:
    edges: dict[str, set[str]] = {}
    for row in chip.documents["provenance_relations"]:
        edges.setdefault(row["source_id"], set()).add(row["target_id"])
    newest = versions_of("t1", "7")(chip)[0]
    start = newest["entity_id"]
    reached, border = {start}, {start}
    for _ in range(5):
        border = {target for node in border for target in edges.get(node, ())} - reached
        reached |= border
    values = sum(node.count(":") > 1 for node in reached)
    shown = [microseconds(newest["value"]), newest["execution_id"]]
    return [*shown, f"{values - 1} other values", f"{len(reached) - values} results"]


def compared(chip: DemoChip) -> list[str]:
    return [f"{current_of('qubit', qid)(chip)['t1']['value']:.1f} ± " for qid in ("3", "7")]


def neighbours_of_q5(chip: DemoChip) -> list[str]:
    pairs = [row["qid"].split("-") for row in chip.documents["coupling"] if "5" in row["qid"].split("-")]
    return sorted({f"Q{int(qid):02d}" for pair in pairs for qid in pair})


def counts_of_parameters(chip: DemoChip) -> list[str]:
    counts = Counter(name for row in chip.documents["task_result_history"] for name in row["output_parameters"])
    return [f"{len(counts)} parameters", *(f"`{name}`" for name in counts)]


def median_readout(chip: DemoChip) -> list[str]:
    newest: dict[str, float] = {}
    for row in results(chip, name="ReadoutClassification", status="completed"):
        value = row["output_parameters"]["average_readout_fidelity"]["value"]
        if not row["excluded"] and value:
            newest.setdefault(row["qid"], value)
    ordered = sorted(newest.values())
    half = len(ordered) // 2
    middle = (ordered[half] + ordered[-half - 1]) / 2
    return [f"{middle * 100:.2f} %", f"{len(newest)} of 64"]


def worst_t1(chip: DemoChip) -> list[str]:
    rows = [row for row in chip.documents["qubit"] if row["data"] and row["data"].get("t1", {}).get("value")]
    worst = min(rows, key=lambda row: row["data"]["t1"]["value"])
    return [f"Q{int(worst['qid']):02d}", with_error(worst["data"]["t1"]["value"], worst["data"]["t1"]["error"], "μs")]


def fallen_t1(chip: DemoChip) -> list[str]:
    return [f"Q{int(qid):02d}" for qid in chip.truth.t1_falling]


CODE = "execute_python_analysis"
Q7 = {"qid": "7"}
T1_OF_Q7 = {"parameter_name": "t1", **Q7}
CHECK_T1 = {"task_name": "CheckT1", **Q7}
THREE_DAYS = {"since": "2026-06-01", "until": "2026-06-04T00:00"}

CASES = (
    Case(
        "get_qubit_params",
        Q7,
        q7_values,
        ("Current parameters of Q07", "show the values of qubit 7", "parameters of q7 please", "Q07のパラメータ"),
        assessment="warning",
    ),
    Case(
        "get_qubit_params",
        {"qid": "11", "param_names": ["average_readout_fidelity"]},
        q11_readout,
        ("What is the current readout fidelity of Q11?", "Q11の現在の読み出し忠実度は?"),
        assessment="bad",
    ),
    Case(
        "get_coupling_params",
        {"qubit_id": "5"},
        couplings_of_q5,
        ("couplings of Q5", "What are the values of the couplings of qubit 5?", "Q5のカップリング"),
        assessment="good",
    ),
    Case(
        "get_coupling_params",
        {"coupling_id": "4-1"},
        coupling_4_1,
        ("parameters of coupling 4-1", "current values of Q04-Q01", "カップリング4-1のパラメータ"),
        assessment="good",
    ),
    Case(
        "get_parameter_timeseries",
        {**T1_OF_Q7, "last_n": 5},
        newest_t1(5),
        ("last 5 T1 measurements of Q07", "show the newest 5 T1 values of qubit 7", "Q7のT1の測定値を5件"),
        assessment="good",
    ),
    Case(
        "get_parameter_timeseries",
        {**T1_OF_Q7, "since": "2026-06-01"},
        t1_of_june,
        ("T1 measurements of Q7 since 2026-06-01", "all measurements of T1 on Q007 since 2026/6/1"),
        assessment="good",
    ),
    Case(
        "search_task_results",
        CHECK_T1,
        newest_t1(1),
        ("Latest CheckT1 of Q07", "What did CheckT1 give on qubit 7?", "CheckT1 Q7", "Q07のCheckT1の最新結果"),
        assessment="good",
    ),
    Case(
        "search_task_results",
        {"task_name": "readout_classification", "qid": "11"},
        readout_of_q11,
        ("newest result of readout_classification on Q11",),
        assessment="bad",
    ),
    Case(
        "search_task_results",
        CHECK_T1,
        newest_t1(5),
        ("history of CheckT1 on Q7", "Q7のCheckT1の履歴"),
        assessment="good",
    ),
    Case(
        "search_task_results",
        {**CHECK_T1, "last_n": 10},
        newest_t1(8),
        ("last 10 CheckT1 results of Q7", "Q7のCheckT1の結果を最新10件"),
        assessment="good",
    ),
    Case(
        "get_result_curves",
        CHECK_T1,
        newest_stored("CheckT1", "t1", "7", ".1f"),
        (
            "Can I trust the last T1 of Q07?",
            "is the T1 fit of qubit 7 reliable",
            "refit T1 of Q7",
            "Q07の最新のT1は信頼できますか?",
            "Q7のT1を再フィットして比較",
        ),
        assessment="good",
    ),
    Case(
        "get_result_curves",
        {"task_name": "CheckRabi", "qid": "12"},
        newest_stored("CheckRabi", "rabi_frequency", "12", ".3f"),
        ("Can I trust the last Rabi of Q12?", "refit Rabi of Q12", "Q12のラビは信頼できますか?"),
        assessment="good",
    ),
    Case(
        "get_result_curves",
        {"task_name": "CheckResonatorSpectroscopy", "qid": "7"},
        newest_stored("CheckResonatorSpectroscopy", "readout_frequency", "7", ".6f"),
        (
            "Can I trust the last resonator spectroscopy of Q07?",
            "Q07の共振器スペクトロスコピーは信頼できますか",
        ),
        assessment="good",
    ),
    Case(
        "get_result_curves",
        {"task_name": "CheckQubitSpectroscopy", "qid": "7"},
        newest_stored("CheckQubitSpectroscopy", "coarse_qubit_frequency", "7", ".5f"),
        ("Can I trust the last qubit spectroscopy of Q07?", "Q07の量子ビット分光は信頼できますか?"),
        assessment="good",
    ),
    Case(
        "get_result_curves",
        {"task_name": "CheckT1", "since": "2026-06-29"},
        lambda _: ["CheckT1", "WINDOW_TOO_SHORT", "σ"],
        (
            "Which T1 fits since yesterday are unreliable?",
            "which T1 fits since yesterday can't be trusted",
            "昨日からのT1のフィットで信頼できないものは?",
        ),
        assessment="warning",
    ),
    Case(
        "search_task_results",
        {"since": "2026-06-23", "status": "failed"},
        failed_this_week,
        ("Which tasks failed in the past week?", "failures of the last 7 days", "この1週間に失敗したタスクは?"),
    ),
    Case(
        "search_task_results",
        {"since": "2026-06-29", "qid": "5", "status": "failed"},
        failed_of_q5_since_monday,
        ("What failed on Q5 since Monday?", "月曜日からQ5で失敗したタスク"),
    ),
    Case(
        "search_task_results",
        {"task_name": "CheckT1", "qid": "2", "status": "failed"},
        failed_t1_of_q2,
        ("failed T1 measurements of Q2", "did CheckT1 fail on Q02?", "Q2のT1の測定の失敗"),
    ),
    Case(
        "search_task_results",
        {"execution_id": "20260620-000"},
        of_a_run,
        ("results of run 20260620-000", "what happened in 20260620-000?", "実行20260620-000の結果"),
    ),
    Case(
        "get_execution_history",
        {"last_n": 5},
        newest_runs(5),
        ("last 5 runs", "show the 5 newest executions", "最新の実行を5件"),
    ),
    Case(
        "get_execution_history",
        {"since": "2026-06-29"},
        newest_runs(2),
        ("What ran yesterday?", "runs since yesterday"),
    ),
    Case(
        "get_execution_history",
        {"since": "2026-05-31"},
        runs_of_a_month,
        ("calibration runs of the last 30 days", "過去30日の実行履歴"),
        also=("execute_python_analysis",),
    ),
    Case(
        "get_execution_history",
        THREE_DAYS,
        runs_of_three_days,
        ("runs between 2026-06-01 and 2026-06-03", "2026年6月1日から2026年6月3日までの実行履歴"),
    ),
    Case(
        "get_calibration_notes",
        {**Q7},
        pulses_of_q7,
        ("calibration notes of Q07", "Q7のキャリブレーションノート"),
    ),
    Case(
        "get_calibration_notes",
        {},
        all_machine_notes,
        ("calibration notes", "show the machine state", "キャリブレーションノート"),
    ),
    Case(
        "search_notes",
        {"qid": "8"},
        notes_of_q8,
        ("Notes about Q08", "What did people write about qubit 8?", "Q08のメモ"),
    ),
    Case(
        "search_notes",
        {"text": "tls"},
        notes_on_tls,
        ("notes mentioning TLS", 'any comments with "TLS"?', "TLSに関するメモ"),
    ),
    Case(
        "get_parameter_lineage",
        T1_OF_Q7,
        t1_versions,
        ("versions of T1 of Q07", "What was T1 of Q7 before?", "lineage of the T1 of qubit 7", "Q07のT1のバージョン"),
    ),
    Case(
        "get_provenance_lineage_graph",
        {},
        t1_origin,
        (
            "Where does T1 of Q07 come from?",
            "What is the T1 of Q7 based on?",
            "provenance of T1 of qubit 7",
            "Q07のT1はどこから来た?",
        ),
        also=("get_parameter_lineage",),
    ),
    Case(
        "get_chip_parameter_timeseries",
        {"qids": ["3", "7"]},
        compared,
        ("Compare Q3 and Q7", "how do Q03 and Q07 compare?", "Q3とQ7を比較"),
        also=("get_chip_summary", CODE),
    ),
    Case(
        "get_chip_topology",
        {},
        neighbours_of_q5,
        ("neighbours of Q5", "Which qubits are coupled to Q5?", "Q5に隣接する量子ビットは?"),
    ),
    Case(
        "list_available_parameters",
        {},
        counts_of_parameters,
        ("Which parameters were measured?", "list the available parameters"),
    ),
    Case(
        "generate_chip_heatmap",
        {"metric_name": "average_readout_fidelity"},
        median_readout,
        ("Heatmap of the readout fidelity", "map of the readout on the chip", "読み出し忠実度のヒートマップ"),
    ),
    Case(
        "get_chip_summary",
        {"param_names": ["t1"]},
        worst_t1,
        ("Which qubit has the worst T1?", "lowest T1", "T1が最も低い量子ビットは?"),
        also=(CODE,),
        assessment=None,
    ),
    Case(
        "get_chip_parameter_timeseries",
        {"parameter_name": "t1"},
        fallen_t1,
        ("Which qubits lost T1 in the last 30 days?", "過去30日でT1が低下した量子ビットは?"),
        also=(CODE,),
        assessment="warning",
    ),
)
"""The arguments are those that have to be there; the planner may add to them."""
