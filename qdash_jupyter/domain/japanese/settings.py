"""Of the settings, of skills and of what is fetched for them."""

from __future__ import annotations

from collections.abc import Mapping

SETTINGS: Mapping[str, str] = {
    "{name} holds a {kind}, not knowledge by task name.": (
        "{name} の内容は {kind} で、タスク名ごとの知識になっていません。"
    ),
    "{name} is no JSON: line {line}, column {column}: {why}.": (
        "{name} は JSON ではありません（{line}行{column}列: {why}）。"
    ),
    "The task knowledge {name} cannot be read: {why}.": "タスク知識 {name} を読み取れません: {why}。",
    "The task knowledge {name} is wrong at {text}{text2}.": "タスク知識 {name} に誤りがあります: {text}{text2}。",
    "Correct the file, or `task_knowledge` in copilot.yaml.": (
        "そのファイル、または copilot.yaml の `task_knowledge` を修正してください。"
    ),
    "{name} holds no object.": "{name} の内容がオブジェクトではありません。",
    "Write settings by name.": "設定を名前ごとに書いてください。",
    "{name} is longer than 1 MB.": "{name} が 1 MB を超えています。",
    "Make it shorter: a model reads it.": "モデルが読むものなので、短くしてください。",
    "{name} cannot be read: {why}.": "{name} を読み取れません: {why}。",
    "Mend or remove it.": "修正するか、取り除いてください。",
    "PREDEFINED_EXTRA_PATHS names {name}, which is no folder.": (
        "PREDEFINED_EXTRA_PATHS の {name} はフォルダーではありません。"
    ),
    "{name} names {text}, which is no file.": "{name} が指す {text} はファイルではありません。",
    "Correct or unset it.": "修正するか、設定を外してください。",
    "QDASH_COPILOT_API_STYLE is {text}.": "QDASH_COPILOT_API_STYLE の値が {text} です。",
    "Set it to {names}.": "{names} のいずれかを設定してください。",
    "Settings {where}: {doubled}": "設定（{where}）: {doubled}",
    "{name} and {name2} are one setting; write {name3} alone.": (
        "{name} と {name2} は同じ設定です。{name3} だけを書いてください。"
    ),
    "Keep one.": "どちらか 1 つを残してください。",
    "Keep one of {names}.": "{names} のうち 1 つを残してください。",
    "Settings {where} are wrong: {why}.": "設定（{where}）に誤りがあります: {why}。",
    "Settings {where} name more than one database.": "設定（{where}）に複数のデータベースが指定されています。",
    "in {name}": "{name}",
    "in the environment ({names})": "環境変数 {names}",
    "in the options": "オプション",
    "in JupyterLab's settings": "JupyterLab の設定",
    "Correct them, or remove the key for its default.": "修正するか、キーを取り除いて既定値にしてください。",
    "Mend or remove the file.": "ファイルを修正するか、取り除いてください。",
    "{name} holds a {kind}, not settings by name.": "{name} の内容は {kind} で、名前ごとの設定になっていません。",
    "Write `key: value` lines.": "`key: value` の形で書いてください。",
    "{name} holds no copilot settings of QDash.": "{name} に QDash の copilot の設定がありません。",
    "Name its folder `copilot` (with {names}) or one file.": (
        "フォルダー `copilot`（{names} を含むもの）か、1 つのファイルを指定してください。"
    ),
    "There is no {name}.": "{name} がありません。",
    "Name the folder of a copilot.yaml.": "copilot.yaml のあるフォルダーを指定してください。",
    "{name} cannot be written: {why}.": "{name} に書き込めません: {why}。",
    "Set {name}={text}.": "{name}={text} を設定してください。",
    "{name} is no UTF-8 text.": "{name} は UTF-8 のテキストではありません。",
    "Name the address of a SKILL.md.": "SKILL.md のアドレスを指定してください。",
    "language.{name} is {text}; there are {names}.": "language.{name} の値が {text} です。使えるのは {names} です。",
    "docs/extending.md says how to add a language.": "言語の追加方法は docs/extending.md にあります。",
    "No package adds a reader {name}; there are: {names}.": (
        "リーダー {name} を追加するパッケージがありません。あるもの: {names}。"
    ),
    "Install its package, or correct database.reader.": (
        "そのパッケージをインストールするか、database.reader を修正してください。"
    ),
    "The {what} cannot be opened: {name}: {why}.": "{what} を開けません: {name}: {why}。",
    "reader {name}": "リーダー {name} ",
    "model {name}": "モデル {name} ",
    "It comes from another package; the log says more.": "別のパッケージのものです。詳細はログにあります。",
    "The log says why. `orchestrator: {deployment: offline}` needs none.": (
        "理由はログにあります。`orchestrator: {{deployment: offline}}` ならモデルは不要です。"
    ),
    "{name}: {text} is no name of a field or parameter.": "{name}: {text} は項目やパラメータの名前ではありません。",
    "{name}: {text} cannot be withheld: answers are made of it.": (
        "{name}: {text} は回答に必要なため、除外できません。"
    ),
    "Names have letters, digits and underscores; * is any characters.": (
        "名前に使えるのは文字、数字、下線で、* は任意の文字列です。"
    ),
    "Take it out of the list.": "リストから取り除いてください。",
    "Where the files of the results are is not set.": "結果のファイルの場所が設定されていません。",
    "Name this machine's folder for QDash's calib_data: `database: {calib_data: …}` in copilot.yaml.": (
        "QDash の calib_data にあたるこのマシンのフォルダーを copilot.yaml の `database: {{calib_data: …}}` に"
        "指定してください。"
    ),
    "There is no model {name} in the settings; there are {names}.": (
        "設定にモデル {name} はありません。あるのは {names} です。"
    ),
    "Add it to `models` in copilot.yaml: docs/models.md has recipes.": (
        "copilot.yaml の `models` に追加してください。例は docs/models.md にあります。"
    ),
}
