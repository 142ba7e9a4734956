"""Conditions on values in a question: below, above, between, and against another parameter; and the smallest change."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from qdash_jupyter.llm.offline.query import Amount, Condition
from qdash_jupyter.llm.offline.sentence import FLAGS, Sentence

_N = r"(-?\d+(?:\.\d+)?)"
_U = (
    r"(%|percent(?:age points?)?|points?\b|ポイント|パーセント"
    r"|us\b|μs|ms\b|ns\b|microseconds?|マイクロ秒|ghz\b|mhz\b|khz\b|hz\b)"
)
_NOT = r"(?P<not>\b(?:is |are |was |were )?not\s+|n't\s+(?:be\s+)?)?"
_BELOW = (
    r"(?P<below>below|under(?!\w)|(?:less|lower|shorter|smaller|worse) than|(?:no|not) more than|at most|up to"
    r"|<=|≤|<|fewer than)"
)
_ABOVE = (
    r"(?P<above>above|over(?!\w)|(?:more|greater|higher|longer|larger|better|bigger) than|exceed\w*|at least"
    "|no less than|>=|≥|>|beyond)"
)
_BELOW_JA = r"(?P<below>以下|未満|を?下回(?:る|って|った)?|より(?:も)?(?:短|低|小さ|悪)い?|を?切(?:る|って|った)?)"
_ABOVE_JA = (
    r"(?P<above>以上|超(?:え(?:る|て|た)?)?|を?(?:超え(?:る|て|た)?|上回(?:る|って|った)?)|より(?:も)?(?:長|高"
    r"|大き|良)い?)"
)
_M = "[\ue000-\ue0fe]"
_NO_TIME = r"(?!\s*(?:hours?|days?|weeks?|months?|d\b|h\b|qubits|couplings|measurements|results|時間|日|週|個|件|回))"
_FACTOR = r"(?:(?P<factor>\d+(?:\.\d+)?|twice|two times|double|half)\s*(?:x|×|\*|·|⋅|times)?\s*)?"
_ALSO = r"(?:\s*(?:the|its|their|of|as)\s+)*\s*"

_FACTORS = {"twice": 2.0, "two times": 2.0, "double": 2.0, "half": 0.5}

_FORMS: tuple[tuple[str, str], ...] = (
    (
        "scaled",
        (
            r"(?<![\w.])(?P<factor>\d+(?:\.\d+)?|twice|two times|double|half)\s*(?:x|×|\*|·|⋅|times)?\s*(?P<metric>"
            rf"{_M})\s*(?:is |が|は)?\s*(?:{_BELOW}|{_ABOVE})\s*(?P<other>{_M})"
        ),
    ),
    ("against", rf"{_NOT}(?:{_BELOW}|{_ABOVE})\s*{_FACTOR}{_ALSO}(?P<other>{_M})"),
    (
        "against",
        (
            r"(?:(?P<times>\d+(?:\.\d+)?)\s*(?:·|×|\*|⋅"
            rf"|x)?\s*)?(?P<other>{_M})\s*の?\s*(?:(?P<factor>\d+(?:\.\d+)?)\s*倍)?\s*(?:{_BELOW_JA}|{_ABOVE_JA})"
        ),
    ),
    (
        "between",
        rf"(?:\bbetween|\bfrom|\bin the range(?: of)?)\s+{_N}\s*{_U}?\s*(?:and|to|-|–|~)\s*{_N}\s*{_U}?{_NO_TIME}",
    ),
    (
        "between",
        (
            rf"{_N}\s*{_U}?\s*(?:以上|から|より上)(?:で|かつ|、|,)?\s*{_N}\s*{_U}?\s*(?:以下|未満|まで|の間"
            rf"|の範囲)(?P<outside>に(?:は)?ない|外)?(?:の)?"
        ),
    ),
    (
        "between",
        rf"(?<![\w.]){_N}\s*{_U}?\s*(?:-|–|to|~|〜|から)\s*{_N}\s*{_U}(?:\s*(?:の間|の範囲)(?P<outside>に(?:は)?ない|外)?)?",
    ),
    ("chain", rf"(?<![\w.]){_N}\s*{_U}?\s*(?:<=?|≤)\s*(?P<metric>{_M})\s*(?:<=?|≤)\s*{_N}\s*{_U}?"),
    ("limit", rf"{_NOT}(?:{_BELOW}|{_ABOVE})\s*{_N}\s*{_U}?{_NO_TIME}"),
    ("limit", rf"(?<![\w.]){_N}\s*{_U}?\s*(?:{_BELOW_JA}|{_ABOVE_JA})(?P<not>では?ない)?"),
)
_INCLUSIVE = r"at most|at least|<=|≥|>=|≤|以下|以上|up to|no less than|more than$|^not"
_DENIED = r"\b((?:do|does|did|is|are|was|were)(?:\s+not|n't)(?:\s+have)?)\b[^.?,]{0,40}$"
_OR = r"\bor\b|または|もしくは|あるいは|か、?$"
_BY = (
    rf"\b(?:by\s+)(?:more than\s+|at least\s+|over\s+|>\s*)?{_N}\s*{_U}|(?:more than|at least|over"
    rf"|>)\s*{_N}\s*{_U}(?:\s+of)?"
)
_BY_JA = rf"{_N}\s*{_U}\s*(?:以上|超|より(?:も)?(?:多く|大きく))"


def smallest_change(sentence: Sentence) -> Amount | None:
    """Take the smallest change that a question wants to hear of: `by more than 2 MHz`, `more than 20 %`."""
    for pattern in (_BY, _BY_JA):
        if match := sentence.take(pattern, "by"):
            number, unit = (group for group in match.groups() if group is not None)
            return Amount(float(number), unit_of(unit))
    return None


def conditions_in(sentence: Sentence, metrics: Sequence[str]) -> tuple[tuple[Condition, ...], bool]:
    """Take the conditions, and whether one of them is enough.

    Args:
        sentence: where parameters stood, it has their marks.
        metrics: the parameters by their mark.
    """
    if not metrics:
        return (), False
    found: list[tuple[int, int, Condition]] = []
    for form, pattern in _FORMS:
        for match in list(re.finditer(pattern, sentence.rest, FLAGS)):
            condition = _condition(form, match, sentence.rest, metrics)
            if condition is None or sentence.rest[match.start() : match.end()] != match.group(0):
                continue
            if denied := re.search(_DENIED, sentence.rest[: match.start()], FLAGS):
                both = condition.below is not None and condition.above is not None
                swapped = replace(condition, below=condition.above, above=condition.below, inclusive=True)
                condition = replace(condition, negated=True) if both else swapped
                sentence.blank(*denied.span(1), "conditions")
            found.append((match.start(), match.end(), condition))
            sentence.blank(match.start(), match.end(), "conditions")
    found.sort(key=lambda one: one[0])
    gaps = [sentence.whole[first[1] : second[0]] for first, second in itertools.pairwise(found)]
    any_of = any(re.search(_OR, gap) for gap in gaps)
    if len(found) == 1 and found[0][2].negated:  # not between them: below the one or above the other
        outside = found[0][2]
        return (Condition(outside.metric, below=outside.above), Condition(outside.metric, above=outside.below)), True
    return tuple(condition for _, _, condition in found), any_of


def _condition(form: str, match: re.Match[str], rest: str, metrics: Sequence[str]) -> Condition | None:
    named = match.groupdict()
    metric = _metric_at(match, rest, metrics)
    if form in {"against", "scaled"}:
        other = metrics[ord(match["other"]) - 0xE000]
        factor = match["factor"] or named.get("times")
        if other == metric:
            return None
        number = _FACTORS.get(factor or "") or float(factor or 1)
        is_below = bool(named.get("below")) != bool(named.get("not"))
        if form == "scaled":  # 2·T1 < T2 is T2 > 2·T1
            metric, other, is_below = other, metric, not is_below
        return Condition(metric, other if is_below else None, None if is_below else other, number)
    said = [group for name, group in zip(_names(match), match.groups(), strict=True) if group and not name]
    numbers = [float(one) for one in said if re.fullmatch(_N, one)]
    units = [unit_of(one) for one in said if not re.fullmatch(_N, one)]
    if form in {"between", "chain"}:
        low, high = (Amount(number, units[-1] if units else "") for number in sorted(numbers))
        return Condition(metric, high, low, negated=bool(named.get("not") or named.get("outside")), inclusive=True)
    amount = Amount(numbers[0], units[0] if units else "")
    is_below = bool(named.get("below")) != bool(named.get("not"))
    inclusive = bool(re.search(_INCLUSIVE, match.group(0).strip())) or bool(named.get("not"))
    return Condition(metric, amount if is_below else None, None if is_below else amount, inclusive=inclusive)


def _metric_at(match: re.Match[str], rest: str, metrics: Sequence[str]) -> str:
    """Whose condition it is: the parameter before it, else the one behind it."""
    if "metric" in match.groupdict():
        return metrics[ord(match["metric"]) - 0xE000]
    before, behind = re.findall(_M, rest[: match.start()]), re.findall(_M, rest[match.end() :])
    chosen = before[-1:] or behind[:1]
    if not chosen:
        return metrics[0]
    return metrics[ord(chosen[0]) - 0xE000]


def _names(match: re.Match[str]) -> list[str]:
    """The name of each group; empty where it has none."""
    by_number = {number: name for name, number in match.re.groupindex.items()}
    return [by_number.get(number, "") for number in range(1, match.re.groups + 1)]


def unit_of(raw: Any) -> str:
    """A unit as it is shown; empty where there is none."""
    text = str(raw or "")
    if text.startswith(("percent", "point", "パーセント", "ポイント", "%")):
        return "%"
    if text in {"us", "μs", "マイクロ秒"} or text.startswith("microsecond"):
        return "μs"
    return {"ghz": "GHz", "mhz": "MHz", "khz": "kHz", "hz": "Hz"}.get(text, text)
