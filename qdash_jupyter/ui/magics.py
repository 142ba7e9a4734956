"""`%load_ext qdash_jupyter`: `%copilot`, `%%copilot`, and the handles in the user's namespace."""

from __future__ import annotations

import atexit
import contextlib
import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from qdash_jupyter.cells.rounded import shown_by, shown_no_more_by
from qdash_jupyter.domain.imports import wait_for_imports
from qdash_jupyter.errors import CopilotError, PersonError, QuestionError
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message, Text, lines, sentences, text_in
from qdash_jupyter.ui.log import keep_log, log_path

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.domain.analysis import AskedAbout
    from qdash_jupyter.session.approvals import Approvals
    from qdash_jupyter.session.conversation import Conversation
    from qdash_jupyter.session.copilot import Copilot
    from qdash_jupyter.session.first_look import FirstLook
    from qdash_jupyter.ui.line import AskOptions
    from qdash_jupyter.ui.options import DataOptions

_loaded: dict[int, CopilotMagics] = {}


class CopilotMagics:
    """The magics of one shell."""

    def __init__(self, shell: InteractiveShell) -> None:
        """Make the conversation, which connects at its first question; or go on with the one that the user has opened
        in this shell as `copilot`.
        """
        from qdash_jupyter.ui.app import CopilotApp

        self.shell = shell
        opened = opened_in(shell)
        self.app = CopilotApp(shell) if opened is None else CopilotApp(shell, opened, listens=True)
        self._asked_for_key = False
        self.complete = _matcher(self)
        self._bind()

    @property
    def copilot(self) -> Copilot:
        """The conversation of now."""
        return self.app.copilot

    def line_or_cell(self, line: str, cell: str | None = None) -> None:
        """`%copilot COMMAND …` and `%%copilot` with a question."""
        from qdash_jupyter.ui.display import error_bundle, publish

        try:
            if cell is not None:
                self._do_ask(f"{line}\n{cell}")
            else:
                self._command(line)
        except CopilotError as error:
            publish(error_bundle(error))

    def before_cell(self, *_: object) -> None:
        """Bind `data` once the name is free; a name the user has taken is never taken back. Of libraries that another
        thread is importing the cell would find a part.
        """
        wait_for_imports()
        self.app.rebind()
        self.app.namespace.bind_if_free("data", self.copilot.data)

    def after_cell(self, *_: object) -> None:
        """The cell may have changed what is stored, or bound a name by which it was reached."""
        self.app.data_changed()

    def close(self) -> None:
        """Stop a running question, give back connections, take the handles back."""
        self.app.close()
        if self.app.is_own:
            self.app.conversation.release()

    def exit(self) -> None:
        """The interpreter ends."""
        self.close()
        with contextlib.suppress(Exception):  # the user may have put anything in its place
            sys.stdout.flush()  # in a kernel it returns when all that was to be sent before it has left

    def _command(self, line: str) -> None:
        from qdash_jupyter.ui.line import command_of

        name, rest = command_of(line)
        getattr(self, f"_do_{name}")(rest)

    def _do_help(self, _: str) -> None:
        _show(Message("magics-help"))

    def _do_stop(self, _: str) -> None:
        _show(Message("stopping") if self.copilot.stop() else Message("nothing-running"))

    def _do_status(self, _: str) -> None:
        from qdash_jupyter.ui.display import publish, status_bundle

        publish(status_bundle(self.copilot.status(), log_path(), self.app.conversation.history_problem))

    def _do_analyze(self, words: str) -> None:
        from qdash_jupyter.domain.analysis import asked_of
        from qdash_jupyter.ui.line import analyze_line

        options, request, question = analyze_line(words)
        self._answer(options, question or asked_of(request), request)

    def _do_fix(self, words: str) -> None:
        from qdash_jupyter.domain.analysis import asked_of
        from qdash_jupyter.ui.line import COMMANDS, ask_options, options_of

        cell = self.app.failure.cell
        if cell is None:
            raise PersonError(Message("no-failed-cell"), Message("no-failed-cell-hint"))
        given, question = options_of(words, COMMANDS["fix"].options)
        self._answer(ask_options(given), question.strip() or asked_of(cell), cell)

    def _do_ask(self, words: str) -> None:
        from qdash_jupyter.ui.line import ASK, ask_options, options_of

        given, question = options_of(words, ASK)
        self._answer(ask_options(given), question)

    def _do_start(self, words: str) -> None:
        from qdash_jupyter.domain.safe_text import harmless_words
        from qdash_jupyter.ui.line import ASK, ask_options, options_of

        given, name = options_of(words, ASK)
        name = name.strip()
        starters = self.app.conversation.parts().starter_prompts()
        if not name:
            _show("\n".join(f"- **{harmless_words(label)}**" for label in starters))
            return
        prompts = {label.casefold(): prompt for label, prompt in starters.items()}
        prompt = prompts.get(_unquoted(name).casefold())
        if prompt is None:
            _usage(Message("no-starter", name=name, names=tuple(starters)))
        self._answer(ask_options(given), prompt)

    def _answer(self, options: AskOptions, question: str, analysis: AskedAbout | None = None) -> None:
        from qdash_jupyter.ui.display import publish, turn_bundles
        from qdash_jupyter.ui.keys import ask_for_key
        from qdash_jupyter.ui.line import picked
        from qdash_jupyter.ui.progress import Progress

        question = _unquoted(question.strip())
        if options.pick is not None:
            turns = self.copilot.turns
            question = picked(turns[-1].result().choices if turns and turns[-1].done else (), options.pick)
        if question and not self._asked_for_key and (variable := self.app.missing_key()):
            self._asked_for_key = True  # once: who does not want to type it reads what to do instead
            with contextlib.suppress(PersonError):
                ask_for_key(variable)
        if question and (look := self.app.first_look()) is not None:
            self._show_look(look)
        if not options.wait and self.app.asking_page() is not None:
            self.app.ask_below(question, analysis, options.turn)
            return
        asked_from = self.app.asked_from()
        turn = self.copilot.start(question, asked_from=asked_from, analysis=analysis, options=options.turn)
        with Progress(self.shell.display_pub, turn.language, shown=_on_a_page(self.shell)) as progress:
            turn.wait(progress.on_event, meanwhile=progress.meanwhile, may_leave=self.app.leaves_for_approvals())
        if not turn.done:
            self.app.go_on_below(turn)
            if options.out is not None:
                _show(Message("answer-later", name=options.out))
            return
        if options.out is not None:
            self.shell.user_ns[options.out] = turn.result()
        for bundle in turn_bundles(turn):
            publish(bundle)
        if turn.result().choices and not self.app.is_watched:
            raise QuestionError(Message("offers-in-a-run"), Message("offers-in-a-run-hint"))

    def _show_look(self, look: FirstLook) -> None:
        """Once: whoever runs a cell has decided to ask. The panel waits for a click."""
        from qdash_jupyter.session.first_look import agree
        from qdash_jupyter.ui.display import paragraphs

        goes = lines(*(Message("list-item", mark="-", text=each) for each in look.goes))
        title = sentences(Message("first-look", endpoint=look.endpoint), Message("panel-look-goes", model=look.model))
        _show(paragraphs(title, goes, look.stays))
        agree(look.endpoint)

    def _do_cost(self, which: str) -> None:
        from qdash_jupyter.ui.cost import conversation_cost, turn_cost
        from qdash_jupyter.ui.sent import turn_meant

        turns = self.copilot.turns
        if which:
            number, turn = turn_meant(turns, which)
            _show(turn_cost(turn, number))
        else:
            _show(conversation_cost(turns))

    def _do_sent(self, which: str) -> None:
        from qdash_jupyter.ui.display import publish
        from qdash_jupyter.ui.sent import sent_bundle, turn_meant

        number, turn = turn_meant(self.copilot.turns, which)
        publish(sent_bundle(turn, number))

    def _do_data(self, rest: str) -> None:
        from qdash_jupyter.ui.display import publish
        from qdash_jupyter.ui.refreshing import refreshed

        data = self.copilot.data
        name, *keys = rest.split() or [""]
        if name == "refresh" and keys[:1] in (["every"], ["off"]):
            _show(self._poll(*keys))
        elif name == "refresh":
            _show(refreshed(data, keys))
        elif name:
            _usage(sentences(Message("no-command", name=f"data {name}"), Message("commands-listed")))
        else:
            publish({"text/html": data._repr_html_(), "text/plain": repr(data)})
            if self.app.polling is not None:
                _show(self.app.polling.words())

    def _poll(self, what: str, period: str = "", *keys: str) -> Text:
        from qdash_jupyter.ui.refreshing import period_of

        if what == "off":
            return Message("polling-off") if self.app.poll_no_more() else Message("polling-was-off")
        return self.app.poll(keys, period_of(period)).words()

    def _do_approve(self, code_hash: str) -> None:
        approvals = self.copilot.approvals
        if code_hash:
            approvals.approve(code_hash)
            _show(Message("approved-once", hash=code_hash))
        else:
            _show(_approvals_list(approvals))

    def _do_revoke(self, which: str) -> None:
        approvals = self.copilot.approvals
        standing = approvals.standing()
        if which and not (which.isdigit() and 1 <= int(which) <= len(standing)):
            _usage(Message("no-approval", number=which))
        for effect in standing[int(which) - 1 : int(which)] if which else standing:
            approvals.revoke(effect.id)
        self.app.standing_changed()
        _show(_approvals_list(approvals))

    def _do_panel(self, _: str) -> None:
        from IPython.display import display

        display(self.app.shown_panel())
        if _on_a_page(self.shell):
            self.app.expect_view()

    _do_open = _do_panel

    def _do_model(self, name: str) -> None:
        from qdash_jupyter.ui.display import models_table

        trial = self.app.models.use(name) if name else None
        _show(models_table(self.app.conversation.parts()))
        if trial is not None:
            try:
                _show(trial.result(_TRIAL_S))
            except TimeoutError:  # a large model is loaded first; the panel says it then
                _show(Message("trial-goes-on"))

    def _do_models(self, _: str) -> None:
        if not self.app.models.find():
            _show(Message("no-local-models"))
        self._do_model("")

    def _do_key(self, rest: str) -> None:
        from qdash_jupyter.ui.keys import ask_for_key

        variable = rest.strip() or self.app.key_variable()
        if not variable.isidentifier():
            _usage(Message("no-key-in-a-cell"))
        _show(Message("key-kept", variable=variable) if ask_for_key(variable) else Message("key-not-typed"))

    def _do_use(self, rest: str) -> None:
        from qdash_jupyter.ui.line import DATA, options_of
        from qdash_jupyter.ui.options import options_given

        self._open(options_given(options_of(rest, DATA)[0]))

    def _do_chip(self, name: str) -> None:
        from qdash_jupyter.ui.display import chips_table
        from qdash_jupyter.ui.options import DataOptions

        if name:
            self._open(replace(self.app.options or DataOptions(), chip=_unquoted(name)), keep=True)
        else:
            _show(chips_table(self.app.conversation.parts()))

    def _do_new(self, _: str) -> None:
        self.app.new()
        _show(Message("new-conversation"))

    def _do_undo(self, _: str) -> None:
        _show(self.app.undo())

    def _do_export(self, name: str) -> None:
        from qdash_jupyter.ui.export import write_export

        path = write_export(_unquoted(name), self.app.exported)
        _show(Message("exported", path=str(path)))

    def _do_trust(self, _: str) -> None:
        from pathlib import Path

        from qdash_jupyter.config.trust import trust

        trust(Path.cwd())
        self._open(self.app.options)

    def _do_config(self, rest: str) -> None:
        from qdash_jupyter.config.explain import explained
        from qdash_jupyter.ui.display import table
        from qdash_jupyter.ui.line import COMMANDS, options_of

        options_of(rest, COMMANDS["config"].options)
        _show(table(("setting", "value", "from"), explained(self.app.settings())))

    def _open(self, options: DataOptions | None, *, keep: bool = False) -> None:
        from qdash_jupyter.ui.display import publish, status_bundle

        before = self.app.conversation
        notice = self.app.use(options, keep=keep)
        before.release()
        self._bind()
        if notice:
            _show(notice)
        publish(status_bundle(self.copilot.status()))

    def _bind(self) -> None:
        if not self.app.conversation.bind():
            _show(Message("name-taken"))


def opened_in(shell: InteractiveShell) -> Conversation | None:
    """The conversation that is bound to `copilot` in this shell, by `open_copilot`."""
    from qdash_jupyter.kernel.shell_kernel import ShellKernel
    from qdash_jupyter.session.copilot import Copilot

    handle = shell.user_ns.get("copilot")
    if type(handle) is not Copilot:
        return None
    conversation = handle._conversation  # noqa: SLF001 - not for users
    kernel = conversation.kernel
    return conversation if isinstance(kernel, ShellKernel) and kernel.shell is shell else None


def load(shell: InteractiveShell) -> None:
    """Add the magics to a shell; a second load changes nothing."""
    if id(shell) in _loaded:
        return
    from IPython.core.magic import no_var_expand

    keep_log()
    magics = CopilotMagics(shell)
    _loaded[id(shell)] = magics

    @no_var_expand  # a question may hold {braces} and $signs
    def copilot(line: str, cell: str | None = None) -> None:
        magics.line_or_cell(line, cell)

    shell.register_magic_function(copilot, magic_kind="line_cell", magic_name="copilot")
    shell.input_transformers_cleanup.extend(_TRANSFORMERS)
    shell.events.register("pre_run_cell", magics.before_cell)
    shell.events.register("post_run_cell", magics.after_cell)
    shell.Completer.custom_matchers.append(magics.complete)
    shown_by(shell)
    _close_before_zmq(magics)


def _matcher(magics: CopilotMagics) -> Any:
    """What Tab offers behind our magics, as IPython asks for it."""
    from IPython.core.completer import CompletionContext, SimpleCompletion, context_matcher

    @context_matcher(identifier="qdash_jupyter")
    def matcher(context: CompletionContext) -> dict[str, Any]:
        line = context.text_until_cursor.lstrip()
        if not line.startswith(("%copilot ", "%%copilot ")):
            return {"completions": []}
        from qdash_jupyter.ui.completion import completed

        word = line.rpartition(" ")[2]
        found = [SimpleCompletion(text, type="magic") for text in completed(magics.app, line, word)]
        return {"completions": found, "suppress": True, "matched_fragment": word}

    return matcher


def unload(shell: InteractiveShell) -> None:
    """Take the magics away."""
    magics = _loaded.pop(id(shell), None)
    if magics is None:
        return
    magics.close()
    atexit.unregister(magics.exit)
    for transform in _TRANSFORMERS:
        shell.input_transformers_cleanup.remove(transform)
    shell.events.unregister("pre_run_cell", magics.before_cell)
    shell.events.unregister("post_run_cell", magics.after_cell)
    shell.Completer.custom_matchers.remove(magics.complete)
    for kind in ("line", "cell"):
        shell.magics_manager.magics[kind].pop("copilot", None)
    shown_no_more_by(shell)


def _close_before_zmq(magics: CopilotMagics) -> None:
    """As the interpreter ends, while the kernel can still send.

    With its first large message pyzmq imports a module whose exit handler ends all sending of large ones. Registered
    after ours it would come before it, and cut what the copilot still sends, such as its panel, in the middle.
    """
    if "zmq" in sys.modules:
        import zmq.utils.garbage  # noqa: F401
    atexit.register(magics.exit)


def _on_a_page(shell: InteractiveShell) -> bool:
    """Whether a user looks at the cell in JupyterLab or Notebook, whose requests name the cell. A terminal has no
    place for a line that changes, and nbval would take every state of it for an output.
    """
    kernel = getattr(shell, "kernel", None)
    parent = kernel.get_parent() if kernel is not None else {}
    return "cellId" in (parent.get("metadata") or {})


_TRIAL_S = 20.0
_ASKED = re.compile(r"^(\s*)%copilot[ \t]+(.*\?\s*)$")


def keep_question_marks(lines: list[str]) -> list[str]:
    """Make `%copilot ask …?` a call: IPython would take the question mark at the line's end for a request for help."""
    return [
        f"{found.group(1)}get_ipython().run_line_magic('copilot', {found.group(2).strip()!r})\n"
        if (found := _ASKED.match(line))
        else line
        for line in lines
    ]


def load_once(lines: list[str]) -> list[str]:
    """Make nothing of the first line of a cell of the copilot's that is run again: it loads what is loaded, and IPython
    would say so among the cell's results.
    """
    again = len(lines) > 1 and lines[0].strip() == "%load_ext qdash_jupyter"
    return ["\n", *lines[1:]] if again else lines


_TRANSFORMERS = (keep_question_marks, load_once)


def _unquoted(question: str) -> str:
    is_quoted = len(question) > 1 and question[0] == question[-1] and question[0] in "\"'"
    return question[1:-1].strip() if is_quoted else question


def _show(text: Text) -> None:
    """Show Markdown in the running cell."""
    from qdash_jupyter.ui.display import markdown, publish

    publish(markdown(text))


def _usage(message: Text) -> NoReturn:
    from IPython.core.error import UsageError

    raise UsageError(text_in(message, reader()))


def _approvals_list(approvals: Approvals) -> str:
    """What waits and what is approved, as Markdown; the numbers are those that `%copilot revoke` takes."""
    from qdash_jupyter.domain.cell_edit import code_fence
    from qdash_jupyter.domain.safe_text import printable
    from qdash_jupyter.ui.display import paragraphs

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
