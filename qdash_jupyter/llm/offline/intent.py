"""What a question asks for: recognised by words, in English and Japanese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from qdash_jupyter.domain.qid import normalise_qid

Language = Literal["en", "ja"]


class Kind(StrEnum):
    """The questions that have a plan."""

    HEALTH = "health"
    CHANGE = "change"
    WORST = "worst"
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
class Window:
    """How far back: `days` before now, or since a weekday (0 is Monday) or an ISO date."""

    days: float = 30.0
    weekday: int | None = None
    date: str | None = None
    named: bool = False
    """Whether the question itself said so."""


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
    selection: Literal["latest", "best", "average"] = "latest"


_PARAMETERS: tuple[tuple[str, str], ...] = (
    (
        r"zx\s*90[\s_]*(?:gate[\s_]*)?(?:fidelit|忠実)|two[\s-]*qubit gate|2\s*q(?:ubit)? gate|cr gate|2量子ビットゲート",
        "zx90_gate_fidelity",
    ),
    (r"bell", "bell_state_fidelity"),
    (r"x90[\s_]*(?:gate[\s_]*)?(?:fidelit|忠実)", "x90_gate_fidelity"),
    (r"x180[\s_]*(?:gate[\s_]*)?(?:fidelit|忠実)", "x180_gate_fidelity"),
    (r"read[\s-]*out[\s_]*freq|読み出し周波数", "readout_frequency"),
    (r"read[\s-]*out(?!_)|読み出し|リードアウト|assignment fidelit", "average_readout_fidelity"),
    (r"ramsey[\s_]*freq", "ramsey_frequency"),
    (r"(?:gate|ゲート)[\s_]*(?:fidelit|error|忠実)|clifford|(?<!\w)rb(?!\w)|ゲート忠実度", "average_gate_fidelity"),
    (r"t\s*1[\s_]*average", "t1_average"),
    (r"(?<![\w])t_?1(?!\w*\d)(?![\w]*_)|energy relaxation|緩和時間", "t1"),
    (r"t_?2[\s_]*echo[\s_]*average", "t2_echo_average"),
    (r"t_?2[\s_]*(?:star|\*)|ramsey|ラムゼー", "t2_star"),
    (r"(?<!\w)t_?2(?:[\s_]*(?:echo|e))?(?!\w)|エコー|(?<!de)coherence time|位相緩和", "t2_echo"),
    (r"anharmonicit|非調和", "anharmonicity"),
    (r"frequenc|周波数|(?<!\w)f01(?!\w)", "qubit_frequency"),
    (r"(?<!\w)hpi[\s_]*amp", "hpi_amplitude"),
)
"""Words for parameters; the first that fits a place wins there, so the longer names stand first."""

_SNAKE = re.compile(r"(?<![\w-])([a-z][a-z0-9]*(?:_[a-z0-9]+)+)(?![\w])", re.ASCII)
_CHIP = re.compile(
    r"(?<![\w-])(\d+[Qq]-[\w-]+|\d+[Qq][vV]\d+)|\bchip\s+([\"'`]?)([\w-]*\d[\w-]*)\2|チップ\s*([\w-]*\d[\w-]*)"
)
_COUPLING = re.compile(r"(?<![\w-])q?0*(\d+)\s*[-–→]\s*q?0*(\d+)(?![\w-])", re.IGNORECASE | re.ASCII)
_QUBIT = re.compile(
    r"(?<![\w.-])(?:q(?:ubit)?s?[\s_#]*|量子ビット\s*)(\d{1,4})(?![\w])((?:\s*(?:,|and|&|と|、|or|vs\.?|versus)\s*(?:q(?:ubit)?[\s_#]*)?\d{1,4}(?!\w))*)",
    re.IGNORECASE | re.ASCII,
)
_NUMBER = re.compile(r"\d+")

_DOWN = r"\blos[te]|\bloss|losing|drop|\bfell\b|\bfall|decreas|degrad|worse|declin|went down|\bdown\b|deteriorat|低下|下が|落ち|悪化|減少|失|劣化|短く"
_UP = r"\brose\b|\brise|improv|\bgain|increas|better than|went up|recover|got better|上が|上昇|改善|向上|増加|回復"
_EITHER = r"chang|jump|shift|drift|\bmoved?\b|unstable|what happened|what is new|what's new|変化|変わ|飛|ジャンプ|ずれ|シフト|ドリフト|変動"
_HEATMAP = r"heat\s*-?map|chip map|\bmap of\b|on the grid|ヒートマップ|マップ"
_COMPARE = r"compar|\bvs\b|versus|difference between|differ from|比較|比べ|違い"
_TREND = (
    r"trend|over time|histor|evolution|evolve|time\s*series|timeline|\bplot\b|推移|トレンド|履歴|時系列|経時|グラフ"
)
_WORST = (
    r"\bworst|\blowest|\bpoor|\bweakest|\bbad\b|\bshortest|\bbottom|\blow\b|最悪|悪い|低い|ワースト|最低|最も低|短い"
)
_BEST = r"\bbest|\bhighest|\btop\b|\blongest|\bgood\b|最高|良い|高い|ベスト|最も高|長い"
_HEALTH = r"health|status|overview|summar|how is|how's|how are|\bstate of\b|anything wrong|problem|\bdead\b|\bissues?\b|report on|健康|状態|概要|調子|サマリ|全体|問題|異常"
_PARAMETER_LIST = r"(?:which|what|list|available).{0,20}(?:parameter|metric)s?\b|パラメータ.{0,6}(?:一覧|ある|リスト|種類)|利用可能なパラメータ"
_NEIGHBOUR = r"neighbou?r|adjacent|coupled to|connected to|topology|隣接|隣|トポロジ|結合して"

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS_JA = "月火水木金土日"
_SPANS = (
    (r"(\d+(?:\.\d+)?)\s*-?\s*(?:hours?|hrs?|h\b|時間)", 1 / 24),
    (r"(\d+(?:\.\d+)?)\s*-?\s*(?:days?|d\b|日間?)", 1.0),
    (r"(\d+(?:\.\d+)?)\s*-?\s*(?:weeks?|w\b|週間?)", 7.0),
    (r"(\d+(?:\.\d+)?)\s*-?\s*(?:months?|[かヶケカ箇]?月間?)", 30.0),
)
_NAMED_SPANS = (
    (r"(?:last|past|this|previous)\s+week|since last week|先週|今週|この一週間|1週間|ここ一週間", 7.0),
    (r"(?:last|past|this|previous)\s+month|since last month|先月|今月|この一ヶ月|ここ一か月|ここ一ヶ月", 30.0),
    (r"(?:last|past)\s+(?:quarter|three months)", 90.0),
    (r"\byesterday\b|昨日", 1.0),
    (r"\btoday\b|今日|本日", 1.0),
)
_ISO_DATE = re.compile(r"(?:since|from|after)?\s*(\d{4}-\d{2}-\d{2})|(\d{4}-\d{2}-\d{2})\s*(?:から|以降)")
_COUNT = re.compile(
    r"(?:top|worst|best|lowest|highest|bottom)\s+(\d{1,3})\b|(\d{1,3})\s+(?:worst|best|lowest|highest|qubits|couplings)\b|(\d{1,3})\s*(?:つ|個)|(?:下位|上位|ワースト|ベスト)\s*(\d{1,3})",
    re.IGNORECASE | re.ASCII,
)


def _found(pattern: str, text: str) -> re.Match[str] | None:
    # ASCII: Japanese letters are no word characters, so that "T1が" holds the word T1.
    return re.search(pattern, text, re.ASCII)


def recognise(question: str, language: Language) -> Intent:
    """What the question asks for; kind `unknown` when no plan fits."""
    text = question.strip()
    lowered = text.lower()
    chip_id, lowered = _chip(lowered, text)
    parameters = _parameters(lowered)
    qids = _qids(lowered)
    direction = _direction(lowered)
    best = bool(_found(_BEST, lowered)) and not _found(_WORST, lowered)
    count = _COUNT.search(lowered)
    return Intent(
        kind=_kind(lowered, parameters, qids, direction),
        language=language,
        parameters=parameters,
        qids=qids,
        chip_id=chip_id,
        direction=direction or Direction.EITHER,
        window=_window(lowered),
        count=int(next(group for group in count.groups() if group)) if count else 5,
        best=best,
        selection="average" if _found(r"average of|\bmean\b|averaged|平均", lowered) else "best" if best else "latest",
    )


def _kind(text: str, parameters: Sequence[str], qids: Sequence[str], direction: Direction | None) -> Kind:
    if _found(_HEATMAP, text):
        return Kind.HEATMAP
    if _found(_PARAMETER_LIST, text) and not parameters:
        return Kind.PARAMETERS
    if _found(_COMPARE, text) and (qids or parameters):
        return Kind.COMPARE
    if direction is not None and not (_found(_TREND, text) and qids):
        return Kind.CHANGE
    if _found(_TREND, text) and parameters:
        return Kind.TREND
    if _found(_NEIGHBOUR, text):
        return Kind.NEIGHBOURS
    if _found(_HEALTH, text) and not parameters and not qids:
        return Kind.HEALTH
    if _found(_WORST, text) or _found(_BEST, text):
        return Kind.WORST
    if _found(_HEALTH, text) and not qids:
        return Kind.WORST if parameters else Kind.HEALTH
    if parameters and qids:
        return Kind.TREND
    if qids and _found(r"\bshow\b|parameter|values?\b|how is|how's|status|状態|パラメータ|値|教えて", text):
        return Kind.COMPARE
    return Kind.UNKNOWN


def _direction(text: str) -> Direction | None:
    if _found(_DOWN, text):
        return Direction.EITHER if _found(_UP, text) else Direction.DOWN
    if _found(_UP, text):
        return Direction.UP
    return Direction.EITHER if _found(_EITHER, text) else None


def _parameters(text: str) -> tuple[str, ...]:
    """All parameters named, in the order of the question; unknown snake_case words count as such, so that a wrong
    name gets an error that lists the right ones.
    """
    found: dict[int, str] = {}
    rest = text
    for match in _SNAKE.finditer(text):
        found[match.start()] = match.group(1)
        rest = rest[: match.start()] + " " * len(match.group(0)) + rest[match.end() :]
    for pattern, parameter in _PARAMETERS:
        for match in re.finditer(pattern, rest, re.ASCII):
            found[match.start()] = parameter
            rest = rest[: match.start()] + " " * (match.end() - match.start()) + rest[match.end() :]
    return tuple(dict.fromkeys(found[place] for place in sorted(found)))


def _qids(text: str) -> tuple[str, ...]:
    found: list[tuple[int, str]] = []
    rest = text
    for match in _COUPLING.finditer(text):
        if _ISO_DATE.search(text[max(0, match.start() - 5) : match.end() + 4]):
            continue
        if "coupling" in text or "q" in match.group(0) or "結合" in text or "カップリング" in text:
            found.append((match.start(), f"{int(match.group(1))}-{int(match.group(2))}"))
            rest = rest[: match.start()] + " " * len(match.group(0)) + rest[match.end() :]
    for match in _QUBIT.finditer(rest):
        numbers = [match.group(1), *_NUMBER.findall(match.group(2) or "")]
        found.extend((match.start(), qid) for number in numbers if (qid := normalise_qid(number)))
    return tuple(dict.fromkeys(qid for _, qid in sorted(found, key=lambda pair: pair[0])))


def _chip(lowered: str, original: str) -> tuple[str | None, str]:
    """The chip that is named, and the question without it (its digits must not be read as qubits)."""
    match = _CHIP.search(original)
    if match is None:
        return None, lowered
    chip_id = match.group(1) or match.group(3) or match.group(4)
    return chip_id, lowered[: match.start()] + " " * (match.end() - match.start()) + lowered[match.end() :]


def _window(text: str) -> Window:
    if match := _ISO_DATE.search(text):
        return Window(date=match.group(1) or match.group(2), named=True)
    for pattern, days in _SPANS:
        if match := _found(pattern, text):
            return Window(days=float(match.group(1)) * days, named=True)
    for index, name in enumerate(_WEEKDAYS):
        if _found(rf"(?:since|from|after)\s+(?:last\s+)?{name}", text) or f"{_WEEKDAYS_JA[index]}曜" in text:
            return Window(weekday=index, named=True)
    for pattern, days in _NAMED_SPANS:
        if _found(pattern, text):
            return Window(days=days, named=True)
    return Window()
