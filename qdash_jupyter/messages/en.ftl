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
label-skill = Reading a skill
label-task-history = Reading the history of a task
label-timeseries = Reading the time series of a parameter
label-topology = Reading the chip topology
read-documents = { $count } documents
read-documents-memory = { $count } documents, { $memory }
cell-runs-long = This cell has been running for { $seconds } s.
cell-takes-memory = It has taken { $memory } of memory so far.

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
    [one] { $count } step
   *[other] { $count } steps
 }

## Tools: code and approvals

code-not-run = **Not run**: no one was there to approve it. To allow exactly this code, run `%copilot approve { $hash }` and ask again.
code-not-run-effects =
    {"**"}Not run**: no one was there to approve it.

    { $effects }

    To allow exactly this code, run `%copilot approve { $hash }` and ask again.
code-not-finished = The code did not finish.
process-names-lost = The copilot's process ended, and these variables with it: { $names }.
rejected-without-reason = The user rejected it without giving a reason.
call-not-done = **Not done**: no one was there to approve `{ $what }`. To allow exactly this call, run `%copilot approve { $hash }` and ask again.
call-other-wanted = The user wants this call instead: { $code }
call-may-not-act = Tools may not act on their own here (policy: insert_only).
call-may-not-act-hint = Tell the user what you would have done.
file-there-already = exists already, { $size }
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
 }, { $unit })
heatmap-connections-only = { $title }: connections only
heatmap-subtitle = { $count } of { $total } { $kind ->
    [coupling] couplings
   *[qubit] qubits
 } { $measured }, median { $median }
heatmap-unknown-topology = unknown topology: lines are couplings, the layout is arbitrary
heatmap-two-lines = { $first }<br>{ $second }
heatmap-folded = the chain is folded
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
topology-not-named = The chip has no topology, and { $count } qubits don't form a square lattice.
topology-unknown = This version doesn't know the topology { $topology }.
no-couplings-of-qubit = Qubit { $qid } of chip { $chip } has no couplings.
no-couplings-of-qubit-hint = get_chip_topology lists all couplings.
no-coupling-given = No coupling is given.
no-coupling-given-hint = Give coupling_id, or qubit_id for all couplings of a qubit.
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
no-current-parameters-hint = Current there: { $parameters }.
never-calibrated = Never calibrated on chip { $chip }: { $qids }.
never-calibrated-hint = There are no results.
no-current-values = No current values of { $qids } on chip { $chip }.
no-current-values-hint = There are results of { $parameters }. Read them as a time series.
no-current-values-results-hint = There are results without values. Read them as a time series.
no-earlier-values = QDash's history has no values of { $qids } on chip { $chip } before { $when }.
no-earlier-values-of-all = QDash's history has no values of any { $kind ->
    [coupling] coupling
   *[qubit] qubit
 } of chip { $chip } before { $when }.
no-earlier-values-hint = It has one row for each day with a calibration. Read older results as a time series.
nothing-measured = Nothing was measured on chip { $chip }. It has no completed results.
nothing-measured-on = Nothing was measured on { $qid } of chip { $chip }. It has no completed results.
never-measured = { $parameter } was never measured on chip { $chip }.
never-measured-hint = list_available_parameters lists what was measured.
never-measured-on = { $parameter } was never measured on { $qids } of chip { $chip }.
never-measured-there = { $parameter } was never measured on { $qid }.
never-measured-there-hint = Measured there: { $parameters }.
nothing-at-all = nothing
no-measurement-fits = No measurement of { $parameter } on chip { $chip } matches: { $conditions }.
no-measurement-fits-hint = The newest one is from { $when } UTC. Widen the conditions.
no-measurement-in-range = Chip { $chip } has no { $parameter } { $measured }.
condition-time-range = the time range
condition-cooldown = cool-down { $id }
condition-tags = tags { $names }
no-cooldown-now = Chip { $chip } is in no cool-down now.
no-cooldown-now-hint = Name a cool-down, or give a time range.
two-time-ranges = Both within_hours and since are given.
two-time-ranges-hint = Give only one of them.

## Errors of tools: runs, results and versions

no-runs = Chip { $chip } has no recorded runs.
no-run-fits = No run matches all of these conditions.
newest-run = The newest is { $run } from { $when }.
no-result-given = No results are given.
no-result-given-hint = Give task_name (and qid), or task_id.
no-result-fits = No result matches all of these conditions.
no-results-of-task = Chip { $chip } has no results of { $task }.
no-results-of-task-in-range = Chip { $chip } has no results of { $task } in this time range.
no-results-on = { $qid } has no results of { $task }.
no-results-on-in-range = { $qid } has no results of { $task } in this time range.
no-completed-results = { $qid } has no completed results of { $task }.
no-results-at-all = There are no results of { $what }.
newest-result = The newest result of { $what } is from { $when } ({ $state }).
result-excluded = excluded
any-task = any task
task-on = { $task } on { $qid }
verdicts-abandoned = The question was stopped.
no-versions = Provenance has no version of { $parameter } of { $qid }, although it was measured.
no-versions-hint = get_parameter_timeseries has the measurements.
not-an-entity-id = '{ $id }' isn't an entity ID.
not-an-entity-id-hint = Entity IDs look like <parameter>:<qid>:<execution_id>:<task_id>. get_parameter_lineage lists them.

## Tools: notes

no-notes = There are no notes about chip { $chip }.
no-note-fits = No note matches all of these conditions.
notes-there = All notes: { $kinds }. Authors: { $authors }. The newest is from { $when }.
count-of-kind = { $count } { $kind }
unknown-authors = unknown authors

## Errors of tools: files and tables

file-type-not-taken = This model can't read { $type } files.
file-too-large = { $file } is larger than { $megabytes } MB.
file-unreadable = { $file } can't be read: { $why }.
file-not-utf8 = { $file } isn't UTF-8 text.
answer-without-it-hint = Answer without it and say so.
file-missing = { $file } doesn't exist.
file-no-access = { $file } can't be read.
no-column = The table has no column { $column }.
no-column-hint = Leave out `columns` to see all of them.
dropped-not-a-table = { $file } is neither CSV nor Parquet.
dropped-not-a-table-hint = Save it as one of these and drop it again.
dropped-unreadable = { $file } can't be read: { $why }.
dropped-unreadable-hint = Check that the file is complete.
dropped-too-large = The file has { $count } values. At most { $most } are read.
data-from-file = data['{ $key }'] came from a file.
data-from-file-hint = Drop the file on the panel again.
data-is-a-copy = data['{ $key }'] is a copy that belongs to no conversation.
data-is-a-copy-fetch-hint = Fetch it again with copilot.tools.{ $tool }(…).
data-is-a-copy-draw-hint = Draw its tables with qdash_jupyter.explore.

## Errors of tools: calls

tool-name-invalid = '{ $name }' can't be the name of a tool.
tool-name-invalid-hint = Use up to 64 letters, digits and underscores, such as get_fridge_log.
tool-name-taken = There is already a tool { $name }.
tool-name-taken-hint = Give this one another name.
tool-elsewhere = { $name } is a tool of the model's server. It runs only there.
tool-elsewhere-hint = Answer without it.
tool-unknown = There is no tool '{ $name }'.
tool-unknown-hint = Tools: { $names }.
tool-call-limit = { $name } may be called { $count ->
    [one] once
   *[other] { $count } times
 } in one question.
tool-timed-out = { $name } timed out after { $seconds } s.
tool-timed-out-client = { $name } timed out at the limit of its client.
tool-timed-out-hint = Ask for less: fewer qubits, or a shorter time range.
tool-timed-out-act-hint = It may have taken effect. Check before you try again.
tool-failed-inside = The tool failed inside the copilot. Its log has the details.
tool-failed-with = The tool failed: { $why }
arguments-not-json = { $name } received invalid JSON arguments: { $why }.
arguments-not-an-object = The arguments of { $name } must be a JSON object, not { $value }.
arguments-required = Send one JSON object. Required: { $schema }.
arguments-optional = Optional: { $names }.
arguments-wrong = { $name } received invalid arguments: { $why }.
arguments-wrong-hint = Schema: { $schema }
argument-meant = unknown '{ $name }' (did you mean { $meant }?)
argument-too-large = { $name }: { $reference } is too large ({ $count } characters).
argument-too-large-hint = Send a smaller part.
argument-file-outside = { $name }: { $file } is hidden or outside the working folder.
argument-file-too-large = { $name }: { $file } isn't a file of at most { $most } bytes.
argument-file-unreadable = { $name }: { $file } can't be read: { $why }.
argument-file-hint = Name a text file in the working folder { $folder }/, such as file:notes.md.
argument-not-plain = { $name }: variable { $variable } holds objects that the copilot doesn't read.
argument-not-plain-hint = Send pandas tables, arrays, lists, dicts, strings or numbers.
is-not-utf8 = it isn't UTF-8 text

## Errors of tools: Python functions as tools

function-no-docstring = The tool { $name } has no docstring.
function-no-docstring-hint = Say in the docstring what it returns. The model reads it.
function-not-a-tool = { $value } isn't a tool.
function-not-a-tool-hint = Give a ToolSpec, or a function with types and a docstring.
function-arguments = The arguments of the tool { $name } can't be described: { $why }.
function-arguments-hint = Models send JSON. Use strings, numbers, lists or pydantic models.
function-no-type = The parameter { $parameter } of the tool { $name } has no type, or can't be given by name.
function-no-type-hint = Write its name and type: `chip_id: str`.
function-types = The types of the tool { $name } can't be read: { $why }.
function-types-hint = Import what they name where it is also available at run time.

## Tool sets

tool-set-needs-package = Install its package: pip install 'qdash_jupyter[{ $extra }]' ({ $why }).
tool-set-not-opened = The tool set can't be opened: { $why }.
no-built-in-tool = There is no built-in tool of this name.
kind-model = model
in-models = in `models`
keyring-needs-package = Its secret is in the keyring. Install the package: pip install 'qdash_jupyter[keyring]'.
secret-in-variable = variable { $name }
secret-in-keyring = keyring entry { $name }
secret-missing = There is no secret in { $place }.
secret-missing-hint = The user has to store it there.
secret-not-sendable = The secret in { $place } has characters that can't be sent.
secret-not-sendable-hint = Copy it again.
keyring-not-installed = The secret is in a keyring, and the keyring package is not installed.
keyring-not-installed-hint = Run pip install 'qdash_jupyter[keyring]'.
keyring-unreadable = The keyring entry { $name } can't be read ({ $why }).
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
rest-write-method = { $method } requires features.write_methods.enabled: true.
rest-argument-name = '{ $name }' can't be the name of an argument. Use another word, and `name: { $name }` for the request.
rest-path-arguments = The arguments with `in: path` don't match { $path }: { $names }.
rest-no-answer = { $server } didn't answer, or the connection broke ({ $why }).
rest-request = The request to { $server } can't be made: { $why }.
rest-redirects = { $server } redirects too often, or changes the request.
rest-unauthorized = { $server } didn't accept the credentials (HTTP status 401).
rest-status = { $server } answered with HTTP status { $status }.
server-said = It said: { $words }
answer-too-large = The answer is larger than { $size }.
rest-path-part = { $name } is '{ $value }', which can't be part of a path.
rest-path-part-hint = Give an ID or a name.
answer-not-text = The answer is { $type }, not text.
answer-not-text-hint = The user can enable response_as_attachment for this type.
answer-not-json = The answer is declared as JSON but isn't: { $why }.

## Tool sets: addresses in the settings

fetch-not-allowed = { $url } is not fetched.
fetch-not-allowed-hint = This needs features.external_url_fetch.enabled: true, and { $variable }=true from the administrator.
fetch-redirects = { $url } redirects too often.
fetch-redirects-hint = Name the final address.
fetch-timed-out = { $url } timed out after { $seconds } s.
fetch-timed-out-hint = Try again, or save a copy here.
fetch-failed = { $url } can't be fetched: { $why }.
fetch-failed-hint = Check it in a browser.
fetch-status = { $url } answered with HTTP status { $status }.
fetch-status-hint = Check the address.
fetch-too-large = { $url } is larger than { $size }.
fetch-too-large-hint = Name a smaller file.
fetch-address = { $url } isn't an address that can be fetched.
fetch-address-hint = Use https:// without user name and password.
fetch-private = { $url } is not on the public Internet.
fetch-private-hint = Copy files of your own network into a folder, and name the folder.

## Tool sets: skills

skill-name-taken = There is already a skill { $name }.
skill-no-front-matter = The front matter is missing.
skill-no-front-matter-hint = Begin with `---`, `name:`, `description:`, `---`.
skill-not-yaml = The front matter isn't valid YAML.
skill-not-yaml-hint = Write `name:` and `description:` lines.
skill-name-invalid = { $name } can't be the name of a skill.
skill-name-invalid-hint = Use up to 64 lower-case letters, digits and hyphens.
skill-no-description = The description is missing or too long.
skill-no-description-hint = Say in one sentence when to read the skill.
skill-folder-differs = The skill is called { $name }, but its folder { $folder }.
skill-folder-differs-hint = Give both the same name.

## Tool sets: MCP servers

mcp-sets-need-package = The package for MCP servers is not installed: pip install "qdash-jupyter[mcp]"
mcp-schema = The schema of { $name } can't be used: { $why }.
mcp-same-name = Two of its tools are named { $name }. The second is left out.
mcp-not-connected = The server can't be connected ({ $why }). The copilot's log has the details.
mcp-schema-type = its type is { $type }, not "object"
mcp-schema-properties = its properties are not objects
mcp-schema-required = `required` is not a list of names
mcp-schema-argument = the argument { $name } has the type { $type }, which JSON Schema doesn't have
mcp-server = server { $name } ({ $address })
mcp-no-reason = { $name } failed without giving a reason.
try-other-arguments-hint = Try other arguments.
mcp-unauthorized = The { $server } requires a key, or a different one (HTTP status 401).
mcp-unauthorized-hint = Set { $variable }, and name it in the tool set.
mcp-refused = The { $server } refused the call: { $why }
mcp-refused-status = The { $server } refused the call (HTTP status { $status }): { $why }
mcp-unreachable = The { $server } can't be reached: { $why }.
mcp-unreachable-hint = Check that it is running.
mcp-unexpected = The { $server } gave an unexpected answer: { $why }
mcp-unexpected-hint = Try something else.
mcp-too-slow = The { $server } didn't answer within { $seconds } s.
mcp-lost = The connection to the { $server } is lost.
mcp-lost-hint = Try again.
mcp-wrote = It wrote: { $words }
mcp-lost-in-call = This was during the call, which may have taken effect.
mcp-lost-in-call-hint = Check before you call it again.

## Explorer of tables

explore-no-rows = This table has no rows.
explore-no-rows-hint = Fetch it again, or choose another table.
explore-no-numbers = This table has no column of numbers to draw.
explore-no-columns-hint = It has no columns.
explore-columns-hint = Its columns: { $names }.
explore-nothing-selected = No row of this selection has a value.
explore-nothing-selected-hint = Select more, or a longer time.
explore-nothing-to-choose = There is nothing to choose from.
explore-read-again-hint = Read the table again.
explore-none-chosen = No { $what } is selected.
explore-none-chosen-hint = Select some, or all.
explore-column-gone = The table has no column { $column } any more.
explore-table-gone = { $name } no longer exists.
explore-table-gone-hint = Fetch it again, for example in the panel's list of data. Then read it again.
qubit-or-coupling = { $kind ->
    [coupling] coupling
    [qubit] qubit
   *[other] qubit or coupling
 }
