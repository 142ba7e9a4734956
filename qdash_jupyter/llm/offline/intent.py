"""What a question asks for: recognised by words, in English and Japanese."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from qdash_jupyter.domain.qid import is_coupling, normalise_qid
from qdash_jupyter.llm.offline import vocabulary as words
from qdash_jupyter.llm.offline.spans import Window, window_of, with_digits, without_dates

Language = Literal["en", "ja"]
Selection = Literal["latest", "best", "average"]


class Kind(StrEnum):
    """The questions that have a plan."""

    HEALTH = "health"
    CHANGE = "change"
    WORST = "worst"
    UNMEASURED = "unmeasured"
    TREND = "trend"
    COMPARE = "compare"
    HEATMAP = "heatmap"
    PARAMETERS = "parameters"
    NEIGHBOURS = "neighbours"
    UNKNOWN = "unknown"


class Direction(StrEnum):
    """Which way a change has to go to count."""

    DOWN = "down"
    UP = "up"
    EITHER = "either"


@dataclass(frozen=True, slots=True)
class Limit:
    """A line that the question draws: values `below` it (or above). Without a value it is the lab's own, for "bad"."""

    below: bool | None = None
    value: float | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """A question as the plans take it."""

    kind: Kind
    language: Language = "en"
    parameters: tuple[str, ...] = ()
    qids: tuple[str, ...] = ()
    chip_id: str | None = None
    direction: Direction = Direction.EITHER
    window: Window = field(default_factory=Window)
    count: int = 5
    best: bool = False
    selection: Selection = "latest"
    limit: Limit | None = None
    """Of a ranking: name only the ones beyond this line."""
    by: Limit | None = None
    """Of a change: the smallest that the question wants to hear of."""
    why: bool = False
    """Whether the question also asks for the cause, which no plan can tell."""
    dead_only: bool = False
    """Of unmeasured qubits: the ones that never gave a result."""


_SNAKE = re.compile(r"(?<![\w-])([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?!\w)", re.ASCII)
_CHIP = re.compile(
    r"(?<![\w-])(\d+q-[\w-]+|\d+q ?v\d+)|\bchip\s+[\"'`]?([\w-]*\d[\w-]*)[\"'`]?|チップ\s*([\w-]*\d[\w-]*)",
    re.ASCII | re.IGNORECASE,
)
_COUPLING = re.compile(r"(?<![\w-])(?:q(?:ubit)?\s?)?0*(\d{1,4})\s*(?:->|[-–→])\s*(?:q(?:ubit)?\s?)?0*(\d{1,4})(?![\w-])", re.ASCII)
_JOINED = r"(?:\s*(?:,|、|・|&|/|\band\b|\bor\b|\bvs\b\.?|\bversus\b|\bwith\b|と|や|,\s*and\b)\s*(?:q(?:ubits?)?[\s_#]*|量子ビット\s*)?\d{1,4}(?![\w%]))*"
_QUBIT = re.compile(
    rf"(?<![\w.-])(?:q(?:ubits?)?[\s_#]*|量子ビット\s*)(\d{{1,4}})(?!\w)({_JOINED})(?:\s*(?:ー)?番)?", re.ASCII
)
_RANGE = re.compile(r"(?<!\w)(?:qubits?\s+|q)(\d{1,4})\s*(?:to|through|thru|~|〜|から)\s*(?:q)?(\d{1,4})(?!\w)(?!\s*日)", re.ASCII)
_NUMBERED = re.compile(r"(?<![\w.])(\d{1,4})番(?:目の|の)?(?:量子ビット|キュービット)", re.ASCII)
_NUMBER = re.compile(r"\d+", re.ASCII)
_LONGEST_RANGE = 64

_COUNT = re.compile(
    r"(?:top|worst|best|lowest|highest|bottom|first)[\s-]+(\d{1,3})\b(?!\s*(?:%|days?|weeks?|hours?|months?))"
    r"|(\d{1,3})\s+(?:worst|best|lowest|highest|poorest|longest|shortest|qubits|couplings)\b|(\d{1,3})\s*(?:つ|個)"
    r"|(?:下位|上位|ワースト|ベスト|トップ|最悪|最低|最高)\s*の?\s*(\d{1,3})",
    re.ASCII,
)
_UNIT = r"(%|percent(?:age points?)?|points?\b|ポイント|パーセント|us\b|µs|μs|ms\b|ns\b|microseconds?|マイクロ秒|ghz|mhz|khz)"
_BELOW = r"below|under|less than|lower than|shorter than|smaller than|worse than|<=?|at most|no more than|up to"
_ABOVE = r"above|over|more than|greater than|higher than|longer than|larger than|better than|exceed\w*|>=?|at least"
_LIMIT = re.compile(rf"(?:({_BELOW})|({_ABOVE}))\s*(-?\d+(?:\.\d+)?)\s*{_UNIT}?(?!\s*(?:hours?|days?|weeks?|months?|d\b|h\b|qubits|時間|日|週))", re.ASCII)
_LIMIT_JA = re.compile(
    rf"(-?\d+(?:\.\d+)?)\s*{_UNIT}?\s*(?:(以下|未満|を?下回|より(?:も)?(?:短|低|小さ|悪)|を?切)|(以上|超|を?上回|より(?:も)?(?:長|高|大き|良)))", re.ASCII
)
_BY = re.compile(rf"\bby\s+(?:more than\s+|at least\s+|over\s+)?(\d+(?:\.\d+)?)\s*{_UNIT}", re.ASCII)


def recognise(question: str, language: Language) -> Intent:
    """What the question asks for; kind `unknown` when no plan fits."""
    # NFKC: full-width letters, T₁, and µ for μ.
    text = unicodedata.normalize("NFKC", question).strip().replace("’", "'")
    chip_id, text = _chip(text)
    text = with_digits(text.lower())
    undated = without_dates(text)
    qids, without_qids = _qids(undated)
    parameters = _parameters(without_qids, qids)
    direction = _direction(text)
    ranked_best = _found(words.BEST, text) and not _found(words.SUPERLATIVE_LOW, text)
    limit, by = _limits(without_qids, direction)
    kind = _kind(text, parameters, qids, direction, limit, chip_id)
    if kind is Kind.WORST and not parameters and _found(words.COUPLINGS, text):
        parameters = (words.COUPLING_GATE,)
    if kind is Kind.WORST and limit is None and not _found(words.SUPERLATIVE_LOW, text) and not ranked_best:
        limit = Limit() if _found(f"{words.LOW}|{words.HEALTH}", text) else None
    count = _COUNT.search(undated)
    averaged = _found(r"\baverages?\b|\bmean\b|\baveraged\b|平均(?!読|ゲート|t)", text)
    return Intent(
        kind=kind,
        language=language,
        parameters=parameters,
        qids=qids,
        chip_id=chip_id,
        direction=direction or Direction.EITHER,
        window=window_of(text),
        count=max(1, int(next(group for group in count.groups() if group))) if count else 5,
        best=ranked_best or (kind is Kind.WORST and limit is None and _found(words.GOOD, text) and not _found(words.SUPERLATIVE_LOW, text)),
        selection="average" if averaged and _found(words.HEATMAP, text) else "best" if ranked_best and kind is Kind.HEATMAP else "latest",
        limit=limit if kind is Kind.WORST else None,
        by=by if kind is Kind.CHANGE else None,
        why=_found(words.CAUSE, text),
        dead_only=kind is Kind.UNMEASURED and _found(words.DEAD, text) and not _found(words.STALE, text),
    )


def _kind(
    text: str,
    parameters: Sequence[str],
    qids: Sequence[str],
    direction: Direction | None,
    limit: Limit | None,
    chip_id: str | None,
) -> Kind:
    """The first rule that fits; what is asked most exactly stands first."""
    if _found(words.FOREIGN, text):
        return Kind.UNKNOWN
    about_elements = _found(words.ELEMENT, text)
    about_chip = bool(about_elements or chip_id or _found(words.CHIP, text) or _is_bare(text))
    if _found(words.HEATMAP, text) and (parameters or about_chip):
        return Kind.HEATMAP
    if _found(words.PARAMETER_LIST, text) and not parameters:
        return Kind.PARAMETERS
    if qids and _found(words.COMPARE, text) and len(qids) > 1:
        return Kind.COMPARE
    if limit is not None and parameters:
        return Kind.WORST
    if direction is not None and (parameters or qids or about_chip) and not (_found(words.TREND, text) and qids):
        return Kind.CHANGE
    if not qids and not parameters and about_chip and _found(f"{words.DEAD}|{words.STALE}", text):
        return Kind.UNMEASURED
    if _found(words.NEIGHBOUR, text) and (qids or about_chip):
        return Kind.NEIGHBOURS
    if not qids and (parameters or about_chip):
        if (kind := _about_all(text, parameters)) is not None:
            return kind
        if parameters:
            return Kind.TREND if any(_is_of_couplings(name) for name in parameters) else Kind.HEATMAP
    if parameters and qids:
        return Kind.TREND
    if qids and (_found(f"{words.SHOW}|{words.HEALTH}|{words.COMPARE}|{words.TREND}|{words.LOW}|{words.GOOD}", text) or _only_ids(text)):
        return Kind.TREND if all(is_coupling(qid) for qid in qids) else Kind.COMPARE
    return Kind.UNKNOWN


def _about_all(text: str, parameters: Sequence[str]) -> Kind | None:
    """The kind of a question about no element in particular."""
    ranked = _found(f"{words.SUPERLATIVE_LOW}|{words.BEST}", text)
    if _found(words.TREND, text) and parameters:
        return Kind.TREND
    if _found(words.STATISTIC, text) and parameters and not ranked:
        return Kind.TREND if any(_is_of_couplings(name) for name in parameters) else Kind.HEATMAP
    if ranked or _found(f"{words.LOW}|{words.GOOD}", text) and (parameters or _found(words.ELEMENT, text)):
        return Kind.WORST
    if _found(f"{words.HEALTH}|{words.LOW}", text):
        return Kind.WORST if parameters or _found(words.COUPLINGS, text) else Kind.HEALTH
    return Kind.WORST if parameters and _found(words.COMPARE, text) else None


def _is_of_couplings(parameter: str) -> bool:
    return parameter.startswith(("zx90", "bell_"))


def _is_bare(text: str) -> bool:
    """Whether a question names nothing at all, so that it can only be about the chip: "anything wrong?", "調子は?"."""
    if re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", text):
        known = "|".join(
            (words.DOWN, words.UP, words.EITHER, words.HEALTH, words.SUPERLATIVE_LOW, words.LOW, words.BEST, words.GOOD, words.DEAD, words.STALE)
        )
        rest = re.sub(rf"{known}|過去|最近|直近|先週|今週|先月|今月|今日|昨日|以降|日間?|週間?|[かヶケカ箇]?月|時間|曜|月|火|水|木|金|土|何|個|教", "", text)
        return not re.search(r"[a-z\u30a1-\u30fa\u4e00-\u9fff]", rest)
    return set(re.findall(r"[a-z]+", text)) <= words.BARE_WORDS and bool(text)


def _only_ids(text: str) -> bool:
    """Whether nothing stands beside the ids."""
    rest = _QUBIT.sub(" ", _COUPLING.sub(" ", text))
    return not re.search(r"[a-z]{3,}|[\u30a1-\u30fa\u4e00-\u9fff]", re.sub(r"\b(?:and|the|qubits?|coupling|please)\b|量子ビット|カップリング|は", " ", rest))


def _direction(text: str) -> Direction | None:
    if _found(words.DOWN, text):
        return Direction.EITHER if _found(words.UP, text) else Direction.DOWN
    if _found(words.UP, text):
        return Direction.UP
    return Direction.EITHER if _found(words.EITHER, text) else None


def _parameters(text: str, qids: Sequence[str]) -> tuple[str, ...]:
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
    of_couplings = bool(qids) and all(is_coupling(qid) for qid in qids) or (not qids and _found(words.COUPLINGS, text))
    if of_couplings and named == ("average_gate_fidelity",):
        return (words.COUPLING_GATE,)
    if not named and _found(r"fidelit|忠実度", text):
        return (words.COUPLING_GATE,) if of_couplings else ("average_gate_fidelity",)
    if not named and of_couplings and qids:
        return (words.COUPLING_GATE,)
    return named


def _qids(text: str) -> tuple[tuple[str, ...], str]:
    """The ids that are named, in order, and the text without them."""
    found: list[tuple[int, str]] = []
    rest = text

    def blank(match: re.Match[str]) -> None:
        nonlocal rest
        rest = rest[: match.start()] + " " * (match.end() - match.start()) + rest[match.end() :]

    for match in _COUPLING.finditer(text):
        if _found(rf"{words.COUPLINGS}|ペア|\bpair\b|\bbell\b|ベル|\bzx90", text) or "q" in match.group(0):
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


def _chip(text: str) -> tuple[str | None, str]:
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


def _found(pattern: str, text: str) -> bool:
    # ASCII: Japanese letters are no word characters, so that "T1が" holds the word T1.
    return re.search(pattern, text, re.ASCII) is not None
