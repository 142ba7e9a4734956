"""What a user can do from the panel: ask, stop, begin anew, look at data, find a result, choose a model, and so on."""

from __future__ import annotations

import base64
import contextlib
import gzip
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import cache, partial
from importlib.resources import files
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from qdash_jupyter.domain.analysis import AnalysisRequest, AskedAbout, CellSubject, FailedCell, SubjectFigure, asked_of
from qdash_jupyter.domain.consent import Decision
from qdash_jupyter.domain.wire import page
from qdash_jupyter.errors import CopilotBusy, CopilotError, PersonError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.approvals import who
from qdash_jupyter.session.first_look import agree
from qdash_jupyter.session.records import AskedFrom
from qdash_jupyter.tools.background import in_background

if TYPE_CHECKING:
    from qdash_jupyter.cells.failures import LastFailure
    from qdash_jupyter.domain.wire.kernel import Ack
    from qdash_jupyter.messages.languages import Language
    from qdash_jupyter.session.conversation import Conversation
    from qdash_jupyter.ui.added_cells import AddedCells
    from qdash_jupyter.ui.model_choice import ModelChoice
    from qdash_jupyter.ui.queue import QuestionQueue
    from qdash_jupyter.ui.screen import Screen
    from qdash_jupyter.ui.sign_in import SignInCard


class CommandTarget(Protocol):
    """What the commands change: of `qdash_jupyter.ui.app.CopilotApp`, which says more, as much as they need."""

    conversation: Conversation
    screen: Screen | None
    failure: LastFailure
    sign_in: SignInCard
    queue: QuestionQueue
    models: ModelChoice
    language: Language

    @property
    def added(self) -> AddedCells:
        """The cells that answers have put into the notebook."""

    def conversation_changed(self) -> None:
        """It was begun anew."""

    def data_changed(self) -> None:
        """What is stored may be something else."""

    def standing_changed(self) -> None:
        """What was approved in this conversation was revoked."""

    def exported(self, conversation_id: str = "", *, as_markdown: bool = False) -> str:
        """A conversation, that of now without an id, as a notebook or as Markdown. Blocks."""

    def use_chip(self, project: str, chip: str) -> None:
        """Another chip from now on. Blocks."""

    def resync(self, language: Language) -> None:
        """Send a view of this language the whole state."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine on the agent's loop."""


Does: TypeAlias = "Callable[[CommandTarget, Any], Awaitable[object] | str | None]"
"""Does what a message says: at once (gives the turn that it is about, where it is about one), or behind the message's
acknowledgement (gives what is to be awaited).
"""


def perform(
    app: CommandTarget, message: page.PageMessage, client_id: str | None, answer: Callable[[Ack], None]
) -> None:
    """Do what the message says and acknowledge it at once; what goes on is shown by the panel's state."""
    if isinstance(message, page.Resync):
        app.resync(message.language)
        return
    of = message.ask_id if isinstance(message, page.Ask) else getattr(message, "n", 0)
    try:
        done = _do(app, message, client_id)
    except CopilotError as error:
        _refuse(answer, of, error)
        return
    later = done if isawaitable(done) else None
    turn_id = done if isinstance(done, str) else None
    answer({"type": "ack", "of": of, "ok": True, "turn_id": turn_id, "message": ""})
    if later is not None:
        app.spawn(_after(later, of, answer))


def _do(app: CommandTarget, message: page.PageMessage, client_id: str | None) -> Awaitable[object] | str | None:
    if isinstance(message, page.Ask):
        return _ask(app, message, client_id)
    if isinstance(message, page.Retry):
        asked_from = AskedFrom(client_id, ask_id=message.ask_id)
        return app.conversation.retry(message.turn_id, asked_from=asked_from).turn_id
    does = _DOES.get(type(message))
    return None if does is None else does(app, message)


async def _after(later: Awaitable[object], of: str | int, answer: Callable[[Ack], None]) -> None:
    """What goes on behind the acknowledgement, which is taken back where that fails."""
    try:
        await later
    except CopilotError as error:
        _refuse(answer, of, error)


def _refuse(answer: Callable[[Ack], None], of: str | int, error: CopilotError) -> None:
    answer({"type": "ack", "of": of, "ok": False, "turn_id": None, "message": error.text})


def _ask(app: CommandTarget, message: page.Ask, client_id: str | None) -> str | None:
    """Begin the turn; where another runs, the question waits for its end."""
    is_asked = any(turn.asked_from.ask_id == message.ask_id for turn in app.conversation.turns)
    if is_asked or app.queue.next is None:
        with contextlib.suppress(CopilotBusy):
            return _begin(app, message, client_id)
    app.queue.add(message, client_id)
    return None


def _begin(app: CommandTarget, message: page.Ask, client_id: str | None) -> str:
    asked_from = AskedFrom(client_id, ask_id=message.ask_id)
    about = _about(message, app.failure)
    text = message.text if message.text.strip() or about is None else asked_of(about, app.language)
    return app.conversation.start(text, asked_from=asked_from, analysis=about).turn_id


def ask_next(app: CommandTarget) -> None:
    """Begin with what waits first; where somebody else was faster it goes on waiting."""
    if (first := app.queue.next) is None:
        return
    try:
        _begin(app, first.ask, first.client_id)
    except CopilotBusy:
        return
    except CopilotError:
        app.queue.hold()  # the panel has it still, and says why when it is sent
    else:
        app.queue.remove(first.ask.ask_id)


def _about(message: page.Ask, failure: LastFailure) -> AskedAbout | None:
    if message.analysis is not None:
        return AnalysisRequest(**message.analysis.model_dump())
    if (cell := message.cell) is None:
        return None
    if cell.fix:  # the kernel knows more of it than the page shows, unless it is another one by now
        return failure.of(cell.cell_id, cell.code) or FailedCell(cell.label, cell.code, cell.output, cell.cell_id)
    pictures = [SubjectFigure(Message("panel-composer-picture", n=n), png) for n, png in enumerate(cell.pictures, 1)]
    left_out = [SubjectFigure(Message("picture-left-out"), left_out=why) for why in cell.left_out]
    return CellSubject(cell.label, cell.code, cell.output, (*pictures, *left_out), cell.selected)


def _stop(app: CommandTarget, message: page.Stop) -> str | None:
    app.queue.hold()
    running = app.conversation.running
    if running is None or message.turn_id not in {None, running.turn_id}:
        return None
    running.stop()
    return running.turn_id


def _new(app: CommandTarget, _: page.New) -> None:
    if app.conversation.running is not None:
        raise CopilotBusy(Message("last-still-running"), Message("stop-it-first"))
    app.conversation.new()
    app.conversation_changed()


def _undo_new(app: CommandTarget, _: page.UndoNew) -> None:
    app.conversation.undo_new()
    app.conversation_changed()


def _discard(app: CommandTarget, message: page.Discard) -> None:
    if message.key not in app.conversation.data:
        raise PersonError(Message("key-gone", key=message.key))
    del app.conversation.data[message.key]
    app.data_changed()


def _sign_in(app: CommandTarget, message: page.SignIn) -> None:
    app.sign_in.answer({variable: key.get_secret_value() for variable, key in message.keys.items()})


def _agree(app: CommandTarget, message: page.Agree) -> None:
    agree(message.endpoint)
    if app.screen is not None:
        app.screen.agreed()


def _revoke(app: CommandTarget, message: page.Revoke) -> None:
    app.conversation.approvals.revoke(message.id)
    app.standing_changed()


def _decide(app: CommandTarget, message: page.Decide) -> None:
    given = message.model_dump(include={"proposal_id", "verdict", "standing", "reason", "code"})
    app.conversation.approvals.decide(Decision(code_hash=message.hash, by=who(Message("in-the-panel")), **given))


async def _fetch(app: CommandTarget, message: page.Fetch) -> None:
    result = await app.conversation.fetch_again(message.turn_id, message.call_id)
    if app.screen is not None:
        app.screen.state.refetched(message.turn_id, message.call_id, result)


async def _look(screen: Screen, conversation: Conversation, message: page.LookAtData) -> None:
    screen.state.data_changed()
    if message.key:
        await screen.preview(conversation, message.key, message.table)


async def _change_cells(app: CommandTarget, message: page.ChangeCells) -> None:
    turn = app.conversation.turn(message.turn_id)
    if not turn.done:
        raise PersonError(Message("still-running"), Message("stop-it-first"))
    change = app.added.undo if message.type == "undo" else app.added.redo
    done = app.added.keep(turn) if message.type == "keep" else await change(turn)
    app.conversation.cells_changed(turn, done)


async def _decide_edit(app: CommandTarget, message: page.DecideEdit) -> None:
    if app.screen is not None:
        turn = app.conversation.turn(message.turn_id)
        is_accepted = message.type == "accept_edit"
        state = await app.added.accept_edit(turn, message.edit_id) if is_accepted else "rejected"
        app.screen.state.edit_decided(turn.turn_id, message.edit_id, state)


async def _manage(app: CommandTarget, message: page.Resume | page.Rename | page.Delete) -> None:
    """Go on with a kept conversation, give it another title, or forget it."""
    from qdash_jupyter.session.kept import KeptConversations

    conversation, kept = app.conversation, KeptConversations()
    try:
        if isinstance(message, page.Rename):
            await in_background(partial(kept.rename, message.id, message.title), "qdash-kept")
        elif isinstance(message, page.Delete):
            if message.id == conversation.conversation_id:
                conversation.new()
                app.conversation_changed()
            await in_background(partial(kept.delete, message.id), "qdash-kept")
        elif message.id != conversation.conversation_id:
            await conversation.go_on_with(message.id)
            app.conversation_changed()
    finally:
        if app.screen is not None:
            await app.screen.list_kept()


async def _export(app: CommandTarget, message: page.Export) -> None:
    text = partial(app.exported, message.id, as_markdown=message.format == "md")
    await _send_file(app, message.file_id, text, "qdash-export")


async def _send_file(app: CommandTarget, file_id: str, text: Callable[[], str], name: str) -> None:
    if app.screen is not None:
        await app.screen.send_file(file_id, await in_background(text, name))


async def _take_file(app: CommandTarget, message: page.DropFile) -> None:
    from qdash_jupyter.store.dropped import store_file

    await in_background(partial(store_file, app.conversation.data, message.name, message.data), "qdash-file")
    app.data_changed()


def _on_screen(show: Callable[[Screen, Conversation, Any], Awaitable[None]]) -> Does:
    return lambda app, message: None if app.screen is None else show(app.screen, app.conversation, message)


_DOES: Mapping[type, Does] = {
    page.Stop: _stop,
    page.New: _new,
    page.UndoNew: _undo_new,
    page.Unqueue: lambda app, message: app.queue.remove(message.ask_id),
    page.Discard: _discard,
    page.SignIn: _sign_in,
    page.Agree: _agree,
    page.Revoke: _revoke,
    page.Decide: _decide,
    page.Fetch: _fetch,
    page.LookAtData: _on_screen(_look),
    page.Refresh: _on_screen(lambda screen, conversation, message: screen.refresh(conversation, message.keys)),
    page.Find: _on_screen(lambda screen, conversation, message: screen.find(conversation, message.words)),
    page.DropFile: _take_file,
    page.ListMentions: _on_screen(lambda screen, conversation, _: screen.list_mentions(conversation)),
    page.ListConversations: _on_screen(lambda screen, _, message: screen.list_kept(message.words)),
    page.Resume: _manage,
    page.Rename: _manage,
    page.Delete: _manage,
    page.Export: _export,
    page.LoadPlotly: lambda app, message: _send_file(app, message.file_id, plotly_script, "qdash-plotly"),
    page.ChangeCells: _change_cells,
    page.DecideEdit: _decide_edit,
    page.FindModels: lambda app, _: in_background(app.models.find, "qdash-model"),
    page.UseModel: lambda app, message: in_background(partial(app.models.use, message.name), "qdash-model"),
    page.UseChip: lambda app, message: in_background(
        partial(app.use_chip, message.project, message.chip), "qdash-chip"
    ),
}


@cache
def plotly_script() -> str:
    """The installed Plotly's, for pages without a renderer: base64 of its gzip, 2 MB in place of 5. Blocks."""
    script = files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()
    return base64.b64encode(gzip.compress(script, 6)).decode("ascii")
