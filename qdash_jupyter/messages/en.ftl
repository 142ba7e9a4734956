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

## The model's server

model-silent = The language model at { $address } sent nothing for { $seconds } s.
model-silent-hint = It may be busy or still loading. Try again, or raise `timeout_seconds` of the model.
model-sent-no-event = { $host } sent data that isn't an event of the { $api }.
model-sent-no-event-hint = Check that the server at the base URL has the { $api }.
model-sent-no-stream = { $host } sent { $kind } instead of a stream of events.
model-no-content-type = data without a content type
model-url-hint = Check the base URL. It usually ends with /v1.
model-connection-broke = The connection to { $address } broke during the answer.
model-retry-hint = Ask again.
model-reported-error = { $host } reported an error during the answer.
model-said = The server says: "{ $said }"
model-reason = Reason: { $why }.
model-ended-answer = { $host } ended the answer early.
model-ended-answer-hint = Ask in other words.
model-out-of-tokens = { $model } used all its output tokens before it answered.
model-out-of-tokens-hint = Raise `max_output_tokens`, or lower `reasoning_effort`.
model-would-store = { $host } rejects `store: false`, so it may keep the conversation.
model-would-store-hint = Use a server that accepts it, or one in your own network.
model-no-key = No key is set for { $host }.
model-no-key-hint = Set { $name }, or use a server that needs no key.
model-unusable-key = The key in { $name } contains characters that a key can't have.
model-unusable-key-hint = Copy it again, without quotes or line breaks.
model-unusable-header = The header { $name } for { $host } contains characters that a header can't have.
model-unusable-header-hint = Correct `headers` of the model in copilot.yaml. Use only ASCII letters, digits and signs, on one line.
model-unreachable = No language model answers at { $address }.
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
model-other-api-hint = If this keeps happening, the server's Responses API may be at fault. Set `api_style: chat_completions` of the model (or QDASH_COPILOT_API_STYLE).
model-rejected = { $host } rejects the request (HTTP status { $status }).
model-rejected-hint = Check the settings of the model, or start a new conversation.
model-rejected-parameter-hint = Check the setting of the parameter `{ $name }`, or start a new conversation.
model-no-such-api = { $host } has no { $api } at this address (HTTP status { $status }).
model-unknown = { $host } has no model '{ $model }', or the key may not use it.
model-unknown-hint = Check the name of the model.
model-too-many-requests = { $host } received too many requests.
model-wait-hint = Wait a little, then ask again.
model-wait-seconds-hint = Try again in { $seconds } s.
model-no-quota = The account at { $host } has no quota left.
model-no-quota-hint = Waiting doesn't help. Check the plan and billing, or use another model.
model-too-long = The conversation is too long for { $model }.
model-too-long-hint = Start a new conversation, or ask for less at once.
model-wrong-url = The base URL of the language model isn't an http or https URL.
model-wrong-url-hint = Use a URL such as http://localhost:11434/v1 (OPENAI_BASE_URL, or `base_url` in copilot.yaml).

## What the model's server can't do

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
cassette-differs = First difference at { $place }: { $here } here, { $recorded } in the cassette.
cassette-place-line = { $place }, line { $line }
cassette-place-of-result = { $place } (the result of { $tool })
cassette-some-call = a call
cassette-nothing = nothing
cassette-wrong-mode = QDASH_CASSETTE can't be '{ $mode }'.
cassette-wrong-mode-hint = Set it to { $modes }, or unset it.
cassette-no-file = QDASH_CASSETTE is set, but QDASH_CASSETTE_FILE isn't.
cassette-no-file-hint = Set it to a file, such as conversation.yaml.
cassette-no-folder = QDASH_CASSETTE_FILE is { $file }, but there is no folder { $folder }.
cassette-no-folder-hint = Make the folder, or correct the path.
cassette-missing = There is no cassette { $path }.
cassette-missing-hint = Record one with QDASH_CASSETTE=record and a configured model, or correct QDASH_CASSETTE_FILE.
cassette-unreadable = The cassette { $path } can't be read: { $why }.
cassette-unreadable-hint = Fix or remove the file.
cassette-not-utf8 = it isn't UTF-8
cassette-unwritable = The cassette { $path } can't be written: { $why }.
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
way-out-files = End the cell with the table, so that the user can save it.
way-out-network = Fetch data with the tools.
way-out-shell = Compute it in Python.
way-out-acts = Ask the user to do it.
way-out-copy = Change a copy under another name.
nobody-can-approve = No one is here to approve it.
nobody-can-approve-hint = To allow exactly this code, the user runs `%copilot approve { $hash }` before the question.

## Cells that did not run, or did not end

not-run-no-question = Code runs only as part of a question, and no question is being answered.
not-run-await = A running cell can't run top-level await. Call the coroutine without await.
not-run-no-notebook = Code is only inserted here (policy: insert_only), and there is no notebook to insert a cell into.
cell-to-be-run = The cell is in the notebook for you to run (policy: insert_only). Its result isn't known yet.
cell-dropped = The kernel dropped the cell twice, because another cell failed before it.
cell-unseen = The notebook says that the cell ended, but the kernel hasn't run it. Was its text removed?
cell-withdrawn = The cell was withdrawn before it ran.
cell-unreadable = The output of the cell couldn't be read. See the copilot's log for details.
cell-unloaded = The extension was unloaded before the cell ran.
waits-for-your-cell = Waiting for your cell, because the code reads { $names }.

## Code that was stopped

code-timed-out = Timed out after { $seconds } s.
code-cpu-limit = The code took more than { $seconds } s of processor time.
code-memory-limit = The code exceeded its memory limit of { $megabytes } MB.
code-result-too-large = The result is larger than { $megabytes } MB.
code-stopped = The code was stopped.
code-spoiled-result = The code corrupted its own result.
code-ended-process = The code ended its process before it had a result.
code-no-process = No process could be started for the code: { $why }.
code-killed = The code's process was killed from outside. The machine may be short of memory.
code-crashed = The code crashed its process ({ $signal }), as some libraries do above { $megabytes } MB of memory.
code-worker-lost = The worker ended while the code was running. Run the code again.
code-call-limit = Code may call tools { $count ->
    [one] once
   *[other] { $count } times
 } for one question.
code-call-limit-hint = Fetch more with each call.
session-forgets = The session doesn't keep the variables that it gets from the notebook.

## The process for the copilot's code

worker-does-not-start = The worker for the model's code doesn't start.
worker-does-not-work = The worker for the model's code doesn't work.
worker-timed-out = It didn't answer within { $seconds } s.
worker-exited = It ended with exit code { $code }.
worker-unconfined-hint = The model's code never runs unconfined.
worker-no-fork = The model's code can't run on { $platform }, because each session is a forked process.
worker-no-fork-hint = Use Linux or macOS.
worker-without-wall = a process of its own, without a sandbox
worker-not-linux = The model's code can be confined only on Linux, and this is { $platform }.
worker-no-seccomp = This kernel or processor has no seccomp filters. They need x86_64 or aarch64.
worker-no-landlock = This kernel lacks Landlock { $version } (Linux 6.2 or later), and bubblewrap can't replace it: { $why }
worker-no-bwrap = bwrap isn't installed.
worker-bwrap-exited = bwrap ended with exit code { $code }.
worker-not-confined = The model's code isn't confined here. It can { $can }.
worker-can-read = read a file
worker-can-write = write a file
worker-can-make = create a file
worker-can-connect = connect to a server
worker-can-begin = start a process
worker-can-signal = send a signal
