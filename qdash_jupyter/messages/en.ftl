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
panel-composer-names = Names
panel-composer-waitsForRunning = Sent when the current question is done
panel-composer-model = Model: { $model }
panel-composer-cell = cell { $label }
panel-composer-kinds = { $kind ->
    [variable] variable
    [data] data
    [qubit] qubit
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
panel-refusals-unreadable = { $file } couldn't be read.
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
panel-code-insertTitle = Insert as a cell below the current one
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
panel-approval-happened = Already done once. Running the code repeats it:
panel-approval-elsewhere = Answer in the panel beside the notebook.
panel-approval-line = line { $n }
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
panel-frames-yourVariables = You use the names `copilot` and `data` yourself. Delete one of them to reach this table by name from the next cell on.
panel-frames-cellBelow = Inserts a cell below the current one: { $code }
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
extension-commands-startCaption = Run "{ $line }" in the kernel of the current notebook
extension-commands-about = Ask QDash Copilot About This Cell
extension-commands-aboutCaption = Add this cell's code and output to your next question
extension-commands-fix = Fix with QDash Copilot
extension-commands-fixCaption = Ask the copilot for a fix of this failed cell; nothing changes until you accept it
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
extension-start-runThere = { $why } Run "{ $line }" there, then try again.
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
extension-link-waitsForCell = The kernel is running a cell. Your command follows it.
extension-link-silent = The kernel isn't responding. Your command is queued.
extension-link-connecting = Connecting to the kernel…
extension-link-notRunning = The copilot isn't running. Start it again.
extension-link-connectionLost = The connection was lost before the kernel responded. Try again.
extension-link-notTaken = The copilot didn't accept the command. Try again.
extension-link-stopped = The kernel stopped before it responded.
extension-lost-dead = Kernel stopped. Your conversation is saved.
extension-lost-restarted = Kernel restarted. Your conversation is saved.
extension-lost-crashed = The kernel crashed and was restarted. Your conversation is saved.
extension-lost-replaced = Kernel changed. Your conversation is saved.
extension-lost-unloaded = Copilot unloaded. Your conversation is saved.
extension-lost-disconnected = The connection to the kernel is lost.

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
