"""Recognises what a question asks for by its words, in English and Japanese."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from qdash_jupyter.domain.qid import is_coupling, normalise_qid
from qdash_jupyter.llm.offline import vocabulary as words
from qdash_jupyter.llm.offline.details import named_in, worded_in
from qdash_jupyter.llm.offline.intent import Direction, Intent, Kind, Language, Limit
from qdash_jupyter.llm.offline.question_kinds import ParsedQuestion, holds, kind_of
from qdash_jupyter.llm.offline.spans import window_of, with_digits, without_dates

_SNAKE = re.compile(r"(?<![\w-])([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?!\w)", re.ASCII)
_CHIP = re.compile(
    r"(?<![\w-])(\d+q-[\w-]+|\d+q ?v\d+)|\bchip\s+[\"'`]?([\w-]*\d[\w-]*)[\"'`]?|チップ\s*([\w-]*\d[\w-]*)",
    re.ASCII | re.IGNORECASE,
)
_COUPLING = re.compile(
    r"(?<![\w-])(?:q(?:ubit)?\s?)?0*(\d{1,4})\s*(?:->|[-–→])\s*(?:q(?:ubit)?\s?)?0*(\d{1,4})(?![\w-])", re.ASCII
)
_JOINED = (
    r"(?:\s*(?:,|、|・|&|/|\band\b|\bor\b|\bvs\b\.?|\bversus\b|\bwith\b|と|や|,\s*and\b)"
    r"\s*(?:q(?:ubits?)?[\s_#]*|量子ビット\s*)?\d{1,4}(?![\w%]))*"
)
_QUBIT = re.compile(
    rf"(?<![\w.-])(?:q(?:ubits?)?[\s_#]*|量子ビット\s*)(\d{{1,4}})(?!\w)({_JOINED})(?:\s*(?:ー)?番)?", re.ASCII
)
_RANGE = re.compile(
    r"(?<!\w)(?:qubits?\s+|q)(\d{1,4})\s*(?:to|through|thru|~|〜|から)\s*(?:q)?(\d{1,4})(?!\w)(?!\s*日)", re.ASCII
)
_NUMBERED = re.compile(r"(?<![\w.])(\d{1,4})番(?:目の|の)?(?:量子ビット|キュービット)", re.ASCII)
_NUMBER = re.compile(r"\d+", re.ASCII)
_LONGEST_RANGE = 64
ALL_OF_A_RUN = 5_000
FEW_RESULTS = 5
"""So many have room in an answer, with all that they say."""

_COUNT = re.compile(
    r"(?:top|worst|best|lowest|highest|bottom|first)[\s-]+(\d{1,3})\b(?!\s*(?:%|days?|weeks?|hours?|months?))"
    r"|(\d{1,3})\s+(?:worst|best|lowest|highest|poorest|longest|shortest|qubits|couplings)\b|(\d{1,3})\s*(?:つ|個)"
    r"|(?:下位|上位|ワースト|ベスト|トップ|最悪|最低|最高)\s*の?\s*(\d{1,3})",
    re.ASCII,
)
_UNIT = (
    r"(%|percent(?:age points?)?|points?\b|ポイント|パーセント"
    r"|us\b|µs|μs|ms\b|ns\b|microseconds?|マイクロ秒|ghz|mhz|khz)"
)
_BELOW = r"below|under|less than|lower than|shorter than|smaller than|worse than|<=?|at most|no more than|up to"
_ABOVE = r"above|over|more than|greater than|higher than|longer than|larger than|better than|exceed\w*|>=?|at least"
_LIMIT = re.compile(
    rf"(?:({_BELOW})|({_ABOVE}))\s*(-?\d+(?:\.\d+)?)\s*{_UNIT}?(?!\s*(?:hours?|days?|weeks?|months?|d\b|h\b|qubits|時間|日|週))",
    re.ASCII,
)
_LIMIT_JA = re.compile(
    rf"(-?\d+(?:\.\d+)?)\s*{_UNIT}?\s*(?:(以下|未満|を?下回|より(?:も)?(?:短|低|小さ|悪)|を?切)|(以上|超|を?上回|より(?:も)?(?:長|高|大き|良)))",
    re.ASCII,
)
_BY = re.compile(rf"\bby\s+(?:more than\s+|at least\s+|over\s+)?(\d+(?:\.\d+)?)\s*{_UNIT}", re.ASCII)


def recognise(question: str, language: Language) -> Intent:
    """What the question asks for; kind `unknown` when no plan fits."""
    # NFKC: full-width letters, T₁, and µ for μ.
    text = unicodedata.normalize("NFKC", question).strip().replace("’", "'")
    chip_id, text = chip_in(text)
    said, text = named_in(text)
    text = with_digits(text.lower())
    undated = without_dates(text)
    qids, without_qids = qids_in(undated)
    parameters = parameters_in(without_qids, qids)
    said = worded_in(without_qids) | said
    window = window_of(text)
    direction = _direction(text)
    ranked_best, ranked_worst = holds(words.BEST, text), holds(words.SUPERLATIVE_LOW, text)
    if holds(words.ERROR_RANKED, text):
        ranked_best, ranked_worst = ranked_worst, ranked_best  # the highest error is the worst
    ranked_best = ranked_best and not ranked_worst
    limit, by = _limits(without_qids, direction)
    kind = kind_of(
        ParsedQuestion(
            text=text,
            parameters=parameters,
            qids=qids,
            has_chip=chip_id is not None,
            has_direction=direction is not None,
            has_limit=limit is not None,
            only_ids=_only_ids(text),
            said=said,
            has_window=window.named or window.until is not None,
        )
    )
    if kind is Kind.COUPLING_VALUES and not holds(words.FIDELITY, text):
        parameters = tuple(name for name in parameters if name != words.COUPLING_GATE)
    if kind is Kind.RESULTS and parameters and "task_name" not in said and parameters[0] in words.TASK_OF:
        said["task_name"] = words.TASK_OF[parameters[0]]
    if kind is Kind.RESULTS and not window.named:
        said.setdefault("last_n", ALL_OF_A_RUN if "execution_id" in said else FEW_RESULTS)
    if kind is Kind.WORST and not parameters and holds(words.COUPLINGS, text):
        parameters = (words.COUPLING_GATE,)
    if kind is Kind.WORST and limit is None and not holds(words.SUPERLATIVE_LOW, text) and not ranked_best:
        limit = Limit() if holds(f"{words.LOW}|{words.HEALTH}", text) else None
    count = _COUNT.search(undated)
    averaged = holds(r"\baverages?\b|\bmean\b|\baveraged\b|平均(?!読|ゲート|t)", text)
    return Intent(
        kind=kind,
        language=language,
        parameters=parameters,
        qids=qids,
        chip_id=chip_id,
        direction=direction or Direction.EITHER,
        window=window,
        count=max(1, int(next(group for group in count.groups() if group))) if count else 5,
        best=ranked_best
        or (
            kind is Kind.WORST and limit is None and holds(words.GOOD, text) and not holds(words.SUPERLATIVE_LOW, text)
        ),
        selection="average"
        if averaged and holds(words.HEATMAP, text)
        else "best"
        if ranked_best and kind is Kind.HEATMAP
        else "latest",
        limit=limit if kind is Kind.WORST else None,
        by=by if kind is Kind.CHANGE else None,
        why=holds(words.CAUSE, text),
        dead_only=kind is Kind.UNMEASURED and holds(words.DEAD, text) and not holds(words.STALE, text),
        unclear=_unclear(without_qids, parameters),
        said=said,
    )


def _unclear(text: str, parameters: Sequence[str]) -> tuple[str, ...]:
    """What the first parameter may mean as well, where the words for it fit several."""
    rest = text
    for pattern, names in words.PARAMETERS:
        if names != ("t2_echo",):
            rest = re.sub(pattern, " ", rest, flags=re.ASCII)
    fitting = (names for pattern, names in words.UNCLEAR if holds(pattern, rest) and parameters[:1] == names[:1])
    return next(fitting, ())


def _only_ids(text: str) -> bool:
    """Whether nothing stands beside the ids."""
    rest = _QUBIT.sub(" ", _COUPLING.sub(" ", text))
    return not re.search(
        r"[a-z]{3,}|[\u30a1-\u30fa\u4e00-\u9fff]",
        re.sub(r"\b(?:and|the|qubits?|coupling|please)\b|量子ビット|カップリング|は", " ", rest),
    )


def _direction(text: str) -> Direction | None:
    if holds(words.DOWN, text):
        return Direction.EITHER if holds(words.UP, text) else Direction.DOWN
    if holds(words.UP, text):
        return Direction.UP
    return Direction.EITHER if holds(words.EITHER, text) else None


def without_parameters(text: str) -> str:
    """A (lower-case) text with the words for parameters blanked."""
    text = _SNAKE.sub(" ", text)
    for pattern, _ in words.PARAMETERS:
        text = re.sub(pattern, " ", text, flags=re.ASCII)
    return text


def parameters_in(text: str, qids: Sequence[str]) -> tuple[str, ...]:
    """All parameters named, in the order of the question; unknown snake_case words count as such, so that a wrong
    name gets an error that lists the right ones.
    """
    found: dict[int, tuple[str, ...]] = {}
    rest = text
    for match in _SNAKE.finditer(text):
        found[match.start()] = (match.group(1),)
        rest = rest[: match.start()] + " " * len(match.group(0)) + rest[match.end() :]
    for pattern, names in words.PARAMETERS:
        for match in re.finditer(pattern, rest, re.ASCII):
            found[match.start()] = names
            rest = rest[: match.start()] + " " * (match.end() - match.start()) + rest[match.end() :]
    named = tuple(dict.fromkeys(name for place in sorted(found) for name in found[place]))
    of_couplings = all(is_coupling(qid) for qid in qids) if qids else holds(words.COUPLINGS, text)
    of_couplings = of_couplings or holds(words.COUPLINGS, text)
    if of_couplings and named == ("average_gate_fidelity",):
        return (words.COUPLING_GATE,)
    if not named and holds(words.FIDELITY, text):
        return (words.COUPLING_GATE,) if of_couplings else ("average_gate_fidelity",)
    if not named and of_couplings and qids:
        return (words.COUPLING_GATE,)
    return named


def qids_in(text: str) -> tuple[tuple[str, ...], str]:
    """The ids that are named, in order, and the text without them."""
    found: list[tuple[int, str]] = []
    rest = text

    def blank(match: re.Match[str]) -> None:
        nonlocal rest
        rest = rest[: match.start()] + " " * (match.end() - match.start()) + rest[match.end() :]

    for match in _COUPLING.finditer(text):
        if holds(rf"{words.COUPLINGS}|ペア|\bpair\b|\bbell\b|ベル|\bzx90", text) or "q" in match.group(0):
            found.append((match.start(), f"{int(match.group(1))}-{int(match.group(2))}"))
            blank(match)
    for match in _RANGE.finditer(rest):
        first, last = int(match.group(1)), int(match.group(2))
        if first < last < first + _LONGEST_RANGE:
            found.extend((match.start(), str(number)) for number in range(first, last + 1))
            blank(match)
    for match in _QUBIT.finditer(rest):
        numbers = [match.group(1), *_NUMBER.findall(match.group(2) or "")]
        found.extend((match.start(), qid) for number in numbers if (qid := normalise_qid(number)))
        blank(match)
    for match in _NUMBERED.finditer(rest):
        found.append((match.start(), str(int(match.group(1)))))
        blank(match)
    return tuple(dict.fromkeys(qid for _, qid in sorted(found, key=lambda pair: pair[0]))), rest


def chip_in(text: str) -> tuple[str | None, str]:
    """The chip that is named, and the question without it (its digits must not be read as qubits)."""
    match = _CHIP.search(text)
    if match is None:
        return None, text
    chip_id = match.group(1) or match.group(2) or match.group(3)
    return chip_id, text[: match.start()] + " " * (match.end() - match.start()) + text[match.end() :]


def _limits(text: str, direction: Direction | None) -> tuple[Limit | None, Limit | None]:
    """The line that values are held against, and the smallest change that counts."""
    if match := _BY.search(text):
        return None, Limit(None, float(match.group(1)), _unit(match.group(2)))
    limit: Limit | None = None
    if match := _LIMIT.search(text):
        limit = Limit(match.group(1) is not None, float(match.group(3)), _unit(match.group(4)))
    elif match := _LIMIT_JA.search(text):
        limit = Limit(match.group(3) is not None, float(match.group(1)), _unit(match.group(2)))
    if limit is not None and direction is not None and limit.below is False:
        return None, limit  # "lost more than 20 %"
    return limit, None


def _unit(raw: str | None) -> str:
    text = (raw or "").replace("µ", "μ")
    if text.startswith(("percent", "point", "パーセント", "ポイント", "%")):
        return "%"
    if text in {"us", "μs", "マイクロ秒"} or text.startswith("microsecond"):
        return "μs"
    return {"ghz": "GHz", "mhz": "MHz", "khz": "kHz"}.get(text, text)
