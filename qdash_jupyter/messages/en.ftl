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
