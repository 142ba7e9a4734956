"""What a conversation works with: `qdash_jupyter.connect` puts it together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, get_args

from qdash_jupyter.agent.analysis.message import AnalysisContext, analysis_context
from qdash_jupyter.agent.prompt import PromptContext, instructions
from qdash_jupyter.agent.setting import Around, TurnSetting
from qdash_jupyter.agent.situation import situation_of
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.cells.host import Approver, CellHost
from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.config.content import text_of
from qdash_jupyter.config.disk import not_kept
from qdash_jupyter.config.initialization import STAGES, InitializationIssue
from qdash_jupyter.config.keys import PREVIEW, model_in_use, previews_enabled
from qdash_jupyter.config.manifest import OFFLINE, Manifest, ModelSection
from qdash_jupyter.data.queries import ExecutionQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord, ChipRef, ElementKind
from qdash_jupyter.domain.analysis import NAMED, WITHHELD, AskedAbout, CellSubject, FailedCell, SentPicture
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.context import AVAILABLE, OURS, TAKEN
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.mime import is_of
from qdash_jupyter.domain.qid import qid_label
from qdash_jupyter.domain.wire import panel
from qdash_jupyter.errors import Ambiguous, ConfigurationError, NoData, NotFound, PersonError, ToolError
from qdash_jupyter.llm.client import LLM
from qdash_jupyter.messages.languages import Language, reader
from qdash_jupyter.messages.message import Message, Text, text_in
from qdash_jupyter.session.records import TurnOptions
from qdash_jupyter.session.starters import starters_of
from qdash_jupyter.store.store import FrameStore
from qdash_jupyter.tool_sets.built import BuiltTools, close_all, refreshed
from qdash_jupyter.tool_sets.mcp.sign_in import AskForKeys
from qdash_jupyter.tools.background import in_background
from qdash_jupyter.tools.cell_edit import cell_edit_tool
from qdash_jupyter.tools.chips import ChipScope, expected_ids, known_qids
from qdash_jupyter.tools.spec import ToolContext, ToolSpec
from qdash_jupyter.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from qdash_jupyter.tools.context_files import ContextFiles

_MOST_RUNS = 300
"""Runs whose days are offered."""

_NO_FILES = Around()


@dataclass(frozen=True, slots=True)
class Status:
    """What is in use, for the screen."""

    database: Text
    chip: Text
    model: Text
    endpoint: Text
    is_language_model: bool
    problems: int
    fits: int = 0
    """So many are remembered."""
    sees: bool = False
    """Whether pictures are sent to the model."""
    learned: Text = ""
    """What the model's server turned out not to take, in words."""
    greeting: str = ""
    """What the settings say before the first question."""
    issues: tuple[InitializationIssue, ...] = ()
    """What is absent, in the order in which it was prepared."""
    at: ChipRef | None = None
    """The chip."""
    qubits: int = 0
    """So many has it."""
    code: Text = ""
    """Where code of the model runs, and what confines it."""


@dataclass(frozen=True, slots=True)
class Given:
    """What whoever opens a conversation brings along. A reader and a model stay theirs: they are not closed here."""

    tools: Sequence[ToolSpec] = ()
    reader: QDashReader | None = None
    model: str | LLM | None = None
    ask_for_keys: AskForKeys | None = None
    """Has the user type the keys of servers of declared tools that want one; None where nobody can be asked."""


@dataclass(slots=True)
class Parts:
    """The reader, the model and the tools, behind one door."""

    manifest: Manifest
    reader: QDashReader
    llm: LLM
    toolbox: Toolbox
    metrics: MetricTable
    open_model: Callable[[Manifest], LLM]
    """Gives the model that a manifest names."""
    own_models: Collection[str] = ()
    """The names of those that code makes, whatever the settings say."""
    given: Given = field(default_factory=Given)
    found_issues: Sequence[InitializationIssue] = ()
    """What was found to be absent when this was put together."""
    place: str = ""
    """What the model is told of where it works, if that is no kernel."""
    tool_sets: Sequence[BuiltTools] = ()
    """Those of the settings; some hold connections, and change."""
    _files: ContextFiles | None = field(default=None, init=False, repr=False)

    def setting(
        self,
        language: Language,
        cells: CellHost,
        analysis: AskedAbout | None = None,
        subject: str | None = None,
        *,
        named: Mapping[str, object] | None = None,
        approver: Approver | None = None,
        around: Around = _NO_FILES,
        pictures: Sequence[SentPicture] = (),
    ) -> TurnSetting:
        """What a turn in this language works with, perhaps about one result; its code runs in `cells`, where `approver`
        is asked. `subject` is the qubit or coupling that the user analysed last, `named` what variables are that the
        question names, `around` the lab's files, `pictures` what the user sent with it. Reads the database.

        Raises:
            PersonError: there is no such result, or no such current qubit; the message names the nearest.
        """
        response = self.language_of_answers(language)
        self.tool_sets = refreshed(self.tool_sets, self.toolbox)
        model = self._section()
        static = self._static_tools(model)
        more = [spec for spec in around.tools if spec.name not in self.toolbox.specs]
        if isinstance(analysis, FailedCell):
            more.append(cell_edit_tool(analysis))
        toolbox = self.toolbox.for_turn(
            cells,
            response,
            approver,
            self.manifest.policy,
            more=more,
            elsewhere=[each["static_function"]["name"] for each in static],
        )
        context = PromptContext(
            tools=self.toolbox.specs.values(),  # those of one question stand in its own message
            metrics=self.metrics,
            response_language=response,
            thinking_language=self.manifest.language.thinking,
            system_prompt=self.manifest.orchestrator.system_prompt,
            place=self.place,
            knowledge=[text for path in self.manifest.knowledge if isinstance(text := _knowledge_in(path), str)],
        )
        read = None if analysis is None else self._analysis(analysis, response)
        asked_about = read.message if read is not None else None
        if pictures:
            from qdash_jupyter.agent.analysis.cell import with_pictures

            asked_about = with_pictures(asked_about, pictures, model.accepts if model is not None else ())
        chip, names = self._chip(), self.toolbox.context.namespace.of_user()
        withheld = self.toolbox.context.withheld
        return TurnSetting(
            llm=self.llm,
            toolbox=toolbox,
            instructions=instructions(context),
            language=response,
            limits=self.manifest.limits,
            max_rounds=self.manifest.orchestrator.max_iterations,
            situation=situation_of(self.reader, self.metrics, chip, self._qid(chip, subject), names)
            | ({WITHHELD: withheld.words} if withheld else {})
            | ({NAMED: withheld.without(named, {})} if named else {}),
            context=asked_about,
            subject=read.subject if read is not None else None,
            charts=read.charts if read is not None else (),
            window=model.window if model is not None else None,
            price=model.price if model is not None else None,
            around=around,
            static_tools=static,
        )

    def language_of_answers(self, language: Language) -> Language:
        """The language in which a question in this one is answered, with all that is said around the answer."""
        configured: Language = self.manifest.language.response
        return language if configured == "auto" else configured

    def beside(self, namespace: Namespace, store: FrameStore) -> Parts:
        """The same for another conversation, with data and names of its own."""
        store.memory_budget = self.toolbox.context.store.memory_budget
        return self._with(replace(self.toolbox.context, namespace=namespace, store=store))

    def _with(self, context: ToolContext) -> Parts:
        """The same for tools in this context. The reader, the model and the connections stay these: closing the other
        one closes none of them.
        """
        given = Given(reader=self.reader, model=self.llm)
        return replace(self, toolbox=self.toolbox.within(context), given=given, tool_sets=())

    def for_question(self, options: TurnOptions) -> Parts:
        """The same with what holds for one question alone. Closing it closes a model of its own, and nothing else.

        Raises:
            PersonError: there is no such model.
        """
        home = self.toolbox.context.scope
        scope = ChipScope(options.project or home.project_id, options.chip or home.chip_id)
        other = self._with(replace(self.toolbox.context, scope=scope, home=home))
        if options.chip or options.qid:  # the settings' qubit is one of the settings' chip
            other.manifest = self.manifest.model_copy(update={"chip": scope.chip_id, "qid": options.qid})
        if options.model is not None:
            other.use_model(options.model)
        return other

    def around(self, question: str, transcript: Transcript) -> Around:
        """The lab's files beside this question. Reads them."""
        is_lazy = self.manifest.orchestrator.attachment_strategy is not None and previews_enabled()
        if not (self.manifest.contexts or is_lazy or transcript.last_output(AVAILABLE) is not None):
            return _NO_FILES
        from qdash_jupyter.agent.around import around

        model = self._section()
        accepts = model.accepts if model is not None else ()
        return around(question, self.files, transcript, self.toolbox.context, accepts=accepts, is_lazy=is_lazy)

    @property
    def files(self) -> ContextFiles:
        """The lab's files."""
        if self._files is None:
            from qdash_jupyter.tools.context_files import ContextFiles

            self._files = ContextFiles(self.manifest.contexts)
        return self._files

    def offered_results(self, words: str) -> JsonObject:
        """The newest results that fit the words, for a user to choose from. Reads the database.

        Raises:
            PersonError: there are none; the message names the nearest.
        """
        from qdash_jupyter.agent.analysis.offer import offered_results

        try:
            return offered_results(words, self.reader, self.toolbox.context.scope, self.metrics)
        except ToolError as error:
            raise PersonError(error.message, error.hint) from None

    def _analysis(self, request: AskedAbout, language: Language) -> AnalysisContext:
        from qdash_jupyter.agent.analysis.cell import cell_context, failed_cell_context
        from qdash_jupyter.agent.knowledge.library import KnowledgeLibrary

        accepts = self._accepts(self._section())
        if isinstance(request, CellSubject):
            return cell_context(request, accepts)
        if isinstance(request, FailedCell):
            return failed_cell_context(request, self.toolbox.context.namespace.used_in(request.code))
        library = KnowledgeLibrary.read(self.manifest.task_knowledge)
        sources, most = replace(self.toolbox.context, language=language), self.manifest.analysis.max_reference_images
        try:
            return analysis_context(request, sources, library, accepts=accepts, most_references=most)
        except ToolError as error:
            raise PersonError(error.message, error.hint) from None

    def status(self) -> Status:
        """What is in use. May read the database."""
        from qdash_jupyter.agent.analysis.figures import PNG

        chip, card, origin = self._chip(), self.llm.card, self.reader.origin
        database: Text = origin.label
        if origin.as_of:
            database = Message("database-as-of", database=database, time=f"{origin.as_of:%Y-%m-%d %H:%M}")
        return Status(
            database=database,
            chip=Message("chip-in-use", chip=chip.ref.chip_id, project=chip.ref.project_id, count=chip.size)
            if chip
            else Message("chip-not-chosen"),
            model=card.title or card.name,
            endpoint=card.endpoint,
            is_language_model=card.is_language_model,
            problems=len(self.reader.problems()),
            fits=len(self.toolbox.context.fits),
            sees=is_of(PNG, self._accepts(self._section())),
            learned=card.learned,
            greeting=self.manifest.greeting,
            issues=self.issues(),
            at=chip.ref if chip else None,
            qubits=chip.size if chip else 0,
        )

    def starters(self) -> list[panel.Starter]:
        """Questions to begin with. Reads the database."""
        names, sees = self.toolbox.context.namespace.of_user(), self.llm.card.is_language_model
        return starters_of(self.manifest, self.reader, self._chip(), names, is_language_model=sees)

    def starter_prompts(self) -> dict[str, str]:
        """The same by their labels, in the language of the answers, or the reader's."""
        language = self.language_of_answers(reader())
        return {text_in(one["label"], language): text_in(one["prompt"], language) for one in self.starters()}

    def mentioned_elements(self) -> list[panel.Mention]:
        """The qubits and couplings of the current chip as a question names them; none without a chip. Reads the
        database, where that was not done a moment ago.

        Raises:
            PersonError: the settings name a chip that does not exist, or the database cannot be read.
        """
        if (chip := self._chip()) is None:
            return []
        ids = [(kind, qid) for kind in get_args(ElementKind) for qid in expected_ids(self.reader, chip, kind)]
        return [{"name": qid_label(qid, chip.size), "kind": kind, "about": "", "rows": None} for kind, qid in ids]

    def completions(self) -> list[panel.Completion]:
        """What questions are completed with; nothing where another than the planner answers them. Reads the database.

        Raises:
            PersonError: the settings name a chip that does not exist.
        """
        if not self.is_planner:
            return []
        from qdash_jupyter.llm.offline.completion import completions

        chip = self._chip()
        tasks = [] if chip is None else self.reader.task_names(chip.ref)
        runs = [] if chip is None else self.reader.executions(ExecutionQuery(chip.ref, last_n=_MOST_RUNS))
        return completions(self.reader.now(), tasks, [run.start_at.date() for run in runs if run.start_at])

    def issues(self) -> tuple[InitializationIssue, ...]:
        """What is absent: when this was put together, and of the files that are read with each question."""
        unreadable = [
            InitializationIssue("prompt", path.name, text.text)
            for path in self.manifest.knowledge
            if isinstance(text := _knowledge_in(path), ConfigurationError)
        ]
        if told := not_kept():
            unreadable.append(InitializationIssue("connect", Message("files-of-user"), told))
        if self.manifest.contexts:
            unreadable += [
                InitializationIssue("context", Path(name).name, why) for name, why in self.files.missing().items()
            ]
            taken = [name for name in OURS if name in self.toolbox.specs]
            unreadable += [InitializationIssue("context", name, TAKEN) for name in taken]
        if self.manifest.orchestrator.attachment_strategy is not None and not previews_enabled():
            unreadable.append(InitializationIssue("context", "orchestrator.attachment_strategy", PREVIEW))
        return tuple(sorted((*self.found_issues, *unreadable), key=lambda issue: STAGES.index(issue.stage)))

    @property
    def models(self) -> Mapping[str, ModelSection | Text | None]:
        """The models that can be asked, by the names that choose them: as the settings describe them, as words where
        code makes them, None for the offline planner.
        """
        own = dict.fromkeys(self.own_models, Message("model-of-code"))
        return {OFFLINE: None, **self.manifest.models, self.model: self._section(), **own}

    @property
    def chip_id(self) -> str | None:
        """The current chip, where there is one. Reads the database.

        Raises:
            PersonError: the settings name one that does not exist.
        """
        chip = self._chip()
        return chip.ref.chip_id if chip is not None else None

    @property
    def model(self) -> str:
        """The name of the one that is asked."""
        return self.manifest.orchestrator.deployment

    @property
    def is_planner(self) -> bool:
        """Whether the offline planner answers, whose code is this package's own."""
        if self.llm.card.is_language_model:
            return False
        from qdash_jupyter.llm.offline.planner import OfflinePlanner

        return isinstance(self.llm, OfflinePlanner)

    @property
    def is_of_code(self) -> bool:
        """Whether code makes the model, the settings do not describe it, and only that code knows whom it asks."""
        return self.model in self.own_models

    def offer(self, models: Mapping[str, ModelSection]) -> None:
        """These can be asked, too."""
        self.manifest = self.manifest.model_copy(update={"models": {**self.manifest.models, **models}})

    def use_model(self, name: str) -> LLM | None:
        """Ask that model from now on; gives the one before, for closing, unless somebody else closes it.

        Raises:
            PersonError: there is no such model.
        """
        check_known(name, self.models)
        manifest = self.manifest.asking(name)
        model, before = self.open_model(manifest), self.llm
        self.manifest, self.llm = manifest, model
        return before if before is not self.given.model else None

    async def close(self) -> None:
        """Give back connections and files, but what was given."""
        if self.llm is not self.given.model:
            await self.llm.close()
        if self.reader is not self.given.reader:
            await in_background(self.reader.close, "qdash-close")
        if self.tool_sets:
            await in_background(partial(close_all, self.tool_sets), "qdash-close")

    def _section(self) -> ModelSection | None:
        """What the settings say of the model in use; None of the offline planner, and of those that code makes."""
        return None if self.is_of_code else model_in_use(self.manifest)

    def _accepts(self, model: ModelSection | None) -> Sequence[str]:
        """The MIME types of what is sent with what a question is about."""
        return model.accepts if model is not None and self.manifest.analysis.images else ()

    def _static_tools(self, model: ModelSection | None) -> tuple[JsonObject, ...]:
        """The tools that the model's server runs, where the settings allow them."""
        if model is None or not model.static_tools or not self.manifest.features.static_tools.enabled:
            return ()
        from qdash_jupyter.llm.static_tools import static_tools_of

        return static_tools_of(model.static_tools)

    def _qid(self, chip: ChipRecord | None, subject: str | None) -> str | None:
        """The current qubit or coupling: that of the last analysis, else that of the settings, which has to exist."""
        qid = subject or self.manifest.qid
        if chip is None or qid is None:
            return None
        try:
            (known,) = known_qids(self.reader, chip, [qid])
        except NotFound as error:
            if subject is not None:  # that question has said so
                return self._qid(chip, None)
            raise PersonError(error.message, error.hint) from None
        return known

    def _chip(self) -> ChipRecord | None:
        """The current chip, where that is one. A chip that somebody configured has to exist."""
        try:
            return self.toolbox.context.scope.resolve(self.reader)
        except (Ambiguous, NoData):
            return None
        except NotFound as error:
            raise PersonError(error.message, error.hint) from None


def _knowledge_in(path: Path) -> str | ConfigurationError:
    try:
        return text_of(path)
    except ConfigurationError as error:
        return error


def check_known(model: str, models: Collection[str]) -> None:
    """See that the name is one of these.

    Raises:
        PersonError: it is not.
    """
    if model not in models:  # as a bare name it would be a model at OpenAI, who would get the lab's data
        raise PersonError.with_hint("no-model", name=model, names=tuple(models))


BuildParts: TypeAlias = Callable[[Namespace, FrameStore], Parts]
