"""What the commands of `%copilot` do, and `%%copilot`. Imported with the first of them, not with `%load_ext`."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from IPython.core.error import UsageError
from IPython.display import display

from qdash_jupyter.config.explain import explained
from qdash_jupyter.config.keys import missing_key, model_in_use
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.trust import trust
from qdash_jupyter.domain.analysis import AskedAbout, asked_of
from qdash_jupyter.domain.cell_edit import code_fence
from qdash_jupyter.domain.safe_text import harmless_words, printable
from qdash_jupyter.errors import CopilotError, PersonError, QuestionError
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message, Text, lines, sentences, text_in
from qdash_jupyter.session.approvals import Approvals
from qdash_jupyter.session.first_look import agree, first_look
from qdash_jupyter.ui.app import CopilotApp
from qdash_jupyter.ui.cost import conversation_cost, sent_bundle, turn_cost, turn_meant
from qdash_jupyter.ui.display import (
    chips_table,
    error_bundle,
    models_table,
    paragraphs,
    publish,
    show,
    status_bundle,
    table,
    turn_bundles,
)
from qdash_jupyter.ui.keys import ask_for_key
from qdash_jupyter.ui.line import COMMANDS, AskOptions, analyze_line, ask_options, command_of, options_of, picked
from qdash_jupyter.ui.log import log_path
from qdash_jupyter.ui.options import DataOptions, options_given
from qdash_jupyter.ui.progress import Progress
from qdash_jupyter.ui.refreshing import period_of, refreshed

_TRIAL_S = 20.0


class LineCommands:
    """The commands of one shell: each is the method `_do_` and its name."""

    def __init__(self, app: CopilotApp) -> None:
        self.app = app
        self._asked_for_key = False

    def line_or_cell(self, line: str, cell: str | None = None) -> None:
        """`%copilot COMMAND …` and `%%copilot` with a question."""
        try:
            if cell is not None:
                self._do_ask(f"{line}\n{cell}")
            else:
                self._command(line)
        except CopilotError as error:
            publish(error_bundle(error))

    def _command(self, line: str) -> None:
        name, rest = command_of(line)
        getattr(self, f"_do_{name}")(rest)

    def _do_help(self, _: str) -> None:
        show(Message("magics-help"))

    def _do_stop(self, _: str) -> None:
        show(Message("stopping") if self.app.conversation.stop() else Message("nothing-running"))

    def _do_status(self, _: str) -> None:
        publish(status_bundle(self.app.conversation.status(), log_path(), self.app.conversation.history_problem))

    def _do_analyze(self, words: str) -> None:
        options, request, question = analyze_line(words)
        self._answer(options, question or asked_of(request), request)

    def _do_fix(self, words: str) -> None:
        cell = self.app.failure.cell
        if cell is None:
            raise PersonError.with_hint("no-failed-cell")
        given, question = options_of(words, COMMANDS["fix"].options)
        self._answer(ask_options(given), question.strip() or asked_of(cell), cell)

    def _do_ask(self, words: str) -> None:
        given, question = options_of(words, COMMANDS["ask"].options)
        self._answer(ask_options(given), question)

    def _do_start(self, words: str) -> None:
        given, name = options_of(words, COMMANDS["ask"].options)
        name = name.strip()
        starters = self.app.conversation.parts().starter_prompts()
        if not name:
            show("\n".join(f"- **{harmless_words(label)}**" for label in starters))
            return
        prompts = {label.casefold(): prompt for label, prompt in starters.items()}
        prompt = prompts.get(_unquoted(name).casefold())
        if prompt is None:
            _usage(Message("no-starter", name=name, names=tuple(starters)))
        self._answer(ask_options(given), prompt)

    def _answer(self, options: AskOptions, question: str, analysis: AskedAbout | None = None) -> None:
        question = _unquoted(question.strip())
        if options.pick is not None:
            turns = self.app.conversation.turns
            question = picked(turns[-1].result().choices if turns and turns[-1].done else (), options.pick)
        if question:
            with contextlib.suppress(PersonError):  # whoever asks is told
                self._prepare(self.app.manifest())
        if not options.wait and self.app.asking_page() is not None:
            self.app.ask_below(question, analysis, options.turn)
            return
        asked_from = self.app.asked_from()
        turn = self.app.conversation.start(question, asked_from, analysis, options=options.turn)
        with Progress(self.app.shell.display_pub, turn.language, shown=self.app.asking_cell is not None) as progress:
            turn.wait(progress.on_event, meanwhile=progress.meanwhile, may_leave=self.app.leaves_for_approvals())
        if not turn.done:
            self.app.go_on_below(turn)
            if options.out is not None:
                show(Message("answer-later", name=options.out))
            return
        if options.out is not None:
            self.app.shell.user_ns[options.out] = turn.result()
        for bundle in turn_bundles(turn):
            publish(bundle)
        if turn.result().choices and not self.app.is_watched:
            raise QuestionError.with_hint("offers-in-a-run")

    def _prepare(self, manifest: Manifest) -> None:
        """Have the key typed that is missing, and show what goes to a server that was not asked before: whoever runs a
        cell has decided to ask. The panel waits for a click.
        """
        if not self._asked_for_key and (variable := missing_key(manifest)):
            self._asked_for_key = True  # once: who does not want to type it reads what to do instead
            with contextlib.suppress(PersonError):
                ask_for_key(variable)
        if (look := first_look(manifest)) is not None:
            goes = lines(*(Message("list-item", mark="-", text=each) for each in look["goes"]))
            title, model = Message("first-look", endpoint=look["endpoint"]), look["model"]
            show(paragraphs(sentences(title, Message("panel-look-goes", model=model)), goes, look["stays"]))
            agree(look["endpoint"])

    def _do_cost(self, which: str) -> None:
        turns = self.app.conversation.turns
        if which:
            number, turn = turn_meant(turns, which)
            show(turn_cost(turn, number))
        else:
            show(conversation_cost(turns))

    def _do_sent(self, which: str) -> None:
        number, turn = turn_meant(self.app.conversation.turns, which)
        publish(sent_bundle(turn, number))

    def _do_data(self, rest: str) -> None:
        data = self.app.conversation.data
        name, *keys = rest.split() or [""]
        if name == "refresh" and keys[:1] in (["every"], ["off"]):
            show(self._poll(*keys))
        elif name == "refresh":
            show(refreshed(data, keys))
        elif name:
            _usage(sentences(Message("no-command", name=f"data {name}"), Message("commands-listed")))
        else:
            publish({"text/html": data._repr_html_(), "text/plain": repr(data)})
            if self.app.polling is not None:
                show(self.app.polling.words())

    def _poll(self, what: str, period: str = "", *keys: str) -> Text:
        if what == "off":
            return Message("polling-off") if self.app.poll_no_more() else Message("polling-was-off")
        return self.app.poll(keys, period_of(period)).words()

    def _do_approve(self, code_hash: str) -> None:
        approvals = self.app.conversation.approvals
        if code_hash:
            approvals.approve(code_hash)
            show(Message("approved-once", hash=code_hash))
        else:
            show(_approvals_list(approvals))

    def _do_revoke(self, which: str) -> None:
        approvals = self.app.conversation.approvals
        standing = approvals.standing()
        if which and not (which.isdigit() and 1 <= int(which) <= len(standing)):
            _usage(Message("no-approval", number=which))
        for effect in standing[int(which) - 1 : int(which)] if which else standing:
            approvals.revoke(effect.id)
        self.app.standing_changed()
        show(_approvals_list(approvals))

    def _do_panel(self, _: str) -> None:
        panel = self.app.shown_panel()
        with self.app.expecting_view():
            display(panel)

    _do_open = _do_panel

    def _do_model(self, name: str) -> None:
        trial = self.app.models.use(name) if name else None
        show(models_table(self.app.conversation.parts()))
        if trial is not None:
            try:
                show(trial.result(_TRIAL_S))
            except TimeoutError:  # a large model is loaded first; the panel says it then
                show(Message("trial-goes-on"))

    def _do_models(self, _: str) -> None:
        if not self.app.models.find():
            show(Message("no-local-models"))
        self._do_model("")

    def _do_key(self, rest: str) -> None:
        variable = rest.strip() or self._key_variable()
        if not variable.isidentifier():
            _usage(Message("no-key-in-a-cell"))
        show(Message("key-kept", variable=variable) if ask_for_key(variable) else Message("key-not-typed"))

    def _key_variable(self) -> str:
        section = model_in_use(self.app.manifest())
        if section is None:
            raise PersonError.with_hint("planner-without-key")
        return section.api_key_env

    def _do_use(self, rest: str) -> None:
        self._open(options_given(options_of(rest, COMMANDS["use"].options)[0]))

    def _do_chip(self, name: str) -> None:
        if name:
            self._open(replace(self.app.options or DataOptions(), chip=_unquoted(name)), keep=True)
        else:
            show(chips_table(self.app.conversation.parts()))

    def _do_new(self, _: str) -> None:
        self.app.new()
        show(Message("new-conversation"))

    def _do_undo(self, _: str) -> None:
        show(self.app.undo())

    def _do_export(self, name: str) -> None:
        from qdash_jupyter.ui.export import write_export

        path = write_export(_unquoted(name), self.app.exported)
        show(Message("exported", path=str(path)))

    def _do_trust(self, _: str) -> None:
        trust(Path.cwd())
        self._open(self.app.options)

    def _do_config(self, rest: str) -> None:
        options_of(rest, COMMANDS["config"].options)
        show(table(("setting", "value", "from"), explained(self.app.settings())))

    def _open(self, options: DataOptions | None, *, keep: bool = False) -> None:
        before = self.app.conversation
        notice = self.app.use(options, keep=keep)
        before.release()
        if not self.app.conversation.bind():
            show(Message("name-taken"))
        if notice:
            show(notice)
        publish(status_bundle(self.app.conversation.status()))


def _unquoted(question: str) -> str:
    is_quoted = len(question) > 1 and question[0] == question[-1] and question[0] in "\"'"
    return question[1:-1].strip() if is_quoted else question


def _usage(message: Text) -> NoReturn:
    raise UsageError(text_in(message, reader()))


def _approvals_list(approvals: Approvals) -> str:
    """What waits and what is approved, as Markdown; the numbers are those that `%copilot revoke` takes."""
    parts: list[Text] = []
    if (waiting := approvals.waiting) is not None:
        effects = (Message("list-item", mark="-", text=effect.in_words) for effect in waiting.effects)
        parts += [
            lines(Message("approval-waiting", hash=waiting.code_hash), *effects),
            code_fence(printable(waiting.code)),
        ]
    if standing := approvals.standing():
        numbered = enumerate(standing, start=1)
        parts.append(lines(*(Message("list-item", mark=f"{n}.", text=effect.in_words) for n, effect in numbered)))
    return paragraphs(*parts or [Message("no-approvals")])
