### What people read, in English. Write it after docs/words.md; ja.ftl has the same messages in Japanese.
### `make check` says which messages or fields are missing, and docs/messages.md shows all of them with examples.

## Joining

list = { $first }, { $next }
list-and = { $first } and { $last }
list-or = { $first } or { $last }
list-more = { $items } and { $more } more
sentences = { $first } { $rest }
lines =
    { $first }
    { $rest }

## Errors of all tools: what does not exist

not-found = There is no { $what } '{ $asked }'.
not-found-there = There is no { $what } '{ $asked }' { $where }.
not-found-nearest = Did you mean { $names }?
not-found-known = Known: { $names }.
kind-chip = chip
kind-cooldown = cool-down
kind-coupling = coupling
kind-entity = entity
kind-file = file
kind-metric = metric
kind-note-kind = kind of note
kind-note-of-run = calibration note of run
kind-parameter = parameter
kind-project = project
kind-qubit = qubit
kind-result = result
kind-run = run
kind-skill-file = file of this skill
kind-table = table
kind-tag = tag
kind-task = task
kind-task-id = task ID
kind-tool = tool
kind-user = user
kind-variable = variable or stored result
on-chip = on chip { $chip }
of-task-on = of { $task } on { $qid }
in-result = in { $key }
in-newest = in the newest { $count }
in-project = in project { $project }
among-elements = among the { $kind ->
    [coupling] couplings
   *[qubit] qubits
 } of { $chip }
on-server = on this server

## Errors of tools: chips

no-chip = The database has no chip.
no-chip-hint = Check the name of the database, and the project.
several-chips = More than one chip matches: { $chips }.
several-projects = More than one project has a chip { $chip }: { $chips }.
several-chips-hint = Name the chip as project/chip.
both-kinds-of-ids = The IDs are of qubits and of couplings.
both-kinds-of-ids-hint = Make one call for each kind.

## Errors of tools: withheld data

withheld = Withheld by { $setting }: { $names }.
withheld-hint = The copilot can't read it. Look it up in QDash.

## Errors of tools: calibration notes

no-calibration-notes = There are no calibration notes for chip { $chip }.
calibration-notes-without = The newest { $count } calibration notes do not mention { $qid }.
calibration-notes-hold = They contain: { $names }.
no-calibration-note-fits = No calibration note matches all of these conditions.
calibration-note-newest = The newest is from { $when } (run { $run }, task { $task }).
unknown-time = an unknown time

## Stages of a question

stage-connecting = Opening the database and the model…
stage-reading-result = Reading the result and its context…
stage-reading-qubit = Reading the current values of { $qid }…
stage-sending-pictures = Sending pictures to the model…
stage-thinking = Thinking…
stage-complete = Done

## Why a question ended early

ended-stopped = Stopped by you.
ended-max-rounds = The model reached the limit of tool calls without an answer. Ask a narrower question.
ended-budget = The limit was reached before there was an answer. Ask a narrower question.
ended-repeated-call = The model kept repeating the same tool call and gave no answer. Ask a narrower question.
ended-tool-timed-out = A tool timed out, and the settings end the question then (`limits.on_tool_timeout`, or the tool's `fallback`). What was fetched so far is kept. Ask for less, or set it to `continue`.
ended-tool-failed = A tool failed, and the settings end the question then (the tool's `fallback`). What was fetched so far is kept; the step shows what went wrong.
ended-empty = The model returned an empty answer. Ask again, or rephrase the question.
ended-at-limit = *Stopped at a limit: { $limit ->
    [max_iterations] { $most } rounds of tool calls
    [max_same_call] { $most } identical tool calls
    [max_tool_calls] { $most } tool calls a question
    [max_tokens] { $most } tokens a question
    [max_seconds] { $most } s a question
   *[conversation_tokens] { $most } tokens a conversation
 } (`{ $setting }`). The answer may be incomplete.*
cut-short-tokens = *The answer stops here: the model reached its limit of output tokens (`max_output_tokens`). Ask for the rest, or raise the limit.*
cut-short-filter = *The answer stops here: the content filter of the model's server blocked the rest. Rephrase the question.*
cut-short-otherwise = *The answer stops here: the model's server ended it. Ask for the rest.*

## Next questions

next-trend = Trend of { $metric } of { $one } over the last 60 days
next-values = Current parameters of { $one }
next-notes = Notes about { $one }
next-compared = Compare { $one } and { $other }
next-neighbours = Compare { $one } with its neighbours
next-map = Heatmap of { $metric }
next-lowest = Which 5 { $kind ->
    [coupling] couplings
   *[qubit] qubits
 } have the lowest { $metric }?
next-lost = Which { $kind ->
    [coupling] couplings
   *[qubit] qubits
 } lost { $metric } in the last 30 days?
next-health = How is the chip?
next-failed = Which tasks failed this week?
next-changed = What changed this week?

## Service: stages as QDash's page shows them

service-thinking = AI is thinking...
service-analysing = AI is analysing: { $tool }...
service-build-context = Building the analysis context...
service-load-images = Sending images to the AI...
service-run-analysis = Starting the analysis...
service-run-chat = Starting the conversation with the AI...
service-complete = Done
service-load-config = Loading the settings...
service-load-qubit-params = Reading the qubit's parameters...
service-load-issue = Reading the issue...
service-build-history = Building the conversation from the thread...
service-load-context = Reading the context of the task...
service-save-reply = Saving the reply...

## Questions and conversations

ask-again = Ask again.
defect = Something went wrong inside the copilot. Details are in its log.
question-empty = The question is empty.
question-empty-hint = Write what you want to know, for example "Which qubits lost T1?"
question-too-long = The question has { $count } characters; the limit is { $most }.
question-too-long-hint = Shorten it. You don't need to paste data: the copilot reads the database itself.
question-gone = This question is no longer part of the conversation.
step-gone = This step is no longer part of the conversation.
step-without-table = This step did not fetch a table.
kernel-ended-first = The kernel stopped before this question was answered.
still-running = This question is still running.
still-running-hint = Call wait() first.
last-still-running = The last question is still running.
last-still-running-hint = Wait for it, or stop it with copilot.stop().
no-variable = There is no variable '{ $name }' in this kernel.
no-variable-hint = Run the cell that creates it first.
too-many-variables = The question names { $count } variables; the limit is { $most }.
name-fewer = Name fewer.
no-model = There is no model '{ $name }' in the settings; the settings have { $names }.
no-model-hint = Add the model to `models` in copilot.yaml; see docs/models.md.
no-panel = This copilot has no panel.
no-panel-hint = Use `qdash_jupyter.open_copilot` or `%load_ext qdash_jupyter`.
fetch-with-current = Fetch it with the current copilot: `copilot.tools.{ $tool }(…)`.
conversation-closed = The conversation that fetched this is closed.
conversation-closed-first = The conversation was closed before the data arrived.
no-table-any-more = { $tool } no longer returns a table for these arguments.
data-stay = The data you have are kept.
not-sent-yet = Nothing has been sent to { $endpoint } yet.
not-sent-yet-hint = Check above the question box what would be sent, then try again.

## Approvals

no-hash = '{ $text }' isn't a hash of code.
no-hash-hint = Give at least { $digits } digits of the hash shown beside the code.
already-decided = This has already been decided.
already-decided-hint = See what the copilot shows now.
code-changed = The code has changed since it was shown.
code-changed-hint = Check it again.
nobody-can-be-asked = No one can be asked here. To allow exactly this code, approve it by its hash before the question: %copilot approve { $hash }
decided-by = { $name }, { $where }
by-its-hash = by its hash
by-its-hash-before = by its hash, in advance
below-the-cell = below the cell
in-the-panel = in the panel

## Kept conversations

no-history-here = No conversations are kept here.
no-history-here-hint = Open a notebook.
no-conversation-before = The previous conversation can't be restored.
no-conversation-before-hint = Choose it in the list of conversations.
conversation-empty = It has no questions, or the settings keep no conversations (`history`).
choose-another-conversation = Choose another one.
conversation-gone = This conversation is no longer kept.
conversation-gone-hint = Another kernel may have deleted it.
conversation-in-use = Another kernel has this conversation open.
conversation-in-use-hint = Start a new one there, or shut down that kernel.
conversation-not-deleted = The conversation could not be deleted: { $why }.
conversation-unreadable = The conversation could not be read: { $why }.
conversation-file = File: { $path }.
title-not-kept = The title could not be saved: { $why }.
title-place = Folder: { $path }.
history-bad-id = The notebook names an invalid conversation, so a new one begins.
history-not-kept = This conversation is not saved: { $why }. It lasts until the kernel stops.
history-not-opened = This conversation is not saved: its log could not be opened. Details are in the copilot's log.
history-unusable = The saved conversation can't be used ({ $why }) and is left unchanged: { $path }. A new one begins.
history-damaged = The saved conversation is damaged ({ $items }). The readable parts are used.
history-copied = Another kernel has this conversation open. A copy is used here.
log-damaged = it is damaged
log-of-other-version = it was written by another version of qdash-jupyter
log-too-long = it is longer than { $mb } MB

## What is in use

database-as-of = { $database }, as of { $time } UTC
chip-in-use = { $chip } (project { $project }, { $count } qubits)
chip-not-chosen = not chosen
code-trusted = in your kernel, unconfined (policy: trusted)
code-inserted = inserted for you to run (policy: insert_only)
code-confined = in its own process: { $by }
code-each-approved = in your kernel, each time after you approve it
status-database = database
status-chip = chip
status-model = model
status-planner = { $model }: answers fixed kinds of questions
status-endpoint = endpoint
status-code = code
status-learned = the model's server
status-problems = unreadable values
status-unreadable = { $count } (treated as missing)
status-missing = missing
status-note = note
status-history = history
status-log = log

## Before the first question to a server

sends-questions = your questions and the previous answers
sends-instructions = instructions and tool descriptions
sends-names = database, chip and current qubit with its parameters
sends-variables = names, types and shapes of your variables
sends-results = short results of tools, and what analysis cells print or end with
sends-knowledge = texts named in the settings (`knowledge`, `contexts`, `skills`)
sends-pictures = pictures of the results and cells that you ask about
stays = Whole tables stay in this kernel, and so do cells that you don't ask about. Keys and passwords are never sent. `%copilot sent` shows exactly what was sent.
stays-withheld = Withheld by `privacy.never_send`: { $names }.

## Questions to start with

start-health = How is the chip?
start-lost-t1 = Which qubits lost T1 in the last 30 days?
start-lowest-readout = Which 5 qubits have the lowest readout fidelity?
start-map-t1 = Heatmap of T1
start-map-t2-echo = Heatmap of T2 echo
start-map-frequency = Heatmap of the qubit frequency
start-table = What stands out in @{ $name }?
start-with-skill = { $question } (Read the skill { $skill } first.)

## Results in the kernel and cells of an answer

result-gone = This result is no longer there.
result-gone-hint = Fetch it again from its step.
key-gone = { $key } is no longer there.
key-failed = { $key }: { $why }
not-a-table = { $key } can't be shown as a table. Open it in a cell.
documents-read = { $count } documents from { $name }
data-version = version { $number }, { $data ->
    [same] same data
   *[new] new data
 }
data-version-beside = version { $number }, { $data ->
    [same] same data
   *[new] new data
 }; { $name } stays as you changed it
no-cells-added = This answer added no cells.
no-cells-added-hint = There is nothing to undo.
notebook-not-open = No open notebook has the cells of this answer.
notebook-not-open-hint = Open the notebook and try again.
names-are-yours = You changed { $names }, so { $names } is kept.
cells-stay = { $count ->
    [one] { $count } cell that you changed is kept.
   *[other] { $count } cells that you changed are kept.
 }
names-stay = Also kept: { $names }.
cells-taken-out = { $count ->
    [one] { $count } cell removed.
   *[other] { $count } cells removed.
 }
no-ended-question = No question has ended yet.
no-ended-question-hint = Ask one, or stop the one that is running.
undo-in-panel = This kernel can't receive Undo while a cell is running.
undo-in-panel-hint = Press Undo in the panel.
cell-not-open = No open notebook has this cell.
cell-not-open-hint = Open the notebook, or copy the new text.
edit-gone = This change is no longer part of the conversation.
no-failed-cell = No cell has failed.
no-failed-cell-hint = Run the cell that you want to fix first.
kernel-lacks = The kernel's environment lacks { $name }. Run "pip install { $name }" there and restart the kernel.

## Steps in the panel

tool-failed = The tool failed.
step-stopped = Stopped before it finished.
step-question-failed = The question failed before this finished.
step-kernel-stopped = The kernel stopped before this finished.
progress-waiting-for-you = Waiting for you
waiting-for-kernel = Waiting for the kernel: one of your cells is running
interrupt-to-stop = Interrupt the kernel (■) to stop it.
stop-it-first = Stop it first.
wait-or-stop = Wait for it, or stop it.
queue-full = { $count } questions are already waiting.
queue-full-hint = Remove one, or wait until one is answered.
not-queued = This question is no longer waiting.
not-queued-hint = It was sent or removed.
keys-not-wanted = These keys are no longer needed.
no-key-here = There is no key, and no one can type one here.
set-variable = Set { $name }.
planner-without-key = The offline planner needs no key.
planner-without-key-hint = Choose a model first: set QDASH_COPILOT_MODEL.

## Magics and the command line

no-command = There is no command `%copilot { $name }`.
commands-listed = `%copilot help` lists the commands.
ask-one-word = To ask this single word as a question, write `%copilot ask { $name }`.
command-without-words = `%copilot { $name }` takes no arguments, but got '{ $text }'.
command-without-words-hint = To ask a question that starts like this, write `%copilot ask { $name } …`.
option-needs-value = `--{ $name }` needs a value.
option-without-value = `--{ $name }` takes no value.
option-write = Write `{ $text }`.
bad-out-name = The answer can't be named '{ $name }'.
bad-out-name-hint = Choose another name: `--out answer`.
no-option = There is no option `{ $text }` here.
no-options = This command has no options.
question-below = Put a question that starts like this in quotation marks.
several-sources = More than one data source is given: { $names }.
several-sources-hint = Give one.
analysis-needs-task = An analysis needs a task and a qubit or coupling.
nothing-asked = Nothing has been asked yet.
nothing-asked-hint = Ask a question first.
no-question = There is no question '{ $text }'.
no-question-hint = Give a number from 1 to { $most }.
bad-export-name = '{ $name }' is neither FILE.ipynb nor FILE.md.
bad-export-name-hint = Write `%copilot export answer.ipynb`.
file-exists = { $path } already exists.
file-exists-hint = Choose another name, or remove the file.
file-not-written = { $path } could not be written: { $why }.
choose-another-name = Choose another name.
no-folder = The folder { $path } doesn't exist.
no-folder-hint = Create it, or choose another -o.
notebook-not-written = The notebook could not be written: { $why }.
notebook-not-written-hint = The answer is shown above.
bad-period = '{ $text }' isn't a time of 10 s or more.
bad-period-hint = Write 30s, 10m or 2h.
no-port = { $port } isn't a port.
no-port-hint = Ports are numbers up to { $most }.
port-not-usable = Port { $port } can't be used: { $why }.
choose-another-port = Choose another --port.
mcp-not-installed = The package for MCP servers isn't installed.
server-not-installed = Jupyter Server isn't installed.
pip-install = Run: pip install "{ $what }"

## Service: errors

conversation-used-up = This conversation has used { $count } tokens; its limit is { $most }.
conversation-used-up-hint = Start a new one (`copilot.new()`; fetched data are kept), or raise `limits.conversation_tokens`.
stream-without-reply = The model's stream ended without a reply.
sessions-not-kept = The sessions could not be saved: { $why }.
sessions-not-kept-hint = Check that the user's data folder is writable.
no-issue = There is no issue '{ $id }'.
no-issue-hint = Give the ID of an issue, or of a post in it.
last-post-is-ours = The last post is the copilot's own.
last-post-is-ours-hint = Post a question, or send one as `message`.
no-reply-to-save = There is no reply to save.

## Planner: names, times and lists

plan-things = { $count ->
    [one] { $count } { $kind ->
        [coupling] coupling
       *[qubit] qubit
    }
   *[other] { $count } { $kind ->
        [coupling] couplings
       *[qubit] qubits
    }
 }
plan-of = { $name } of { $whose }
plan-both = { $x } and { $y }
plan-amount = { $value } { $unit }
plan-points = points
plan-with-value = { $what } ({ $value })
plan-with-error = { $value } ({ $error })
plan-item = - `{ $name }`: { $value }
plan-count-of = { $count } { $what }
plan-quoted = “{ $word }”
plan-titled = { $title }: { $names }
plan-value = **{ $what }: { $value }.**
plan-in-window = { $what } { $window }
plan-all-rows = All rows: `copilot.data['{ $key }']`.
plan-last-days = in the last { $days ->
    [one] day
   *[other] { $days } days
 }
plan-last-hours = in the last { $hours ->
    [one] hour
   *[other] { $hours } hours
 }
plan-so-far = so far
plan-since = since { $since }
plan-before = before { $until }
plan-on-day = on { $day }
plan-from-to = from { $since } to { $last }
plan-in-month = in { $month ->
    [1] January
    [2] February
    [3] March
    [4] April
    [5] May
    [6] June
    [7] July
    [8] August
    [9] September
    [10] October
    [11] November
   *[12] December
 } { $year }
plan-tags = tags { $tags }
plan-cooldown = cool-down { $id }
plan-last-24-h = in the last 24 h
plan-days-ago = { $days } d ago
plan-statistic = { $statistic ->
    [mean] mean
    [deviation] standard deviation
    [lowest] lowest
    [highest] highest
   *[median] median
 }
plan-grade = { $grade ->
    [excellent] excellent
    [good] good
    [bad] bad
   *[below-good] below good
 }
plan-fell = fell
plan-rose = rose
plan-stable = stable
plan-too-few = too few
plan-unmeasured = not measured
plan-fitted = fitted
plan-not-determined = not determined

## Planner: headings of tables

plan-heading-value = value
plan-heading-task = task
plan-heading-run = run
plan-heading-version = version
plan-heading-verdict = verdict
plan-heading-before = before
plan-heading-now = now
plan-heading-change = change
plan-heading-since = since about
plan-heading-newest-measurement = newest measurement
plan-heading-measured = measured
plan-heading-measured-ago = measured
plan-heading-outliers = outliers
plan-heading-n = n
plan-heading-count = measurements
plan-heading-newest = newest
plan-heading-scatter = scatter
plan-heading-slope = slope per day
plan-heading-finding = finding
plan-heading-limit = limit
plan-heading-metric = metric
plan-heading-code = code
plan-heading-curves = curves
plan-heading-means = meaning
plan-heading-depth = depth
plan-heading-what = what
plan-heading-start = start (UTC)
plan-heading-written = written (UTC)
plan-heading-from = from (UTC)
plan-heading-status = status
plan-heading-message = message
plan-heading-outputs = outputs
plan-heading-outputs-or-message = outputs or message
plan-heading-name = name
plan-heading-took = took
plan-heading-tags = tags
plan-heading-content = content
plan-heading-about = about
plan-heading-note = note
plan-heading-by = by
plan-heading-parameter = parameter
plan-heading-grade = grade
plan-heading-age = age
plan-heading-median-before = median before
plan-heading-range-before = range before
plan-heading-trend = trend

## Planner: what it is, and what it can't answer

plan-answered-by = Answered by the offline planner: fixed methods, no language model.
plan-whole-method = The code that ran is the complete method.
plan-why = The data don't say *why*. Ask a language model, or check what happened to the chip at that time.
plan-code-failed = No answer: the calculation failed. { $why }
plan-no-table = The calculation returned no table.
plan-out-of-rounds = Not answered: this question needs more rounds of tool calls.
plan-no-code = This answer needs code, but code can't run here because nothing on this machine confines it. Ask in a notebook.
plan-not-for-cells = The offline planner can't read the output of a cell. Choose a language model: docs/models.md.
plan-not-considered = Not considered: { $words }.
plan-cannot-answer = The offline planner can't answer this. It can't apply { $words } here, and without that it would be another question. The closest it can do: { $what }, for example "{ $example }".
plan-unknown = No language model is configured, and the offline planner can't answer this yet. It can:
plan-able = - { $what }: "{ $example }"
plan-set-a-model = For any other question, set `QDASH_COPILOT_MODEL` to the name of a model and `OPENAI_API_KEY` to its key (for another server also `OPENAI_BASE_URL`), then restart the kernel.
plan-can-health = check the chip's health
plan-can-changes = find what fell, rose or jumped
plan-can-select = find the worst, the best, or what meets conditions
plan-can-spread = compute a median, a mean or a histogram
plan-can-relation = correlate two parameters
plan-can-windows = compare two periods
plan-can-fit = fit a line or an exponential
plan-can-unmeasured = find what is dead or hasn't been measured lately
plan-can-trend = show a parameter over time, or its measurements
plan-can-values = show the current values of a qubit or of couplings
plan-can-compare = compare qubits
plan-can-map = draw a heatmap
plan-can-neighbours = list the neighbours of a qubit
plan-can-results = read the results of a task
plan-can-curve = refit a curve and say whether its value can be trusted
plan-can-runs = find what ran and what failed
plan-can-notes = search notes and calibration notes
plan-can-origin = trace a value to its versions and inputs
plan-no-form = A { $form } can't answer this.
plan-too-many-readings = This needs { $count } readings; the limit is { $most } at once.
plan-too-many-columns = This table would have { $count } columns. Name up to { $most } qubits.
plan-name-two-parameters = Name two parameters to correlate.
plan-name-two-times = Name two periods to compare.
plan-current-only = Over several metrics, only current values of qubits can be ranked. Name one parameter.
plan-mixed-kinds = A table can't hold both qubits and couplings. Ask for { $names } separately.
plan-wrong-unit = { $shown } can't be compared with { $name }, which is in { $unit }. Give the value in { $unit }.
plan-not-yet = No data since { $date }: the newest data are older.
plan-map-shows = A heatmap shows the newest values, the best values or means. Ask for one of these.
plan-cannot-judge = Curves of { $name } can't be judged here. Curves of { $names } can.

## Planner: questions back

plan-which-chip = Which chip do you mean: { $names }?
plan-which-parameter = Which parameter do you mean: { $names }?
plan-which-parameter-of = Which parameter of { $name } do you mean: { $names }?
plan-which-qubit = Which qubit do you mean ({ $first } to { $last })?
plan-which-coupling = Which coupling do you mean (such as { $pair }, or { $first } to { $last } for all couplings of a qubit)?
plan-compare-with = Compare { $name } with which qubits: its neighbours { $names }, or others?
plan-compare-which = Which qubits do you want to compare (two or more of { $first } to { $last })?

## Planner: your cells and variables

plan-cell-failed = The cell failed with `{ $error }`.
plan-cell-failed-at = The cell failed with `{ $error }`, in `{ $line }`.
plan-cannot-fix = The offline planner can't fix code; a language model can. Set one up with `QDASH_COPILOT_MODEL` and the key of its server, or with `models` in copilot.yaml: docs/models.md.
plan-cannot-compute = The offline planner can't compute with your variables. A language model can: docs/models.md.
plan-table = `{ $name }` is a { $kind } with { $rows ->
    [one] { $rows } row
   *[other] { $rows } rows
 } and { $count ->
    [one] { $count } column
   *[other] { $count } columns
 }: { $columns }.
plan-series = `{ $name }` is a { $kind } with { $rows } rows of { $type }.
plan-array = `{ $name }` is an array of shape { $shape } and type { $type }.
plan-variable = `{ $name }`: { $kind }.

## Planner: changes

plan-moved = **{ $things } { $direction ->
    [down] lost { $name }
    [up] gained { $name }
   *[either] changed in { $name }
 } { $window }: { $names }.**
plan-largest = The { $count } largest changes:
plan-did-not-move = **{ $name } of { $names } did not { $direction ->
    [down] fall
    [up] rise
   *[either] change
 } { $window }.**
plan-may-have-moved = **{ $name } of { $names } may have { $direction ->
    [down] fallen
    [up] risen
   *[either] changed
 } { $window }, but { $low } to { $high } σ is too uncertain to say.**
plan-none-moved = **No { $kind ->
    [coupling] coupling
   *[qubit] qubit
 } { $direction ->
    [down] lost { $name }
    [up] gained { $name }
   *[either] changed in { $name }
 } { $window }.**
plan-few-compared = **{ $compared ->
    [0] No { $kind ->
        [coupling] coupling
       *[qubit] qubit
    } has enough { $name } measurements to compare { $window }
   *[other] Only { $compared } of { $measured } { $kind ->
        [coupling] couplings
       *[qubit] qubits
    } have enough { $name } measurements to compare { $window }; none of them { $direction ->
        [down] lost { $name }
        [up] gained { $name }
       *[either] changed
    }
 }.**
plan-uncertain = Uncertain ({ $low } to { $high } σ): { $names }.
plan-by-how-much = { $name } ({ $change })
plan-not-enough = Not enough { $name } measurements to compare: { $names }.
plan-not-measured = Not measured in this time: { $names }.
plan-of-these-not-measured = Not measured in this time ({ $metrics }): { $names }.
plan-percentage-points = { $value ->
    [one] { $value } percentage point
   *[other] { $value } percentage points
 }
plan-rule-of = { $rule } ({ $names })
plan-rule = Listed: changes of at least { $rule } and { $sigmas } σ.
plan-rules = Listed: changes of at least { $sigmas } σ and at least { $rules }.
plan-measured = Measured: { $things }.
plan-false-alarms = Expected false alarms: { $alarms } of { $compared }.
plan-companions = Changes in the same time (checked: { $names }):
plan-facts = - { $name }: { $facts }
plan-fact = { $name } { $change } since about { $since }
plan-fact-in-noise = { $name } { $change } ({ $sigmas } σ)
plan-over-time = { $name } over time
plan-before-and-now = { $name } before and now, { $window }
plan-change-of = change of { $name } { $window }

## Planner: trends, windows and fits

plan-trend = **{ $name } of { $whose } { $window }**
plan-trend-of-chip = **{ $name } { $window }: newest values of { $things }, median { $value }.**
plan-whole-chip = { $what }, whole chip
plan-nothing-usable = { $name } has no usable value { $window }.
plan-ranked-now = { $order ->
    [best] Best
    [lowest] Lowest
    [highest] Highest
   *[worst] Worst
 } { $count } { $kind ->
    [coupling] couplings
   *[qubit] qubits
 } by { $name } now: { $names }.
plan-steepest = Shown: the { $count } steepest of { $all }; the cell holds all of them.
plan-windows = **{ $name }, first { $first }, then { $second }: { $counts }.**
plan-fit = **{ $kind ->
    [exponential] Exponential fit
   *[line] Linear fit
 } of { $name } of { $whose } { $window }**
plan-stale = **Nothing was measured { $window }; the newest data are from { $newest }.** The same length before that is used, { $moved }.

## Planner: values that meet conditions, ranks

plan-limit = { $kind ->
    [below] below { $limit }
    [at-most] at most { $limit }
    [above] above { $limit }
   *[at-least] at least { $limit }
 }
plan-labs-limit = the lab's limit of { $limit }
plan-condition = { $name } { $limits }
plan-either = { $first } or { $other }
plan-have = **{ $things } { $count ->
    [one] has
   *[other] have
 } { $what }{ $first ->
    [0] {""}
   *[other] {" "}(first { $first })
 }: { $names }.**
plan-share-has = **{ $count } of { $all } ({ $percent } %) { $count ->
    [one] has
   *[other] have
 } { $what }: { $names }.**
plan-have-values = **{ $things } { $count ->
    [one] has
   *[other] have
 } a value of { $what }**
plan-none-has = **No { $kind ->
    [coupling] coupling
   *[qubit] qubit
 } has { $what }.**
plan-which = { $kind ->
    [coupling] Couplings
   *[qubit] Qubits
 } with { $what }
plan-those-with = { $things } with { $what }
plan-nearest = The nearest:
plan-near = Just missed (by less than 10 % of the interquartile range): { $names }.
plan-checked = Checked: { $things }.
plan-without-value = Without a value: { $names }.
plan-each-value = Each value is the { $statistic } of the measurements in this time.
plan-ranked = **{ $order ->
    [best] Best
    [lowest] Lowest
    [highest] Highest
   *[worst] Worst
 } { $count ->
    [one] { $kind ->
        [coupling] coupling
       *[qubit] qubit
    }
   *[other] { $kind ->
        [coupling] couplings
       *[qubit] qubits
    }
 } by { $what }: { $names }.**
plan-worse-than-limit = Worse than the lab's limit of { $limit }: { $names }.
plan-none-worse = None is worse than the lab's limit of { $limit }.
plan-overall = **{ $order ->
    [best] Best
   *[worst] Worst
 } { $count ->
    [one] qubit
   *[other] qubits
 } overall: { $names }.**
plan-overall-purpose = The { $count } { $order ->
    [best] best
   *[worst] worst
 } qubits over several metrics
plan-percentiles = Ranked by the mean percentile over these metrics.
plan-no-current-values = No qubit has a current value.
plan-no-value = No value of { $what }.
plan-no-limit = The lab has set no limit for { $name }.
plan-of-all = { $name } of all { $kind ->
    [coupling] couplings
   *[qubit] qubits
 }
plan-sorted = { $title }, sorted; the ones asked for are marked.
plan-ordered = { $name }, { $first } first
plan-meeting = Which ones meet the conditions now
plan-chart = Chart: { $title }
plan-purpose = { $name }: { $what ->
    [change] changes
    [fit] fit
    [spread] distribution
    [windows] comparison of two periods
   *[trend] trend
 }

## Planner: distributions and correlations

plan-of-kind = { $name } of { $kind ->
    [coupling] couplings
   *[qubit] qubits
 }
plan-distribution = Distribution of { $title }
plan-relation = Correlation of { $title }
plan-statistic-of = { $statistic ->
    [mean] Mean { $name }
    [deviation] Standard deviation of { $name }
    [lowest] Lowest { $name }
    [highest] Highest { $name }
   *[median] Median { $name }
 } of { $whose }
plan-related = **{ $how ->
    [together] { $x } and { $y } rise together.
    [opposite] { $x } is low where { $y } is high.
    [hint] { $x } and { $y } may be correlated.
    [few] Not enough values of both { $x } and { $y }.
   *[none] No correlation between { $x } and { $y }.
 }**
plan-correlation = Spearman's rank correlation { $r } (95 %: { $low } to { $high }), p = { $p }, { $things }. With this many, a correlation of { $smallest } or more is found in 4 of 5 cases. Correlation does not imply a cause.
plan-have-both = With both values: { $things }.

## Planner: unreliable fits

plan-all-fits-count = Unreliable fits were not left out: all stored values count.
plan-fits-count = Unreliable fits of { $name } were not left out. { $why }
plan-curves-not-judged = Its curves can't be judged here.
plan-no-curve = These values have no curve that is known here.
plan-reliable-only = Only values of reliable fits: { $names }
plan-values-left-out = Left out: { $count } of { $all } values of { $name }, because their fits are unreliable ({ $whys }).
plan-left-out-why = `{ $code }` { $count }: { $names }
plan-none-left-out = Left out: none. No fit of { $name } is unreliable.
plan-values-not-judged = Not judged, but counted: { $count } of { $all } values of { $name }, whose curves aren't known here: { $names }.

## Planner: the chip, comparisons, what was not measured

plan-layout = **{ $topology }**: { $layout ->
    [grid] { $grid } × { $grid } grid
    [hex] heavy-hex lattice
   *[linear] chain
 } of { $count } qubits. Positions: `copilot.data['topology']`.
plan-no-layout = **{ $count } qubits and { $pairs } couplings.** The topology is unknown, so there are no positions. The couplings of the database: `copilot.data['topology']`.
plan-map = **{ $name }: median { $median }** (from { $min } to { $max }); { $count } of { $all } { $kind ->
    [coupling] couplings
   *[qubit] qubits
 }.
plan-never-measured = Not measured: { $names }.
plan-parameters = **{ $count } parameters were measured.**
plan-parameter = - `{ $parameter }`: { $name }, { $count } results
plan-neighbours = **{ $name } is coupled to { $names }** (couplings { $couplings }).
plan-no-neighbours = { $name }: –
plan-current-values = Current values of { $names }
plan-compared = **Current values of { $names }** (age in days in brackets).
plan-no-results-at-all = No results at all: { $names }.
plan-unmeasured-purpose = What hasn't been measured for long, or never
plan-results-of = { $name } results
plan-any-results = results
plan-for-days = in the last { $days ->
    [one] day
   *[other] { $days } days
 }
plan-during = { $window }
plan-never = { $things } { $count ->
    [one] has
   *[other] have
 } no { $results } at all: { $names }.
plan-all-have-results = Every { $kind ->
    [coupling] coupling
   *[qubit] qubit
 } has { $results }.
plan-old = { $things } { $count ->
    [one] has
   *[other] have
 } no { $results } { $span }: { $names }.
plan-none-old = No { $kind ->
    [coupling] coupling
   *[qubit] qubit
 } with earlier { $results } is without new ones { $span }.
plan-needs-attention = **Needs attention: { $names }.**
plan-nothing-needs-attention = **Nothing needs attention on these { $count } qubits.**
plan-health-unknown = **Most of the { $count } qubits have no values to judge: see the table.**
plan-chip-table = The chip in one table
plan-chip-findings = What is missing, old or beyond limits
plan-finding-no-results = no results at all
plan-finding-old = not measured lately
plan-measured-of = { $count } of { $all } qubits

## Planner: curves

plan-judged = { $count } { $fit ->
    [reliable] reliable
    [unreliable] unreliable
   *[none] without a fit
 }
plan-curves = **{ $what }: { $count } curves refitted, { $counts }.**
plan-newest-of-each = newest of each
plan-curve = { $task } of { $qid }, { $start } UTC
plan-curve-verdict = **{ $curve }: { $fit ->
    [reliable] the fit is reliable
    [unreliable] the fit is unreliable
   *[none] no fit is possible
 } (`{ $code }`).**
plan-curve-not-judged = **{ $curve }: the curve was not judged.**
plan-verdict = **{ $fit ->
    [reliable] The fit is reliable
    [unreliable] The fit is unreliable
   *[none] No fit is possible
 } (`{ $code }`).**
plan-no-points = Its points aren't known here.
plan-result-excluded = This result is excluded.
plan-task-failed = The task failed and stored nothing.
plan-stored-value = stored { $value }
plan-refit-value = new fit { $value }
plan-apart = { $sigmas } σ apart
plan-reason = Reason: { $reasons }.
plan-measure-next = Measure next: { $what }
plan-stored-unreliable = Stored although the fit is unreliable:
plan-stored-off = Stored values more than 3 σ from the new fit: { $names }.
plan-failed-with-signal = Failed although the curve has a value: { $names }.
plan-without-points = Results without points: { $count }.
plan-only-newest = Only the newest { $count } results were checked.
plan-unread = Left out: { $why }.

## Planner: one result

plan-read-result = **{ $what }: { $found }**
plan-no-output-kept = no output (a fit this bad is not kept)
plan-run = Run { $run }: { $start }.
plan-run-took = Run { $run }: { $start }, { $took }.
plan-excluded = excluded: { $why }
plan-message = Message: { $message }
plan-fit-quality = Quality of the fit: { $names }.
plan-note = Note: { $note }
plan-within-noise = none beyond noise
plan-completed-before = Completed results before this one: { $count }.
plan-completed-before-at-least = Completed results before this one: at least { $count }.
plan-beside = Beside it: { $names }.
plan-not-judged = **Its curve was not judged.**
plan-unknown-curve = Curves of this task aren't known here.
plan-figure-not-read = Not checked: the figure, the points of the fit, and the cause. Ask a language model, or look yourself.
plan-why-not-found = Not checked: the cause. Ask a language model, or look yourself.
plan-beyond-rules = These rules can't answer your own question.

## Planner: results, runs and notes

plan-results = { $count ->
    [one] { $count } result
   *[other] { $count } results
 }
plan-runs = { $count ->
    [one] { $count } run
   *[other] { $count } runs
 }
plan-of-task = { $what } of { $task }
plan-on-element = { $what } on { $qid }
plan-in-run = { $what } in run { $run }
plan-found-in = { $what } { $window }
plan-only-the-newest = { $what } (only the newest)
plan-counted = **{ $what }: { $counts }.**
plan-latest-result = **{ $task } of { $qid }, newest result: { $start } UTC, run { $run }.**
plan-no-output = It has no output.
plan-result-history = **{ $task } of { $qid }: newest { $count } completed results.**
plan-their-messages = Messages:
plan-more-in-table = { $count } more are in the table.
plan-run-times = Duration of a run: median { $median } s, from { $min } s to { $max } s.
plan-no-values = **{ $what }: none of { $count } measurements has a value.**
plan-measurements = **{ $what }: { $count } measurements, newest { $newest }, median { $median }, from { $low } to { $high }.**
plan-fits-failed = Fit failed: { $count }.
plan-trend-is = Trend: { $trend }.
plan-current-version = **{ $what }: { $value } since { $since } UTC (version { $version }).**
plan-skipped-versions = Skipped version numbers: { $versions }.
plan-entity-id = ID for the lineage graph: `{ $id }`.
plan-calibration-notes = **{ $count ->
    [one] { $count } calibration note
   *[other] { $count } calibration notes
 }; the numbers have no units.**
plan-newest-note = The newest contains:
plan-notes = **{ $count ->
    [one] { $count } note
   *[other] { $count } notes
 } by people, newest first.**
plan-no-open-issue = No issue is open; { $count } closed.

## Planner: versions and lineage

plan-no-versions = { $parameter } has no known version.
plan-origin = **{ $what } goes back to { $values } other values and { $results } results of tasks.**
plan-lineage = **`{ $id }` has a lineage of { $nodes } nodes and { $edges } edges.**
plan-stale-versions = Made from versions that are no longer the newest: { $names }.
plan-version-used = { $name } { $parameter } ({ $used }, now { $newest })
plan-not-completed = Results that were not completed: { $names }.

## Planner: current values

plan-current-parameters = **Current parameters of { $whose }.**
plan-couplings-of = the couplings of { $name }
plan-never-calibrated = Never calibrated: { $names }.
plan-worse-than-limits = Worse than the lab's limit: { $names }.
plan-doubts = Values that don't count, or are in doubt:
plan-flag = - { $name }: { $flag }
plan-more-flags = - and { $count } more
plan-flag-kind = { $kind ->
    [excluded] excluded
    [unreadable] unreadable
    [impossible] impossible
   *[suspicious] suspicious
 }:{" "}
