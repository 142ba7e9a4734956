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
several-chips = More than one chip fits: { $chips }.
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
