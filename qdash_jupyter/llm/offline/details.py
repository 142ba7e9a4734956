"""What a question says beside ids, parameters and times: tasks, runs, how they ended, how many, whose words.

Each goes to the tools under the name of their argument, as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_FLAGS = re.ASCII | re.IGNORECASE


@dataclass(frozen=True, slots=True)
class Detail:
    """An argument, the words that give it, and the value: of the match, or always the same one."""

    argument: str
    words: str
    value: Callable[[re.Match[str]], Any] | str | bool


def _first(match: re.Match[str]) -> str:
    return next(group for group in (*match.groups(), match.group(0)) if group)


NAMES = (
    Detail("entity_id", r"(?<![\w:])[a-z]\w*:\d+(?:-\d+)?:[^\s:]+:[\w-]+", _first),
    Detail("execution_id", r"(?<![\w-])\d{8}-\d{3,}(?![\w-])", _first),
    Detail(
        "task_name",
        r"(?<![\w-])(?:(?:check|create)_?[a-z0-9]\w+|readout_?classification"
        r"|(?:z?x\d+_?interleaved_?)?randomized_?benchmarking)(?!\w)",
        _first,
    ),
    Detail(
        "execution_id",
        r"\b(?:run|execution)(?:\s+id)?\s+[\"'`]?(?!\d{4}-\d\d?-\d)((?=[\w-]*\d)[a-z0-9][\w-]{3,})",
        _first,
    ),
    Detail("kind", r"(?<!\w)[a-z]\w*_params(?!\w)", lambda match: _first(match).lower()),
    Detail(
        "tags", r"\btag(?:ged)?(?:\s+(?:with|as))?\s+[\"'`]?([\w-]+)|タグ\s*([\w-]+)", lambda match: [_first(match)]
    ),
    Detail("text", r"[\"“「]([^\"”」]{2,60})[\"”」]", lambda match: _first(match).lower()),
)
"""Names, which are taken out of the question before anything else is looked for in it."""

WORDS = (
    Detail("status", r"\bfail\w*|失敗", "failed"),
    Detail("status", r"\brunning\b|実行中", "running"),
    Detail("status", r"\bcompleted\b|\bsuccess\w*|\bsucceeded\b|成功|完了", "completed"),
    Detail("status", r"\bcancel\w*|キャンセル|中止", "cancelled"),
    Detail("status", r"\bskipped\b|スキップ", "skipped"),
    Detail("status", r"\bpending\b|待機中", "pending"),
    Detail("status", r"\bscheduled\b|予定", "scheduled"),
    Detail("include_excluded", r"\bexcluded\b|除外", True),  # noqa: FBT003 - a value, as the others
    Detail("cooldown_id", r"\b(?:this|current) cool[\s-]?down\b|今回のクールダウン|現在のクールダウン", "current"),
    Detail("kind", r"\bissues?\b|課題", "issue"),
    Detail("is_open", r"\bopen issues?\b|未解決", True),  # noqa: FBT003 - as above
    Detail("kind", r"\bforum\b|フォーラム", "forum"),
    Detail("kind", r"\bcool[\s-]?down notes?\b|クールダウンの(?:メモ|ノート)", "cooldown"),
    Detail("kind", r"\bchip notes?\b|\bnotes? (?:of|on|about) the chip\b|チップの(?:メモ|ノート)", "chip"),
    Detail(
        "text",
        r"\b(?:mention\w*|contain\w*|about|notes? for)\s+(?:the\s+)?"
        r"(?!q\d|(?:qubits?|couplings?|chip|it|this|that|them|the|calibrations?)\b)([a-z][\w-]+"
        r"(?:\s+(?!(?:this|last|past|in|on|of|since|from|by|for|and|or|during|before|until|between|today|please)\b)[a-z][\w-]+)?)"
        r"|([\u3041-\u30fc\u4e00-\u9fffa-z0-9]+?)(?:に関する|についての)(?:メモ|ノート)",
        _first,
    ),
    Detail(
        "last_n",
        r"\b(?:last|latest|newest|recent|previous)\s+(\d{1,4})\b(?!\s*(?:%|(?:hour|day|night|week|month|year|min)))"
        r"|(?<![\w.])(\d{1,4})\s+(?:\w+\s+){0,3}?(?:results?|measurements?|runs?|versions?|notes?|executions?)\b"
        r"|(?<![\d.])(\d{1,4})\s*(?:件|回)",
        lambda match: max(1, int(_first(match))),
    ),
)
"""Words, which stay: they also tell what kind of question it is. The first that fits an argument wins."""


def named_in(text: str) -> tuple[dict[str, Any], str]:
    """The names in a question, by argument, and the question without them."""
    said: dict[str, Any] = {}
    for detail in NAMES:
        match = re.search(detail.words, text, _FLAGS)
        if match is not None and detail.argument not in said:
            said[detail.argument] = _value(detail, match)
            text = text[: match.start()] + " " * (match.end() - match.start()) + text[match.end() :]
    return said, text


def worded_in(text: str) -> dict[str, Any]:
    """What the words of a (lower-case) question without ids and dates say, by argument."""
    said: dict[str, Any] = {}
    for detail in WORDS:
        if detail.argument not in said and (match := re.search(detail.words, text, _FLAGS)):
            said[detail.argument] = _value(detail, match)
    return said


def _value(detail: Detail, match: re.Match[str]) -> Any:
    return detail.value(match) if callable(detail.value) else detail.value
