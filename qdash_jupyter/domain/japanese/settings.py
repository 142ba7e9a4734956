"""Of the settings, of skills and of what is fetched for them."""

from __future__ import annotations

from collections.abc import Mapping

SETTINGS: Mapping[str, str] = {
    "{name} cannot be read: {why}.": "{name} を読み取れません: {why}。",
    "Set it to {names}.": "{names} のいずれかを設定してください。",
    "Mend or remove the file.": "ファイルを修正するか、取り除いてください。",
    "{name} is no UTF-8 text.": "{name} は UTF-8 のテキストではありません。",
    "There is no model {name} in the settings; there are {names}.": (
        "設定にモデル {name} はありません。あるのは {names} です。"
    ),
    "Add it to `models` in copilot.yaml: docs/models.md has recipes.": (
        "copilot.yaml の `models` に追加してください。例は docs/models.md にあります。"
    ),
}
