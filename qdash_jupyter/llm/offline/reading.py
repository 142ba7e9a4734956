"""One result, read by fixed rules from the context of an analysis: verdict on its curve, thresholds, history, trend."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from qdash_jupyter.domain.analysis import CURVE, HISTORY, RESULT
from qdash_jupyter.domain.answer import Assessment, JsonObject
from qdash_jupyter.domain.language import Language, Words
from qdash_jupyter.llm.offline.operations.curves import assessment_of, verdict_words
from qdash_jupyter.llm.offline.phrases import GRADES, Say, label, table
from qdash_jupyter.llm.offline.plan import Finding

_HEADINGS = Words(
    "parameter|value|by the thresholds|median before|range before|trend",
    "パラメータ|値|基準|過去の中央値|過去の範囲|傾向",
)
_TRENDS = {"none beyond noise": "ノイズの範囲内"}
_NOT_LOOKED_AT = Words(
    "Not looked at: the figure and the points of the fit, and why it is so. That needs a language model, or your eye.",
    "図とフィットの点、原因は見ていません。言語モデルか、ご自身の確認が必要です。",
)
_LOOKED_AT = Words(
    "Not found out: why it is so. That needs a language model, or your eye.",
    "なぜそうなったかは調べていません。言語モデルか、ご自身の確認が必要です。",
)
_UNJUDGED = Words("**Its curve was not judged.** {}", "**曲線は判定できませんでした。** {}")
_UNKNOWN = Words("No kind of curve is known for this task.", "このタスクの曲線の種類はわかりません。")
_WORST_FIRST: tuple[Assessment | None, ...] = ("bad", "warning", "good")
_FREE = Words(
    "Your question itself is more than these rules can answer.", "ご質問そのものは、この固定の手順では答えられません。"
)


def reading(data: Mapping[str, Any], language: Language, *, own_question: bool) -> Finding:
    """The reading of a context's data; `own_question` says that the user asked something beyond it."""
    result: JsonObject = data[RESULT]
    outputs: dict[str, JsonObject] = result["outputs"]
    curve: JsonObject = data.get(CURVE, {})
    parts = [
        _verdict(curve, Say(language)),
        f"**{_head(result, language)}**",
        *_run(result, language),
        _values(outputs, language),
        _history(data.get(HISTORY, {}), language),
        _beside(data, outputs, language),
        (_LOOKED_AT if "fit" in curve else _NOT_LOOKED_AT).of(language),
        _FREE.of(language) if own_question else "",
    ]
    said = {_assessment(result), *([assessment_of(curve["fit"])] if "fit" in curve else [])}
    worst = next((each for each in _WORST_FIRST if each in said), None)
    return Finding("\n\n".join(part for part in parts if part), worst)


def _verdict(curve: JsonObject, say: Say) -> str:
    """Whether the value can be trusted; nothing where no curve was stored."""
    if "fit" in curve:
        return verdict_words(curve, say)
    return say(_UNJUDGED, curve.get("left_out") or say(_UNKNOWN)) if curve else ""


def _assessment(result: JsonObject) -> Assessment | None:
    outputs = result["outputs"].values()
    grades = {output["grade"] for output in outputs if "grade" in output}
    if result["status"] == "failed" or "bad" in grades:
        return "bad"
    lost = not outputs or any(_is_missing(output) for output in outputs)
    if lost or result.get("excluded") or "below good" in grades or any(output.get("worse") for output in outputs):
        return "warning"
    return "good" if grades else None


def _head(result: JsonObject, language: Language) -> str:
    name = f"{result['task']} {label(result['qid'])}"
    if result["status"] != "completed":
        return f"{name}: {result['status']}"
    said = [_said(parameter, output, language) for parameter, output in result["outputs"].items()]
    chosen = [words for words in said if words] or [
        f"{parameter} {output['value']}" for parameter, output in result["outputs"].items()
    ]
    nothing = "出力なし" if language == "ja" else "no output (a fit that is too bad is not kept)"
    return f"{name}: {'; '.join(chosen[:3]) or nothing}"


def _said(parameter: str, output: JsonObject, language: Language) -> str:
    """What stands out about an output; empty where nothing does."""
    said = [GRADES[output["grade"]].of(language)] if "grade" in output else []
    if "worse" in output:
        said.append(output["trend"])
    return f"{parameter} {output['value']}, {', '.join(said)}" if said else ""


def _run(result: JsonObject, language: Language) -> Iterable[str]:
    japanese = language == "ja"
    took = f", {result['took']}" if "took" in result else ""
    yield f"{'実行' if japanese else 'Run'} {result.get('execution_id', '–')}: {result.get('started', '–')}{took}."
    if "excluded" in result:
        yield f"{'除外済み' if japanese else 'Excluded'}: {result['excluded']}"
    if result["status"] != "completed" and "message" in result:
        yield f"{'メッセージ' if japanese else 'Its message'}: {result['message']}"
    if "quality_metrics" in result:
        shown = ", ".join(f"{name} {value}" for name, value in result["quality_metrics"].items())
        yield f"{'品質指標' if japanese else 'Quality of the fit'}: {shown}."
    if "note_of_a_person" in result:
        yield f"{'メモ' if japanese else 'Note'}: {result['note_of_a_person']}"


def _values(outputs: Mapping[str, JsonObject], language: Language) -> str:
    if not outputs:
        return ""
    rows = []
    for parameter, output in outputs.items():
        earlier = output.get("earlier", {})
        trend = output["trend"]
        rows.append(
            (
                f"`{parameter}`",
                output["value"],
                GRADES[output["grade"]].of(language) if "grade" in output else "–",
                earlier.get("median", "–"),
                earlier.get("range", "–"),
                _TRENDS.get(trend, trend) if language == "ja" else trend,
            )
        )
    return table(_HEADINGS.of(language).split("|"), rows)


def _history(history: Mapping[str, Any], language: Language) -> str:
    count = history.get("completed_before", "0")
    if language == "ja":
        return f"これ以前の完了した測定: {count.replace('at least ', '少なくとも')}件。"
    return f"Completed results before this one: {count}."


def _beside(data: Mapping[str, Any], outputs: Mapping[str, JsonObject], language: Language) -> str:
    """The neighbours' values of the outputs, where the context has them."""
    shown = [
        f"{label(qid)} {parameter} {words.partition(',')[0]}"
        for name in ("Neighbours", "Couplings")
        for qid, values in data.get(name, {}).items()
        for parameter, words in values.items()
        if parameter in outputs
    ]
    return f"{'隣接' if language == 'ja' else 'Beside it'}: {'; '.join(shown)}." if shown else ""


def _is_missing(output: JsonObject) -> bool:
    return bool(output["value"] in {"no fit", "no number"})
