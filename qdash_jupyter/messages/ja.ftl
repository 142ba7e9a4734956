### 利用者に表示する文（日本語）。en.ftl と同じメッセージを持つ。書き方は docs/words.md を参照。

## Joining

list = { $first }、{ $next }
list-and = { $first }、{ $last }
list-or = { $first }、{ $last }
list-more = { $items } ほか{ $more }個
sentences = { $first }{ SPACE_AFTER($first) }{ $rest }
lines =
    { $first }
    { $rest }

## Errors of all tools: what does not exist

not-found = { $what } '{ $asked }' はありません。
not-found-there = { $where }{ $what } '{ $asked }' はありません。
not-found-nearest = もしかして: { $names }
not-found-known = あるもの: { $names }。
kind-chip = チップ
kind-cooldown = クールダウン
kind-coupling = カップリング
kind-entity = エンティティ
kind-file = ファイル
kind-metric = 指標
kind-note-kind = ノートの種類
kind-note-of-run = 次の実行のキャリブレーションノート
kind-parameter = パラメータ
kind-project = プロジェクト
kind-qubit = 量子ビット
kind-result = 結果
kind-run = 実行
kind-skill-file = このスキルのファイル
kind-table = 表
kind-tag = タグ
kind-task = タスク
kind-task-id = タスク ID
kind-tool = ツール
kind-user = ユーザー
kind-variable = 変数または保存された結果
on-chip = チップ { $chip } に
of-task-on = { $qid } の { $task } に
in-result = { $key } に
in-newest = 最新の{ $count }件に
in-project = プロジェクト { $project } に
among-elements = { $chip } の{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }に
on-server = このサーバーに

## Errors of tools: chips

no-chip = データベースにチップがありません。
no-chip-hint = データベース名とプロジェクトを確認してください。
several-chips = 該当するチップが複数あります: { $chips }。
several-projects = チップ { $chip } は複数のプロジェクトにあります: { $chips }。
several-chips-hint = プロジェクト/チップ の形で指定してください。
both-kinds-of-ids = 量子ビットとカップリングの ID が混在しています。
both-kinds-of-ids-hint = 2 回に分けて呼び出してください。

## Errors of tools: withheld data

withheld = { $setting } により送信されません: { $names }。
withheld-hint = copilot からは読めません。QDash で確認してください。

## Errors of tools: calibration notes

no-calibration-notes = チップ { $chip } のキャリブレーションノートはありません。
calibration-notes-without = 最新の{ $count }件のノートに { $qid } の記載がありません。
calibration-notes-hold = 記載があるもの: { $names }。
no-calibration-note-fits = 条件をすべて満たすキャリブレーションノートはありません。
calibration-note-newest = 最新は { $when } のものです（実行 { $run }、タスク { $task }）。
unknown-time = 時刻不明

## Stages of a question

stage-connecting = データベースとモデルに接続中…
stage-reading-result = 結果と関連情報を読み込み中…
stage-reading-qubit = { $qid }の現在の値を取得中…
stage-sending-pictures = 画像をモデルに送信中…
stage-thinking = 考え中…
stage-complete = 完了

## Why a question ended early

ended-stopped = 停止しました。
ended-max-rounds = ツール呼び出しの上限に達し、回答が得られませんでした。質問を絞ってください。
ended-budget = 上限に達し、回答が得られませんでした。質問を絞ってください。
ended-repeated-call = 同じツール呼び出しを繰り返し、回答が得られませんでした。質問を絞ってください。
ended-tool-timed-out = ツールがタイムアウトしたため、設定（`limits.on_tool_timeout` またはツールの `fallback`）により終了しました。取得済みの結果は残っています。範囲を絞るか、`continue` に設定してください。
ended-tool-failed = ツールが失敗したため、設定（ツールの `fallback`）により終了しました。取得済みの結果は残っています。原因はステップに表示されています。
ended-empty = モデルの回答が空でした。もう一度質問するか、言い換えてください。
ended-at-limit = *上限（{ $limit ->
    [max_iterations] ツール呼び出し{ $most }ラウンド
    [max_same_call] 同じツール呼び出し{ $most }回
    [max_tool_calls] 1つの質問につきツール呼び出し{ $most }回
    [max_tokens] 1つの質問につき{ $most }トークン
    [max_seconds] 1つの質問につき{ $most }秒
   *[conversation_tokens] この会話につき{ $most }トークン
 }、`{ $setting }`）に達したため終了しました。回答は不完全かもしれません。*
cut-short-tokens = *出力トークンの上限（`max_output_tokens`）に達したため、回答はここで終わっています。続きを質問するか、上限を上げてください。*
cut-short-filter = *モデルのサーバーのコンテンツフィルターにより、回答はここで終わっています。言い換えて質問してください。*
cut-short-otherwise = *モデルのサーバーが中断したため、回答はここで終わっています。続きを質問してください。*

## Next questions

next-trend = 過去60日の{ $one }の{ $metric }の推移
next-values = { $one }のパラメータ
next-notes = { $one }のメモ
next-compared = { $one }と{ $other }を比較
next-neighbours = { $one }を隣接する量子ビットと比較
next-map = { $metric }のヒートマップ
next-lowest = { $metric }が最も低い5つの{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }は？
next-lost = 過去30日で{ $metric }が低下した{ $kind ->
    [coupling] カップリング
   *[qubit] 量子ビット
 }は？
next-health = チップの状態は？
next-failed = 今週失敗したタスクは？
next-changed = 今週何が変わった？

## Service: stages as QDash's page shows them

service-thinking = AIが考え中...
service-analysing = AIが分析中: { $tool }...
service-build-context = 分析コンテキストを構築中...
service-load-images = 画像をAIに送信中...
service-run-analysis = AI分析を開始中...
service-run-chat = AIとの対話を開始中...
service-complete = 完了
service-load-config = 設定を読み込み中...
service-load-qubit-params = キュービットパラメータを読み込み中...
service-load-issue = Issueを読み込み中...
service-build-history = スレッドから会話履歴を構築中...
service-load-context = タスクのコンテキストを読み込み中...
service-save-reply = 返信を保存中...
