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
