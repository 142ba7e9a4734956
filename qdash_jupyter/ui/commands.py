"""What a user can do from the panel: ask, stop, begin anew, look at data, find a result, choose a model, and so on."""

from __future__ import annotations

import base64
import contextlib
import gzip
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import cache, partial
from importlib.resources import files
from typing import Any, Protocol, TypeAlias

from qdash_jupyter.cells.failures import LastFailure
from qdash_jupyter.domain.analysis import AnalysisRequest, AskedAbout, CellSubject, FailedCell, SubjectFigure, asked_of
from qdash_jupyter.domain.consent import Decision
from qdash_jupyter.domain.wire import page
from qdash_jupyter.domain.wire.kernel import Ack
from qdash_jupyter.errors import CopilotBusy, CopilotError, PersonError
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.approvals import who
from qdash_jupyter.session.conversation import Conversation
from qdash_jupyter.session.first_look import agree
from qdash_jupyter.session.records import AskedFrom
from qdash_jupyter.tools.background import in_background
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

    def exported(self, conversation_id: str = "", *, as_markdown: bool = False) -> str:
        """A conversation, that of now without an id, as a notebook or as Markdown. Blocks."""

    def use_chip(self, project: str, chip: str) -> None:
        """Another chip from now on. Blocks."""

    def resync(self, language: Language) -> None:
        """Send a view of this language the whole state."""

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine on the agent's loop."""


def perform(
    target: CommandTarget, message: page.PageMessage, client_id: str | None, answer: Callable[[Ack], None]
) -> None:
    """Do what the message says and acknowledge it at once; what goes on is shown by the panel's state."""
    if isinstance(message, page.Resync):
        target.resync(message.language)
        return
    of = message.ask_id if isinstance(message, page.Ask) else getattr(message, "n", 0)
    try:
        turn_id = _do(target, message, client_id)
    except CopilotError as error:
        _refuse(answer, of, error)
    else:
        answer({"type": "ack", "of": of, "ok": True, "turn_id": turn_id, "message": ""})
    if type(message) in _LATER:
        target.spawn(_after(target, message, answer))


def _do(target: CommandTarget, message: page.PageMessage, client_id: str | None) -> str | None:
    conversation = target.conversation
    if isinstance(message, page.Ask):
        return _ask(target, message, client_id)
    if isinstance(message, page.Retry):
        asked_from = AskedFrom(client_id, ask_id=message.ask_id)
        return conversation.retry(message.turn_id, asked_from=asked_from).turn_id
    if isinstance(message, page.Stop):
        target.queue.hold()
        running = conversation.running
        if running is not None and message.turn_id in {None, running.turn_id}:
            running.stop()
            return running.turn_id
    elif isinstance(message, page.Decide | page.Revoke | page.SignIn | page.Agree):
        _answer(target, message)
    elif isinstance(message, page.New | page.UndoNew):
        _exchange(conversation, message)
        target.conversation_changed()
    elif isinstance(message, page.Unqueue):
        target.queue.remove(message.ask_id)
    elif isinstance(message, page.Discard | page.LookAtData):
        _data(target, message)
    return None


def _exchange(conversation: Conversation, message: page.New | page.UndoNew) -> None:
    if isinstance(message, page.UndoNew):
        conversation.undo_new()
        return
    if conversation.running is not None:
        raise CopilotBusy(Message("last-still-running"), Message("stop-it-first"))
    conversation.new()


def _ask(target: CommandTarget, message: page.Ask, client_id: str | None) -> str | None:
    """Begin the turn; where another runs, the question waits for its end."""
    is_asked = any(turn.asked_from.ask_id == message.ask_id for turn in target.conversation.turns)
    if is_asked or target.queue.next is None:
        with contextlib.suppress(CopilotBusy):
            return _begin(target, message, client_id)
    target.queue.add(message, client_id)
    return None


def _begin(target: CommandTarget, message: page.Ask, client_id: str | None) -> str:
    asked_from = AskedFrom(client_id, ask_id=message.ask_id)
    about = _about(message, target.failure)
    text = message.text if message.text.strip() or about is None else asked_of(about, target.language)
    return target.conversation.start(text, asked_from=asked_from, analysis=about).turn_id


def ask_next(target: CommandTarget) -> None:
    """Begin with what waits first; where somebody else was faster it goes on waiting."""
    if (first := target.queue.next) is None:
        return
    try:
        _begin(target, first.ask, first.client_id)
    except CopilotBusy:
        return
    except CopilotError:
        target.queue.hold()  # the panel has it still, and says why when it is sent
    else:
        target.queue.remove(first.ask.ask_id)


def _data(target: CommandTarget, message: page.Discard | page.LookAtData) -> None:
    data = target.conversation.data
    if isinstance(message, page.Discard):
        if message.key not in data:
            raise PersonError(Message("key-gone", key=message.key))
        del data[message.key]
    if target.screen is not None:
        target.screen.state.data_changed()


def _answer(target: CommandTarget, message: page.Decide | page.Revoke | page.SignIn | page.Agree) -> None:
    """What the user says to what they were asked."""
    conversation = target.conversation
    if isinstance(message, page.SignIn):
        target.sign_in.answer({variable: key.get_secret_value() for variable, key in message.keys.items()})
    elif isinstance(message, page.Agree):
        agree(message.endpoint)
        if target.screen is not None:
            target.screen.agreed()
    elif isinstance(message, page.Revoke):
        conversation.approvals.revoke(message.id)
        if target.screen is not None:
            target.screen.standing_changed(conversation)
    else:
        given = message.model_dump(include={"proposal_id", "verdict", "standing", "reason", "code"})
        conversation.approvals.decide(Decision(code_hash=message.hash, by=who(Message("in-the-panel")), **given))


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


async def _after(target: CommandTarget, message: Any, answer: Callable[[Ack], None]) -> None:
    """What goes on behind the acknowledgement, which is taken back where that fails."""
    try:
        await _LATER[type(message)](target, message)
    except CopilotError as error:
        _refuse(answer, message.n, error)


async def _fetch(target: CommandTarget, message: page.Fetch) -> None:
    result = await target.conversation.fetch_again(message.turn_id, message.call_id)
    if target.screen is not None:
        target.screen.state.refetched(message.turn_id, message.call_id, result)


async def _preview(screen: Screen, conversation: Conversation, message: page.LookAtData) -> None:
    if message.key:
        await screen.preview(conversation, message.key, message.table)


async def _change_cells(target: CommandTarget, message: page.ChangeCells) -> None:
    turn = target.conversation.turn(message.turn_id)
    if not turn.done:
        raise PersonError(Message("still-running"), Message("stop-it-first"))
    change = target.added.undo if message.type == "undo" else target.added.redo
    done = target.added.keep(turn) if message.type == "keep" else await change(turn)
    target.conversation.cells_changed(turn, done)


async def _decide_edit(target: CommandTarget, message: page.DecideEdit) -> None:
    if target.screen is not None:
        turn = target.conversation.turn(message.turn_id)
        is_accepted = message.type == "accept_edit"
        state = await target.added.accept_edit(turn, message.edit_id) if is_accepted else "rejected"
        target.screen.state.edit_decided(turn.turn_id, message.edit_id, state)


async def _manage(target: CommandTarget, message: page.Resume | page.Rename | page.Delete) -> None:
    """Go on with a kept conversation, give it another title, or forget it."""
    from qdash_jupyter.session.kept import KeptConversations

    conversation, kept = target.conversation, KeptConversations()
    try:
        if isinstance(message, page.Rename):
            await in_background(partial(kept.rename, message.id, message.title), "qdash-kept")
        elif isinstance(message, page.Delete):
            if message.id == conversation.conversation_id:
                conversation.new()
                target.conversation_changed()
            await in_background(partial(kept.delete, message.id), "qdash-kept")
        elif message.id != conversation.conversation_id:
            await conversation.go_on_with(message.id)
            target.conversation_changed()
    finally:
        if target.screen is not None:
            await target.screen.list_kept()


async def _export(target: CommandTarget, message: page.Export) -> None:
    text = partial(target.exported, message.id, as_markdown=message.format == "md")
    await _send_file(target, message.file_id, text, "qdash-export")


async def _load_plotly(target: CommandTarget, message: page.LoadPlotly) -> None:
    await _send_file(target, message.file_id, plotly_script, "qdash-plotly")


async def _send_file(target: CommandTarget, file_id: str, text: Callable[[], str], name: str) -> None:
    if target.screen is not None:
        await target.screen.send_file(file_id, await in_background(text, name))


async def _take_file(target: CommandTarget, message: page.DropFile) -> None:
    from qdash_jupyter.store.dropped import store_file

    await in_background(partial(store_file, target.conversation.data, message.name, message.data), "qdash-file")
    if target.screen is not None:
        target.screen.state.data_changed()


def _on_screen(show: Callable[[Screen, Conversation, Any], Awaitable[None]]) -> Later:
    async def later(target: CommandTarget, message: object) -> None:
        if target.screen is not None:
            await show(target.screen, target.conversation, message)

    return later


Later: TypeAlias = "Callable[[CommandTarget, Any], Awaitable[object]]"
_LATER: Mapping[type, Later] = {
    page.Fetch: _fetch,
    page.LookAtData: _on_screen(_preview),
    page.Refresh: _on_screen(lambda screen, conversation, message: screen.refresh(conversation, message.keys)),
    page.Find: _on_screen(lambda screen, conversation, message: screen.find(conversation, message.words)),
    page.DropFile: _take_file,
    page.ListMentions: _on_screen(lambda screen, conversation, _: screen.list_mentions(conversation)),
    page.ListConversations: _on_screen(lambda screen, _, message: screen.list_kept(message.words)),
    page.Resume: _manage,
    page.Rename: _manage,
    page.Delete: _manage,
    page.Export: _export,
    page.LoadPlotly: _load_plotly,
    page.ChangeCells: _change_cells,
    page.DecideEdit: _decide_edit,
    page.FindModels: lambda target, _: in_background(target.models.find, "qdash-model"),
    page.UseModel: lambda target, message: in_background(partial(target.models.use, message.name), "qdash-model"),
    page.UseChip: lambda target, message: in_background(
        partial(target.use_chip, message.project, message.chip), "qdash-chip"
    ),
}


def _refuse(answer: Callable[[Ack], None], of: str | int, error: CopilotError) -> None:
    answer({"type": "ack", "of": of, "ok": False, "turn_id": None, "message": error.text})


@cache
def plotly_script() -> str:
    """The installed Plotly's, for pages without a renderer: base64 of its gzip, 2 MB in place of 5. Blocks."""
    script = files("plotly").joinpath("package_data", "plotly.min.js").read_bytes()
    return base64.b64encode(gzip.compress(script, 6)).decode("ascii")
