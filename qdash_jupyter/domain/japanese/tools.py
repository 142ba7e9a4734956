"""Of tools: what was asked for and is not there, and what a server of a declared tool did."""

from __future__ import annotations

from collections.abc import Mapping

TOOLS: Mapping[str, str] = {
    # What does not exist, and the nearest.
    "There is no {what} {text}.": "{what} {text} はありません。",
    "There is no {what} {text} {place}.": "{place}{what} {text} はありません。",
    "There is no {what} {text}{place}.": "{place}{what} {text} はありません。",
    "There is no {what} at all.": "{what}が 1 つもありません。",
    "There is no {what} {place} at all.": "{place}{what}が 1 つもありません。",
    "There is no {what}{place} at all.": "{place}{what}が 1 つもありません。",
    "Did you mean {text}?": "もしかして: {text}",
    "There are: {text}.": "あるもの: {text}。",
    "There are: {text}{text2}.": "あるもの: {text}{text2}。",
    "a file of this skill": "このスキルのファイル",
    "calibration note of run": "次の実行のキャリブレーションノート",
    "chip": "チップ",
    "cool-down": "クールダウン",
    "coupling": "カップリング",
    "entity": "エンティティ",
    "file": "ファイル",
    "kind of note": "ノートの種類",
    "metric": "指標",
    "parameter": "パラメータ",
    "project": "プロジェクト",
    "qubit": "量子ビット",
    "result": "結果",
    "run": "実行",
    "table": "表",
    "tag": "タグ",
    "task": "タスク",
    "task id": "タスク ID",
    "task_id": "タスク ID",
    "tool": "ツール",
    "user": "ユーザー",
    "variable or stored result": "変数または保存された結果",
    "on chip {name}": "チップ {name} に",
    "of {name} on {name2}": "{name2} の {name} に",
    "in the newest {number}": "最新の{number}件に",
    "on this server": "このサーバーに",
    "with a chip": "チップのある",
    "with a run {place}": "{place}実行のある",
    "in project {name}": "プロジェクト {name} に",
    "among the qubits of {name}": "{name} の量子ビットに",
    "among the couplings of {name}": "{name} のカップリングに",
    "among the {kind}s of {name}": "{name} の{kind}に",
    # What was never measured.
    "{name} has no result of {name2}.": "{name} に {name2} の結果がありません。",
    "Which results is not said.": "どの結果かが指定されていません。",
    "Give task_name (and qid), or task_id.": "task_name（と qid）、または task_id を指定してください。",
    "Nobody waits for the verdicts any more.": "判定はもう必要とされていません。",
    "No version of {name} is known.": "{name} のバージョンがありません。",
    "The analysis gave no table.": "解析の結果に表がありませんでした。",
    "The newest {number} notes say nothing about {name}.": "最新の{number}件のノートに {name} の記載がありません。",
    "They hold {names}.": "内容は {names} です。",
    "No calibration note was written {place}.": "{place}キャリブレーションノートがありません。",
    "No calibration note fits all of these.": "条件すべてに合うキャリブレーションノートがありません。",
    "The newest is of {name}, from {time}.": "最新は {name}（{time}）です。",
    "The newest is {name} from {time}.": "最新は {name}（{time}）です。",
    "an unknown time": "時刻不明",
    "Chip {name} has no qubits.": "チップ {name} に量子ビットがありません。",
    "The database has no chip.": "データベースにチップがありません。",
    "Check the database name and the project.": "データベース名とプロジェクトを確認してください。",
    "Several chips could be meant: {names}.": "該当しうるチップが複数あります: {names}。",
    "Several projects have a chip {name}: {names}.": "チップ {name} が複数のプロジェクトにあります: {names}。",
    "Name the chip, as project/chip where two have the same id.": (
        "チップを指定してください。同じ ID が複数ある場合は project/chip の形にしてください。"
    ),
    "The ids are of qubits and of couplings.": "量子ビットの ID とカップリングの ID が混ざっています。",
    "Ask for them in two calls.": "2 回に分けて問い合わせてください。",
    "Qubit {name} of chip {name2} has no couplings.": "チップ {name2} の量子ビット {name} にカップリングがありません。",
    "get_chip_topology lists all.": "一覧は get_chip_topology で得られます。",
    "Which coupling is meant?": "カップリングが指定されていません。",
    "Give coupling_id, or qubit_id for all its couplings.": (
        "coupling_id、または（そのすべてのカップリングなら）qubit_id を指定してください。"
    ),
    "There is no {name} of {whose}.": "{whose}の {name} がありません。",
    "qubit {name} of chip {name2}": "チップ {name2} の量子ビット {name} ",
    "coupling {name} of chip {name2}": "チップ {name2} のカップリング {name} ",
    "Qubit {name} of chip {name2}": "チップ {name2} の量子ビット {name} ",
    "Coupling {name} of chip {name2}": "チップ {name2} のカップリング {name} ",
    "qubit {name}": "量子ビット {name} ",
    "coupling {name}": "カップリング {name} ",
    "the qubits": "量子ビット",
    "the couplings": "カップリング",
    "{whose} was never calibrated.": "{whose}は一度もキャリブレーションされていません。",
    "It has no results.": "結果がありません。",
    "{whose} has no current values.": "{whose}に現在の値がありません。",
    "There are {what}: read them as a series.": "{what}があります。時系列として読み取ってください。",
    "results of {names}": "{names} の結果",
    "results without values": "値のない結果",
    "QDash's history has no values of {what} of chip {name} from before {time}.": (
        "QDash の履歴に、チップ {name} の{what}の {time} 以前の値がありません。"
    ),
    "It has a row for each day with a calibration.": "履歴にはキャリブレーションのあった日ごとに行があります。",
    "Older results are read as a series.": "それより古い結果は時系列として読み取れます。",
    "It has a row for each day with a calibration. Older results are read as a series.": (
        "履歴にはキャリブレーションのあった日ごとに行があります。それより古い結果は時系列として読み取れます。"
    ),
    "No run of a flow was recorded on chip {name}.": "チップ {name} にフローの実行記録がありません。",
    "No run fits all of these.": "条件すべてに合う実行がありません。",
    "No {name} was ever measured on {name2}.": "{name2} で {name} は一度も測定されていません。",
    "list_available_parameters names what was.": "測定されたものは list_available_parameters でわかります。",
    "No {name} was {when} on {name2}.": "{name2} で {name} は{when}測定されていません。",
    "measured": "",
    "measured {when}": "{when}",
    "The last one is from {time} UTC: widen the time range.": "最後の測定は {time} UTC です。期間を広げてください。",
    "The last one is from {time} UTC: ask for more than that.": (
        "最後の測定は {time} UTC です。それを含む期間で質問してください。"
    ),
    "within_hours and since are both given.": "within_hours と since の両方が指定されています。",
    "Give one of them.": "どちらか 1 つを指定してください。",
    "Provenance recorded no version of {name} of {name2}, although it was measured.": (
        "{name2} の {name} は測定されていますが、来歴にバージョンの記録がありません。"
    ),
    "get_parameter_timeseries has its measurements.": "測定値は get_parameter_timeseries で得られます。",
    "{name} was never measured on {name2}.": "{name2} で {name} は一度も測定されていません。",
    "Measured there: {names}.": "測定されたもの: {names}。",
    "nothing": "なし",
    "{name} is no entity id.": "{name} はエンティティ ID ではありません。",
    "Its form is <parameter>:<qid>:<execution_id>:<task_id>; get_parameter_lineage lists them.": (
        "形式は <parameter>:<qid>:<execution_id>:<task_id> で、get_parameter_lineage で一覧が得られます。"
    ),
    "Nothing was measured on {name} of {name2}: it has no completed results.": (
        "{name2} の {name} には完了した結果がなく、測定値がありません。"
    ),
    "Nothing was measured on {name}: it has no completed results.": (
        "{name} には完了した結果がなく、測定値がありません。"
    ),
    "{name} is a coupling.": "{name} はカップリングです。",
    "get_coupling_params reads the parameters of couplings.": (
        "カップリングのパラメータは get_coupling_params で読み取れます。"
    ),
    "Chip {name} is in no cool-down now.": "チップ {name} は現在クールダウン中ではありません。",
    "Name one, or a time range.": "クールダウンまたは期間を指定してください。",
    "No result fits all of these.": "条件すべてに合う結果がありません。",
    "There is no result of {name} at all.": "{name} の結果が 1 つもありません。",
    "There is no result {what} at all.": "{what}結果が 1 つもありません。",
    "The newest result {what} is {state}, from {time}.": "{what}最新の結果は「{state}」で、{time} のものです。",
    "of {name}": "{name} の",
    "{name} has no completed result of {name2}.": "{name} に {name2} の完了した結果がありません。",
    "No {name} was ever measured on chip {name2}.": "チップ {name2} で {name} は一度も測定されていません。",
    "No {name} of {name2} was ever measured on chip {name3}.": (
        "チップ {name3} の {name2} で {name} は一度も測定されていません。"
    ),
    "No {name} was measured on chip {name2}.": "チップ {name2} で {name} は測定されていません。",
    "No {name} of {name2} was measured on chip {name3}.": "チップ {name3} の {name2} で {name} は測定されていません。",
    "No {name} was measured {when} on chip {name2}.": "チップ {name2} で {name} は{when}測定されていません。",
    "No {name} of {name2} was measured {when} on chip {name3}.": (
        "チップ {name3} の {name2} で {name} は{when}測定されていません。"
    ),
    "No {name} {whose}was ever measured on chip {name2}.": (
        "チップ {name2} で{whose} {name} は一度も測定されていません。"
    ),
    "No {name} {whose}was measured{when} on chip {name2}.": (
        "チップ {name2} で{whose} {name} は{when}測定されていません。"
    ),
    "in that time range": "その期間に",
    "in cool-down {name}": "クールダウン {name} で",
    "with the tags {names}": "タグ {names} 付きでは",
    "{where}, and {name} has no qubits in the database.": (
        "{where}。また、データベースの {name} に量子ビットがありません。"
    ),
    "The chip names no topology, and {number} qubits are no square lattice": (
        "チップにトポロジーの指定がなく、{number}量子ビットは正方格子になりません"
    ),
    "The topology {name} is unknown to this version": "トポロジー {name} はこのバージョンでは未対応です",
    "{name} is {text}, which is no time.": "{name} の値 {text} は時刻ではありません。",
    'Write "30d", "24h", or an ISO date such as "2026-05-01".': (
        "「30d」「24h」、または「2026-05-01」のような ISO 形式の日付にしてください。"
    ),
    "since is not before until.": "since が until より前になっていません。",
    "since is the older end of the time range.": "since は期間の始まり（古い方）です。",
    # What the settings withhold.
    "What people wrote": "人の書いたメモ",
    "What people wrote is withheld by {name}: {text}.": "人の書いたメモは {name} により除外されています（{text}）。",
    "{what} is withheld by {name}: {text}.": "{what} は {name} により除外されています（{text}）。",
    "No tool and no cell of the copilot has it; a person reads it elsewhere.": (
        "copilot のどのツールやセルからも読めません。必要な場合は copilot の外で直接読み取ってください。"
    ),
    # Calls.
    "{name} was not done after {seconds} s.": "{name} が{seconds}秒以内に終わりませんでした。",
    "{name} was not done within its client's own time limit.": (
        "{name} がクライアントの制限時間内に終わりませんでした。"
    ),
    "{name} was not done {limit}.": "{name} が{limit}終わりませんでした。",
    "Ask for less: fewer qubits, or a shorter time range.": "量子ビットを減らすか、期間を短くしてください。",
    "It may have been done all the same: find out before you try again.": (
        "実際には行われた可能性があります。確認してから、もう一度試してください。"
    ),
    "A tool cannot be called {name}.": "ツールの名前に {name} は使えません。",
    "Up to 64 letters, digits and underscores make a name: get_fridge_log.": (
        "名前は 64 文字までの英数字と下線です（例: get_fridge_log）。"
    ),
    "The tool failed inside the copilot; details are in its log.": (
        "copilot の内部でツールが失敗しました。詳細はログにあります。"
    ),
    "The tool failed: {name}: {why}": "ツールが失敗しました: {name}: {why}",
    "There is a tool {name} already.": "ツール {name} はすでにあります。",
    "Answer without it.": "それを使わずに回答してください。",
    "Tools: {names}.": "ツール: {names}。",
    "{name} is a tool of the model's server: it runs there, and never here.": (
        "{name} はモデルのサーバーのツールで、ここでは実行されません。"
    ),
    "There is no tool {name}.": "ツール {name} はありません。",
    "{name} may be called {number} times in one question.": "{name} を呼べるのは 1 つの質問につき{number}回までです。",
    "{name} does not run code but must be awaited": "{name} はコードを実行しないのに await が必要です",
    "The arguments of {name} are no JSON object: {text}.": (
        "{name} の引数が JSON のオブジェクトではありません: {text}。"
    ),
    "The arguments of {name} are no JSON that can be read: {why}.": (
        "{name} の引数が JSON として読み取れません: {why}。"
    ),
    "The arguments of {name} do not fit: {why}.": "{name} の引数が合いません: {why}。",
    "Schema: {text}": "スキーマ: {text}",
    "{name}: the variable {name2} holds objects that are not looked into.": (
        "{name}: 変数 {name2} に、内容を調べられないオブジェクトがあります。"
    ),
    "Send tables of pandas, arrays, lists, dicts, texts or numbers.": (
        "pandas の表、配列、リスト、辞書、文字列、数値を送ってください。"
    ),
    "{name}: {text} is too large: {number} characters.": "{name}: {text} が大きすぎます（{number}文字）。",
    "Send a smaller part.": "一部だけを送ってください。",
    "{name}: the file {text} is outside of the working folder, or hidden.": (
        "{name}: ファイル {text} は作業フォルダーの外にあるか、隠しファイルです。"
    ),
    "Name a text file below the working folder {name}/, such as {name2}notes.md.": (
        "作業フォルダー {name}/ 以下のテキストファイルを指定してください（例: {name2}notes.md）。"
    ),
    "{name}: {text} is no file of at most {number} bytes.": (
        "{name}: {text} は {number} バイト以下のファイルではありません。"
    ),
    "{name}: the file {text} cannot be read: {why}.": "{name}: ファイル {text} を読み取れません: {why}。",
    "There is no column {name} in it.": "列 {name} がありません。",
    "Leave out `columns` to see them all.": "すべて見るには `columns` を省いてください。",
    "This model takes no {name}.": "このモデルは {name} を受け付けません。",
    "Answer without it, and say so.": "それを使わずに回答し、その旨を伝えてください。",
    "{name} is larger than {number} MB.": "{name} が {number} MB を超えています。",
    # Servers of declared tools.
    "{name} is said to be {text}, and cannot be read as that: {why}.": (
        "{name} は {text} とされていますが、そのように読み取れません: {why}。"
    ),
    "Ask for something else, or tell the user.": "別のものを求めるか、利用者に伝えてください。",
    "There is no secret in {name}.": "{name} に秘密情報がありません。",
    "The user has to put it there.": "利用者が設定する必要があります。",
    "The secret in {name} has characters that cannot be sent.": "{name} の秘密情報に送信できない文字があります。",
    "Copy it once more.": "もう一度コピーしてください。",
    "The secret is in a keyring.": "秘密情報はキーリングにあります。",
    "pip install 'qdash_jupyter[keyring]'": "`pip install 'qdash_jupyter[keyring]'` を実行してください。",
    "The keyring's {name} cannot be read ({why}).": "キーリングの {name} を読み取れません（{why}）。",
    "The user has to unlock it.": "利用者がロックを解除する必要があります。",
    "There is no secret in the keyring's {name}.": "キーリングの {name} に秘密情報がありません。",
    "Try other arguments.": "別の引数を試してください。",
    "Look before you call it again.": "もう一度呼ぶ前に確認してください。",
    "{name} wants a key, or another one (401).": "{name} はキー、または別のキーを要求しています（401）。",
    "{what} This was during the call: it may have happened all the same.": (
        "{what} 呼び出しの途中で起きたため、実際には行われた可能性があります。"
    ),
    "It may have happened all the same: look before you call it again.": (
        "実際には行われた可能性があります。もう一度呼ぶ前に確認してください。"
    ),
    "This was during the call: it may have happened all the same.": (
        "呼び出しの途中で起きたため、実際には行われた可能性があります。"
    ),
    "Set {name}, and name it in the tool set.": "{name} を設定し、ツールセットで指定してください。",
    "{name} cannot be reached: {why}.": "{name} に接続できません: {why}。",
    "{name} answered with something unexpected: {why}": "{name} から想定外の応答がありました: {why}",
    "Try something else.": "別の方法を試してください。",
    "{name} did not answer within {seconds} s.": "{name} が{seconds}秒以内に応答しませんでした。",
    "Is it running?": "起動しているか確認してください。",
    "Try again later, or tell the user.": "後でもう一度試すか、利用者に伝えてください。",
    "The request to {name} cannot be made: {why}.": "{name} へのリクエストを作れません: {why}。",
    "{name} sends us elsewhere again and again, or with a change.": "{name} の転送が繰り返されるか、内容が変わります。",
    "Tell the user.": "利用者に伝えてください。",
    "{name} does not accept who asks (HTTP status 401){said}": (
        "{name} は認証を受け付けません（HTTP ステータス 401）{said}"
    ),
    "{name} answers with HTTP status {status}.": "{name} の応答が HTTP ステータス {status} でした。",
    "{name} answers with HTTP status {status}{said}": "{name} の応答が HTTP ステータス {status} でした{said}",
    "{name} does not answer, or breaks off ({why}).": "{name} が応答しないか、途中で切れました（{why}）。",
    "Correct the arguments.": "引数を修正してください。",
    "Try again later.": "後でもう一度試してください。",
    "The answer has more than {size}.": "応答が {size} を超えています。",
    "Ask for less.": "求める量を減らしてください。",
    "{name} is {text}, which is no part of a path.": "{name} の値 {text} はパスの一部として使えません。",
    "Give an id or a name.": "ID か名前を指定してください。",
    "The answer is {name}, which is no text.": "応答が {name} で、テキストではありません。",
    "The user can enable response_as_attachment for this type.": (
        "利用者はこの種類に対して response_as_attachment を有効にできます。"
    ),
    "The answer is said to be JSON, and is none: {why}.": "応答は JSON とされていますが、JSON ではありません: {why}。",
}
