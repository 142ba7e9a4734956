"""Curves judged: of one result, or of a task on the whole chip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from qdash_jupyter.domain.answer import Assessment
from qdash_jupyter.llm.offline.operations.parameters import has_tasks, task_of
from qdash_jupyter.llm.offline.operations.row import MOST_ROWS, Ask, Made, Telling, Told, answer
from qdash_jupyter.llm.offline.phrases import Say, columns, label, minute
from qdash_jupyter.messages.message import Field, Message, Text, all_of, cut, of_json, sentences
from qdash_jupyter.methods.curves.codes import MEANINGS, Code
from qdash_jupyter.methods.curves.verdict import number_of

_FITS = {"reliable": "reliable", "unreliable": "unreliable", "no fit": "none"}
"""As the messages name them."""
ASSESSMENTS: Mapping[str, Assessment] = {"reliable": "good", "unreliable": "warning", "no fit": "bad"}


_LOOKS = (
    'kept, reliable = curves["stored"].notna(), curves["fit"].eq("reliable")',
    'looks = {"unreliable": kept & ~reliable & ~curves["excluded"], "off": kept & (curves["σ apart"] > 3)}',
    'looks["signal"] = curves["result"].eq("failed") & reliable',
    'to_look_at = pd.concat({why: curves[which] for why, which in looks.items()}, names=["why"])',
    'to_look_at = to_look_at.value_counts(["why", "code", "qid"]).reset_index()',
)
"""Of many curves, those that want a look: by why, code and element."""


@answer("metrics qids task window", "get_result_curves task qid timed", each="metrics qids", answers=has_tasks, most=12)
def curve(ask: Ask) -> Telling:
    """What was decided of each curve, and by which numbers; or how many of which kind."""
    content = ask.outcomes[0].content
    looks = Made([f'curves = {ask.codes[0]}["verdicts"]', *_LOOKS], "to_look_at")
    tables = yield looks if "curves" in content else []
    if "results" in content:
        found = [_one(result, ask, content) for result in content["results"]]
        newest = content["results"][0]
        assessment = ASSESSMENTS.get(newest.get("fit", ""))
        return Told(tuple(found), assessment="warning" if assessment == "good" and _is_empty(newest) else assessment)
    if not tables:
        return Told(Message("plan-unread", why=of_json(content.get("left_out", "–"))), assessment="warning")
    fits = content["fits"]
    counts = all_of(Message("plan-judged", count=count, fit=_FITS[fit]) for fit, count in fits.items())
    what: Field = (content["task"], ask.when if ask.is_timed else Message("plan-newest-of-each"))
    shown = columns(
        "code curves means",
        code=lambda one: f"`{one[0]}`",
        curves=lambda one: f"{one[1]:,}",
        means=lambda one: MEANINGS[Code(one[0])].sentence,
    )
    head = Message("plan-curves", what=what, count=content["curves"], counts=counts)
    assessment = "warning" if set(fits) - {"reliable"} else "good"
    after: list[Text] = []
    for why in dict.fromkeys(row["why"] for row in tables[0]):
        named = [f"{label(row['qid'])} (`{row['code']}`)" for row in tables[0] if row["why"] == why]
        after.append(Message("plan-curves-why", why=why, names=cut(named, MOST_ROWS)))
    after += [Message("plan-only-newest", count=content["only_newest"])] if "only_newest" in content else []
    after += [Message("plan-without-points", count=content["without_points"])] if "without_points" in content else []
    return Told(head, shown, [*content["codes"].items()], assessment, after=after)


def _compared(both: Mapping[str, Any]) -> Field:
    told = [Message("plan-stored-value", value=both["stored"])] if "stored" in both else []
    told.append(Message("plan-refit-value", value=both["refit"]))
    told += [Message("plan-apart", sigmas=str(both["sigmas_apart"]))] if "sigmas_apart" in both else []
    return tuple(told)


def _is_empty(result: Mapping[str, Any]) -> bool:
    """Whether it has curves, and no value of them was stored."""
    values = result.get("values") or {}
    return bool(values) and not any("stored" in both for both in values.values())


def _one(result: Mapping[str, Any], ask: Ask, content: Mapping[str, Any]) -> str:
    say, start = ask.say, minute(result["start_at"])
    curve = Message("plan-curve", task=str(task_of(ask.query)), qid=label(ask.qids[0]), start=start)
    if "fit" not in result:
        why = of_json(content.get("left_out", "")) or Message("plan-no-points")
        return say(sentences(Message("plan-curve-not-judged", curve=curve), why))
    code = Code(result["code"])
    head = Message("plan-curve-verdict", curve=curve, fit=_FITS[result["fit"]], code=code)
    parts = [say(sentences(head, _sentence(result, code)))]
    parts += [say(Message("plan-result-excluded"))] if result.get("excluded") else []
    if result["status"] == "failed":
        parts.append(say(Message("plan-task-failed")))
    elif _is_empty(result):
        parts.append(say(Message("plan-nothing-stored")))
    return "\n\n".join([*parts, *_because(result, code, say)])


def verdict_words(verdict: Mapping[str, Any], say: Say) -> str:
    """A verdict, whose result is named elsewhere: the fit and its code, the values, what decided, what comes next."""
    code = Code(verdict["code"])
    head = Message("plan-verdict", fit=_FITS[verdict["fit"]], code=code)
    return "\n\n".join([say(sentences(head, _sentence(verdict, code))), *_because(verdict, code, say)])


def _sentence(verdict: Mapping[str, Any], code: Code) -> Text:
    """What is wrong with the points, or what the code means."""
    found: Text = of_json(verdict.get("reason", ""))
    return found or MEANINGS[code].sentence


def _because(verdict: Mapping[str, Any], code: Code, say: Say) -> Iterator[str]:
    if values := verdict.get("values"):
        items = (Message("plan-item", name=name, value=_compared(both)) for name, both in values.items())
        yield "\n".join(map(say, items))
    if decided := verdict.get("decided_by"):
        yield say(Message("plan-reason", reasons=tuple(number_of(one).told() for one in decided)))
    if code is not Code.SUCCESS:
        yield say(Message("plan-measure-next", what=MEANINGS[code].next))
