"""Of the settings, of skills and of what is fetched for them."""

from __future__ import annotations

from collections.abc import Mapping

SETTINGS: Mapping[str, str] = {
    "{name} cannot be read: {why}.": "{name} を読み取れません: {why}。",
    "Set it to {names}.": "{names} のいずれかを設定してください。",
    "Mend or remove the file.": "ファイルを修正するか、取り除いてください。",
    "{name} is no UTF-8 text.": "{name} は UTF-8 のテキストではありません。",
    "{name} is no address that is fetched from.": "{name} は取得できるアドレスではありません。",
    "{name} is not on the public Internet.": "{name} は公開されたインターネット上にありません。",
    "Only https://… without user and password is.": (
        "取得できるのは、ユーザー名とパスワードを含まない https://… だけです。"
    ),
    "What is in your own network, copy into a folder, and name that.": (
        "自分のネットワーク内のものはフォルダーにコピーし、そのフォルダーを指定してください。"
    ),
    "{name} is not fetched.": "{name} は取得されません。",
    "It takes features.external_url_fetch.enabled: true, and {name}=true of the administrator.": (
        "features.external_url_fetch.enabled: true と、管理者による {name}=true が必要です。"
    ),
    "{name} leads on and on.": "{name} は転送が続きます。",
    "Name the address at which it is.": "実際のアドレスを指定してください。",
    "{name} was not there after {seconds} s.": "{name} を{seconds}秒以内に取得できませんでした。",
    "Try again.": "もう一度試してください。",
    "Try again, or copy it here.": "もう一度試すか、ここにコピーしてください。",
    "{name} cannot be fetched: {why}.": "{name} を取得できません: {why}。",
    "Check it in a browser.": "ブラウザーで確認してください。",
    "Check it.": "確認してください。",
    "{name} has more than {size}.": "{name} が {size} を超えています。",
    "Name a smaller one.": "もっと小さいものを指定してください。",
    "There is a skill {name} already.": "スキル {name} はすでにあります。",
    "Give this one another name.": "別の名前にしてください。",
    "There is no front matter.": "フロントマターがありません。",
    "Begin with `---`, `name:`, `description:`, `---`.": "`---`、`name:`、`description:`、`---` で始めてください。",
    "The front matter is no YAML.": "フロントマターが YAML ではありません。",
    "Write `name:` and `description:` lines.": "`name:` と `description:` の行を書いてください。",
    "{name} is no name of a skill.": "{name} はスキルの名前として使えません。",
    "Use up to 64 lower-case letters, digits, hyphens.": "64 文字までの英小文字、数字、ハイフンにしてください。",
    "There is no description.": "説明（description）がありません。",
    "Say in one sentence when to read it.": "どんなときに読むものかを 1 文で書いてください。",
    "It is called {name}, and its folder {name2}.": "名前は {name} ですが、フォルダーは {name2} です。",
    "Give both one name.": "両方を同じ名前にしてください。",
    "There is no model {name} in the settings; there are {names}.": (
        "設定にモデル {name} はありません。あるのは {names} です。"
    ),
    "Add it to `models` in copilot.yaml: docs/models.md has recipes.": (
        "copilot.yaml の `models` に追加してください。例は docs/models.md にあります。"
    ),
}
