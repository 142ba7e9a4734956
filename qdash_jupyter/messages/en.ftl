### What people read, in English. Write it after docs/words.md; ja.ftl has the same messages in Japanese.
### `make check` says which messages or fields are missing, and docs/messages.md shows all of them with examples.

## Joining

list-separator = { ", " }
list-and = { $first } and { $last }
list-or = { $first } or { $last }
list-item = { $mark } { $text }
list-more = { $items } and { $more } more

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
kind-mux = MUX
kind-note-kind = entry of kind
kind-note-of-run = calibration note for run
kind-parameter = parameter
kind-project = project
kind-qubit = qubit
kind-result = result
kind-run = run
kind-described = tool, method, column, metric or verdict
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
in-newest = in the newest { $count ->
    [one] calibration note
   *[other] { $count } calibration notes
 }
in-project = in project { $project }
among-elements = among the { $kind ->
    [coupling] couplings
   *[qubit] qubits
 } of { $chip }
on-server = on this server

## Errors of tools: chips

no-chip = The database has no chips.
no-chip-hint = Check the database name and the project.
several-chips = More than one chip matches: { $chips }.
several-projects = More than one project has a chip { $chip }: { $chips }.
several-chips-hint = Write the chip as project/chip.
both-kinds-of-ids = The IDs mix qubits and couplings.
both-kinds-of-ids-hint = Make a separate call for each kind.

## Errors of tools: withheld data

withheld = Withheld by { $setting }: { $names }.
withheld-hint = The copilot can't read it. Look it up in QDash.

## Errors of tools: calibration notes

no-calibration-notes = Chip { $chip } has no calibration notes.
calibration-notes-without = { $count ->
    [one] The newest calibration note doesn't
   *[other] The newest { $count } calibration notes don't
 } mention { $qid }.
calibration-notes-hold = They contain: { $names }.
no-calibration-note-fits = No calibration note matches all of these conditions.
calibration-note-newest = The newest is from { $when } (run { $run }, task { $task }).
unknown-time = an unknown time

## Stages of a question

stage-connecting = Opening the database and the model…
stage-reading-result = Reading the result and its context…
stage-reading-qubit = Reading the current values of { $qid }…
stage-sending-pictures = Sending images to the model…
stage-thinking = Thinking…
stage-complete = Done

## Why a question ended early

ended = { $reason ->
    [cancelled] Stopped by you.
    [max_rounds] The model reached the tool-call limit before it answered. Ask a narrower question.
    [budget] The question reached its limit before it was answered. Ask a narrower question.
    [repeated_call] The model kept repeating the same tool call and gave no answer. Ask a narrower question.
    [timed_out] A tool timed out, and the settings stop the question when this happens (`limits.on_tool_timeout`, or the tool's `fallback`). The data fetched so far is kept. Ask for less, or change the setting to `continue`.
    [tool_failed] A tool failed, and the settings stop the question when this happens (the tool's `fallback`). The data fetched so far is kept. The step shows what went wrong.
   *[finished] The model returned an empty answer. Ask again, or rephrase the question.
}
ended-at-limit = *Stopped at a limit: { $limit ->
    [max_iterations] { $most } { $most ->
        [one] round of tool calls
       *[other] rounds of tool calls
     }
    [max_same_call] { $most } { $most ->
        [one] identical tool call
       *[other] identical tool calls
     }
    [max_tool_calls] { $most } { $most ->
        [one] tool call
       *[other] tool calls
     } per question
    [max_tokens] { $most } tokens per question
    [max_seconds] { $most } s per question
   *[conversation_tokens] { $most } tokens per conversation
 } (`{ $setting }`). The answer may be incomplete.*
cut-short = { $reason ->
    [max_output_tokens] *The answer stops here: the model reached its output-token limit (`max_output_tokens`). Ask for the rest, or raise the limit.*
    [content_filter] *The answer stops here: the content filter of the model server blocked the rest. Rephrase the question.*
   *[other] *The answer stops here: the model server ended it. Ask for the rest.*
}

## Next questions

next-trend = Trend of { $metric } of { $one } over the last 60 days
next-values = Current parameters of { $one }
next-notes = Notes about { $one }
next-compared = Compare { $one } and { $other }
next-neighbours = Compare { $one } with its neighbors
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
next-failed = Which tasks failed in the last 7 days?
next-changed = What changed in the last 7 days?

## Service: stages as QDash's page shows them

service-step = { $step ->
   *[thinking] AI is thinking...
    [build_context] Building the analysis context...
    [load_images] Sending images to the AI...
    [run_analysis] Starting the analysis...
    [run_chat] Starting the conversation with the AI...
    [complete] Done
    [load_config] Loading the settings...
    [load_qubit_params] Reading the qubit's parameters...
    [load_issue] Reading the issue...
    [build_history] Building the conversation from the thread...
    [load_context] Reading the context of the task...
    [save_reply] Saving the reply...
}
service-analysing = AI is analyzing: { $tool }...

## Questions and conversations

ask-again = Ask again.
defect = Something went wrong inside the copilot. Details are in its log.
question-empty = The question is empty.
question-empty-hint = Write what you want to know, for example "Which qubits lost T1?"
question-too-long = The question has { $count } characters; the limit is { $most }.
question-too-long-hint = Shorten it. You don't need to paste data: the copilot reads the database itself.
question-gone = This question is no longer part of the conversation.
step-gone = This step is no longer part of the conversation.
step-without-table = This step didn't fetch a table.
kernel-ended-first = The kernel stopped before this question was answered.
still-running = This question is still running.
still-running-hint = Call wait() first.
last-still-running = The last question is still running.
last-still-running-hint = Wait for it, or stop it with copilot.stop().
no-variable = There is no variable '{ $name }' in this kernel.
no-variable-hint = Run the cell that creates it first.
too-many-variables = The question names { $count } variables; the limit is { $most }.
too-many-variables-hint = Use fewer variables.
chosen-model = the model you chose on this machine
no-local-models = No model server was found on this machine. Tried: Ollama (port 11434), LM Studio (1234), llama.cpp (8080) and vLLM (8000).
trial-calls = { $model } can call tools.
trial-calls-not = { $model } didn't call a tool when asked to, so it can't read the database. Choose another model.
trial-window = Its context window is { $tokens } tokens.
trial-window-short = Its context window is only { $tokens } tokens. Restart its server with 16,000 or more.
trial-window-unknown = Its server doesn't report the context window.
trial-too-slow = { $model } didn't respond within two minutes. Choose a smaller model, or try again once it is loaded.
trial-goes-on = The model is still loading. It is tested in the background, and the panel shows the result.
no-model = There is no model '{ $name }' in the settings. Known: { $names }.
no-model-hint = Add the model to `models` in copilot.yaml; see docs/models.md.
no-panel = This copilot has no panel.
no-panel-hint = Use `qdash_jupyter.open_copilot` or `%load_ext qdash_jupyter`.
fetch-with-current = Fetch it with the current copilot: `copilot.tools.{ $tool }(…)`.
conversation-closed = The conversation that fetched this is closed.
conversation-closed-first = The conversation was closed before the data arrived.
no-table-any-more = { $tool } no longer returns a table for these arguments.
data-stay = The data you have is kept.
not-sent-yet = Nothing has been sent to { $endpoint } yet.
not-sent-yet-hint = Check above the question box what will be sent, then try again.

## Approvals

no-hash = '{ $text }' isn't the hash of any code.
no-hash-hint = Enter at least { $digits } digits of the hash shown beside the code.
already-decided = This has already been approved or rejected.
already-decided-hint = Check what the copilot shows now.
code-changed = The code has changed since it was shown.
code-changed-hint = Check it again.
decided-by = { $name }, { $where }
by-its-hash = by its hash
by-its-hash-before = by its hash, in advance
below-the-cell = below the cell
in-the-panel = in the panel

## Kept conversations

no-history-here = No conversations are saved here.
no-history-here-hint = Open a notebook.
no-conversation-before = The previous conversation can't be restored.
no-conversation-before-hint = Choose it in the list of conversations.
conversation-empty = It has no questions, or the settings turn off saving (`history`).
choose-another-conversation = Choose another one.
conversation-gone = This conversation no longer exists.
conversation-gone-hint = Another kernel may have deleted it.
conversation-in-use = Another kernel has this conversation open.
conversation-in-use-hint = Start a new one there, or shut down that kernel.
conversation-not-deleted = Can't delete the conversation: { $why }.
conversation-unreadable = Can't read the conversation: { $why }.
conversation-file = File: { $path }.
title-not-kept = Can't save the title: { $why }.
title-not-kept-hint = Folder: { $path }.
history-bad-id = The notebook refers to an invalid conversation, so a new one starts.
history-not-kept = This conversation isn't saved: { $why }. It lasts until the kernel stops.
history-not-opened = This conversation isn't saved because its file can't be opened. Details are in the copilot's log.
history-unusable = Can't use the saved conversation: { $why }. It is left unchanged ({ $path }), and a new one starts.
history-damaged = The saved conversation is damaged ({ $items }). The readable parts are used.
history-copied = Another kernel has this conversation open. A copy is used here.
shape-calls-from-outside = tool calls and tool results aren't accepted from clients
shape-unknown-role = unknown role “{ $role }”
shape-no-role = no role
shape-late-system = only the first message may be a system message
shape-out-of-order = { $wanted ->
    [user] expected a question
   *[other] expected an answer
 }, found { $role ->
    [user] a question
   *[other] an answer
 }
shape-no-question = the last message must be the user's
shape-no-text = its content isn't text
history-damage = { $place }: { $why }
log-damaged = it is damaged
log-of-other-version = it was written by another version of qdash-jupyter
log-too-long = it is longer than { $mb } MB

## What is in use

database-as-of = { $database }, as of { $time } UTC
chip-in-use = { $chip } (project { $project }, { $count } { $count ->
    [one] qubit
   *[other] qubits
 })
chip-not-chosen = not chosen
code-trusted = in your kernel, unconfined (policy: trusted)
code-inserted = inserted for you to run (policy: insert_only)
code-confined = in its own process ({ $by })
code-each-approved = in your kernel, each time after you approve it
status-database = database
status-chip = chip
status-model = model
status-planner = { $model }: answers fixed kinds of questions
status-endpoint = endpoint
status-code = code
status-learned = model server
status-fits = fits kept
status-fits-kept = { $count } (a result is fitted again when its files change; up to 10,000)
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
sends-results = short tool results, and the output of analysis cells
sends-knowledge = documents listed in the settings (`knowledge`, `contexts`, `skills`)
sends-pictures = images of the results and cells that you ask about
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

result-gone = This result no longer exists.
result-gone-hint = Fetch it again from its step.
key-gone = { $key } no longer exists.
key-failed = { $key }: { $problem }
not-a-table = { $key } can't be shown as a table. Open it in a cell.
documents-read = { $count } { $count ->
    [one] document
   *[other] documents
 } from { $name }
data-version = Version { $number }, { $data ->
    [same] same data
   *[new] new data
 }.
data-cut = Only the newest of { $total } are here.
data-beside = Your changes to { $name } are kept.
no-cells-added = This answer added no cells.
no-cells-added-hint = There is nothing to undo.
notebook-not-open = No open notebook has the cells of this answer.
notebook-not-open-hint = Open the notebook and try again.
names-are-yours = Your changes to { $names } are kept.
cells-stay = { $count ->
    [one] { $count } cell that you changed is kept.
   *[other] { $count } cells that you changed are kept.
 }
names-stay = Also kept: { $names }.
cells-taken-out = { $count ->
    [one] { $count } cell removed.
   *[other] { $count } cells removed.
 }
no-ended-question = No question has finished yet.
no-ended-question-hint = Ask one, or stop the one that is running.
undo-in-panel = This kernel can't undo while a cell is running.
undo-in-panel-hint = Press Undo in the panel.
cell-not-open = No open notebook has this cell.
cell-not-open-hint = Open the notebook, or copy the new text.
edit-gone = This change is no longer part of the conversation.
no-failed-cell = No cell has failed.
no-failed-cell-hint = Run the cell that you want to fix first.
kernel-lacks = The kernel's environment lacks { $name }. Run `pip install { $name }` there and restart the kernel.
## Data in the kernel

no-data = There is no data '{ $key }'.
no-data-fetch-hint = Ask a question, or call `copilot.tools`.
data-fetched = Fetched so far: { $names }.
stored-parts = { $parts }
stored-in-memory = { $size } in memory
stored-in-files = { $size } in { $count ->
    [one] a file
   *[other] files
 }, opened when you use it
stored-version = version { $number }{ $data ->
    [first] {""}
    [same] , same data
   *[new] , new data
 }
stored-fetched = fetched { $age } ({ $time } UTC), { $version }
stored-cut = the newest of { $total }
stored-kept = data['{ $key }'] is kept, because you changed it
more-rows = { $count ->
    [one] { $count } more row
   *[other] { $count } more rows
 }.
more-rows-in = { $count ->
    [one] { $count } more row
   *[other] { $count } more rows
 } in `data['{ $key }']`.
turn-state = { $question } ({ $state ->
    [running] running
    [answered] answered
   *[failed] failed
 })
edit-proposed = **Proposed edit of cell { $cell }.**
edit-whole = The cell with this edit:
lines-unchanged = { $count ->
    [one] { $count } line
   *[other] { $count } lines
 } unchanged
chart-not-kept = *A chart was too large to save with the conversation.*
log-taken-up = another kernel has it open
figure-part = { $part ->
    [map] a map
    [buttons] buttons
   *[picture] an image
 }
figure-left-out = Left out, because it would be loaded from other servers: { $names }.
picture-left-out = Left out

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
no-key-here = There is no key, and this session can't ask for one.
no-key-here-hint = Set { $name }.
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
no-option = This command has no option `{ $text }`.
no-options = This command has no options.
question-below = Put a question that starts like this in quotation marks.
several-sources = More than one data source is given: { $names }.
several-sources-hint = Use only one.
analysis-needs-task = An analysis needs a task and a qubit or coupling.
nothing-asked = Nothing has been asked yet.
nothing-asked-hint = Ask a question first.
no-question = There is no question '{ $text }'.
no-question-hint = Use a number from 1 to { $most }.
bad-export-name = '{ $name }' is neither FILE.ipynb nor FILE.md.
bad-export-name-hint = Write `%copilot export answer.ipynb`.
file-exists = { $path } already exists.
file-exists-hint = Choose another name, or remove the file.
file-not-written = Can't write { $path }: { $why }.
file-not-written-hint = Choose another name.
no-folder = The folder { $path } doesn't exist.
no-folder-hint = Create it, or choose another -o.
notebook-not-written = Can't write the notebook: { $why }.
notebook-not-written-hint = The answer is shown above.
bad-period = '{ $text }' isn't a period of at least 10 s.
bad-period-hint = Write it as 30s, 10m or 2h.
no-port = { $port } isn't a port number.
no-port-hint = Use a number up to { $most }.
port-not-usable = Can't use port { $port }: { $why }.
port-not-usable-hint = Choose another --port.
mcp-unusable = mcp { $version } can't be used here ({ $tested }): { $why }
mcp-not-installed = The package for MCP servers isn't installed.
server-not-installed = Jupyter Server isn't installed.
pip-install = Run: pip install "{ $what }"
no-starter = There is no starter question '{ $name }'. Known: { $names }.
stopping = Stopping…
nothing-running = No question is running.
first-look = **First question to { $endpoint }.**
answer-later = The answer isn't ready yet. When it is, run `{ $name } = copilot.turns[-1].result()`.
polling-off = Automatic refresh is off.
polling-was-off = Automatic refresh was already off.
approved-once = Approved once: the code with the hash `{ $hash }`.
no-approval = There is no approval { $number }. `%copilot approve` lists them.
approval-waiting = Waiting, `{ $hash }`:
no-approvals = Nothing is waiting, and nothing is approved in this conversation.
no-key-in-a-cell = Write `%copilot key` or the name of a variable. Never write the key itself: cells are saved.
key-kept = The key for `{ $variable }` is kept until the kernel stops.
key-not-typed = No key was entered. Nothing has changed.
key-prompt = Key for { $variable } (kept until the kernel stops):
key-prompt-mcp = Key for the MCP server { $server }{ $count ->
    [one] {""}
   *[other] {" "}({ $place } of { $count })
 }, used for { $variable }. Empty to continue without it:
new-conversation = New conversation started. Fetched data is still in `copilot.data`.
export-answer = Answer
export-answer-of-day = As of { $day }. Run again, the cells are computed anew; this text stays.
export-no-answer = No answer
export-needs = Before you run these cells, define { $names }: variables from your kernel that the cells use.
export-provenance = Database: { $database }. Chip: { $chip }. Answered by { $model }.
exported = Saved: `{ $path }`
name-taken = The name `copilot` is already in use here. `%%copilot` works, but analysis cells need that name.
model-no-longer = The settings no longer have a model '{ $name }'. From now on, '{ $other }' is used.
analysis-usage = Write `%copilot analyze TASK QID`, such as `%copilot analyze CheckT1 7`.
no-panel-appeared =
    {"**"}The panel can't be shown.** The Jupyter server's environment lacks a package. Run this there (the kernel may have another environment), then reload the page:

    ```
    pip install qdash_jupyter
    ```

    Until then, ask with `%%copilot` and a question below it.
no-widgets-here = The panel of QDash Copilot is a widget. Show it in JupyterLab, VS Code, Colab or marimo. Here, ask in Python: copilot.ask("Which qubits lost T1 in the last 30 days?")
heading = { $name ->
    [all] all
    [characters] characters
    [cost] cost
    [endpoint] endpoint
    [from] from
    [in-python] in Python
    [input] input
    [model] model
    [output] output
    [part] part
    [price] price per million tokens, in / out
    [project] project
    [question] question
    [qubits] qubits
    [requests] requests
    [setting] setting
    [share] share
    [status] status
    [tables] tables (rows × columns)
    [tool] tool
    [takes] arguments
    [does] description
    [value] value
   *[window] window (tokens)
 }
in-use = **in use**
chip-current = { $name } (current)
code-steps = { $count ->
    [one] { $count } step
   *[other] { $count } steps
 } of analysis code
code-step = Analysis
names-in-kernel = Now in your kernel: { $names }.
magics-help =
    {"**"}QDash Copilot**

    | | |
    | --- | --- |
    | `%%copilot` with a question below it | Ask. The answer appears under the cell, and the kernel stays free. |
    | `%%copilot --wait` | Ask, and keep the cell running until the answer is complete. |
    | `%%copilot --out NAME` | Ask, and assign the answer to NAME. |
    | `%%copilot [--project ID] [--chip ID] [--qid ID] [--model NAME]` | Use other data or another model for this question only. |
    | `%copilot QUESTION`, `%copilot ask QUESTION` | Ask in one line, with the same options before the question. |
    | `%copilot start [NAME]` | Ask a starter question. Without a name: list them. |
    | `%copilot analyze TASK QID [--execution ID] [--task-id ID] [--wait] [QUESTION]` | Analyze one result, by default the newest. |
    | `%copilot fix [--wait] [WORDS]` | Fix the last cell that failed. The cell changes only when you accept the edit in the panel. |
    | `%copilot stop` | Stop the current question. |
    | `%copilot open` | Show the panel below this cell (also `%copilot panel`). |
    | `%copilot new` | Start a new conversation. Fetched data is kept. |
    | `%copilot undo` | Remove the cells of the last question from the notebook. |
    | `%copilot export FILE.ipynb` | Save the conversation as a notebook that runs again. |
    | `%copilot export FILE.md` | Save it as Markdown. |
    | `%copilot data` | List the fetched data, which are DataFrames in `copilot.data`. |
    | `%copilot data refresh [KEY …]` | Fetch all data again, or only these. What you changed is kept. |
    | `%copilot data refresh every 10m [KEY …]` | Fetch it again regularly. To stop: `%copilot data refresh off`. |
    | `%copilot status` | Show the database, chip and model in use. |
    | `%copilot cost [N]` | Show the tokens and characters sent, by question and part. With N: by request of question N. |
    | `%copilot sent [N]` | Show exactly what was sent to the model for question N (1 is the first), by default the last. |
    | `%copilot use [--demo \| --snapshot DIR \| --mongo URI] [--project ID] [--chip ID] [--qid ID]` | Use other data. |
    | `%copilot chip [NAME]` | List the chips. With a name: switch to that chip. |
    | `%copilot model [NAME]` | List the models in the settings. With a name: switch to that model. |
    | `%copilot models` | Also look for model servers on this machine (Ollama, LM Studio, llama.cpp, vLLM), and list their models. |
    | `%copilot key` | Enter the key of the model server. It is neither shown nor saved. |
    | `%copilot approve [HASH]` | Approve exactly this code, which is waiting or which the next question will run. Without a hash: list what is waiting and what is approved in this conversation. |
    | `%copilot revoke [N]` | Revoke the approvals of this conversation: all, or number N. |
    | `%copilot trust` | Trust this folder's copilot.yaml and predefined content until they change. |
    | `%copilot config --explain` | Show the settings and where each value comes from. |
    | `%copilot help` | Show this list. |

    In Python: `copilot.ask("…")`, or `await copilot.start("…")` to do other things meanwhile; `copilot.data["t1"]["timeseries"]`, `copilot.tools.get_chip_summary()`.

## Magics: cost and what was sent

cost-of-conversation = **Cost of this conversation**
cost-of-question = **Cost of question { $number }**: { $question }
cost-of-parts = **Parts of the prompts, all requests**
cost-of-request = **Request { $number }**: input { $input }, output { $output }
cost-about = ≈ { $amount }
cost-group = { $name ->
    [instructions] instructions
    [tool-schemas] tool schemas
    [answer-schema] answer schema
    [digest] summary of earlier questions
    [earlier-turns] earlier questions
    [analysis] analysis context
    [question] question
    [model-items] model output
    [tool-results] tool results
   *[notes-of-the-loop] notes to the model
 }
cost-part = { $group }: { $name }
cost-by-size = The tokens of a part are its share of the request's tokens, by size.
cost-estimated = ≈: estimated, because the server didn't count the tokens.
cost-offline = The offline planner isn't a language model, so its questions take 0 tokens.
cost-earlier = Questions before the kernel restarted: tokens as counted by the server. Prices and parts aren't kept.
cost-priced = Cost is tokens times the prices in the settings, without discounts for cached input.
request-count = { $count ->
    [one] { $count } request
   *[other] { $count } requests
 }
requests-not-kept = Question { $number } was asked before the kernel restarted, so its requests aren't kept.
sent-nothing = Nothing was sent for question { $number }.
sent-title = Question { $number }: { $requests } to { $model }
sent-request = Request { $number }
sent-part = { $part ->
    [instructions] Instructions
    [items] Items ({ $count })
    [tools] Tools ({ $count })
   *[schema] Answer schema
 }
sent-size = { $what }: { $size }

## Magics: fetching data again

no-data-yet = No data has been fetched yet.
refreshed = - `data['{ $key }']`: { $outcome }
refreshed-rows = { $version } ({ $rows } rows)
refresh-failed = not fetched: { $why }
refresh-not-tried = not tried
refreshed-beside = kept, because you changed it; the new data is in `data['{ $key }']`
polling = Fetching { $what } every { $period }.
polling-all = all data
polling-last = Last fetched at { $time } UTC:

## Command line

cli = qdash-jupyter: { $text }
cli-stopped = stopped
cli-no-output = can't write the output: { $why }
cli-chart-where = { $chart } (to see it, add `-o answer.ipynb`)
cli-notebook = Notebook: { $path }
cli-chips = PROJECT              CHIP                 QUBITS  STATUS
cli-database = { $database }: { $count ->
    [one] { $count } chip
   *[other] { $count } chips
 }
cli-copied = · { $name }: { $count } { $kind ->
    [files] files
   *[documents] documents
 }
cli-snapshot = Snapshot of { $chip } (project { $project }): { $folder }
cli-snapshot-use = To use it: export QDASH_SNAPSHOT={ $folder }
cli-trusted = The settings in { $folder } are trusted until they change (recorded in { $file }).
cli-file = { $file }: { $text }
cli-no-mistakes = no mistakes found
cli-not-imported = # not imported: { $text }
cli-token = the one in { $variable }

## Service: errors

conversation-used-up = This conversation has used { $count } tokens; its limit is { $most }.
conversation-used-up-hint = Start a new one (`copilot.new()`; fetched data is kept), or raise `limits.conversation_tokens`.
stream-without-reply = The model's stream ended without a reply.
sessions-not-kept = Can't save the sessions: { $why }.
sessions-not-kept-hint = Check that the user's data folder is writable.
no-issue = There is no issue '{ $id }'.
no-issue-hint = Use the ID of an issue, or of a post in it.
last-post-is-ours = The last post is the copilot's own.
last-post-is-ours-hint = Post a question, or send one as `message`.
reply-kept-here = This service keeps the reply. It isn't saved in QDash's database: post it there if you want it there.
override-differs = '{ $field }' of the model '{ $model }' can't be set by a request.
override-differs-hint = Choose a model by its name alone. Its other settings are in copilot.yaml.
no-reply-to-save = There is no reply to save.

## Files behind results

curves-not-stored = QDash stored no figure and no raw data with these results.
files-not-read = { $file }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
 }: { $why }.

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
plan-change-with-error = { $change } ± { $error } { $unit }
plan-points = points
plan-with-value = { $what } ({ $value })
plan-with-error = { $value } ({ $error })
plan-item = - `{ $name }`: { $value }
plan-count-of = { $count } { $what }
plan-quoted = “{ $word }”
plan-titled = { $title }: { $names }
plan-value = **{ $what }: { $value }.**
plan-in-window = { $what } { $window }
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
plan-no-cooldown = The current cool-down isn't known. Name a time range.
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
plan-verdict-word = { $verdict ->
    [fell] fell
    [rose] rose
    [stable] stable
    [unclear] unclear
    [wandering] fluctuating
    [too-few] too few
    [not-measured] not measured
    [fitted] fitted
    [not-determined] not determined
   *[other] { $verdict }
 }
plan-trend-by = { $trend } { $change }
plan-trend-word = { $trend ->
    [up] up
    [down] down
    [stable] stable
    [unclear] unclear
    [wandering] fluctuating
    [none] none beyond noise
    [too] too few measurements
   *[other] { $trend }
 }
task-status = { $status ->
    [scheduled] scheduled
    [pending] pending
    [running] running
    [completed] completed
    [failed] failed
    [skipped] skipped
    [cancelled] cancelled
    [open] open
    [closed] closed
   *[other] { $status }
 }
plan-missing-why = { $why ->
    [no-fit] no fit
    [no-number] no number
    [no-date] no date
    [no-reason-given] no reason given
   *[never-calibrated] never calibrated
 }
plan-flag-count = { $count } of { $all }: { $flag }
plan-other-direction = QDash stores the values of { $asked } as { $stored } (control-target).
plan-edges-beyond = Further inputs beyond the depth limit: { $count }.
plan-edges-missing = Inputs that aren't in the database: { $count }.

## Planner: headings of tables

plan-heading-value = value
plan-heading-task = task
plan-heading-run = run
plan-heading-version = version
plan-heading-verdict = verdict
plan-heading-before = before
plan-heading-now = now
plan-heading-change = change
plan-heading-first = first
plan-heading-then = then
plan-heading-since = since about
plan-heading-measured = measured
plan-heading-how-many-measured = measured
plan-heading-outliers = outliers
plan-heading-n = n
plan-heading-count = measurements
plan-heading-newest = newest
plan-heading-scatter = scatter
plan-heading-slope = slope per day
plan-heading-finding = finding
plan-heading-metric = metric
plan-heading-code = code
plan-heading-curves = curves
plan-heading-means = meaning
plan-heading-depth = depth
plan-heading-values = values
plan-heading-what = what
plan-heading-start = start (UTC)
plan-heading-written = written (UTC)
plan-heading-from = from (UTC)
plan-heading-status = status
plan-heading-message = message
plan-heading-outputs-or-message = outputs or message
plan-heading-name = name
plan-heading-took = took
plan-heading-tags = tags
plan-heading-about = about
plan-heading-note = note
plan-heading-by = by
plan-heading-runs = runs
plan-heading-newest-run = newest run
plan-heading-duration = { $which ->
    [mean] mean
    [min] shortest
    [max] longest
   *[median] median
}
plan-no-durations = No result tells how long its task took.
plan-task-takes = **{ $which ->
    [highest] The slowest task is { $task }: { $took }
    [lowest] The fastest task is { $task }: { $took }
   *[none] { $task } takes { $took }
 }**, the median of { $count ->
    [one] one result
   *[other] { $count } results
 }; the mean is { $mean }.
plan-most-runs = **{ $name } started most runs: { $count } of { $all }.**
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
plan-code-failed = No answer: the calculation failed. { $why }.
plan-no-table = The calculation returned no table.
plan-out-of-rounds = Not answered: this question needs more rounds of tool calls.
plan-no-code = This answer needs code, and code can't run here because nothing on this machine confines it. Ask in a notebook.
plan-not-for-cells = The offline planner can't read the output of a cell. Choose a language model: docs/models.md.
plan-too-many-readings = This question needs { $count } database reads; the limit is { $most }.
plan-mixed-kinds = A table can't hold both qubits and couplings. Ask for { $names } separately.
plan-wrong-unit = { $shown } can't be compared with { $name }, which is in { $unit }. Give the value in { $unit }.

## Planner: questions back

plan-which-chip = Which chip do you mean: { $names }?

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

plan-moved = **{ $name } of { $things } { $direction ->
    [down] fell
    [up] rose
   *[either] changed
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
 } { $window }, but { $low } to { $high } σ isn't enough to tell.**
plan-none-moved = **No { $kind ->
    [coupling] coupling's
   *[qubit] qubit's
 } { $name } { $direction ->
    [down] fell
    [up] rose
   *[either] changed
 } { $window }.**
plan-few-compared = **Not enough measurements to compare { $window }: { $names }.**
plan-few-of = { $name } ({ $compared } of { $things } compared{ $compared ->
    [0] {""}
   *[other] , none { $direction ->
        [down] fell
        [up] rose
       *[either] changed
    }
 })
plan-uncertain = Uncertain ({ $low } to { $high } σ): { $names }.
plan-by-how-much = { $name } ({ $change })
plan-got-worse = Got worse in this time: { $names }.
plan-no-verdict = { $verdict ->
    [too-few] Not enough { $name } measurements to compare: { $names }.
    [unclear] Too few or too noisy { $name } measurements to see a change: { $names }.
   *[wandering] { $name } fluctuates, and its change is not larger than that: { $names }.
 }
plan-detectable = Smallest change in { $name } that would be found with 75 % power: { $size } (median of those that did not change).
plan-not-measured = No usable values in this time range: { $names }.
plan-of-these-not-measured = No usable values in this time range ({ $metrics }): { $names }.
plan-percentage-points = { $value ->
    [one] { $value } percentage point
   *[other] { $value } percentage points
 }
plan-rule-of = { $rule } ({ $names })
plan-rule = Listed: changes of at least { $rule } and { $sigmas } σ.
plan-rules = Listed: changes of at least { $sigmas } σ and at least { $rules }.
plan-measured = Measured: { $things }.
plan-false-alarms = Expected false alarms: { $alarms } of { $compared }.
plan-companions = Changes in the same time range (checked: { $names }):
plan-facts = - { $name }: { $facts }
plan-fact = { $name } { $change } since about { $since }
plan-fact-in-noise = { $name } { $change } ({ $sigmas } σ)
plan-over-time = { $name } over time
plan-before-and-now = { $name } before and now, { $window }

## Planner: trends, windows and fits

plan-trend = **{ $name } of { $whose } { $window }**
plan-trend-of-chip = **{ $name } { $window }: newest values of { $things }, median { $value }.**
plan-whole-chip = { $what }, whole chip
plan-nothing-usable = { $name } has no usable value { $window }.
plan-steepest = Shown: the { $count } steepest of { $all }; the cell holds all of them.
plan-windows = **Median { $name }, first { $first }, then { $second }: { $counts }.**
plan-windows-of-one = **Median { $name } of { $whose }: { $before } { $first }, { $now } { $second } ({ $change }): { $verdict }.**
plan-windows-of-chip = **{ $name } of the chip, first { $first }, then { $second }: { $change } ({ $low } to { $high }): { $way ->
    [fell] lower
    [rose] higher
    [perhaps-fell] perhaps lower
    [perhaps-rose] perhaps higher
   *[none] no change seen
 }.** Median of the changes, with its 95 % interval.
plan-medians-hide = { $names }: the medians hardly show the change. What stands beside the verdict is the level now against the level just before it.
plan-one-by-one = { $kind ->
    [coupling] Coupling by coupling
   *[qubit] Qubit by qubit
 }: { $counts }. First and then are medians.
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
plan-those-with = { $things } with { $what }
plan-among = { $what } among { $whose }
plan-nearest = The nearest:
plan-near = Just missed (by less than 10 % of the interquartile range): { $names }.
plan-checked = Checked: { $things }.
plan-without-value = Without a value: { $names }.
plan-each-value = Each value is the { $statistic } of the measurements in this time range.
plan-ranked = **{ $order ->
    [best] Best
    [lowest] Lowest
    [highest] Highest
   *[worst] Worst
 } { $count ->
    [one] { $kind ->
        [coupling] coupling
        [mux] MUX
       *[qubit] qubit
    }
   *[other] { $kind ->
        [coupling] couplings
        [mux] MUXes
       *[qubit] qubits
    }
 } by { $what }: { $names }.**
plan-worse-than-limit = Worse than the lab's limit of { $limit }: { $names }.
plan-none-worse = No value is worse than the lab's limit of { $limit }.
plan-overall = **{ $order ->
    [best] Best
   *[worst] Worst
 } { $count ->
    [one] qubit
   *[other] qubits
 } overall: { $names }.**
plan-percentiles = Ranked by the mean percentile over these metrics.
plan-no-current-values = No qubit has a current value.
plan-no-value = No value of { $what }.
plan-no-limit = The lab has set no limit for { $name }.
plan-of-all = { $name } of all { $kind ->
    [coupling] couplings
   *[qubit] qubits
 }
plan-meeting = Which ones meet the conditions now
plan-chart = Chart: { $title }

## Planner: distributions and correlations

plan-of-kind = { $name } of { $kind ->
    [coupling] couplings
   *[qubit] qubits
 }
plan-per-mux = **{ $what } per MUX: lowest in MUX { $lowest } ({ $low }), highest in MUX { $highest } ({ $high }).**
plan-statistic-of = { $statistic ->
    [mean] Mean { $name }
    [deviation] Standard deviation of { $name }
    [lowest] Lowest { $name }
    [highest] Highest { $name }
   *[median] Median { $name }
 } of { $whose }
plan-related = **{ $how ->
    [rise-together] { $x } and { $y } rise together.
    [opposite] { $x } is low where { $y } is high.
    [hint] { $x } and { $y } may be correlated.
    [too-few] Not enough values of both { $x } and { $y }.
   *[none-seen] No correlation between { $x } and { $y }.
 }**
plan-correlation = Spearman's rank correlation { $r } (95 %: { $low } to { $high }), p = { $p }, { $things }. A correlation of { $smallest } or more would be found with 80 % power. Correlation does not imply a cause.
plan-have-both = With both values: { $things }.

## Planner: unreliable fits

plan-all-fits-count = Unreliable fits were not left out: all stored values count.
plan-fits-count = Unreliable fits of { $name } were not left out. { $why }.
plan-curves-not-judged = Its curves can't be judged here.
plan-no-curve = The copilot can't judge the curves of these values.
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
 } of { $count } qubits, { $pairs } couplings. Positions: `copilot.data['topology']`.
plan-no-layout = **{ $count } qubits and { $pairs } couplings.** The topology is unknown, so there are no positions. The couplings of the database: `copilot.data['topology']`.
plan-map = **{ $name }: median { $median }** (from { $min } to { $max }); { $count } of { $all } { $kind ->
    [coupling] couplings
   *[qubit] qubits
 }.
plan-never-measured = Not measured: { $names }.
plan-older-shown = An older value is shown where the newest result is excluded or has none: { $names }.
plan-parameters = **{ $count } parameters were measured.**
plan-parameter = - `{ $parameter }`: { $name }, { $count } results
plan-neighbours = **{ $name } is coupled to { $names }** (couplings { $couplings }).
plan-no-neighbours = { $name }: –
plan-compared = **Current values of { $names }** (age in brackets).
plan-better = { $name } is better by at least { $z } σ in { $what }.
plan-none-better = Neither is better by { $z } σ or more.
plan-no-results-at-all = No values at all: { $names }.
plan-results-of = { $name } values
plan-any-results = values
plan-for-days = in the last { $days ->
    [one] day
   *[other] { $days } days
 }
plan-during = { $window }
plan-never = { $things } { $count ->
    [one] has
   *[other] have
 } no { $results } at all: { $names }.
plan-named-have-results = { $names } { $count ->
    [one] has
   *[other] have
 } { $results }.
plan-all-have-results = Every { $kind ->
    [coupling] coupling
   *[qubit] qubit
 } has { $results }.
plan-old = { $things } { $count ->
    [one] has
   *[other] have
 } no { $results } { $span }: { $names }.
plan-none-old = Every { $kind ->
    [coupling] coupling
   *[qubit] qubit
} with { $results } has new ones { $span }.
plan-needs-attention = **Needs attention: { $names }.**
plan-many-need-attention = **{ $count } findings need attention, the most serious on { $names }.**
plan-nothing-needs-attention = **Nothing needs attention on these { $count } qubits.**
plan-health-unknown = **Most of the { $count } qubits have no values to judge: see the table.**
plan-measured-of = { $count } of { $all } qubits

## Planner: what one table answers

plan-all-elements = all { $kind ->
    [coupling] couplings
   *[qubit] qubits
 }
plan-first-rows = The first { $shown } of { $all } rows; the cell has all of them.
plan-none-before = The question before had no { $kind ->
    [coupling] couplings
    [run] run
   *[qubit] qubits
 } as its answer.
plan-too-few-for-allan = { $name } of { $whose } has fewer than three measurements, too few for an Allan deviation.
plan-allan = **{ $name } of { $whose } is steadiest when averaged over about { $hours } h: Allan deviation { $deviation }.**
plan-allan-means = Where the deviation falls, white noise dominates; where it is flat, flicker noise; where it rises, drift. Beyond that point, averaging for longer doesn't help.
plan-telegraph = { $count ->
    [0] **No switching between two levels was found in { $name } of { $whose }.**
   *[other] **{ $name } switches between two levels: { $names }.**
 }
plan-switching = { $verdict ->
    [switches] switches
    [one-level] one level
   *[too-few] too few measurements
 }
plan-difference = **{ $name }: { $pair } = { $by }.**
plan-differences = **{ $name } differs least for { $pair }: { $by }.** The median of { $count } differences is { $middle }.
plan-none-closer = **No pair is closer than { $limit } in { $name }.** The closest differ by { $closest }.
plan-closer = **{ $count ->
    [one] One pair is
   *[other] { $count } pairs are
 } closer than { $limit } in { $name }.** The closest is { $pair }: { $by }.
plan-anything = The newest measurement
plan-age = { $hours ->
    [0] less than 1 h
    [one] 1 h
   *[other] { $hours } h
 }
plan-age-days = { $days ->
    [one] 1 day
   *[other] { $days } days
 }
plan-read-as = Read as: { $asked }
plan-no-age = { $named ->
    [yes] **{ $name } of { $whose } was never measured.**
   *[no] **{ $whose } has no completed measurement.**
}
plan-measured-at = **{ $name } of { $whose } is { $age } old**, measured { $at } UTC.
plan-ages = **{ $name }: the oldest is { $oldest } old ({ $oldest_of }), the newest { $newest }.**
plan-fewer-measurements = There aren't that many measurements of { $what }.
plan-nth = **The { $nth ->
    [first] first
    [newest] newest
    [2] second newest
    [3] third newest
   *[other] { $nth }th newest
 } measurement of { $what }: { $value }**, { $at } UTC, run { $run }.
plan-per-period = **{ $name } of { $whose } per { $per }:** { $count } measurements in { $periods } { $per ->
    [day] { $periods ->
        [one] day
       *[other] days
     }
    [week] { $periods ->
        [one] week
       *[other] weeks
     }
   *[month] { $periods ->
        [one] month
       *[other] months
     }
 }, the newest first.
plan-excluded-values = { $count ->
    [0] **No value{ $whose ->
            [all] {""}
            [qubit] {" of a qubit"}
            [coupling] {" of a coupling"}
           *[other] {" of "}{ $whose }
        } was excluded { $window }.**
    [one] **1 value was excluded { $window }: { $names }.**
   *[other] **{ $count } values were excluded { $window }: { $names }.**
 }
plan-outliers = { $count ->
    [0] **{ $what }: no value is an outlier.**
    [one] **{ $what }: 1 value is an outlier, of { $names }.**
   *[other] **{ $what }: { $count } values are outliers, of { $names }.**
 }
plan-heading-deviations = robust deviations from the median
plan-no-results = There are no results { $window }.
plan-share = **{ $share } { $what }:** { $count } of { $all } results { $window }.
plan-most-often = **{ $name } { $what } most often: { $count } of { $all } results.** Overall: { $total }.
plan-most-results = **{ $name } has the most results: { $count } of { $all }.**
plan-most-often-of = **{ $name } { $what } most often: { $count } of { $all }.**
plan-counts-per-period = **{ $what } { $window }**, in { $periods } { $per ->
    [day] { $periods ->
        [one] day
       *[other] days
    }
    [week] { $periods ->
        [one] week
       *[other] weeks
    }
   *[month] { $periods ->
        [one] month
       *[other] months
    }
}.
plan-no-runs = There are no such runs { $window }.
plan-run-first = **{ $order ->
    [highest] The longest run is { $run }: it took { $took }
    [lowest] The shortest run is { $run }: it took { $took }
   *[newest] { $run } is the newest run, by { $by }
 }**, started { $at } UTC.
plan-duration = { $seconds ->
    [one] 1 s
   *[other] { $seconds } s
 }
plan-nothing-wrong = **No problems found on { $whose }**: no value is old or worse than its limit, and nothing got worse in the last { $days } days. { $judged ->
    [yes] The newest curves support their values.
   *[no] No curves were judged.
 }
plan-without-limit = No limit is set for { $name }, so no value of it counts as bad.
plan-wrong = **{ $whose }: { $what }.**{ $more ->
    [0] {""}
    [one] {" "}The table has 1 more finding of this severity.
   *[other] {" "}The table has { $more } more findings of this severity.
 }
plan-severity = { $severity ->
    [bad] bad
    [warning] warning
   *[note] note
 }
plan-look = { $finding ->
    [no-results] no values at all
    [beyond-limit] { $name } { $value } is worse than its limit, { $limit }
    [fell] { $name } fell about { $since }: { $value }
    [rose] { $name } rose about { $since }: { $value }
    [moved] { $name } changed about { $since }: { $value }
    [newest-failed] the newest { $name } failed on { $since }
    [not-to-be-trusted] the newest { $name } can't be trusted ({ $since })
    [not-measured-lately] not measured for { $value }, since { $since }
    [flagged] { $name } is flagged: { $value }
   *[dipped] { $name } was lower for a time from { $since } on, and came back: { $value }
 }
plan-then = { $first }; { $more }
plan-note-of = Note by { $by }: { $words }
plan-recalibrate = { $count ->
    [0] **Nothing needs recalibration**: no value is old or worse than its limit, and nothing got worse. { $judged ->
        [yes] The newest curves support their values.
       *[no] No curves were judged.
    }
    [one] **Recalibrate { $names }.**
   *[other] **Recalibrate { $count }, the most urgent first: { $names }.**
 }
plan-recalibrate-dead = Not listed, because no measurement has ever succeeded: { $names }.
plan-no-patch = No set of { $count } connected qubits has all of these values from the last 30 days.
plan-patch = **{ $chain ->
    [yes] The best chain of { $count } qubits is { $names }
   *[no] The best { $count } connected qubits are { $names }
 }: product of fidelities { $fidelity }.**
plan-patch-means = The product of the readout and X90 fidelities of the qubits and the ZX90 fidelities of the couplings that join them, from the last 30 days.
plan-no-jump = **No jump or drift of { $name } of { $whose } was found { $window }.**
plan-jump-kind = { $kind ->
    [jump] at once
   *[drift] little by little
 }
plan-jumped = **{ $name } of { $whose } { $kind ->
    [jump] jumped on { $at }
   *[drift] has drifted since about { $at }
 } by { $by }: { $before } → { $now }.**{ $more ->
    [0] {""}
    [one] {" "}1 other change is in the table.
   *[other] {" "}{ $more } other changes are in the table.
 }
plan-heading-how = how
plan-not-read = **Incomplete**: `{ $tool }` failed. { $why }
plan-not-on-chip = Not on this chip: { $names }. Its qubits are { $first } to { $last }.
plan-only-value = **{ $name } of { $whose }: { $value }.** No other value is usable.
plan-same-value = **{ $name } is { $value } wherever it has a value.**
plan-from-lowest = **{ $name } ranges from { $low } ({ $low_of }) to { $high } ({ $high_of }).**
plan-newest-of = Only the newest { $read } of { $all } results were read. Ask for a shorter time range to include all of them.
plan-heading-averaging = averaged over
plan-heading-allan-deviation = Allan deviation
plan-heading-levels = levels
plan-heading-switches = switches
plan-heading-difference = difference
plan-heading-value-of = { $side ->
    [first] first
   *[second] second
 }
plan-heading-period = { $per ->
    [day] day
    [week] week from
   *[month] month from
 }
plan-heading-reason = reason
plan-heading-results = results
plan-heading-share = share
plan-heading-weight = severity
plan-heading-why = why
plan-heading-run-tasks = run

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
plan-no-points = The copilot doesn't have its points.
plan-result-excluded = This result is excluded.
plan-task-failed = The task failed and stored nothing.
plan-nothing-stored = **No value was stored with this result**, so it counts nowhere.
plan-stored-value = stored { $value }
plan-refit-value = new fit { $value }
plan-apart = { $sigmas } σ apart
plan-reason = Reason: { $reasons }.
plan-measure-next = Measure next: { $what }
plan-curves-why = { $why ->
    [unreliable] Stored although the fit is unreliable
    [off] Stored values more than 3 σ from the new fit
   *[signal] Failed although the curve has a value
}: { $names }.
plan-without-points = Results without points: { $count }.
plan-only-newest = Only the newest { $count } results were checked.
plan-unread = Left out: { $why }.

## Planner: one result

plan-read-result = **{ $what }: { $found }**
plan-no-output-kept = no output (a fit this bad is not kept)
plan-run = Run { $run }: { $start }.
plan-run-took = Run { $run }: { $start }, { $took }.
plan-excluded = excluded: { $why }
plan-is-excluded = Excluded: { $why }.
plan-message = Message: { $message }
plan-fit-quality = Quality of the fit: { $names }.
plan-note = Note: { $note }
plan-completed-before = Completed results before this one: { $count }.
plan-completed-before-at-least = Completed results before this one: at least { $count }.
plan-beside = Neighbors: { $names }.
plan-not-judged = **Its curve was not judged.**
plan-unknown-curve = The copilot can't judge curves of this task.
plan-figure-not-read = Not checked: the figure, the points of the fit, and the cause. Ask a language model, or check them yourself.
plan-why-not-found = Not checked: the cause. Ask a language model, or check it yourself.
plan-beyond-rules = The offline planner can't answer the question that you added.

## Planner: results, runs and notes

plan-results = { $count ->
    [0] No
   *[other] { $count }
 } { $status ->
    [none] {""}
   *[failed] { $status }{" "}
 }{ $count ->
    [one] result
   *[other] results
 }
plan-runs = { $count ->
    [0] No
   *[other] { $count }
 } { $status ->
    [none] {""}
   *[failed] { $status }{" "}
 }{ $count ->
    [one] run
   *[other] runs
 }
plan-of-task = { $what } of { $task }
plan-on-element = { $what } on { $qid }
plan-in-run = { $what } in run { $run }
plan-found-in = { $what } { $window }
plan-only-the-newest = { $what } (only the newest)
plan-counted = **{ $what }: { $counts }.**
plan-counted-of-status = **{ $what }.**
plan-no-values = **{ $what }: none of { $count } measurements has a value.**
plan-measurements = { $count ->
    [one] **{ $what }: { $newest } (one measurement).**
   *[other] **{ $what }: { $of_all ->
        [0] { $count } measurements
       *[other] the newest { $count } of { $of_all } measurements
     }, newest { $newest }, median { $median }, from { $low } to { $high }.**
 }
plan-fits-failed = Fit failed: { $count }.
plan-trend-is = Trend: { $trend }.
plan-current-version = **{ $what }: { $value } since { $since } UTC (version { $version }).**
plan-skipped-versions = Version numbers used by other chips of the project: { $versions }.
plan-entity-id = ID for the lineage graph: `{ $id }`.
plan-calibration-notes = **{ $count ->
    [one] { $count } calibration note
   *[other] { $count } calibration notes
 }; the numbers have no units.**
plan-no-note-of = **There are no notes on { $names }.**
plan-notes = **{ $count ->
    [one] { $count } note
   *[other] { $count } notes
 } by people, newest first.**

## Planner: versions and lineage

plan-no-versions = { $parameter } has no known version.
plan-origin = **{ $what } goes back to { $values ->
    [one] 1 other value
   *[other] { $values } other values
} and { $results ->
    [one] 1 result of a task
   *[other] { $results } results of tasks
}.**
plan-stale-versions = Made from versions that are no longer the newest: { $names }.
plan-version-used = { $name } { $parameter } ({ $used }, now { $newest })
plan-not-completed = Results that were not completed: { $names }.

## Planner: current values

plan-current-parameters = **Current parameters of { $whose }.**
plan-couplings-of = the couplings of { $name }
plan-never-calibrated = Never calibrated: { $names }.
plan-value-of = { $whose } { $name } { $value }
plan-worse-than-limits = Worse than the lab's limit: { $names }.
plan-below-good = Below good: { $names }.
plan-doubts = Excluded or questionable values:
plan-flag = - { $whose } { $name }: { $flag }
plan-more-flags = - and { $count } more
plan-flag-kind = { $kind ->
    [excluded] excluded
    [unreadable] unreadable
    [impossible] impossible
   *[suspicious] suspicious
 }:{" "}
## Settings: files

unreadable-file = Can't read { $file }: { $reason }.
unreadable-file-hint = Fix or remove the file.
problem-at = line { $line }, column { $column }: { $problem }
not-utf8 = it isn't UTF-8 text
not-utf8-at = it isn't UTF-8 text (byte { $byte })
not-yaml = it isn't YAML
yaml-too-deep = lists and mappings are nested more than { $most } levels deep
yaml-too-large = it expands to more than { $most } keys and values (check the aliases, *name)
yaml-recursive = it contains itself
text-too-long = { $file } is longer than 1 MB.
text-too-long-hint = Shorten it: the model has to read it.
file-without-settings = { $file } doesn't contain named settings.
write-key-value = Write one `key: value` per line.
write-json-object = Write a JSON object.
variable-names-no-folder = { $variable } is set to { $folder }, which isn't a folder.
variable-names-no-file = { $variable } is set to { $file }, which isn't a file.
correct-variable = Correct or unset { $variable }.
no-settings-in-folder = There is no copilot.yaml in { $folder }.
no-settings-in-folder-hint = Choose a folder that contains a copilot.yaml.
trust-not-saved = Can't write { $file }: { $reason }.
trust-not-saved-hint = Set { $variable }={ $folder } instead.

## Settings: where they come from

environment-variables = the environment ({ $names })
jupyterlab-settings = JupyterLab's settings
given-options = the options
settings-of-qdash = QDash's settings in { $file }
settings-name = Settings
settings-in = Settings in { $where }
untrusted-content = Ignored the predefined content in { $folder }. To trust this folder, run %copilot trust.
untrusted-settings = Ignored { $names } in { $where }. To trust this folder, run %copilot trust.
policy-bounded = Ignored policy: { $policy }. The administrator allows at most { $most } ({ $file }).
feature-forbidden = Ignored { $name }. The administrator has turned it off ({ $file }).

## Settings: mistakes

settings-wrong = There are mistakes in { $where }.
settings-wrong-hint = Correct them. To use a default, remove the key.
violation = { $key }: { $message }.
violation-at = Line { $line }, { $key }: { $message }.
unknown-key = unknown key; remove it
unknown-key-nearest = unknown key (did you mean { $name }?)
unknown-key-known = unknown key (known: { $names })
unknown-type = unknown type (known: { $names })
same-setting = this is the same setting as { $name }; keep only { $name }
several-databases = There is more than one database in { $where }.
several-databases-hint = Keep only one of them: { $names }.
setting-renamed = { $old } is now called { $new }. The old name still works.
beside-predefined = { $names } can't be used with `type: predefined`; use `override` instead
override-form = this must be an object, a JSON Merge Patch (RFC 7396) of the template
no-predefined = there is no predefined '{ $name }'{ $count ->
    [0] { "" }
   *[other] { " " }(known: { $names })
 }
enum-values = allowed values must be text, numbers, true, false or null; put dates in quotes
set-one-of = set either { $names }
url-without-scheme = the URL must start with https:// or http://
program-secret = a program gets its secret in an environment variable; set authentication.env
band-form = this must be [lowest, highest], such as [4.2, 5.1]
unknown-api-style = QDASH_COPILOT_API_STYLE can't be '{ $value }'.
unknown-api-style-hint = Set it to { $names }.
unknown-language = { $key } can't be '{ $value }'.
unknown-language-hint = Use { $names }. To add a language, see docs/extending.md.
never-send-invalid = { $setting }: '{ $name }' isn't a valid name of a field or parameter.
never-send-invalid-hint = Names consist of letters, digits and underscores. Use * for any characters.
never-send-needed = { $setting }: '{ $name }' can't be withheld because every answer needs it.
never-send-needed-hint = Remove it from the list.
never-send-unknown = '{ $name }' isn't a known field, parameter or kind of note.

## Settings: QDash's own

no-qdash-settings = { $path } doesn't contain QDash copilot settings.
no-qdash-settings-hint = Choose QDash's `copilot` folder (with { $names }) or a single file.
qdash-key-unknown = { $key }: unknown setting
unused-by-qdash = { $key }: QDash's agent doesn't use it either
analysis-model-unused = analysis_model: analyses use the model of the conversation (this one is among `models`)
qdash-language-unknown = { $key }: only en and ja are available
qdash-model-form = { $key }: a model must be an object with a name
qdash-model-may-see = analysis.multimodal: QDash doesn't send figures to { $name }, a chat model. If it accepts images, add `accepts: [{ $type }]`
qdash-no-model-sees = analysis.multimodal: there is no model to send figures to
qdash-copilot-off = enabled: the copilot is turned off in QDash. To use its model, set `orchestrator.deployment: { $model }`
qdash-provider-unknown = { $key }: the provider { $provider } isn't supported
qdash-secret-variable = { $key }: { $variable } looks like a secret, so it wasn't read
qdash-variable-unset = { $key }: the variable { $variable } isn't set

## What is not available

named-issue = { $name }: { $message }
package-fails = Can't load { $name }: { $error }: { $reason }
files-of-user = Your files
not-saved = Not saved: { $items }.
not-saved-item = { $what } ({ $reason })
copilot-log = the copilot's log
known-of-model-server = the record of what the model server supports
no-home-folder = there is no home folder (HOME isn't set)
preview-off = This is a preview and is turned off. To use it, set ENABLE_PREVIEW_FEATURES=1.
skill-not-utf8 = { $url } isn't UTF-8 text.
skill-not-utf8-hint = Use the address of a `SKILL.md`.
unknown-reader = No installed package provides the reader '{ $name }'.
unknown-reader-hint = Install the package that provides it, or correct `database.reader`.
reader-named = the reader '{ $name }'
model-named = the model '{ $name }'
part-not-opened = Can't open { $what }: { $error }: { $reason }.
part-not-opened-hint = Another package provides it. Details are in the copilot's log.
model-not-loaded = Can't load the model '{ $name }', which another package provides.
model-not-loaded-hint = Details are in the copilot's log. To work without a model, set `orchestrator: {"{"}deployment: offline{"}"}`.

## Task knowledge

task-knowledge-form = { $file } doesn't contain knowledge by task name.
task-knowledge-wrong = There are mistakes in the task knowledge { $file }.
task-knowledge-hint = Correct the file, or `task_knowledge` in copilot.yaml.
more-mistakes = { $count ->
    [one] There is 1 more mistake.
   *[other] There are { $count } more mistakes.
 }

## Data in use

demo-data = demo data (generated)
snapshot-label = snapshot { $name }
indexes-complete = Indexes: complete
indexes-not-listed = Indexes: this user can't list them (action listIndexes, part of the role read)
index-missing = Missing index: { $collection } ({ $fields })

## MongoDB: its address

no-mongo = No MongoDB is configured.
no-mongo-hint = Set { $variable }, or QDash's { $qdash_variable } and related variables.
given-address = The given address
mongo-address-example = An address looks like mongodb://user:password@host:27017/qdash.
mongo-address-scheme = { $source } isn't a MongoDB address: it doesn't start with { $schemes }.
mongo-address-unescaped = { $source } has unescaped characters in the user name or password.
mongo-address-unescaped-hint = In both, write the characters : / ? # [ ] @ % as %3A %2F %3F %23 %5B %5D %40 %25.
mongo-address-no-host = { $source } isn't a MongoDB address: the host is missing.
mongo-address-invalid = The MongoDB address isn't valid.
mongo-address-invalid-hint = It looks like mongodb://user:password@host:27017/qdash. Check the port, the options after ? and the name of the database. Special characters in the user name and password must be percent-encoded.
mongo-port = MONGO_PORT is '{ $value }', which isn't a port number.
mongo-port-hint = Set it to a number such as 27017.
mongo-host = MONGO_HOST isn't a host name.
mongo-host-hint = To give a whole address, set { $variable } instead.

## MongoDB: the connection

mongo-unknown-host = Can't resolve the host name of { $host }.
mongo-unknown-host-hint = Check the spelling, or connect to the lab's network. `mongo` works only inside QDash's containers.
mongo-silent = MongoDB at { $host } didn't respond in time.
mongo-silent-hint = Check the host name, the VPN or tunnel, and the firewall.
mongo-lost = The connection to MongoDB at { $host } was lost.
mongo-lost-hint = Try again in a moment.
connection-closed = The connection to { $host } is closed.
connection-closed-hint = Connect again.
mongo-no-server = { $why ->
    [tls-expired] The server at { $host } has an expired certificate.
    [tls-other-host] The server at { $host } has a certificate for another host name.
    [tls-untrusted] The server at { $host } has a certificate from an unknown authority.
    [tls-failed] The TLS connection to { $host } failed.
    [replica-set-unknown] No server at { $host } belongs to the replica set in the address.
    [replica-set-without-server] The replica set at { $host } currently has no server that readPreference allows.
    [connection-refused] { $host } refused the connection.
   *[connections-closed] The server at { $host } closes every connection.
 }
mongo-no-server-hint = { $why ->
    [tls-expired] Ask its administrator to renew it.
    [tls-other-host] Use the host name in the certificate, or ask the server's administrator.
    [tls-untrusted] Add the certificate of the lab's authority: option tlsCAFile=/path/to/ca.pem.
    [tls-failed] Check whether the server uses TLS (option tls=true or tls=false), and check the file named by tlsCAFile.
    [replica-set-unknown] Check the option replicaSet, and check that the names of its servers resolve here.
    [replica-set-without-server] To allow any server, use readPreference=nearest.
    [connection-refused] Check the port. Check that MongoDB is running and accepts connections from here (in Docker, a published port).
   *[connections-closed] It may require TLS: add tls=true to the address.
 }
tls-expired-hint = Ask its administrator to renew it.
tls-other-host-hint = Use the host name in the certificate, or ask the server's administrator.

## MongoDB: access and queries

mongo-wrong-password = MongoDB at { $host } doesn't accept this user and password.
mongo-wrong-password-hint = Check the user name and password.
mongo-auth-source = If the user was created for all databases, add ?authSource=admin to the address.
mongo-needs-password = MongoDB at { $host } requires a user name and password.
mongo-needs-password-hint = Add them to the address: mongodb://user:password@host:27017/qdash?authSource=admin.
mongo-no-right = This user can't read the database at { $host }.
mongo-no-right-hint = Ask its administrator for the role `read`, or choose another database.
mongo-refused = MongoDB at { $host } refused the command (error { $code }).
mongo-refused-hint = It may be too old: version 5.0 or newer is required.
mongo-not-qdash = { $database } isn't a QDash database. It contains { $names }.
mongo-database-empty = The database { $database } is empty or doesn't exist.
mongo-check-database = Check the database name (older QDash installations use qubex).
mongo-other-database = QDash's collections are in { $names }. Add that database to the address, as in mongodb://HOST/{ $example }.
mongo-no-qdash-database = This server has { $names }, and none of them looks like a QDash database.
mongo-no-databases = This server has no databases. Check that it is the right one.
query-timed-out = The query to MongoDB at { $host } timed out.
query-timed-out-hint = Ask for fewer qubits, a shorter time range or fewer measurements.
query-stopped = The query was stopped.
query-stopped-hint = Ask again.
undecodable-document = MongoDB at { $host } sent a document that can't be decoded.
undecodable-document-hint = Please report this.
mongo-unreadable = Can't read MongoDB at { $host } ({ $reason }).
try-again = Try again.

## Snapshots

snapshot-incomplete = The snapshot { $folder } has no { $file }.
snapshot-incomplete-hint = Take it again, or choose another folder.
snapshot-gone = The snapshot { $folder } no longer exists.
snapshot-unreadable = Can't read the snapshot { $folder }: { $reason }.
snapshot-gone-hint = Restore it, or choose other data.
not-a-snapshot = { $folder } isn't a snapshot: it has no { $file }.
not-a-snapshot-hint = Choose the folder that contains this file.
snapshot-manifest-unreadable = Can't read { $file } as the manifest of a snapshot.
snapshot-format = The snapshot { $folder } has format { $format }. This version reads format { $expected }.
retake-snapshot = Take the snapshot again.
upgrade-package = Upgrade qdash-jupyter.
snapshot-exists = { $folder } already contains a snapshot.
folder-not-empty = { $folder } isn't empty.
folder-not-empty-hint = Choose a new folder. Nothing is overwritten.
snapshot-not-written = Can't write { $folder }: { $reason }.
snapshot-not-written-hint = Choose another folder.
snapshot-needs-mongo = A snapshot is taken from MongoDB, not from { $source }.
snapshot-needs-mongo-hint = Set QDASH_MONGO_URI or add --mongo URI. To duplicate a snapshot, copy its folder.
no-calib-data = The folder with the result files isn't set.
no-calib-data-hint = Set it in copilot.yaml: `database: {"{"}calib_data: …{"}"}`. It is QDash's calib_data on this machine.

## Arguments of a read

unknown-element-kind = { $value } isn't a kind of element.
unknown-element-kind-hint = Use { $names }.
not-an-id = { $value } isn't the ID of a qubit or coupling.
not-an-id-hint = IDs look like 7 and 4-1.
not-a-list = { $name } must be a list of strings, not { $value }.
not-a-list-hint = Put it in a list.
not-a-count = { $name } can't be { $value }.
not-a-count-hint = Use a whole number, 0 or more.

## Files of results

no-figure-folder = the folder with figures isn't set (`database.calib_data`)
result-file-elsewhere = it's outside the folder with figures
result-file-path-invalid = its path isn't valid
result-file-missing = the file isn't on this machine
result-file-unreadable = it can't be read ({ $reason })
result-file-too-large = it's larger than { $size }
result-file-no-numbers = it isn't a table of numbers, or it's incomplete
result-file-no-json = it isn't JSON, or it's incomplete
result-file-no-figure = it isn't a Plotly figure
figure-no-base64 = its data isn't base64
figure-no-data = it has no data
figure-no-png = it isn't a PNG
trace-no-object = trace { $number } isn't an object
trace-of-type = { $trace }: traces of type { $type } aren't supported
trace-left-out = { $trace }: { $reason }
trace-uneven = it has different numbers of x values ({ $x }) and y values ({ $y })
trace-no-matrix = z isn't a matrix
trace-wrong-count = it has { $count } { $axis } { $count ->
    [one] value
   *[other] values
 } instead of { $expected }
trace-no-numbers = { $axis } isn't a list of numbers
trace-uneven-rows = the rows of { $axis } have different lengths
trace-bad-array = { $axis } isn't a Plotly array, or it's incomplete
trace-dimensions = { $axis } has { $count } { $count ->
    [one] dimension
   *[other] dimensions
 }

## Analyses

ask-analysis = Analyze { $what }
selected-result = the selected result
result-of = { $task } of { $qid }
result-of-run = { $result } of run { $run }
ask-picture = What does { $name } show?
ask-lines = Explain the selected lines of { $name }
ask-cell = Explain the output of cell { $name }
ask-fix = Fix cell { $name }
cell-named = Cell { $name }
lines-of = Lines of { $name }
result-details = { $status ->
    [completed] completed
    [failed] failed
   *[other] { $status }
 }{ $is_excluded ->
    [True] , excluded
   *[False] { "" }
 } · { $started } · run { $run }
no-date = no date
figure-of-result = Figure of this result: { $file }
reference-figure = Reference figure: { $title }
picture-not-kept = The image was lost when the kernel stopped. Select it and ask again.
never-ran = { $task } never ran on { $qid }.
no-such-result = No result of { $task } on { $qid } matches.
task-ran-in = It ran in { $runs }.
## Panel: numbers and times

panel-format-rows = { $n } { $n ->
    [one] row
   *[other] rows
 }
panel-format-columns = { $n } { $n ->
    [one] column
   *[other] columns
 }
panel-format-records = { $n } { $n ->
    [one] record
   *[other] records
 }
panel-format-characters = { $n } { $n ->
    [one] character
   *[other] characters
 }
panel-format-seconds = { $n } s
panel-format-minutes = { $n } min { $seconds } s
panel-format-justNow = just now
panel-format-minutesAgo = { $n } min ago
panel-format-hoursAgo = { $n } h ago
panel-format-asOf = as of { $day }
panel-format-tokensInOut = { $sent } tokens in, { $got } out

## Panel: kernel

panel-kernel-live = Kernel ready
panel-kernel-busy = Kernel busy
panel-kernel-silent = Kernel not responding
panel-kernel-lost = Kernel stopped
panel-kernel-connecting = Connecting to the kernel

## Panel: header

panel-header-fileName = { $notebook } conversation.{ $ending }
panel-header-transcriptCopied = Conversation copied
panel-header-data = Data
panel-header-dataCount = Data { $n }
panel-header-dataTitle = Data in the kernel
panel-header-results = Results
panel-header-conversations = Conversations
panel-header-begin = New conversation
panel-header-more = More
panel-header-copyTranscript = Copy conversation
panel-header-saveNotebook = Save as notebook
panel-header-saveMarkdown = Save as Markdown
panel-header-ofProject = { $chip }, project { $project }
panel-header-chip = Chip: { $chip }
panel-header-qubits = { $n } { $n ->
    [one] qubit
   *[other] qubits
 }
panel-header-chooseChip = Choose a chip

## Panel: buttons

panel-buttons-copied = Copied
panel-buttons-notCopied = Not copied: your browser blocked it
panel-buttons-dismiss = Dismiss
panel-buttons-stop = Stop
panel-buttons-send = Send
panel-buttons-keep = Keep
panel-buttons-show = Show
panel-buttons-undo = Undo
panel-buttons-delete = Delete
panel-buttons-edit = Edit
panel-buttons-fetchAgain = Fetch again
panel-buttons-fetching = Fetching…
panel-buttons-tryAgain = Try again

## Panel: notices

panel-notices-beganAnew = New conversation started.
panel-notices-lost = The kernel stopped. Your conversation is saved.
panel-notices-missing = Missing from Jupyter's environment: { $names }.
panel-notices-unhosted = Code output appears here. This panel doesn't insert cells.
panel-notices-newerKernel = The copilot in the kernel is newer than this page.
panel-notices-saveAndReload = Save the notebook and reload the page.
panel-notices-undrawable = This part can't be shown. See your browser's console for the reason.

## Panel: greeting

panel-greeting-examples = Examples
panel-greeting-opening = Opening the database
panel-greeting-chip = Chip
panel-greeting-chipOf = { $chip } ({ $project }, { $n } { $n ->
    [one] qubit
   *[other] qubits
 })
panel-greeting-notChosen = not chosen
panel-greeting-database = Database
panel-greeting-model = Model
panel-greeting-endpoint = Endpoint
panel-greeting-code = Code
panel-greeting-noLanguageModel = No language model is configured. The offline planner answers questions like these.
panel-greeting-problems = { $n ->
    [one] { $n } value couldn't be read and is treated as missing.
   *[other] { $n } values couldn't be read and are treated as missing.
 }
panel-greeting-cannotStart = The copilot can't start.

## Panel: initialization issues

panel-issues-title = Initialization issues
panel-issues-issues = { $n } { $n ->
    [one] issue
   *[other] issues
 }
panel-issues-notes = { $n } { $n ->
    [one] note
   *[other] notes
 }
panel-issues-connect = Settings and connection
panel-issues-tools = Tools
panel-issues-skills = Skills
panel-issues-context = Context
panel-issues-prompt = Instructions

## Panel: question box

panel-composer-box = Ask the copilot
panel-composer-chooseOrReply = Choose above, or type a reply
panel-composer-askAbout = Ask about { $chip }
panel-composer-theChip = the chip
panel-composer-picture = Image { $n }
panel-composer-leaveOut = Detach
panel-composer-analyze = Analyze a result
panel-composer-completions = Completions
panel-composer-completionsFound = { $n ->
    [one] 1 completion
   *[other] { $n } completions
 }
panel-composer-names = Names
panel-composer-waitsForRunning = Sent when the current question is done
panel-composer-findModels = Find models on this machine
panel-composer-model = Model: { $model }
panel-composer-cell = cell { $label }
panel-composer-kinds = { $kind ->
    [variable] variable
    [data] data
    [qubit] qubit
    [task] task
    [parameter] parameter
    [time] time
   *[coupling] coupling
 }

## Panel: context window

panel-gauge-filled = { $filled } of { $most } context tokens used
panel-gauge-last = last question: { $tokens }
panel-gauge-lastEstimated = last question: { $tokens } (estimated)
panel-gauge-tokens = { $n } { $n ->
    [one] token
   *[other] tokens
 }

## Panel: why a question can't be sent

panel-blocked-lost = Not connected to the copilot
panel-blocked-connecting = Connecting to the kernel…
panel-blocked-failed = Not connected: see above
panel-blocked-look = Check above what will be sent
panel-refusals-noReason = The kernel rejected this without giving a reason.
panel-refusals-stoppedWithQueue = The kernel stopped before answering the question in the box.
panel-refusals-stoppedWithQuestion = The kernel stopped before it received your question.
panel-refusals-unreadable = Can't read { $file }.
panel-refusals-unknownFile = { $file } isn't a table (CSV, Parquet) or an image.
panel-refusals-tooLarge = { $file } is larger than { $mb } MB. Read it from disk with pandas in a cell.
panel-refusals-seesNot = { $model } isn't set up to read images. “accepts” in copilot.yaml sets which models can.
panel-refusals-plannerSeesNot = The offline planner can't read images. Choose a language model that can.
panel-refusals-pictureNotHere = You can't add an image to a question about something else. Remove that first.
panel-refusals-tooManyPictures = You can add up to four images to a question.
panel-refusals-picturesTooLarge = The images of a question can be up to { $mb } MB in total.

## Panel: what a question is about

panel-subject-run = run { $run }
panel-subject-analyzeRun = Analyze { $task } of { $qid } in run { $run }
panel-subject-analyze = Analyze { $task } of { $qid }
panel-subject-ofElement = { $task } of { $qid }
panel-subject-resultHint = Ask about this result, or just send
panel-subject-whatShows = What does { $label } show?
panel-subject-pictureHint = Ask about the image, or just send
panel-subject-lines = Lines of { $label }
panel-subject-explainLines = Explain the selected lines of { $label }
panel-subject-linesHint = Ask about these lines, or just send
panel-subject-cell = Cell { $label }
panel-subject-empty = empty
panel-subject-fix = Fix cell { $label }
panel-subject-fixHint = Add details, or just send
panel-subject-explainOutput = Explain the output of cell { $label }
panel-subject-cellHint = Ask about this cell, or just send
panel-subject-figureGone = available only while the kernel runs

## Panel: conversation

panel-conversation-name = Conversation
panel-conversation-new = New
panel-conversation-answerReady = Answer ready
panel-conversation-stopped = Stopped
panel-conversation-failed = The question failed
panel-conversation-interrupted = Interrupted
panel-conversation-kernelEnded = Interrupted: the kernel stopped
panel-conversation-stoppedByYou = Stopped by you
panel-conversation-askAgain = Ask again
panel-conversation-unanswered = This question has no answer.
panel-conversation-noAnswer = No answer
panel-conversation-askedAgain = asked again below
panel-conversation-replies = Replies
panel-conversation-nextSteps = Next steps
panel-conversation-copyAnswer = Copy answer
panel-conversation-picture = Image drawn by the analysis code

## Panel: status

panel-status-thinking = Thinking
panel-status-writing = Writing the answer
panel-status-waitingForKernel = Waiting for the kernel
panel-status-stopsAfterCell = Stopping after the current cell
panel-status-waitsForCell = Waiting for the current cell
panel-status-silentStop = The kernel isn't responding; Stop is queued
panel-status-silent = The kernel isn't responding
panel-status-stopping = Stopping
panel-status-stillWaiting = Still waiting for the model
panel-thought-soFar = Thoughts so far
panel-thought-lasted = Thought for { $time }

## Panel: steps

panel-step-running = Running
panel-step-forYou = Waiting for you
panel-step-done = Done
panel-step-failed = Failed
panel-step-folded = { $n } { $n ->
    [one] step
   *[other] steps
 } · { $time }
panel-step-waiting = waiting for the kernel
panel-step-withoutCell = ran without a cell
panel-step-inCell = In cell ↗
panel-step-inCellNumber = In cell [{ $n }] ↗
panel-step-cellGone = No longer in the notebook.
panel-step-gone = gone
panel-step-showInData = Show in the data list
panel-step-sent = Sent to the model
panel-step-readByPlanner = Read by the offline planner
panel-step-tool = Tool
panel-step-arguments = Arguments
panel-step-readFrom = Read from
panel-step-code = Code
panel-step-copy = Copy: { $title }
panel-step-forExample = for example { $ids }

## Panel: code

panel-code-name = code
panel-code-copy = Copy code
panel-code-goToCell = Go to the inserted cell
panel-code-insert = Insert as cell
panel-code-insertTitle = Insert as a cell below the cells of the answer
panel-code-notInserted = Not inserted: the notebook can't be edited
panel-code-firstLines = First { $n } lines
panel-code-allLines = All { $n } lines

## Panel: tables

panel-table-name = Table
panel-table-label = { $name }, { $n } { $n ->
    [one] row
   *[other] rows
 }
panel-table-rowsIn = { $n } { $n ->
    [one] row
   *[other] rows
 } in `{ $name }`
panel-table-rowsSoFar = { $n } { $n ->
    [one] row
   *[other] rows
 } so far
panel-table-firstRows = First { $n } rows
panel-table-allRows = All { $n } rows

## Panel: charts

panel-chart-unhosted = Charts can't be drawn here. These are the first values.
panel-chart-foreign = This chart type loads maps from another server, so it isn't drawn. These are the first values.
panel-chart-failed = The chart couldn't be drawn. These are the first values.
panel-chart-name = Chart
panel-chart-expand = Expand chart
panel-chart-copyData = Copy data
panel-chart-save = Save chart
panel-chart-savePicture = Save image (PNG)
panel-chart-saveData = Save data (CSV)
panel-chart-notSaved = The image couldn't be saved here. Expand the chart and save it there.
panel-chart-valuesInAll = { $n } values in total. Use Copy data to get them all.
panel-chart-series = Series
panel-chart-seriesNumber = Series { $n }
panel-chart-values = Values
panel-chart-place = row { $row }, column { $column }
panel-chart-over = { $y } over { $x }
panel-chart-summary = { $name }: { $n } { $n ->
    [one] value
   *[other] values
 }
panel-chart-summaryRange = { $name }: { $n } { $n ->
    [one] value
   *[other] values
 }, { $low } to { $high }
panel-chart-title = Chart: { $title }
panel-chart-untitled = untitled
panel-chart-fileName = chart
panel-assessment-good = Good
panel-assessment-warning = Warning
panel-assessment-bad = Bad
panel-assessment-unknown = Unknown

## Panel: cells of an answer

panel-addedCells-name = Cells of this answer
panel-addedCells-added = { $n } { $n ->
    [one] cell
   *[other] cells
 } added
panel-addedCells-undone = { $n } { $n ->
    [one] cell
   *[other] cells
 } removed
panel-addedCells-unseen = { $n } { $n ->
    [one] cell
   *[other] cells
 } run but not inserted
panel-addedCells-insert = Insert
panel-addedCells-putBack = Restore

## Panel: proposed edits

panel-edit-name = Proposed edit of cell { $label }
panel-edit-title = Edit of cell { $label }
panel-edit-copy = Copy the new text
panel-edit-written = Accepted. To revert, undo in the cell.
panel-edit-rejected = Rejected. The cell is unchanged.
panel-edit-changed = Not applied: the cell has changed since this edit was proposed.
panel-edit-gone = Not applied: the cell is no longer in an open notebook.
panel-edit-accept = Accept
panel-edit-acceptName = Accept the edit
panel-edit-reject = Reject
panel-edit-rejectName = Reject the edit

## Panel: approval

panel-approval-title = { $runs ->
    [session] Run this cell?
    [kernel] Run this in your kernel?
   *[tool] Allow this call?
 }
panel-approval-yes = { $runs ->
    [session] Run
    [kernel] Run in my kernel
   *[tool] Approve
 }
panel-approval-inSession = It runs in the copilot's own process, not in your kernel.
panel-approval-needs = It needs your kernel because it:
panel-approval-elsewhere = Answer in the panel beside the notebook.
panel-approval-lines = { $n } { $n ->
    [one] line
   *[other] lines
 }
panel-approval-readAgain = Check again
panel-approval-cancel = Cancel
panel-approval-changedCode = Edited code is checked again before it runs.
panel-approval-approveTool = Approve this tool in this conversation
panel-approval-approveToolTitle = Don't ask again about this tool
panel-approval-reject = Reject
panel-approval-reason = Reason for rejecting
panel-approval-reasonHint = Reason, for the model
panel-approval-approvedBy = Approved by { $who }
panel-approval-rejectedBy = Rejected by { $who }
panel-approval-notRun = Not run
panel-approval-because = { $what }: { $reason }
panel-approval-standing = Approved in this conversation
panel-approval-revoke = Revoke

## Panel: before the first question to a server

panel-look-title = Before your first question to { $endpoint }
panel-look-goes = This is sent to { $model }:
panel-look-agree = Allow { $endpoint }
panel-signIn-title = Sign in
panel-signIn-keyFor = Key for { $server }
panel-signIn-key = Key
panel-signIn-notNow = Not now
panel-signIn-kept = Kept in the kernel until it stops, never in a file.

## Panel: queue

panel-queue-name = Queue
panel-queue-waiting = { $n } { $n ->
    [one] question
   *[other] questions
 } in the queue
panel-queue-held = Not sent, because the previous question stopped or failed:
panel-queue-remove = Remove

## Panel: results

panel-results-search = Task, qubit or status
panel-results-searchHint = Example: CheckT1 Q07 failed
panel-results-none = No results found.
panel-results-reading = Loading results
panel-results-newest = Newest { $n } results. Add a word to narrow them down.
panel-results-excluded = { $status }, excluded

## Panel: conversations

panel-kept-search = Search conversations
panel-kept-reading = Loading conversations
panel-kept-none = No conversations found.
panel-kept-nothing = No conversations yet. A notebook's conversation is saved with its first question.
panel-kept-openNow = open now
panel-kept-deleteForGood = Permanently delete “{ $title }”?
panel-kept-more = More: { $title }
panel-kept-rename = Rename
panel-kept-title = Title
panel-kept-titleHint = First question

## Panel: data

panel-frames-list = Data
panel-frames-deleted = { $key } was deleted. Fetch it again from its step in the conversation.
panel-frames-lastHeard = As last reported by the kernel.
panel-frames-wentAlong = { $n } { $n ->
    [one] dataset was
   *[other] datasets were
 } lost with the kernel.
panel-frames-fetchAll = Fetch all again
panel-frames-nothing = No data yet. What the copilot reads appears here.
panel-frames-nothingIn = No data yet. What the copilot reads appears here, and in Python as { $name }["…"].
panel-frames-filter = Filter
panel-frames-noneFound = No data matches.
panel-frames-fetching = fetching…
panel-frames-fetch = Fetch { $key }
panel-frames-refresh = Refresh { $key }
panel-frames-delete = Delete { $key }
panel-frames-had = had { $size }
panel-frames-deleteFromKernel = Delete { $key } from the kernel, including your changes?
panel-frames-openInCell = Open in a cell
panel-frames-explore = Explore
panel-frames-copyName = Copy name
panel-frames-copyNameOf = Copy name { $name }
panel-frames-yourVariables = Your variables already use the names `copilot` and `data`. Delete one of them to use this table by name in later cells.
panel-frames-cellBelow = Inserts a cell below the cells of its answer: { $code }
panel-frames-notInserted = Not inserted
panel-frames-unreachable = Reading rows needs the kernel.
panel-frames-reading = Loading rows
panel-frames-part = First { $rows } of { $allRows } { $allRows ->
    [one] row
   *[other] rows
 }, { $columns } of { $allColumns } { $allColumns ->
    [one] column
   *[other] columns
 }
panel-frames-changed = changed by you
panel-frames-noRows = No rows.

## Panel: conversation as Markdown

panel-transcript-assessment = Assessment: { $assessment }
panel-transcript-chart = [chart: { $title }]
panel-transcript-picture = [image]

## Extension: commands

extension-commands-open = QDash Copilot
extension-commands-openCaption = Show the copilot of the current notebook
extension-commands-start = QDash Copilot: Start in This Notebook
extension-commands-startCaption = Run “{ $line }” in the kernel of the current notebook
extension-commands-about = Ask QDash Copilot About This Cell
extension-commands-aboutCaption = Add this cell's code and output to your next question
extension-commands-fix = Fix with QDash Copilot
extension-commands-fixCaption = Ask the copilot to fix this failed cell; nothing changes until you accept the edit
extension-commands-ask = QDash Copilot: Ask
extension-commands-askCaption = Go to the question box, with what you selected in a cell or a file
extension-commands-stop = QDash Copilot: Stop
extension-commands-stopCaption = Stop the current question
extension-commands-approve = QDash Copilot: Approve
extension-commands-approveCaption = Approve the pending request once it is visible

## Extension: starting

extension-start-starting = Starting the copilot…
extension-start-pending = Starting QDash Copilot…
extension-start-done = QDash Copilot is running in this notebook. Type %copilot help in a cell to begin.
extension-start-failed = QDash Copilot didn't start. { $why }
extension-start-runThere = { $why } Run “{ $line }” there, then try again.
extension-start-noKernel = This notebook has no kernel. Choose one first.
extension-start-needsPython = QDash Copilot needs a Python kernel; this one is { $language }.
extension-start-kernelWent = The kernel stopped before it responded.
extension-start-packageMissing = The package isn't installed in the kernel's environment.
extension-start-noPanel = The copilot is loaded, but the kernel's version has no panel. Update it and restart the kernel.
extension-actions-start = Start the copilot
extension-actions-restart = Restart kernel
extension-actions-choose = Choose a kernel
extension-actions-again = Try again
extension-actions-copy = Copy
extension-actions-copied = Copied

## Extension: in the place of the panel

extension-places-welcome = Ask about your superconducting qubits
extension-places-welcomeText = “Which of them lost T1 this month?” The copilot reads your calibration data, computes in cells of this notebook and answers with charts.
extension-places-welcomeDetail = It runs in this notebook's kernel. Nothing is sent anywhere until you ask.
extension-places-noNotebook = Open a notebook to ask the copilot about your qubits.
extension-places-kernelStarts = The kernel is starting…
extension-places-kernelUnheard = Waiting for the kernel. If it is running a cell, the copilot appears when the cell is done.
extension-places-kernelStopped = The kernel has stopped.
extension-places-noKernel = This notebook has no kernel. The copilot needs a Python kernel.
extension-places-otherLanguage = The copilot needs a Python kernel; this one is { $language }.
extension-places-shared = The copilot is running in another open notebook that uses the same kernel.
extension-places-sharedDetail = To use it here, close that notebook and reload the page.
extension-places-connecting = Connecting to the copilot…
extension-places-kernelBusy = The kernel is running a cell. The copilot starts when the cell is done.
extension-places-runThenStart = Run this line in a cell, then start again:
extension-places-notStarted = The copilot didn't start
extension-places-notShown = The copilot is running, but its panel can't be shown
extension-places-missing = Missing from the Jupyter server's environment: { $names }.
extension-places-missingDetail = Run this in the server's environment (the kernel may have another one), then reload the page:
extension-places-noReason = The kernel gave no reason.
extension-places-notLoaded = The panel didn't load
extension-places-notLoadedText = Try again. If that doesn't help, save the notebook and reload the page.
extension-places-loading = Loading the panel…
extension-notices-notStarted = The copilot didn't start. { $why }
extension-notices-kernelBehind = qdash_jupyter is { $kernel } in the kernel, { $page } in JupyterLab. Update it in the kernel's environment, then restart the kernel.
extension-notices-pageBehind = qdash_jupyter is { $kernel } in the kernel, { $page } in JupyterLab. Update it in the Jupyter server's environment, then reload the page.

## Extension: connection to the kernel

extension-link-busy = The kernel is running a cell.
extension-link-waitsForCell = The kernel is running a cell. Your command runs afterwards.
extension-link-silent = The kernel isn't responding. Your command is queued.
extension-link-connecting = Connecting to the kernel…
extension-link-notRunning = The copilot isn't running. Start it again.
extension-link-connectionLost = The connection was lost before the kernel responded. Try again.
extension-link-notTaken = The copilot didn't accept the command. Try again.
extension-link-stopped = The kernel stopped before it responded.
extension-lost-dead = The kernel stopped. Your conversation is saved.
extension-lost-restarted = The kernel restarted. Your conversation is saved.
extension-lost-crashed = The kernel crashed and was restarted. Your conversation is saved.
extension-lost-replaced = The kernel changed. Your conversation is saved.
extension-lost-unloaded = The copilot was unloaded. Your conversation is saved.
extension-lost-disconnected = The connection to the kernel was lost.

## Extension: cells

extension-cells-badge = copilot · step { $step }
extension-cells-cell = cell { $label }
extension-cells-textCell = a text cell
extension-cells-fourPictures = an image (the limit is four)
extension-cells-largePicture = an image larger than 5 MB
extension-cells-otherOutput = an output that isn't text or an image ({ $types })
extension-cells-sessionOnly = Only in the copilot's session:
extension-cells-runHere = Run here
extension-runHere-title = Run in your kernel?
extension-runHere-run = Run in my kernel
extension-runHere-cancel = Cancel
extension-runHere-asIf = { $cells ->
    [one] This cell runs as if you had pressed Shift+Enter in it.
   *[other] These cells run in this order, as if you had pressed Shift+Enter in each.
 }
extension-runHere-gone = This may fail: earlier cells that it needs are no longer in the notebook.
extension-runHere-notRun = Nothing was run
extension-runHere-changed = A cell changed after its code was shown.
## The model server

model-silent = The language model at { $address } sent nothing for { $seconds } s.
model-silent-hint = It may be busy or still loading. Try again, or raise the model's `timeout_seconds`.
model-sent-no-event = { $host } sent data that isn't an event of the { $api }.
model-sent-no-event-hint = Check that the server at the base URL supports the { $api }.
model-sent-no-stream = { $host } sent { $kind } instead of a stream of events.
model-no-content-type = data without a content type
model-url-hint = Check the base URL. It usually ends with /v1.
model-connection-broke = The connection to { $address } broke during the answer.
model-retry-hint = Ask again.
model-reported-error = { $host } reported an error during the answer.
model-said = The server says: "{ $said }"
model-reason = Reason: { $why }.
model-ended-answer = { $host } ended the answer early.
model-ended-answer-hint = Rephrase the question.
model-out-of-tokens = { $model } used all its output tokens before it answered.
model-out-of-tokens-hint = Raise `max_output_tokens`, or lower `reasoning_effort`.
model-would-store = { $host } rejects `store: false`, so it may keep the conversation.
model-would-store-hint = Use a server that accepts it, or one in your own network.
model-no-key = No key is set for { $host }.
model-no-key-hint = Set { $name }, or use a server that needs no key.
model-unusable-key = The key in { $name } contains characters that aren't allowed in a key.
model-unusable-key-hint = Copy it again, without quotes or line breaks.
model-unusable-header = The header { $name } for { $host } contains characters that aren't allowed in a header.
model-unusable-header-hint = Correct the model's `headers` in copilot.yaml. Use only ASCII letters, digits and symbols, on one line.
model-unreachable = No language model responds at { $address }.
certificate-strict-hint = The authority's certificate is trusted, but lacks what Python 3.13 and later require (key usage keyCertSign, critical basic constraints, key identifiers). Have it issued again with these, or use Python 3.12.
certificate-of-others-hint = SSL_CERT_FILE is set, but no authority in its file has signed this server's certificate. Add the one that did, and restart the kernel.
model-unreachable-certificate-hint = If your lab issued the certificate, set SSL_CERT_FILE to the file of its certificate authority and restart the kernel.
model-unreachable-local-hint = Start the server, or correct the base URL.
model-unreachable-hint = Check the base URL and the network. You may need a proxy or a VPN.
model-wants-key = { $host } requires a key.
model-wants-key-hint = Set { $name }.
model-refused-key = { $host } doesn't accept the key.
model-refused-key-hint = Check { $name }.
model-forbidden = { $host } denies access.
model-forbidden-hint = Check the permissions of the key in { $name }, and whether they include { $model }.
model-failed = { $host } failed with HTTP status { $status }.
model-failed-hint = Try again in a moment.
model-other-api-hint = If this keeps happening, the server's Responses API may be at fault. Set `api_style: chat_completions` for the model (or QDASH_COPILOT_API_STYLE).
model-rejected = { $host } rejects the request (HTTP status { $status }).
model-rejected-hint = Check the model's settings, or start a new conversation.
model-rejected-parameter-hint = Check the model's settings for the parameter `{ $name }`, or start a new conversation.
model-no-such-api = { $host } has no { $api } at this address (HTTP status { $status }).
model-unknown = { $host } has no model '{ $model }', or the key doesn't allow it.
model-unknown-hint = Check the model's name.
model-too-many-requests = { $host } received too many requests.
model-wait-hint = Wait a little, then ask again.
model-wait-seconds-hint = Try again in { $seconds } s.
model-no-quota = The account at { $host } has no quota left.
model-no-quota-hint = Waiting doesn't help. Check the plan and billing, or use another model.
model-too-long = The conversation is too long for { $model }.
model-too-long-hint = Start a new conversation, or ask for less at once.
model-wrong-url = The base URL of the language model isn't an http or https URL.
model-wrong-url-hint = Use a URL such as http://localhost:11434/v1 (OPENAI_BASE_URL, or `base_url` in copilot.yaml).

## What the model server can't do

server-learned = { $said } (since { $day })
server-without = without { $names }
server-no-tools = no tools: answers from the question alone
server-no-schema = JSON without a schema
server-no-format = no fixed answer format
server-no-streaming = no streaming
server-writes-calls = writes tool calls as text

## Recorded conversations (cassettes)

cassette-other-model = The cassette { $path } was recorded with { $recorded }, but { $model } is configured.
cassette-other-model-hint = Choose { $recorded }, another QDASH_CASSETTE_FILE, or QDASH_CASSETTE=replay, which needs no model.
cassette-no-reply = The cassette { $path } has no reply to { $question }.
cassette-no-reply-hint = Record it with QDASH_CASSETTE=auto (adds what is missing) or QDASH_CASSETTE=record (records everything again).
cassette-question = "{ $question }", round { $round }
cassette-empty = The cassette is empty.
cassette-ends = Its conversation ends with the reply to { $question }.
cassette-nearest = The nearest recorded question is { $question }.
cassette-differs = First difference: `{ $here }` here, `{ $recorded }` in the cassette.
cassette-wrong-mode = QDASH_CASSETTE can't be '{ $mode }'.
cassette-wrong-mode-hint = Set it to { $modes }, or unset it.
cassette-no-file = QDASH_CASSETTE is set, but QDASH_CASSETTE_FILE isn't.
cassette-no-file-hint = Set it to a file such as `conversation.yaml`.
cassette-no-folder = QDASH_CASSETTE_FILE is { $file }, but the folder { $folder } doesn't exist.
cassette-no-folder-hint = Create the folder, or correct the path.
cassette-missing = The cassette { $path } doesn't exist.
cassette-missing-hint = Record one with QDASH_CASSETTE=record and a configured model, or correct QDASH_CASSETTE_FILE.
cassette-unreadable = Can't read the cassette { $path }: { $why }.
cassette-unreadable-hint = Fix or remove the file.
cassette-not-utf8 = it isn't UTF-8
cassette-unwritable = Can't write the cassette { $path }: { $why }.
cassette-unwritable-hint = Correct QDASH_CASSETTE_FILE, or unset QDASH_CASSETTE.
cassette-broken = The cassette { $path } is broken: { $why }.
cassette-broken-line = The cassette { $path } is broken in line { $line }: { $why }.
cassette-broken-hint = Fix the file, or record the cassette again.
cassette-no-yaml = it isn't YAML
cassette-broken-document = Document { $number } of the cassette { $path } is broken: { $why }.
cassette-broken-document-hint = Fix or remove that document, or record the cassette again.
cassette-no-mapping = it isn't a mapping
cassette-no-items = request.items isn't a list of items
cassette-no-such-request = it follows '{ $after }', which isn't earlier in the file
cassette-no-such-part = its part '{ $part }' isn't earlier in the file

## What code needs

effect = { $does } `{ $what }`
effect-calls = calls
effect-changes = changes
effect-connects = connects to
effect-imports = imports
effect-lacks = has no
effect-needs = needs
effect-reads = reads
effect-signals = signals
effect-starts = starts
effect-uses = uses
effect-writes = writes
effect-from-this-folder = from this folder
effect-own-session = session of its own
not-run = Not run, because the code
not-run-reason = - { $effect } ({ $kind }). { $way_out }
not-run-more = There { $count ->
    [one] is { $count } more reason.
   *[other] are { $count } more reasons.
 }
way-out-unknown = Ask the user to do it, or compute it from data.
way-out-files = End the cell with the table so that the user can save it.
way-out-network = Fetch data with the tools.
way-out-shell = Compute it in Python.
way-out-acts = Ask the user to do it.
way-out-copy = Change a copy under another name.
nobody-can-approve = No one is here to approve it.
nobody-can-approve-hint = To allow exactly this code, the user can run `%copilot approve { $hash }` before the question.

## Cells that did not run, or did not end

not-run-no-question = Code runs only as part of a question, and no question is being answered.
not-run-await = A running cell can't run top-level await. Call the coroutine without await.
not-run-no-notebook = Code is only inserted here (policy: insert_only), and there is no notebook to insert a cell into.
cell-to-be-run = The cell is in the notebook for you to run (policy: insert_only). Its result isn't known yet.
cell-cannot-ask = input() can't ask while the copilot runs the cell. Press Shift+Enter in the cell to run it yourself.
waits-for-your-cell = Waiting for your cell, because the code reads { $names }.

## Code that was stopped

code-timed-out = Timed out after { $seconds } s.
code-cpu-limit = The code took more than { $seconds } s of processor time.
code-memory-limit = The code exceeded its memory limit of { $megabytes } MB.
code-result-too-large = The result is larger than { $megabytes } MB.
code-stopped = The code was stopped.
code-spoiled-result = The code corrupted its own result.
code-ended-process = The code ended its process before it had a result.
code-no-process = Can't start a process for the code: { $why }.
code-killed = The code's process was killed from outside. The machine may be out of memory.
code-crashed = The code crashed its process ({ $signal }), as some libraries do above { $megabytes } MB of memory.
code-worker-lost = The worker ended while the code was running. Run the code again.
code-call-limit = Code may call tools { $count ->
    [one] once
   *[other] { $count } times
 } per question.
code-call-limit-hint = Fetch more with each call.
session-forgets = The session doesn't keep the variables that it gets from the notebook.

## The process for the copilot's code

worker-does-not-start = The worker for the model's code doesn't start.
worker-does-not-work = The worker for the model's code doesn't work.
worker-timed-out = It didn't respond within { $seconds } s.
worker-exited = It ended with exit code { $code }.
worker-unconfined-hint = The model's code never runs unconfined.
worker-no-fork = The model's code can't run on { $platform }, because each session is a forked process.
worker-no-fork-hint = Use Linux or macOS.
worker-without-wall = without a sandbox
worker-not-linux = The model's code can be confined only on Linux. This is { $platform }.
worker-no-seccomp = This kernel or processor has no seccomp filters. They need x86_64 or aarch64.
worker-no-landlock = This kernel lacks Landlock { $version } (Linux 6.2 or later), and bubblewrap can't replace it: { $why }
worker-no-bwrap = bwrap isn't installed.
worker-bwrap-exited = bwrap ended with exit code { $code }.
worker-not-confined = The model's code isn't confined here. It can { $can }.
worker-can = { $what ->
    [read] read a file
    [write] write a file
    [make] create a file
    [connect] connect to a server
    [begin] start a process
    [signal] send a signal
   *[other] { $what }
 }

## Charts of the methods

chart-as-text = [chart: { $title }]
chart-untitled = untitled
chart-more-rows = … { $count } more
chart-span = { $first } to { $last }
chart-color = color
chart-axis = { $name } ({ $unit })
chart-time = time (UTC)
chart-duration = time
chart-frequency = frequency
chart-cliffords = Cliffords
chart-signal = signal
chart-shots = shots
chart-residual = residual
chart-projection = projection onto the line between |0⟩ and |1⟩
chart-points = points
chart-stored-fit = stored fit
chart-new-fit = new fit
chart-of-curve = { $task } { $qid }: { $fit }{ $why }
chart-of-parameter = { $name }: { $fit }{ $why }
curve-why = { $code ->
    [SUCCESS] {""}
    [NO_SIGNAL] {" "}(no signal)
    [FIT_OF_NOISE] {" "}(a fit of noise)
    [LOW_SNR] {" "}(too noisy)
    [WINDOW_TOO_SHORT] {" "}(window too short)
    [WINDOW_TOO_LONG] {" "}(window too long)
    [UNDERSAMPLED] {" "}(too few points or shots)
    [ALIASED] {" "}(aliased)
    [TWO_COMPONENTS] {" "}(two components)
    [BEATING] {" "}(beating)
    [TWO_PEAKS] {" "}(two peaks)
    [OTHER_SHAPE] {" "}(another shape fits, too)
    [UNEXPLAINED] {" "}(periodic disturbance)
    [CLIPPED] {" "}(clipped)
    [OUTLIERS] {" "}(outliers)
    [DRIFT] {" "}(drift)
    [AT_BOUND] {" "}(at a bound of its fit)
    [STORED_DISAGREES] {" "}(stored value differs)
    [TOO_FEW_POINTS] {" "}(too few points)
   *[other] {" "}(unreadable data)
 }
chart-of-parameters = { $title } · { $others }
chart-reliable-only = { $title } (reliable fits only)
chart-deviation = deviation
chart-deviation-title = { $metric }: deviation from earlier level
chart-before = before
chart-now = now
chart-of-window = { $metric }, { $window }
chart-level = { $name } ({ $level })
chart-stable = no change, or unclear ({ $count })
chart-changed = changed ({ $count })
chart-unchanged = no change
chart-element = { $kind ->
    [coupling] coupling
   *[qubit] qubit
 }
chart-bad = bad
chart-good = good
chart-limit = limit
chart-limit-line = { $name }: { $value }
chart-middle = middle 80 %
chart-median = median
chart-median-line = median { $value }
chart-histogram = { $metric }: { $count } { $what ->
    [qubits] { $count ->
        [one] qubit
       *[other] qubits
     }
    [couplings] { $count ->
        [one] coupling
       *[other] couplings
     }
   *[measurements] { $count ->
        [one] measurement
       *[other] measurements
     }
 }
chart-number-of = number of { $what ->
    [qubits] qubits
    [couplings] couplings
    [values] values
   *[measurements] measurements
 }
chart-relation = { $few ->
    [yes] n = { $n }: { $verdict }
   *[no] Spearman { $spearman } ({ $low } to { $high }), p = { $p }, n = { $n }: { $verdict }
 }
chart-titled-relation = { $title }: { $relation }
chart-rise-together = rise together
chart-opposite = opposite
chart-weak-relation = weak trend
chart-no-relation = no relation
chart-too-few = too few values

## Curves: whether a fit can be trusted

trust-reliable = reliable
trust-unreliable = unreliable
trust-no-fit = no fit
curve-success = The curve has the expected shape and determines the value.
curve-success-next = Use the value.
curve-no-signal = There is no signal above the noise.
curve-no-signal-next = Check readout and Rabi, then measure again with more shots.
curve-fit-of-noise = A value is stored, but there is no signal above the noise.
curve-fit-of-noise-next = Exclude the value. Check readout and Rabi, then measure again with more shots.
curve-low-snr = There is a signal, but noise leaves the value too uncertain.
curve-low-snr-next = Take more shots, or more points where the curve changes. For a readout, tune its amplitude, frequency and length.
curve-window-too-short = The window is too short to determine the value.
curve-window-too-short-next = Widen the window: 4 decay times, 3 periods, or 5 linewidths around the center.
curve-window-too-long = The window is too long: the decay is over after the first few points.
curve-window-too-long-next = Shorten the window to about 4 decay times, or space the points logarithmically.
curve-undersampled = There are too few points per period or linewidth, or too few shots, to determine the value.
curve-undersampled-next = Space the points more closely (6 per period, 3 per linewidth), or reduce the detuning. For a readout, take more shots.
curve-aliased = The expected or stored frequency is too high for the spacing of the points.
curve-aliased-next = Space the points more closely, or reduce the detuning or drive amplitude.
curve-two-components = There may be a second component, which makes the value too uncertain.
curve-two-components-next = Measure again with more points at short times. Compare with neighbors and earlier days.
curve-beating = The fringes may beat: a second frequency makes the value too uncertain.
curve-beating-next = Measure again with a longer window and fit two frequencies. Compare with the ZZ of the neighbors.
curve-two-peaks = There may be a second line, which makes the value too uncertain.
curve-two-peaks-next = Lower the power and measure again after an hour. See which line moves with the qubit.
curve-other-shape = Another shape explains the points as well and gives another value.
curve-other-shape-next = Look at the residuals. State the unit of a resonator curve (|S|, |S|² or dB), or reduce the drive.
curve-unexplained = A periodic disturbance shifts the value too far.
curve-unexplained-next = Find the source of the disturbance, such as mains pickup, and measure again.
curve-clipped = The curve is clipped, and that shifts the value too far.
curve-clipped-next = Lower the readout power or gain, then measure again.
curve-outliers = Some points are outliers.
curve-outliers-next = Measure again. If the outliers hardly shift the value, you can use the fit without them.
curve-drift = The level or the frequency drifted or jumped during the measurement and shifts the value too far.
curve-drift-next = Measure faster, or in another order of points. Check that the readout is stable.
curve-at-bound = The stored value is at a bound of its fit, and the points give another value.
curve-at-bound-next = Exclude the stored value and use the new fit.
curve-stored-disagrees = The points determine the value, but the stored value differs.
curve-stored-disagrees-next = Use the new fit, and check the stored one.
curve-too-few-points = There are too few points for this kind of curve.
curve-too-few-points-next = Measure more points.
curve-bad-data = The data can't be read as this kind of curve.
curve-bad-data-next = Check the file that the task wrote.

## Curves: what decided

number-value = { $what } { $value }
number-at-least = { $what } { $value } (minimum { $limit })
number-at-most = { $what } { $value } (limit { $limit })
curve-number = { $what ->
    [signal] signal over baseline (ΔAICc)
    [budget] error budget of { $name }, relative
    [error_by_noise] error of { $name } from noise
    [error_by_second_component] error of { $name } from a second component
    [error_by_second_frequency] error of { $name } from a second frequency
    [error_by_second_line] error of { $name } from a second line
    [error_by_shape] error of { $name } from another shape
    [error_by_drift] error of { $name } from a drift or jump
    [error_by_periodic_disturbance] error of { $name } from a periodic disturbance
    [error_by_clipping] error of { $name } from clipping
    [error_by_outliers] error of { $name } from outliers
    [error_by_third_cloud] error of { $name } from a third cloud
    [error] error of { $name }
    [residual_autocorrelation] autocorrelation of residuals
    [stored_and_refit] stored { $name } differs from new fit by
    [stored] stored { $name }
    [outliers] number of outliers
    [clipped_points] clipped points
    [clipped_shots] clipped shots
    [frequency_by_detuning] frequency expected from the detuning
    [frequency_by_amplitude] frequency expected from the amplitude
    [periods_in_window] periods in window
    [points_per_period] points per period
    [window_in_decay_times] decay times in window
    [points_in_decay_time] points in first decay time
    [points_in_linewidth] points per linewidth
    [linewidths_in_window] linewidths in window
    [linewidths_to_end] linewidths to nearer end of window
    [reduced_chi2] reduced χ²
    [mean_distance] distance of means (χ², 2 degrees of freedom)
    [cloud_separation] half the distance between clouds
    [cloud_drift] drift of clouds (χ²)
   *[other] { $what }
 }
curve-parameter = { $name ->
    [t1] T1
    [t2_echo] T2 echo
    [t2_star] T2*
    [ramsey_frequency] Ramsey frequency
    [rabi_frequency] Rabi frequency
    [rabi_amplitude] Rabi amplitude
    [readout_frequency] readout frequency
    [resonator_frequency] resonator frequency
    [coarse_qubit_frequency] qubit frequency
    [linewidth] linewidth
    [kappa_external] external κ
    [kappa_internal] internal κ
    [depolarizing_rate] depolarizing rate
    [average_gate_fidelity] average gate fidelity
    [average_readout_fidelity] average readout fidelity
    [readout_fidelity_0] readout fidelity of |0⟩
    [readout_fidelity_1] readout fidelity of |1⟩
   *[other] { $name }
 }

## Curves: why there is no fit

curve-unknown-task = Can't judge curves of task '{ $task }'.
curve-fit-failed = The fit failed: { $why }.
curve-lengths = The lists of x, y and errors have different lengths: { $lengths }.
curve-unit = { $unit ->
    [none] x has no unit
   *[other] The unit of x is { $unit }
 }. { $task } needs one like { $needed }.
curve-not-complex = { $task } needs both quadratures (I + iQ), but y is real.
curve-few-places = { $task } needs at least { $needed } different x values, but { $count ->
    [0] none was
    [one] only one was
   *[other] only { $count } were
 } measured.{ $left_out ->
    [0] { "" }
    [one] { " " }One more point has no value.
   *[other] { " " }{ $left_out } more points have no value.
 }
curve-one-place = All x values are equal, so there is no window.
curve-crowded = Nearly all points have the same x value.
curve-flat = All y values are equal: nothing was measured, or the readout isn't working.
curve-few-shots = At least { $needed } shots of each state are needed. { $zero } of |0⟩ and { $one } of |1⟩ have a value.
## Tools: what they are doing

label-analysis = Running analysis code
label-available-context = Listing the lab's files
label-calibration-notes = Reading calibration notes
label-cell-edit = Proposing a change to your cell
label-chip-heatmap = Drawing a heatmap of the chip
label-chip-summary = Reading the current parameters of all qubits
label-chip-timeseries = Reading a parameter of the whole chip over time
label-comparison = Comparing qubits
label-content = Reading one of the lab's files
label-coupling-params = Reading coupling parameters
label-latest-result = Reading the latest result of a task
label-lineage = Reading the versions of a parameter
label-lineage-graph = Tracing where a value came from
label-notes = Searching notes
label-parameters = Listing the measured parameters
label-peek = Looking at a table
label-qubit-params = Reading the parameters of a qubit
label-result-curves = Reading the curves behind results
label-results = Searching task results
label-runs = Reading the runs
label-describe = Looking up what a name means
label-skill = Reading a skill
label-task-history = Reading the history of a task
label-timeseries = Reading the time series of a parameter
label-topology = Reading the chip topology
read-documents = { $count } { $count ->
    [one] document
   *[other] documents
 }
read-documents-memory = { $count } { $count ->
    [one] document
   *[other] documents
 }, { $memory }
cell-runs-long = This cell has been running for { $seconds } s.
cell-takes-memory = It has used { $memory } of memory so far.

## Tools: where data came from

read-filter = { $parts }
read-chip = chip { $chip }
read-project = project { $project }
read-parameter-of = { $parameter } of { $qid }
read-task-of = { $task } of { $qid }
read-curves = curves of { $task }
read-curves-of = curves of { $task } of { $qid }
read-curves-of-result = curves of result { $id }
read-completed = completed
read-not-excluded = not excluded
read-mode = { $mode ->
    [latest] latest
    [best] best
   *[average] mean
 }
read-since = since { $date }
read-newest-each = newest { $count } of each
read-cooldown = cool-down { $id }
read-tags = tags { $names }
read-back-from = back from { $id }
read-steps = { $count ->
    [one] { $count } level
   *[other] { $count } levels
 }

## Tools: code and approvals

code-not-run = **Not run**: no one was there to approve it. To allow exactly this code, run `%copilot approve { $hash }` and ask again.
code-not-run-effects =
    {"**"}Not run**: no one was there to approve it.

    { $effects }

    To allow exactly this code, run `%copilot approve { $hash }` and ask again.
code-not-finished = The code did not finish.
process-names-lost = The copilot's process ended, so these variables were lost: { $names }.
rejected-without-reason = The user rejected it without giving a reason.
call-not-done = **Not done**: no one was there to approve `{ $what }`. To allow exactly this call, run `%copilot approve { $hash }` and ask again.
call-other-wanted = The user wants this call instead: { $code }
call-may-not-act = Tools can't act on their own here (policy: insert_only).
call-may-not-act-hint = Tell the user what you would have done.
file-there-already = already exists, { $size }
cell-edit-unchanged = The cell already has this text.
cell-edit-unchanged-hint = Change it, or answer without a proposal.
cell-edit-not-python = The new text isn't valid Python: { $why }.
cell-edit-not-python-hint = Send the whole cell and nothing else.
syntax-error-at = { $why }, line { $line }

## Tools: chip heatmaps

heatmap-title = { $metric } of { $chip } ({ $mode ->
    [latest] latest
    [best] best
   *[average] mean
 }, { $unit }){ $layout ->
    [unknown] : connections only
   *[known] {""}
 }
heatmap-subtitle = { $count } of { $total } { $kind ->
    [coupling] couplings
   *[qubit] qubits
 } { $measured }, median { $median }{ $layout ->
    [unknown] <br>unknown topology: lines are couplings, the layout is arbitrary
    [linear] <br>the chain is folded
   *[known] {""}
 }
heatmap-reverse = { $name }: { $value }, { $age }
heatmap-newest-empty = newest result without a value, { $age }
heatmap-newest-excluded = newest excluded: { $value }, { $age }
no-value = no value
not-measured = not measured
measured = measured
measured-since = measured since { $since }
measured-before = measured before { $until }
measured-between = measured since { $since } and before { $until }

## Errors of tools: chips and their parameters

no-qubits = Chip { $chip } has no qubits.
no-qubits-in-database = The database has no qubits of chip { $chip } either.
topology-not-named = The chip has no topology, and { $count } { $count ->
    [one] qubit doesn't
   *[other] qubits don't
 } form a square lattice.
topology-unknown = This version doesn't know the topology { $topology }.
no-couplings-of-qubit = Qubit { $qid } of chip { $chip } has no couplings.
no-couplings-of-qubit-hint = get_chip_topology lists all couplings.
no-coupling-given = No coupling is specified.
no-coupling-given-hint = Specify coupling_id, or qubit_id for all couplings of a qubit.
is-a-coupling = { $qid } is a coupling.
is-a-coupling-hint = Use get_coupling_params for couplings.
elements = { $kind ->
    [coupling] { $count ->
        [one] coupling
       *[other] couplings
     }
   *[qubit] { $count ->
        [one] qubit
       *[other] qubits
     }
 } { $qids }
no-current-parameters = No current { $parameters } of { $qids } on chip { $chip }.
no-current-parameters-hint = Parameters with current values: { $parameters }.
never-calibrated = Never calibrated on chip { $chip }: { $qids }.
never-calibrated-hint = There are no results.
no-current-values = No current values of { $qids } on chip { $chip }.
no-current-values-hint = There are results of { $parameters }. Read them as a time series.
no-current-values-results-hint = There are results without values. Read them as a time series.
no-earlier-values = Neither QDash's history nor results have values of { $qids } on chip { $chip } before { $when }.
no-earlier-values-of-all = Neither QDash's history nor results have values of any { $kind ->
    [coupling] coupling
   *[qubit] qubit
 } of chip { $chip } before { $when }.
nothing-measured = Nothing was measured on chip { $chip }. It has no completed results.
nothing-measured-on = Nothing was measured on { $qid } of chip { $chip }. It has no completed results.
never-measured = { $parameter } was never measured on chip { $chip }.
only-odd-dates = All { $count } results of { $parameter } on chip { $chip } have dates that cannot be: { $flag }.
never-measured-hint = list_available_parameters lists what was measured.
never-measured-on = { $parameter } was never measured on { $qids } of chip { $chip }.
never-measured-there = { $parameter } was never measured on { $qid }.
never-measured-there-hint = Measured there: { $parameters }.
nothing-at-all = nothing
no-measurement-fits = No measurement of { $parameter } on chip { $chip } matches: { $conditions }.
no-measurement-fits-hint = The newest one is from { $when }. Widen the conditions.
no-measurement-fits-first = The first one is from { $when }.
no-measurement-in-range = Chip { $chip } has no { $parameter } { $measured }.
condition-time-range = the time range
condition-cooldown = cool-down { $id }
condition-tags = tags { $names }
no-cooldown-now = Chip { $chip } isn't in a cool-down now.
no-cooldown-now-hint = Specify a cool-down or a time range.
two-time-ranges = Both within_hours and since are specified.
two-time-ranges-hint = Specify only one of them.

## Errors of tools: runs, results and versions

no-runs = Chip { $chip } has no recorded runs.
no-run-fits = No run matches all of these conditions.
newest-run = The newest run is { $run } from { $when }.
first-run = The first run is from { $when }.
no-result-given = No result is specified.
no-result-given-hint = Specify task_name (and qid), or task_id.
no-result-fits = No result matches all of these conditions.
no-results = { $where } has no results of { $task }{ $range ->
    [any] {""}
   *[some] {" "}in this time range
 }.
whole-chip = Chip { $chip }
no-completed-results = { $qid } has no completed results of { $task }.
no-results-at-all = There are no results of { $what }.
newest-result = The newest result of { $what } is from { $when } ({ $state }).
first-result = The first result of { $what } is from { $when }.
result-excluded = excluded
any-task = any task
task-on = { $task } on { $qid }
verdicts-abandoned = The question was stopped.
no-versions = Provenance has no version of { $parameter } of { $qid }, although it was measured.
no-versions-hint = get_chip_parameter_timeseries has the measurements.
not-an-entity-id = '{ $id }' isn't an entity ID.
not-an-entity-id-hint = Entity IDs look like `<parameter>:<qid>:<execution_id>:<task_id>`. get_parameter_lineage lists them.

## Tools: comparisons

compare-all = all values
compare-in-one = { $names } in { $what }
compare-no-cooldown = no recorded cool-down
compare-units = { $parameter } has several units ({ $units }).
compare-ages = { $name }: { $parameters } up to { $days } d older than the newest compared.
compare-cooldowns = From different cool-downs ({ $groups }): { $parameters }.

## Tools: notes

no-notes = There are no notes about chip { $chip }.
no-note-fits = No note matches all of these conditions. All notes: { $kinds }. Authors: { $authors }. The newest is from { $when }.
note-kind = { $kind ->
    [chip] chip
    [task] task
    [issue] issue
    [knowledge] knowledge
    [forum] forum
    [cooldown] cool-down
    [coupling] coupling
   *[qubit] qubit
 }
count-of-kind = { $kind } ({ $count })
unknown-authors = unknown

## Errors of tools: files and tables

file-type-not-taken = This model can't read { $type } files.
file-too-large = { $file } is larger than { $megabytes } MB.
file-unreadable = Can't read { $file }: { $why }.
file-not-utf8 = { $file } isn't UTF-8 text.
answer-without-it-hint = Answer without it and say so.
file-missing = { $file } doesn't exist.
file-no-access = Can't read { $file }.
no-column = The table has no column { $column }.
no-column-hint = Leave out `columns` to see all of them.
dropped-not-a-table = { $file } is neither CSV nor Parquet.
dropped-not-a-table-hint = Save it as one of these and drop it again.
dropped-unreadable = Can't read { $file }: { $why }.
dropped-unreadable-hint = Check that the file is complete.
dropped-too-large = The file has { $count } values; the limit is { $most }.
data-from-file = data['{ $key }'] came from a file.
data-from-file-hint = Drop the file on the panel again.
data-is-a-copy = data['{ $key }'] is a copy that belongs to no conversation.
data-is-a-copy-fetch-hint = Fetch it again with `copilot.tools.{ $tool }(…)`.
data-is-a-copy-draw-hint = Draw its tables with `qdash_jupyter.explore`.

## Errors of tools: calls

tool-name-invalid = '{ $name }' can't be the name of a tool.
tool-name-invalid-hint = Use up to 64 letters, digits and underscores, such as get_fridge_log.
tool-name-taken = There is already a tool { $name }.
tool-name-taken-hint = Give this one another name.
tool-elsewhere = { $name } is a tool of the model server. It runs only there.
tool-elsewhere-hint = Answer without it.
tool-unknown = There is no tool '{ $name }'.
tool-unknown-hint = Tools: { $names }.
tool-call-limit = { $name } may be called { $count ->
    [one] once
   *[other] { $count } times
 } per question.
tool-timed-out = { $name } timed out after { $seconds } s.
tool-timed-out-client = { $name } timed out at its client's limit.
tool-timed-out-hint = Ask for less: fewer qubits, or a shorter time range.
tool-timed-out-act-hint = It may have taken effect. Check before you try again.
tool-failed-inside = The tool failed inside the copilot. Details are in its log.
tool-failed-with = The tool failed: { $why }
arguments-not-json = { $name } received invalid JSON arguments: { $why }.
arguments-not-an-object = The arguments of { $name } must be a JSON object, not { $value }.
arguments-required = Send one JSON object. Required: { $schema }.
arguments-optional = Optional: { $names }.
arguments-wrong = { $name } received invalid arguments: { $why }.
arguments-wrong-hint = Schema: { $schema }
argument-meant = unknown '{ $name }' (did you mean { $meant }?)
argument-of-others = there is no '{ $name }' here; these tools have it: { $tools }
argument-unknown = there is no '{ $name }'
argument-too-large = { $name }: { $reference } is too large ({ $count } characters).
argument-too-large-hint = Send a smaller part.
argument-file-outside = { $name }: { $file } is hidden or outside the working folder.
argument-file-too-large = { $name }: { $file } isn't a file, or it's larger than { $most } bytes.
argument-file-unreadable = { $name }: can't read { $file }: { $why }.
argument-file-hint = Use a text file in the working folder { $folder }/, such as file:notes.md.
argument-not-plain = { $name }: variable { $variable } contains objects that the copilot doesn't read.
argument-not-plain-hint = Send pandas tables, arrays, lists, dicts, strings or numbers.
is-not-utf8 = it isn't UTF-8 text

## Errors of tools: Python functions as tools

function-no-docstring = The tool { $name } has no docstring.
function-no-docstring-hint = Describe in the docstring what it returns. The model reads it.
function-not-a-tool = { $value } isn't a tool.
function-not-a-tool-hint = Use a ToolSpec, or a function with types and a docstring.
function-arguments = Can't describe the arguments of the tool { $name }: { $why }.
function-arguments-hint = Models send JSON. Use strings, numbers, lists or pydantic models.
function-no-type = The argument { $parameter } of the tool { $name } has no type, or can't be passed by name.
function-no-type-hint = Write its name and type: `chip_id: str`.
function-types = Can't read the types of the tool { $name }: { $why }.
function-types-hint = Import the names in its type hints so that they also exist at run time.

## Tool sets

tool-set-needs-package = Install its package: pip install 'qdash_jupyter[{ $extra }]' ({ $why }).
tool-set-not-opened = Can't open the tool set: { $why }.
no-built-in-tool = There is no built-in tool with this name.
kind-model = model
in-models = in `models`
keyring-needs-package = Its secret is in the keyring. Install the package: pip install 'qdash_jupyter[keyring]'.
secret-in-variable = variable { $name }
secret-in-keyring = keyring entry { $name }
secret-missing = There is no secret in { $place }.
secret-missing-hint = The user has to store it there.
secret-not-sendable = The secret in { $place } contains characters that can't be sent.
secret-not-sendable-hint = Copy it again.
keyring-not-installed = The secret is in a keyring, but the keyring package isn't installed.
keyring-not-installed-hint = Run pip install 'qdash_jupyter[keyring]'.
keyring-unreadable = Can't read the keyring entry { $name } ({ $why }).
keyring-unreadable-hint = The user has to unlock the keyring.
model-gave-no-reply = The model's stream ended without a reply.
model-gave-no-reply-hint = Ask again.
attachment-unreadable = { $name } is declared as { $type } but can't be read: { $why }.
attachment-unreadable-hint = Ask for something else, or tell the user.
tell-the-user-hint = Tell the user.
try-later-hint = Try again later.
try-later-or-tell-hint = Try again later, or tell the user.
correct-arguments-hint = Correct the arguments.
ask-for-less-hint = Ask for less.
rest-base-url = base_url isn't an address such as https://lab.example/api.
rest-write-method = { $method } needs features.write_methods.enabled: true.
rest-argument-name = '{ $name }' can't be the name of an argument. Use another word, and `name: { $name }` for the request.
rest-path-arguments = The arguments with `in: path` don't match { $path }: { $names }.
rest-no-answer = { $server } didn't respond, or the connection broke ({ $why }).
rest-request = Can't make the request to { $server }: { $why }.
rest-redirects = { $server } redirects too often, or to another kind of request.
rest-unauthorized = { $server } didn't accept the credentials (HTTP status 401).
rest-status = { $server } responded with HTTP status { $status }.
server-said = The server says: { $words }
answer-too-large = The response is larger than { $size }.
rest-path-part = { $name } is '{ $value }', which can't be part of a path.
rest-path-part-hint = Use an ID or a name.
answer-not-text = The response is { $type }, not text.
answer-not-text-hint = The user can enable response_as_attachment for this type.
answer-not-json = The response is declared as JSON but isn't JSON: { $why }.

## Tool sets: addresses in the settings

fetch-not-allowed = The settings don't allow fetching { $url }.
fetch-not-allowed-hint = This needs features.external_url_fetch.enabled: true, and { $variable }=true from the administrator.
fetch-redirects = { $url } redirects too often.
fetch-redirects-hint = Use the final address.
fetch-timed-out = { $url } timed out after { $seconds } s.
fetch-timed-out-hint = Try again, or save a copy here.
fetch-failed = Can't fetch { $url }: { $why }.
fetch-failed-hint = Check it in a browser.
fetch-status = { $url } responded with HTTP status { $status }.
fetch-status-hint = Check the address.
fetch-too-large = { $url } is larger than { $size }.
fetch-too-large-hint = Use a smaller file.
fetch-address = Addresses like { $url } can't be fetched.
fetch-address-hint = Use an https:// address without a user name or password.
fetch-private = { $url } isn't on the public internet.
fetch-private-hint = Copy files from your own network into a folder, and use that folder.

## Tool sets: skills

skill-name-taken = There is already a skill { $name }.
skill-no-front-matter = The front matter is missing.
skill-no-front-matter-hint = Start the file with `---`, `name:`, `description:`, `---`.
skill-not-yaml = The front matter isn't valid YAML.
skill-not-yaml-hint = Write `name:` and `description:` lines.
skill-name-invalid = { $name } can't be the name of a skill.
skill-name-invalid-hint = Use up to 64 lowercase letters, digits and hyphens.
skill-no-description = The description is missing or too long.
skill-no-description-hint = Describe in one sentence when to read the skill.
skill-folder-differs = The skill is named { $name }, but its folder is { $folder }.
skill-folder-differs-hint = Give both the same name.

## Tool sets: MCP servers

mcp-schema = Can't use the schema of { $name }: { $why }.
mcp-same-name = Two of its tools are named { $name }. The second is left out.
mcp-not-connected = Can't connect to the server ({ $why }). Details are in the copilot's log.
mcp-schema-type = its type is { $type }, not "object"
mcp-schema-properties = its properties aren't objects
mcp-schema-required = `required` isn't a list of names
mcp-schema-argument = the argument { $name } has the type { $type }, which JSON Schema doesn't have
mcp-server = server { $name } ({ $address })
mcp-no-reason = { $name } failed without giving a reason.
try-other-arguments-hint = Try other arguments.
mcp-unauthorized = The { $server } requires a key, or a different one (HTTP status 401).
mcp-unauthorized-hint = Set { $variable }, and refer to it in the tool set.
mcp-refused = The { $server } refused the call: { $why }
mcp-refused-status = The { $server } refused the call (HTTP status { $status }): { $why }
mcp-unreachable = Can't reach the { $server }: { $why }.
mcp-unreachable-hint = Check that it is running.
mcp-unexpected = The { $server } sent an unexpected response: { $why }
mcp-unexpected-hint = Try something else.
mcp-too-slow = The { $server } didn't respond within { $seconds } s.
mcp-lost = The connection to the { $server } was lost.
mcp-lost-hint = Try again.
mcp-wrote = Its output: { $words }
mcp-lost-in-call = This was during the call, which may have taken effect.
mcp-lost-in-call-hint = Check before you call it again.

## Explorer of tables

explore-no-rows = This table has no rows.
explore-no-rows-hint = Fetch it again, or choose another table.
explore-no-numbers = This table has no column of numbers to draw.
explore-no-columns-hint = It has no columns.
explore-columns-hint = Its columns: { $names }.
explore-nothing-selected = No row of this selection has a value.
explore-nothing-selected-hint = Select more rows or a longer time range.
explore-nothing-to-choose = There is nothing to choose from.
explore-read-again-hint = Read the table again.
explore-none-chosen = No { $what } is selected.
explore-none-chosen-hint = Select one or more.
explore-column-gone = The table no longer has a column { $column }.
explore-table-gone = { $name } no longer exists.
explore-table-gone-hint = Fetch it again (for example in the panel's data list), then read it again.
explore-label = { $name ->
    [metric] Metric
    [chart] Chart
    [against] Against
    [from] From
    [until] Until
    [couplings] Couplings
   *[qubits] Qubits
 }
explore-kind = { $kind ->
    [trend] Trend over time
    [histogram] Histogram
    [against] Against another metric
   *[by_element] By { $what }
 }
explore-all = All { $count }
explore-reload = Reload
explore-reload-tip = Reload the table, which may have new rows
explore-code = As code
explore-code-tip = Insert a cell that draws this chart below the current one
explore-code-name = Code of this chart
explore-title = { $title }: { $count ->
    [one] { $count } value
   *[other] { $count } values
 }{ $step ->
    [1] {""}
   *[other] , one in { $step } drawn
 }
explore-against = { $metric } against { $other }
explore-time = time
explore-zoned = { $name } ({ $zone })
explore-several-units = several units
explore-daily-median = daily median
qubit-or-coupling = { $kind ->
    [coupling] coupling
    [qubit] qubit
   *[other] qubit or coupling
 }

## Models in use

offline-planner = offline planner (no language model)
scripted-replies = scripted replies
cassette-of = recorded replies of { $model }
no-recorded-model = no model
this-kernel = this kernel
this-process = this process

## Time ranges

not-a-time = { $name } is '{ $text }', which isn't a time.
not-a-time-hint = Write "30d", "24h", or an ISO date such as "2026-05-01".
since-not-before-until = `since` isn't before `until`.
since-not-before-until-hint = Set `since` to the earlier end of the time range.
since-to-come = The time range begins in the future; it is { $now } now.
since-to-come-hint = Give a time that has passed.
model-of-code = defined in code
costs-nothing = nothing

## Long conversations

still-too-long = Ask for less at once, or start a new conversation. Fetched data is kept in `copilot.data`.

## Tools with the name of ours

built-in-name-taken = the built-in tool isn't available, because another tool has this name. Rename that tool.

## Ages and badges

age-now = just now
age-past = { $amount } ago
age-ahead = in { $amount }
badge = { $assessment ->
    [good] Assessment: ✓ good
    [warning] Assessment: ⚠ warning
   *[bad] Assessment: ✕ bad
}

## Planner: a question in words that it reads

ask-against = { $y } against { $x }
ask-what = { $asked ->
    [values] { $named ->
        [yes] { $metrics }
       *[no] all parameters
    }
    [history] { $metrics } over time
    [histogram] histogram of { $metrics }
    [relation] { $scatter ->
        [yes] scatter plot of { $metrics }
       *[no] correlation of { $metrics }
    }
    [map] heatmap of { $metrics }
    [change] { $direction ->
        [down] { $named ->
            [yes] { $metrics } fell
           *[no] { $how_many ->
                [yes] fell
               *[no] what fell
            }
        }
        [up] { $named ->
            [yes] { $metrics } rose
           *[no] { $how_many ->
                [yes] rose
               *[no] what rose
            }
        }
       *[either] { $named ->
            [yes] { $metrics } changed
           *[no] { $how_many ->
                [yes] changed
               *[no] what changed
            }
        }
    }
    [windows] compare { $named ->
        [yes] { $metrics }
       *[no] { $named_whose ->
            [yes] { $whose }
           *[no] the chip
        }
    }
    [fit] { $fit ->
        [exponential] exponential fit of { $metrics }
       *[line] linear fit of { $metrics }
    }
    [stability] stability of { $metrics }
    [allan] Allan deviation of { $metrics }
    [telegraph] telegraph noise of { $metrics }
    [when_changed] { $direction ->
        [down] { $named ->
            [yes] when { $metrics } fell
           *[no] when values fell
        }
        [up] { $named ->
            [yes] when { $metrics } rose
           *[no] when values rose
        }
       *[either] { $named ->
            [yes] when { $metrics } changed
           *[no] when values changed
        }
    }
    [compare] compare { $metrics } { $whose }
    [difference] difference of { $metrics }
    [verdict] { $direction ->
        [down] { $whose } got worse
        [up] { $whose } got better
        [either] { $whose } changed
       *[none] what is wrong with { $named ->
            [yes] { $metrics }
           *[no] { $whose }
        }
    }
    [health] how is the chip
    [recalibrate] { $kind ->
        [none] what to recalibrate{ $count ->
            [0] {""}
           *[other] {" "}first · { $count }
        }
       *[other] { $count ->
            [0] {""}
           *[other] first { $count }{" "}
        }{ $kind ->
            [coupling] couplings
           *[qubit] qubits
        } to recalibrate
    }
    [best_set] best { $count } connected qubits
    [chain] best chain of { $count } qubits
    [measurements] { $how_many ->
        [yes] number of measurements of { $metrics }
       *[no] { $nth ->
            [first] first measurement of { $metrics }
            [0] { $count ->
                [0] measurements of { $metrics }
               *[other] last { $count } measurements of { $metrics }
            }
            [2] second newest measurement of { $metrics }
            [3] third newest measurement of { $metrics }
           *[other] { $nth }th newest measurement of { $metrics }
        }
    }
    [excluded] excluded values { $metrics }
    [outliers] outliers of { $metrics }
    [age] age{ $named ->
        [yes] {" "}of { $metrics }
       *[no] {""}
    }
    [unmeasured] { $never ->
        [yes] never measured { $metrics }
       *[no] not measured { $metrics }
    }
    [trust] { $named ->
        [yes] fit of { $metrics }
       *[no] trust
    }
    [results] { $how_many ->
        [yes] number of { $status ->
            [none] results
           *[failed] { $status } results
        }
       *[no] { $count ->
            [0] { $status ->
                [none] results
               *[failed] { $status } results
            }
           *[other] last { $count } results { $status ->
                [none] {""}
               *[failed] { $status }
            }
        }
    }
    [duration] { $order ->
        [highest] { $count ->
            [0] {""}
           *[other] { $count }
        } slowest tasks
        [lowest] { $count ->
            [0] {""}
           *[other] { $count }
        } fastest tasks
       *[none] duration of tasks
    }
    [runs] { $order ->
        [highest] longest
        [lowest] shortest
       *[none] {""}
    } { $how_many ->
        [yes] number of { $status ->
            [none] runs
           *[failed] { $status } runs
        }
       *[no] { $count ->
            [0] runs
           *[other] last { $count } runs
        } { $status ->
            [none] {""}
           *[failed] { $status }
        }
    }
    [notes] { $count ->
        [0] notes
       *[other] last { $count } notes
    }
    [machine_state] calibration notes
    [versions] versions of { $metrics }
    [origin] origin of { $metrics }
    [neighbours] { $named_whose ->
        [yes] neighbors of { $whose }
       *[no] topology
    }
   *[parameters] which parameters
}
ask-ranked = { $every ->
    [yes] all { $kind ->
        [coupling] couplings
       *[qubit] qubits
    } by { $metrics }, { $order } first
    [some] { $kind ->
        [coupling] couplings
       *[qubit] qubits
    } by { $metrics }, { $order } first
   *[no] { $order ->
        [both] best { $count ->
            [0] {""}
           *[other] { $count }
        } and worst
       *[worst] { $order }
    } { $count ->
        [0] {""}
       *[other] { $count }
    } { $kind ->
        [coupling] couplings
       *[qubit] qubits
    } { $by ->
        [yes] by { $metrics }
       *[no] {""}
    } { $stability ->
        [yes] stability
       *[no] {""}
    }
}
ask-statistic = { $statistic ->
    [deviation] standard deviation of { $metrics }
    [extremes] lowest and highest { $metrics }
    [fraction] fraction of { $metrics }
   *[median] { $statistic } { $metrics }
}
ask-way = { $direction ->
    [down] fell
    [up] rose
   *[either] changed
}
ask-order = { $order } { $count ->
    [0] {""}
   *[other] { $count }
}
ask-coupling = coupling { $name }
ask-chip = chip { $name }
ask-rate = { $status ->
    [completed] success rate
   *[failed] failure rate
}
ask-of = { $names }
ask-how-many = how many
ask-kind = { $kind ->
    [coupling] couplings
   *[qubit] qubits
}
ask-low = bad
ask-good = good
ask-or = or { $words }
ask-among = of these
ask-in-run = { $newest ->
    [yes] of the latest run
   *[no] in that run
 }
ask-newest = newest values
ask-most-often = { $count ->
    [0] {""}
   *[other] { $count }{" "}
}most often per { $per }
ask-largest = { $count } largest
ask-neighbours = neighbors of { $names }
ask-mux = MUX { $number }
ask-without = without { $names }
ask-named = { $field ->
    [run] run { $name }
    [tag] tagged { $name }
    [text] "{ $name }"
    [user] by user { $name }
   *[task] { $name }
}
ask-by = by at least { $amount }
ask-closer = closer than { $amount }
ask-per = per { $per ->
    [mux] MUX
   *[task] { $per }
}
ask-form = { $form ->
    [bars] bar chart
    [names] names only
   *[plot] plot
}
ask-flag = { $flag ->
    [errors] error
    [why] why
    [reliable] reliable fits only
    [cooldown] this cool-down
    [who] who
   *[ever] any measurement
}
ask-between = { $metric } between { $low } and { $high }
ask-condition = { $side ->
    [below] { $metric } below { $limit }
    [below-or-equal] { $metric } at most { $limit }
    [above] { $metric } above { $limit }
   *[above-or-equal] { $metric } at least { $limit }
}
ask-times = { $factor } × { $name }
ask-range = { $first } to { $last }
offer-nearest = The offline planner can't answer this question. Closest questions it can answer:
offer-meanings = This question can mean several things. Which one?
offer-not-understood = Not understood: { $words }.
offer-corrected = “{ $word }” as “{ $better }”
offer-read-as = Interpreted { $words }.
offer-too-long = The offline planner reads questions of up to { $most } characters. Ask in fewer words, or set a model (`QDASH_COPILOT_MODEL`).
no-such-offer = There is no suggestion { $number }.
no-such-offer-hint = Choose 1 to { $count }.
no-offers-hint = The last answer has no suggestions. Ask a question first.
offers-in-a-run = Not answered: the offline planner can't answer this question.
offers-in-a-run-hint = Replace it with one of the questions above, or set a model.
ask-help = What can I ask?
ask-group = { $group ->
    [chip] The chip
    [values] Values
    [which] Which qubits or couplings
    [time] Over time
    [spread] Statistics
    [results] Measurements, results and runs
   *[notes] Notes and origins
}
offer-all = Without a language model, the copilot answers questions like these. Use your own qubits, parameters, limits and times:
offer-model = Without a language model, only questions about the data of the chip are answered. For other questions, { $place ->
    [page] choose a model in the menu below the question box.
   *[terminal] set `QDASH_COPILOT_MODEL` to the name of a model and `OPENAI_API_KEY` to its key (for another server also `OPENAI_BASE_URL`), then start again.
 }
