"""What misled a strong model in the trial, as the conversations in which it did: each about one planted fault.

The model calls what it called then; the tests look at what it reads before it goes on, and its answer is made of that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from qdash_jupyter.domain.told_table import rows_of
from tests.session import trial_chip as chip
from tests.session.trial import Round, Told, Trial, cell, trial
from tests.tools.checks import told_pairs

SUMMARY = "get_chip_summary"


@pytest.fixture
def asked(shell: InteractiveShell, trial_chip: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Trial]:
    """Over the Responses API."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with trial(shell, trial_chip, style="responses") as opened:
        yield opened


def by_parameter(told: dict[str, Any]) -> dict[str, Any]:
    return {row["parameter"]: row for row in rows_of(told["parameters"])}


def test_an_excluded_result_is_no_current_value_and_not_the_best(asked: Trial) -> None:
    """The summary, the qubit and the comparison showed the 9999 μs of an excluded result as its current T1."""

    def best(told: Told) -> str:
        of_t1 = {qid: values["t1"] for qid, values in told[2]["qubits"].items()}
        return f"Best: {max(of_t1, key=lambda qid: of_t1[qid])}, at most {told[0]['statistics']['t1'][2]} μs."

    compare = ("compare_qubits", {"qids": [chip.EXCLUDED, "1", "17"], "param_names": ["t1"]})
    code = f"t1_now = copilot.data['chip_summary']['qubits'].set_index('qid')['t1']\nt1_now[{chip.EXCLUDED!r}]"
    answer = asked.ask(
        "Which of them has the best T1?",
        ((SUMMARY, {}), ("get_qubit_params", {"qid": chip.EXCLUDED}), compare),
        (cell(code),),
        says=best,
    )
    summary, qubit, comparison, computed = asked.told
    said = "excluded: 9999 μs, the fit ran to its bound"
    label = f"{chip.EXCLUDED} t1"
    t1 = by_parameter(qubit)["t1"]
    assert (summary["flagged"][label], t1["flag"], comparison["flagged"][label]) == (said,) * 3
    before = t1["value"]
    assert before < 200
    assert before == comparison["qubits"][chip.EXCLUDED]["t1"] == pytest.approx(computed["result"])
    assert summary["statistics"]["_columns"][2] == "max"
    assert "9999" not in json.dumps(summary["statistics"])
    assert answer.text == f"Best: 1, at most {summary['statistics']['t1'][2]} μs."


def test_four_slow_falls_of_thirty_days_are_named_and_no_healthy_qubit(asked: Trial) -> None:
    """A test of the two ends named one slope of four in 30 days, and a healthy qubit nearly as clearly."""
    call = ("get_chip_parameter_timeseries", {"parameter_name": "t1", "since": "30d"})
    answer = asked.ask("Which qubits lost T1 this month?", (call,), says=lambda told: " ".join(told[0]["down"]))
    (told,) = asked.told
    assert {one.split()[0] for one in told["down"]} == set(chip.SLOPED)
    assert "up" not in told
    assert [part for part in answer.text.split() if "%" not in part] == [one.split()[0] for one in told["down"]]
    stored = asked.copilot.data["t1"]
    far = set(stored["qubits"].query("abs(sigmas) > 2.9")["qid"])
    assert far == set(chip.SLOPED), "the healthy ones are far from it"


def test_rates_are_of_the_whole_window_whatever_is_cut(asked: Trial) -> None:
    """Beyond 5,000 results the statistics counted the newest 5,000 only, and the rates were made of them."""

    def rate(told: Told) -> str:
        ended = told[0]["statistics"]["status"]
        return f"{ended['failed']} of {told[0]['total']} failed."

    answer = asked.ask(
        "How often does CheckT1 fail?", (("search_task_results", {"task_name": "CheckT1", "since": "90d"}),), says=rate
    )
    (told,) = asked.told
    failures = sum(map(len, chip.FAILURES.values()))
    assert told["total"] > 5_000 == told["results"]["_rows"]
    assert told["statistics"]["status"] == {"completed": told["total"] - failures, "failed": failures}
    assert answer.text == f"{failures} of {told['total']} failed."
    kept = asked.copilot.data["task_results"].frame
    assert (kept["status"] == "failed").sum() < failures, "the stored rows alone give another rate"


def test_the_worst_come_first_with_their_counts(asked: Trial) -> None:
    """`failed: "198 × on 17, 2, …"` was read as worst first, and was newest first."""
    often, sometimes = chip.OFTEN_FAILED, chip.SOMETIMES_FAILED
    calls: Round = (
        ("search_task_results", {"task_name": "CheckT1", "since": "90d"}),
        ("search_task_results", {"task_name": "CheckT1", "status": "failed", "since": "90d"}),
    )
    asked.ask("Where does CheckT1 fail most?", calls)
    ordered = f"22 × on {often} ({len(chip.FAILURES[often])}), {sometimes} ({len(chip.FAILURES[sometimes])})"
    assert [list(told["failed"].values()) for told in asked.told] == [[ordered], [ordered]]
    failed = asked.copilot.data[asked.told[1]["data_key"]].frame
    assert failed["qid"].iloc[0] == sometimes, "newest first would begin with it"


def test_the_topology_is_shown_as_the_tables_that_there_are(asked: Trial) -> None:
    """The model was shown `couplings: [[0, 1], …]`, and wrote code for that; the tables have named columns."""

    asked.ask("How are the qubits coupled?", (("get_chip_topology", {}),))
    (told,) = asked.told
    read = "\n".join(f"{name} = copilot.data['topology'][{name!r}]" for name in ("qubits", "couplings"))
    tables = "[list(qubits.columns), len(qubits), list(couplings.columns), len(couplings)]"
    asked.ask("Which tables are these?", (cell(f"{read}\n{tables}"),))
    shown = [told[name][what] for name in ("qubits", "couplings") for what in ("_schema", "_rows")]
    assert asked.told[-1]["result"] == shown
    frames = asked.copilot.data["topology"]
    assert " ".join(told["qubits"]["grid"]).split() == list(frames["qubits"].sort_values(["row", "col"])["qid"])
    assert told_pairs(told) == set(frames["couplings"]["coupling_id"])


def test_small_results_are_stored_and_shown_whole(asked: Trial) -> None:
    """A small result had no `data_key`, and the model may not copy numbers into code."""
    calls: Round = (
        ("get_qubit_params", {"qid": "7"}),
        ("get_task_history", {"task_name": "CheckT1", "qid": "7", "last_n": 2}),
        ("get_latest_task_result", {"task_name": "CheckT1", "qid": "7"}),
        ("get_calibration_notes", {"last_n": 1}),
        ("search_notes", {}),
        ("get_execution_history", {"last_n": 2}),
        ("get_parameter_lineage", {"parameter_name": "t1", "qid": "7"}),
    )
    asked.ask("Tell me all about 7.", calls)
    keys = [told["data_key"] for told in asked.told]
    assert len(set(keys)) == len(calls)
    asked.ask("Are they there?", (cell(f"[len(copilot.data[key].frame) for key in {keys}]"),))
    assert all(rows > 0 for rows in asked.told[-1]["result"])
    parameters = asked.copilot.data[keys[0]].frame.set_index("parameter")
    qubit = by_parameter(asked.told[0])
    assert set(parameters.index) == set(qubit)
    assert qubit["t1"]["value"] == pytest.approx(parameters.loc["t1", "value"], rel=1e-3)


def test_a_search_without_a_time_has_a_total_and_is_stored(asked: Trial) -> None:
    """Ten rows came, without how many there are, and none of them was stored."""
    asked.ask("What failed?", (("search_task_results", {"status": "failed", "total": True}),))
    (told,) = asked.told
    asked.ask("Over all of it?", (("search_task_results", {"status": "failed", "since": "90d"}),))
    everything = asked.copilot.data[asked.told[-1]["data_key"]].frame
    assert len(told["results"]["rows"]) == 10 == len(asked.copilot.data[told["data_key"]].frame)
    assert told["total"] == len(everything) > 10


def test_notes_on_the_chip_are_about_each_qubit_and_none_is_no_error(asked: Trial) -> None:
    """Of a qubit without notes of its own there was an error, though those on the chip concern it, too."""
    calls: Round = (
        ("search_notes", {"qid": "33"}),
        ("search_notes", {"qid": "33", "text": "helium"}),
        ("search_notes", {"qid": chip.SLOPED[0], "kind": "knowledge"}),
    )
    asked.ask("What is known of 33?", calls)
    of_all, nothing, knowledge = asked.told
    assert {(note["kind"], note["about"]) for note in of_all["rows"]} == {("chip", "every qubit")}
    assert any("8 mK warmer" in note["content"] for note in of_all["rows"])
    assert nothing["notes"] == []
    assert "error" not in nothing
    (case,) = knowledge["rows"]
    labels = [line.split(":")[0] for line in case["content"].splitlines()]
    assert labels == ["Symptom", "Root cause", "Lesson"]


def test_a_parameter_without_versions_says_what_is_missing_and_where_to_look(asked: Trial) -> None:
    """ "No version of t1 was written … measured there: t1" reads as a contradiction."""
    of_it: dict[str, Any] = {"parameter_name": "t1", "qid": chip.UNVERSIONED}
    asked.ask("What was T1 of 9 before?", (("get_parameter_lineage", of_it),))
    (told,) = asked.told
    assert told["kind"] == "no_data"
    assert told["error"] == "Provenance has no version of T1 of Q09, although it was measured."
    tool = told["try_instead"].split()[0]
    offered = {one.get("function", one)["name"] for one in asked.server.requests[-1].body["tools"]}
    assert tool in offered
    asked.ask("And then?", ((tool, {"parameter_name": "t1", "qids": [chip.UNVERSIONED]}),))
    assert "error" not in asked.told[-1]


def test_one_unit_a_column_in_summary_and_map(asked: Trial) -> None:
    """Microseconds, nanoseconds and seconds of one parameter were mixed without a word."""
    calls: Round = ((SUMMARY, {}), ("generate_chip_heatmap", {"metric_name": "t1"}))
    asked.ask("A map of T1, please.", calls)
    summary, heatmap = asked.told
    assert "t1:μs" in summary["qubits"]["_schema"]
    values = asked.copilot.data["chip_summary"]["values"].query("parameter == 't1'").set_index("qid")
    assert set(values["unit"]) == {"μs"}
    median, least, most, count = summary["statistics"]["t1"]
    assert 10 < least < median < most < 200
    assert count == 63, "what cannot be converted does not count"
    assert summary["flagged"][f"{chip.FOREIGN} t1"] == "88 dB, not μs"
    assert pd.isna(values.loc[chip.FOREIGN, "value"])
    drawn = asked.copilot.data[heatmap["data_key"]].frame.set_index("qid")["value"]
    for qid in (chip.NANOSECONDS, chip.SECONDS):
        assert drawn[qid] == pytest.approx(values.loc[qid, "value"])
    assert drawn.between(10, 200).all()


def test_a_fit_of_zero_is_missing_and_a_text_is_no_failed_fit(asked: Trial) -> None:
    """0 stood as an amplitude, and a text was called a failed fit."""
    calls: Round = (
        ("get_qubit_params", {"qid": chip.ZERO_FIT}),
        ("get_qubit_params", {"qid": chip.TEXT_VALUE}),
        (SUMMARY, {"param_names": ["hpi_amplitude"]}),
    )
    asked.ask("What do we know of 12 and 13?", calls)
    zero, text, summary = asked.told
    amplitude, echo = by_parameter(zero)["hpi_amplitude"], by_parameter(text)["t2_echo"]
    assert (amplitude["value"], amplitude["flag"]) == (None, "no fit")
    assert (echo["value"], echo["flag"]) == (None, "unreadable: text 'see the logbook'")
    least = summary["statistics"]["_columns"].index("min")
    assert summary["statistics"]["hpi_amplitude"][least] > 0


def test_an_echo_beyond_twice_t1_gets_a_word(asked: Trial) -> None:
    """A T2 echo above 2·T1 is physically impossible, and was shown as any other."""
    calls: Round = (
        (SUMMARY, {}),
        ("get_qubit_params", {"qid": chip.ECHO_TOO_LONG, "param_names": ["t2_echo"]}),
        ("compare_qubits", {"qids": [chip.ECHO_TOO_LONG, "1"]}),
    )
    answer = asked.ask("Which T2 is best?", calls, says=lambda told: by_parameter(told[1])["t2_echo"]["flag"])
    summary, qubit, comparison = asked.told
    label = f"{chip.ECHO_TOO_LONG} t2_echo"
    said = summary["flagged"][label]
    assert said.startswith("suspicious: > 2·T1 = ")
    assert said == by_parameter(qubit)["t2_echo"]["flag"] == comparison["flagged"][label] == answer.text
    assert [name for name in summary["flagged"] if "2·T1" in summary["flagged"][name]] == [label], "no other qubit"
