"""Reads a question: each slot takes its words out of the sentence, what is asked follows from the slots, and every word
that none took is named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from qdash_jupyter.domain.qid import is_coupling
from qdash_jupyter.llm.offline import lexicon as words
from qdash_jupyter.llm.offline.asked import Said, asked_of, flags_of
from qdash_jupyter.llm.offline.limits import conditions_in, smallest_change
from qdash_jupyter.llm.offline.query import Asked, Direction, Query, Window
from qdash_jupyter.llm.offline.sentence import FLAGS, Sentence
from qdash_jupyter.llm.offline.times import windows_in
from qdash_jupyter.messages.languages import Language

ALL_OF_A_RUN = 5_000
FEW_RESULTS = 5
"""So many have room in an answer, with all that they say."""

METRIC_MARKS = 0xE000
"""A parameter that was taken leaves the mark of its place behind, for conditions to find."""

_SNAKE = r"(?<![\w-])([a-z][a-z0-9]*(?:_[a-z0-9]+)+|t[3-9])(?!\w)"
_CHIP = (
    r"(?i)(?:\b(?:of |on |for )?(?:the )?chip\s+)?(?<![\w-])(\d+q-[\w-]+|\d+q ?v\d+)(?:\s+chip)?"
    r"|\bchip\s+[\"'`]?([\w-]*\d[\w-]*)[\"'`]?|チップ\s*([\w-]*\d[\w-]*)"
)
_COUNTED_ROWS = frozenset({Asked.MEASUREMENTS, Asked.RESULTS, Asked.RESULT_HISTORY, Asked.RUNS, Asked.NOTES})
_COUNT = (
    r"\b(\d{1,3})\s+of them\b|\b(?:top|worst|best|lowest|highest|shortest|longest|bottom|first)[\s-]+(\d{1,3})\b"
    r"(?!\s*(?:%|us\b|μs))"
    r"|(?<![\w.])(\d{1,3})\s+(?=(?:worst|best|lowest|highest|poorest|longest|shortest|qubits|couplings|pairs)\b)"
    r"|(\d{1,3})\s*(?:つ|個|ペア)(?:だけ)?|(?:下位|上位|ワースト|ベスト|トップ|最悪|最低|最高|最短"
    r"|最長)\s*の?\s*(\d{1,3})(?:位)?"
)
_ONE = re.compile(r"\b(?:which|what) (?:qubit|coupling|pair)(?:'s)?\s|最も|一番", re.IGNORECASE)
_MOST_IDS = 64
_PAIR = 2
_Q = r"(?:q(?:ubits?)?[\s_#]*|量子ビット\s*)"
_ID = rf"{_Q}(\d{{1,4}})(?!\w|\s*(?:個|つ|件|台|%))"
_AND = r"(?:,|、|・|&|/|\band\b|\bor\b|と|や|,\s*and\b|,\s*or\b)"
_JOINED = rf"(?:\s*{_AND}\s*{_Q}?\d{{1,4}}(?![\w%.]|\s*(?:us|μs|ghz|mhz|個|つ|日|時)))*"
_COUPLING = r"(?<![\w-])(?:q(?:ubit)?\s?)?0*(\d{1,4})\s*(?:->|[-–→])\s*(?:q(?:ubit)?\s?)?0*(\d{1,4})(?![\w-])"
_NOT = (
    r"(?:\b(?:except(?:ing)?|exclud\w+|other than|apart from|but not|besides|without|not|ignoring"
    r"|leaving out)\s+(?:for\s+)?(?:the\s+)?)$"
)
_NOT_JA = r"\s*(?:以外|を?除(?:く|いて|いた|外)?)(?:の|して|で)?"


def read(
    question: str, language: Language, now: datetime, about: Sequence[str] = (), cooldown: datetime | None = None
) -> Query:
    """What a question asks for; `unknown` where nothing that can be asked fits.

    Args:
        question: in the user's words.
        language: of the answer.
        now: when it is asked, as the database counts.
        about: parameters whose conditions it may state without a name.
        cooldown: when the chip's current cool-down began.
    """
    sentence = Sentence(question)
    chip_id = chip_in(sentence)
    details = _names(sentence)
    windows = windows_in(sentence, now)
    qids, without = ids_in(sentence)
    metrics = metrics_in(sentence)
    named = names_of(metrics)
    reliable = _reliable_only(sentence)
    qids = _as_meant(qids, named, sentence)
    of_couplings = bool(re.search(words.COUPLINGS, sentence.rest, FLAGS)) or (
        bool(qids) and all(is_coupling(qid) for qid in qids)
    )
    errors = bool(metrics) and any(re.search(r"\berr|エラー|誤り", one.text) for one in metrics)
    stability = _one_of(sentence, words.STABILITY, "order")
    direction = _one_of(sentence, words.DIRECTIONS, "direction")
    by = smallest_change(sentence) if direction else None
    conditions, any_of = conditions_in(sentence, [one.names[0] for one in metrics] or about[:1])
    count = _count(sentence)
    worded = _worded(sentence, details)
    if cooldown is not None and "cooldown_id" in details and not windows:
        del details["cooldown_id"]
        windows = [Window(cooldown)]
        sentence.words["window"] = sentence.words.pop("details.cooldown_id")
    chosen: dict[str, Any] = {name: _one_of(sentence, table, name) for name, table in words.CHOICES.items()}
    if stability:
        chosen |= {"order": stability, "statistic": chosen["statistic"] or "deviation"}
    named = _of_couplings(named, sentence, of_couplings=of_couplings, qids=qids)
    flags = flags_of(sentence)
    chosen |= {name: name in flags for name in ("how_many", "low", "good", "why")}
    if direction is None and sentence.holds(words.SINCE_THEN) and {"low", "good"} & {*flags}:
        direction = "down" if "low" in flags else "up"
    element: Literal["qubit", "coupling"] | None = None
    for kind, pattern in (("coupling", words.COUPLINGS), ("qubit", words.QUBITS)):
        if sentence.take(pattern, ""):
            element = element or kind  # type: ignore[assignment]
            list(sentence.take_all(pattern, ""))
    has_chip = chip_id is not None or bool(list(sentence.take_all(words.CHIP, "")))
    query = Query(
        Asked.UNKNOWN,
        language,
        metrics=named,
        unclear=_unclear(metrics, named),
        qids=qids,
        without=without,
        element=element,
        conditions=conditions,
        any_of=any_of,
        window=windows[0] if windows else Window(),
        against=windows[1] if len(windows) > 1 else None,
        direction=Direction(direction) if direction else None,
        by=by,
        count=count,
        errors=errors,
        dead="dead" in flags and not windows and ("stale" not in flags or sentence.holds(r"never|一度も")),
        **chosen,
        reliable=reliable,
        details=details,
        now=now,
        chip_id=chip_id,
        words=sentence.words | ({"how_many": counted} if (counted := _counted(sentence, flags)) else {}),
    )
    is_averaged = any(re.match(r"average|平均", one.text) for one in metrics)
    is_bare = not _left_out(sentence, [*worded, *(span for spans in flags.values() for span in spans)])
    said = Said(query, sentence, frozenset(flags), has_chip or element is not None, is_averaged, is_bare)
    asked, explained = asked_of(said)
    if asked is Asked.COMPARE_WHAT and "neighbour" in flags:
        details["neighbours"] = True
    left_out = _left_out(sentence, [*worded, *(span for name in flags if name in explained for span in flags[name])])
    return _completed(replace(query, asked=asked, left_out=left_out), question)


def _completed(query: Query, question: str) -> Query:
    """With what goes without saying."""
    details, changes = dict(query.details), dict[str, Any]()
    if query.asked in _COUNTED_ROWS and query.count is not None:
        details.setdefault("last_n", query.count)
        changes["count"] = None
    if query.asked in {Asked.RESULTS, Asked.CURVE}:
        if "task_name" not in details and query.metrics and query.metrics[0] in words.TASK_OF:
            details["task_name"] = words.TASK_OF[query.metrics[0]]
            changes["metrics"] = ()  # the task stands for it
        if query.asked is Asked.RESULTS and not query.window.is_bounded:
            details.setdefault("last_n", ALL_OF_A_RUN if "execution_id" in details else FEW_RESULTS)
    if query.asked is Asked.COUPLING_VALUES and "metrics" not in query.words:
        changes["metrics"] = ()
    if query.asked in {Asked.RESULTS, Asked.RUNS} and query.direction is Direction.EITHER:
        changes["direction"] = None  # "what happened in run …"
    if query.asked is Asked.SPREAD and not (query.form or query.statistic or query.order):
        changes["statistic"] = "mean"  # "average readout fidelity", which is a name, too
    query = replace(query, details=details, **changes)
    return _selection(query, question) if query.asked is Asked.SELECT else query


def _selection(query: Query, question: str) -> Query:
    if not query.metrics and query.element == "coupling":
        query = replace(query, metrics=(words.COUPLING_GATE,))
    if query.conditions and re.search(r"何\s*(?:%|パーセント)", question):
        return replace(query, how_many=True)
    if not query.conditions and query.order is None and not query.good:
        # "any problems with the readout?" means the lab's limits; "5 qubits with a low T1" says how many instead.
        return replace(query, low=True) if query.count is None else replace(query, order="worst", low=False)
    return replace(query, count=1) if query.order and query.count is None and _ONE.search(question) else query


# --- names, ids, parameters -----------------------------------------------------------------------------------------


def _reliable_only(sentence: Sentence) -> bool:
    """Whether values of unreliable fits are to be left out: an addition, which tells nothing of what else is asked."""
    found = list(sentence.take_all(words.RELIABLE_ONLY, "reliable"))
    for match in found:
        start, end = match.span()
        marks = "".join(letter if ord(letter) >= METRIC_MARKS else " " for letter in match[0])
        sentence.rest = sentence.rest[:start] + marks + sentence.rest[end:]
        sentence.whole = sentence.whole[:start] + " " * (end - start) + sentence.whole[end:]
    return bool(found)


def _names(sentence: Sentence) -> dict[str, Any]:
    """The names in a question, by argument, as they are written."""
    said: dict[str, Any] = {}
    for argument, pattern in words.NAMES:
        match = re.search(pattern, sentence.text, FLAGS)
        if match is not None and argument not in said and sentence.rest[match.start() : match.end()].strip():
            said[argument] = _value(argument, match)
            sentence.blank(match.start(), match.end(), f"details.{argument}")
    return said


def _worded(sentence: Sentence, said: dict[str, Any]) -> list[tuple[int, int]]:
    """What the words of a question give, by argument, and where they stand. They stay, as some also tell what is asked;
    but for numbers, and times that are no dates.
    """
    places = []
    for (argument, value), pattern in words.WORDED.items():
        if argument in said or (match := re.search(pattern, sentence.rest, FLAGS)) is None:
            continue
        said[argument] = _value(argument, match) if value is None else value
        sentence.words[f"details.{argument}"] = match.group(0).strip()
        places.append(match.span())
        if argument in {"cooldown_id", "last_n", "include_excluded"}:
            sentence.blank(*match.span(), "")
    return places


def _value(argument: str, match: re.Match[str]) -> Any:
    """The words for an argument as the tools take it."""
    said = next(group for group in (*match.groups(), match.group(0)) if group)
    if argument in {"kind", "text"}:
        return said.lower()
    return {"tags": [said]}.get(argument, said) if argument != "last_n" else max(1, int(said))


def _count(sentence: Sentence) -> int | None:
    """How many are asked for. Their number is taken, the word beside it tells the order."""
    found = None
    for match in list(re.finditer(_COUNT, sentence.rest, FLAGS)):
        place = next(place for place, group in enumerate(match.groups(), start=1) if group)
        found = found or max(1, int(match[place]))
        end = match.end() if match[0][-1:] in "つ個アけ位" else match.end(place)
        sentence.blank(match.start(place), end, "count")
    return found


def chip_in(sentence: Sentence) -> str | None:
    """The chip that is named. Its digits must not be read as those of qubits."""
    match = sentence.take(_CHIP, "chip_id")
    if match is None:
        return None
    place = next(place for place, group in enumerate(match.groups(), start=1) if group)
    return sentence.text[match.start(place) : match.end(place)]  # as it is written


def ids_in(sentence: Sentence) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The ids that are named, in order, and those that are taken out."""
    found: list[tuple[int, str]] = []
    out: list[str] = []

    def take(match: re.Match[str], ids: Sequence[str]) -> None:
        start, end = match.span()
        lead = re.search(_NOT, sentence.rest[:start], FLAGS)
        behind = re.match(_NOT_JA, sentence.rest[end:], FLAGS)
        if lead or behind:
            out.extend(ids)
            start, end = lead.start() if lead else start, end + (behind.end() if behind else 0)
        else:
            found.extend((match.start(), qid) for qid in ids)
        sentence.blank(start, end, "without" if lead or behind else "qids")

    def spans(pattern: str) -> list[re.Match[str]]:
        return list(re.finditer(pattern, sentence.rest, FLAGS))

    for match in spans(_COUPLING):
        if sentence.holds(rf"{words.COUPLINGS}|\bbell\b|ベル|\bzx90") or "q" in match.group(0):
            take(match, [f"{int(match[1])}-{int(match[2])}"])
    for match in spans(
        r"(?<!\w)(?:qubits?\s+|q)(\d{1,4})\s*(?:to|through|thru|~|〜|から)\s*(?:q)?(\d{1,4})(?!\w)(?!\s*日)"
    ):
        first, last = int(match[1]), int(match[2])
        if first < last < first + _MOST_IDS:
            take(match, [str(number) for number in range(first, last + 1)])
    for match in spans(rf"(?<![\w.-]){_ID}{_JOINED}(?:\s*(?:ー)?番)?"):
        take(match, [str(int(number)) for number in re.findall(r"\d+", match.group(0))])
    for match in spans(r"(?<![\w.])(\d{1,4})番(?:目の|の)?(?:量子ビット|キュービット)"):
        take(match, [str(int(match[1]))])
    return tuple(dict.fromkeys(qid for _, qid in sorted(found, key=lambda pair: pair[0]))), tuple(dict.fromkeys(out))


def names_of(metrics: Sequence[NamedMetric]) -> tuple[str, ...]:
    """The parameters that words mean, each once."""
    return tuple(dict.fromkeys(name for one in metrics for name in one.names))


def _as_meant(qids: tuple[str, ...], metrics: Sequence[str], sentence: Sentence) -> tuple[str, ...]:
    """Ids as their parameter has them: `T1 of Q1-Q5` are the qubits from the first to the last, as no coupling has a
    T1, and the ZX90 fidelity of Q4 and Q1 is that of a coupling.
    """
    of_coupling = [name.startswith(("zx90", "bell_")) for name in metrics]
    if any(of_coupling) and len(qids) == _PAIR and not any(map(is_coupling, qids)) and not sentence.holds(r"\bvs\b|比"):
        return ("-".join(qids),)
    if not metrics or any(of_coupling) or len(qids) != 1 or not is_coupling(qids[0]) or sentence.holds(words.COUPLINGS):
        return qids
    first, last = (int(one) for one in qids[0].split("-"))
    return tuple(str(one) for one in range(first, last + 1)) if first < last < first + _MOST_IDS else qids


@dataclass(frozen=True, slots=True)
class NamedMetric:
    """A word for parameters, where it stood."""

    start: int
    text: str
    names: tuple[str, ...]


def metrics_in(sentence: Sentence) -> list[NamedMetric]:
    """All words for parameters, in their order; each leaves a mark. Unknown words in snake_case count as such, so that
    a wrong name gets an error that lists the right ones.
    """
    found: list[NamedMetric] = []
    for pattern, names in ((_SNAKE, ()), *((pattern, names) for names, pattern in words.PARAMETERS.items())):
        for match in list(re.finditer(pattern, sentence.rest, FLAGS)):
            found.append(NamedMetric(match.start(), match.group(0), names or (match.group(0),)))
            sentence.blank(match.start(), match.end(), "metrics", mark="\ue0ff")
    found.sort(key=lambda one: one.start)
    for place, one in enumerate(found):
        sentence.rest = sentence.rest[: one.start] + chr(METRIC_MARKS + place) + sentence.rest[one.start + 1 :]
    return found


def _of_couplings(
    named: tuple[str, ...], sentence: Sentence, *, of_couplings: bool, qids: Sequence[str]
) -> tuple[str, ...]:
    """Where couplings are spoken of, a fidelity is theirs; a fidelity without more is one of several."""
    if of_couplings and named == ("average_gate_fidelity",):
        return (words.COUPLING_GATE,)
    if not named and sentence.take(words.FIDELITY, "metrics"):
        return (words.COUPLING_GATE,) if of_couplings else ("average_gate_fidelity",)
    if not named and of_couplings and qids and all(is_coupling(qid) for qid in qids):
        return (words.COUPLING_GATE,)
    return named


def _unclear(metrics: Sequence[NamedMetric], named: tuple[str, ...]) -> tuple[str, ...]:
    """What the first parameter may mean as well, where the words for it fit several."""
    said = metrics[0].text if metrics else "fidelity" if named == ("average_gate_fidelity",) else ""
    fitting = (
        names for pattern, names in words.UNCLEAR if named[:1] == names[:1] and re.fullmatch(pattern, said, FLAGS)
    )
    return next(fitting, ())


def _one_of(sentence: Sentence, table: Mapping[str, str], name: str) -> str | None:
    """The first of a table whose words are in the question; `either` where both directions are."""
    found = [value for value, pattern in table.items() if list(sentence.take_all(pattern, name))]
    return "either" if {"down", "up"} <= {*found} else found[0] if found else None


def _counted(sentence: Sentence, flags: Mapping[str, Sequence[tuple[int, int]]]) -> str:
    """The words that ask how many there are; "いくつ" may ask for a value as well."""
    said = [sentence.text[start:end] for start, end in flags.get("how_many", ())]
    return next((one for one in said if one != "いくつ"), "")


# --- what is left ---------------------------------------------------------------------------------------------------

_WORD = r"[a-z](?:[a-z0-9_-]|'(?=[a-z]))*|\d+(?:[.:/]\d+)*\s*(?:%|μs|us\b|ns\b|ms\b|ghz\b|mhz\b|khz\b)?"
_WORD_JA = r"[\u30a1-\u30fa\u30fc\u4e00-\u9fff々]+[\u3041-\u3096]*"
_OF_KANJI = re.compile(r"[\u30a1-\u30fa\u30fc\u4e00-\u9fff々]+[しいなくきる]{0,3}")
_NOT_JA_AT_END = r"(?:て|で|し|わ)(?:い)?(?:ない|なかった|ません)(?!か)|(?:では|じゃ)ない"
_UNSAID_JA = re.compile(words.FUNCTION_WORDS_JA)


def _left_out(sentence: Sentence, taken: Any) -> tuple[str, ...]:
    """The words that are neither taken nor without a meaning of their own."""
    rest = sentence.rest
    for start, end in taken:
        rest = rest[:start] + " " * (end - start) + rest[end:]
    found = [
        (match.start(), match.end())
        for match in re.finditer(_WORD, rest, FLAGS)
        if match.group(0).strip("'-") not in words.FUNCTION_WORDS and match.group(0).strip("'-")
    ]
    found += [match.span() for match in re.finditer(_NOT_JA_AT_END, rest)]
    for match in re.finditer(_WORD_JA, rest):
        if (said := _OF_KANJI.match(match.group(0))) and _OF_KANJI.search(_UNSAID_JA.sub(" ", match.group(0))):
            found.append((match.start(), match.start() + said.end()))
    # Words that stand side by side are named together.
    joined: list[tuple[int, int]] = []
    for start, end in sorted(found):
        between = sentence.text[joined[-1][1] : start] if joined else "?"
        if between.isspace() or not between:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(sentence.text[start:end].strip() for start, end in joined)
