"""What the planner says of the user's own cells and variables: what it is told of them, and that it can do no more."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from qdash_jupyter.domain.language import Words
from qdash_jupyter.domain.safe_text import harmless_words, one_line
from qdash_jupyter.llm.offline.phrases import Say

_NO_MODEL = Words(
    "The offline planner is no language model and cannot mend code. To have one do it, name a model "
    "(`QDASH_COPILOT_MODEL` and the key of its server, or `models` in copilot.yaml): docs/models.md.",
    "オフラインプランナーは言語モデルではなく、コードを直せません。言語モデルに直させるには、モデルを設定してください"
    "(`QDASH_COPILOT_MODEL` とサーバーのキー、または copilot.yaml の `models`): docs/models.md。",
)
_FAILED = Words("The cell failed with `{}`", "このセルは `{}` で失敗しました")
_AT = Words(", in `{}`", "(`{}`)")
_CANNOT = Words(
    "The offline planner computes nothing with your own variables. A language model can: docs/models.md.",
    "オフラインプランナーはあなたの変数では計算できません。言語モデルならできます: docs/models.md。",
)
_TABLE = Words("{} is a {} of {} rows", "{} は {}、{} 行")
_COLUMNS = Words(" and {} columns: {}", "、{} 列: {}")
_SERIES = Words(" of {}", "、型は {}")
_ARRAY = Words("{} is an array of shape {} of {}", "{} は形状 {}、型 {} の配列です")
_END = Words(".", "。")
_OTHER = Words("{}: {}", "{}: {}")

_PLAIN = re.compile(
    r"@\w+|\b(?:what|which|how|many|is|are|in|the|of|a|an|describe|show|me|shape|columns?|rows?|size|d?types?|head"
    r"|look|like|does|do|has|have|names?|tell|about|and|please|this|table|array|its?|kind|there)\b"
    r"|何|なに|列|行|形状?|型|ですか|です|説明|教えて|して|ください|いくつ|は|の|を|が|と|名|数|どんな|テーブル|表|。|、",
    re.IGNORECASE | re.ASCII,
)


def of_failed_cell(error: str, say: Say) -> str:
    """The error by its name and its line, and why that is all. `error` is its text as a model reads it."""
    *lines, last = error.strip().split("\n")
    words = say(_FAILED, _code(last))
    places = [line for line in lines if line.startswith("line ")]
    at = say(_AT, _code(places[-1])) if places else ""
    return f"{words}{at}{say(_END)}\n\n{say(_NO_MODEL)}"


def of_named(question: str, named: Mapping[str, Any], say: Say) -> str:
    """What the variables are; where the question asks for more, that it cannot be done."""
    lines = [_of_one(f"`{name}`", told, say) + say(_END) for name, told in named.items()]
    if re.search(r"\w", _PLAIN.sub(" ", question)):
        lines.append(say(_CANNOT))
    return "\n\n".join(lines)


def _of_one(name: str, told: Mapping[str, Any], say: Say) -> str:
    kind = told.get("type", "")
    if "shape" in told:
        return say(_ARRAY, name, " × ".join(map(str, told["shape"])) or "()", told["dtype"])
    if "rows" not in told:
        return say(_OTHER, name, told.get("not_told") or kind)
    words = say(_TABLE, name, kind, told["rows"])
    if "columns" not in told:
        return words + say(_SERIES, told["dtype"])
    columns = [
        f"{harmless_words(label)} ({dtype})" if dtype else harmless_words(label)
        for label, dtype in told["columns"].items()
    ]
    more = told.get("more_columns", 0)
    return words + say(_COLUMNS, len(columns) + more, ", ".join([*columns, *(["…"] if more else [])]))


def _code(text: str) -> str:
    return one_line(text).replace("`", "'")
