"""Curves judged: of one result, or of a task on the whole chip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.domain.catalogue import in_language
from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.qid import normalise_qid
from qdash_jupyter.llm.offline.clarifying import ClarifyingQuestion
from qdash_jupyter.llm.offline.lexicon import TASK_OF
from qdash_jupyter.llm.offline.operations.operation import Operation
from qdash_jupyter.llm.offline.operations.questions import which_metric
from qdash_jupyter.llm.offline.phrases import Say, label, minute
from qdash_jupyter.llm.offline.plan import CallOutcome, Finding, Plan, PlanFailed
from qdash_jupyter.llm.offline.query import Query
from qdash_jupyter.messages.message import of_json, text_in
from qdash_jupyter.methods.curves.codes import MEANINGS, Code, Trust
from qdash_jupyter.methods.curves.families import parameters_of_task
from qdash_jupyter.methods.curves.verdict import number_of

_JUDGED = tuple(name for name, task in TASK_OF.items() if name in parameters_of_task(task))
_ASSESSMENTS: Mapping[str, Assessment] = {"reliable": "good", "unreliable": "warning", "no fit": "bad"}

_HEAD = Words(
    "**{task} of {qid}, {start} UTC: the fit is {fit}.** {sentence}",
    "**{qid}の{task}({start} UTC): フィットは{fit}。** {sentence}",
)
_NO_FIT = Words(
    "**{task} of {qid}, {start} UTC: it cannot be fitted.** {sentence}",
    "**{qid}の{task}({start} UTC): フィットできません。** {sentence}",
)
_FIT_OF_IT = Words("The fit is {fit}.", "フィットは{fit}。")
_NO_FIT_OF_IT = Words("The curve cannot be fitted: {fit}.", "曲線をフィットできません: {fit}。")
_UNJUDGED = Words(
    "**{task} of {qid}, {start} UTC: its curve was not judged.** {why}",
    "**{qid}の{task}({start} UTC): 曲線は判定できませんでした。** {why}",
)
_NO_POINTS = Words("It has no points that are known here.", "判定できる点がありません。")
_EXCLUDED = Words("This result is excluded.", "この結果は除外されています。")
_FAILED = Words("The task itself failed: nothing was stored.", "タスク自体は失敗し、値は保存されていません。")
_STORED, _REFIT = Words("stored {}", "保存値 {}"), Words("new fit {}", "再近似 {}")
_APART = Words("{} σ apart", "差 {} σ")
_DECIDED = Words("What decided: {}.", "判定の根拠: {}。")
_NEXT = Words("What to measure next: {}", "次に測定すること: {}")
_CODE, _MEANS, _COUNT = Words("code", "コード"), Words("what it means", "意味"), Words("curves", "曲線")
_ALL = Words(
    "**{task}{when}: {count} curves fitted anew, {told}.**", "**{task}{when}: {count}本の曲線を再近似、{told}**"
)
_OF_A_KIND: Mapping[str, Words] = {
    Trust.RELIABLE: Words("{} reliable", "信頼できる{}本"),
    Trust.UNRELIABLE: Words("{} unreliable", "信頼できない{}本"),
    Trust.NO_FIT: Words("{} without a fit", "近似できない{}本"),
}
_KEPT = Words("Stored although the fit is unreliable:", "フィットが信頼できないのに保存された値:")
_OFF = Words("Stored values more than 3 σ from the new fit: {}.", "再近似から3σ以上離れた保存値: {}。")
_SIGNAL = Words("Failed although the curve carries its value: {}.", "曲線から値が決まるのに失敗した結果: {}。")
_WITHOUT = Words("Results without points: {}.", "点のない結果: {}件。")
_CUT = Words("Only the newest {} results were looked at.", "最新の{}件だけを調べました。")
_LEFT_OUT = Words("Left out: {}.", "読めなかったもの: {}。")
_NO_KIND = Words(
    "The curves of {name} cannot be judged here; those of {known} can.",
    "{name}の曲線は判定できません。判定できるもの: {known}。",
)


def judging(of_task: Operation) -> Operation:
    """The operation for questions that name a parameter in place of the task, or neither: then it asks which."""

    def plan(query: Query, metrics: MetricTable, question: str) -> Plan:
        if "task_name" in query.details:
            return (yield from of_task.plan(query, metrics, question))
        if query.unclear or not query.metrics:
            choices = query if query.unclear else replace(query, unclear=_JUDGED)
            found = yield from which_metric(choices, metrics)
            if isinstance(found, ClarifyingQuestion):
                return found
            query = found
        if (task := TASK_OF.get(query.metrics[0])) is None:
            known = query.say.listed([query.say.name(metrics.of(name)) for name in _JUDGED])
            raise PlanFailed(query.say(_NO_KIND, name=query.say.name(metrics.of(query.metrics[0])), known=known))
        query = replace(query, metrics=(), details={**query.details, "task_name": task})
        return (yield from of_task.plan(query, metrics, question))

    return replace(of_task, plan=plan, heeds=of_task.heeds | {"metrics", "unclear"})


def curve(outcome: CallOutcome, query: Query, metrics: MetricTable) -> Finding:
    """`get_result_curves`: what was decided of each curve, and by which numbers; or how many of which kind."""
    del metrics
    content = outcome.content
    if "results" in content:
        found = [_one(result, query, content) for result in content["results"]]
        fits = [result.get("fit", "") for result in content["results"]]
        return Finding("\n\n".join(found), _ASSESSMENTS.get(fits[0]))
    say = query.say
    if "curves" not in content:
        return Finding(say(_LEFT_OUT, in_language(content.get("left_out", "–"), say.language)), "warning")
    fits = content["fits"]
    parts = [
        say(
            _ALL,
            task=content["task"],
            when=_when(query),
            count=f"{content['curves']:,}",
            told=say.listed([say(_OF_A_KIND[name], f"{count:,}") for name, count in fits.items()]),
        ),
        say.table(
            {_CODE: "code", _COUNT: "count", _MEANS: "means"},
            [
                {"code": f"`{code}`", "means": sentence_of(code, say), "count": f"{count:,}"}
                for code, count in content["codes"].items()
            ],
        ),
        *_to_look_at(content, say),
        say.stored(outcome.stored),
    ]
    return Finding("\n\n".join(parts), "warning" if set(fits) - {"reliable"} else "good")


def _compared(both: Mapping[str, Any], say: Say) -> str:
    told = [say(_STORED, both["stored"])] if "stored" in both else []
    told.append(say(_REFIT, both["refit"]))
    told += [say(_APART, both["sigmas_apart"])] if "sigmas_apart" in both else []
    return say.listed(told, ",") if say.japanese else ", ".join(told)


def _when(query: Query) -> str:
    if not query.window.is_bounded:
        return Words(", newest of each", "(それぞれ最新)").of(query.say.language)
    said = query.say.when(query.window)
    return f"({said})" if query.say.japanese else f", {said}"


def _to_look_at(content: Mapping[str, Any], say: Say) -> Iterator[str]:
    if kept := content.get("stored_but_unreliable"):
        lines = "\n".join(f"- `{code}`: {_labelled(who)}" for code, who in kept.items())
        yield f"{say(_KEPT)}\n\n{lines}"
    for words, name in ((_OFF, "stored_off_by_3_sigma"), (_SIGNAL, "failed_with_a_signal")):
        if who := content.get(name):
            yield say(words, _labelled(who))
    if newest := content.get("only_newest"):
        yield say(_CUT, f"{newest:,}")
    if without := content.get("without_points"):
        yield say(_WITHOUT, without)


def _labelled(who: str) -> str:
    """`7 (3), 12` with the labels that people see."""
    parts = []
    for one in who.split(", "):
        qid, space, rest = one.partition(" ")
        parts.append(f"{label(qid)}{space}{rest}" if normalise_qid(qid) else one)
    return ", ".join(parts)


def sentence_of(code: str, say: Say) -> str:
    """What a code means."""
    return MEANINGS[Code(code)].sentence.of(say.language)


def _one(result: Mapping[str, Any], query: Query, content: Mapping[str, Any]) -> str:
    say = query.say
    names = {
        "task": query.details.get("task_name", ""),
        "qid": label(query.qids[0]),
        "start": minute(result["start_at"]),
    }
    if "fit" not in result:
        return say(_UNJUDGED, **names, why=in_language(content.get("left_out", ""), say.language) or say(_NO_POINTS))
    code = Code(result["code"])
    fit = Trust(result["fit"]).words.of(say.language)
    head = _NO_FIT if result["fit"] == "no fit" else _HEAD
    parts = [say(head, **names, fit=f"{fit} (`{code}`)", sentence=_sentence(result, code, say))]
    parts += [say(_EXCLUDED)] if result.get("excluded") else []
    parts += [say(_FAILED)] if result["status"] == "failed" else []
    return "\n\n".join([*parts, *_because(result, code, say)])


def verdict_words(verdict: Mapping[str, Any], say: Say) -> str:
    """A verdict, whose result is named elsewhere: the fit and its code, the values, what decided, what comes next."""
    code = Code(verdict["code"])
    fit = f"{Trust(verdict['fit']).words.of(say.language)} (`{code}`)"
    head = say(_NO_FIT_OF_IT if verdict["fit"] == "no fit" else _FIT_OF_IT, fit=fit)
    sentence = _sentence(verdict, code, say)
    return "\n\n".join([say(Words("**{}** {}", "**{}** {}"), head, sentence), *_because(verdict, code, say)])


def _sentence(verdict: Mapping[str, Any], code: Code, say: Say) -> str:
    """What is wrong with the points, or what the code means."""
    return text_in(of_json(verdict.get("reason", "")), say.language) or sentence_of(code, say)


def assessment_of(fit: str) -> Assessment:
    """How it is for the user that a fit is so."""
    return _ASSESSMENTS[fit]


def _because(verdict: Mapping[str, Any], code: Code, say: Say) -> Iterator[str]:
    if values := verdict.get("values"):
        yield "\n".join(f"- `{name}`: {_compared(both, say)}" for name, both in values.items())
    if decided := verdict.get("decided_by"):
        yield say(_DECIDED, "; ".join(number_of(one).told().of(say.language) for one in decided))
    if code is not Code.SUCCESS:
        yield say(_NEXT, MEANINGS[code].next.of(say.language))
