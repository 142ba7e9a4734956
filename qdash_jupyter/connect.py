"""Puts the parts together: settings, reader, model, tools. The only place that knows them all."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qdash_jupyter.agent.limits import TurnLimits
from qdash_jupyter.agent.loop import TurnSetting
from qdash_jupyter.agent.prompt import PromptContext, instructions
from qdash_jupyter.config.keys import model_in_use
from qdash_jupyter.config.layers import load_manifest
from qdash_jupyter.config.manifest import OFFLINE, Manifest, ModelSection
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ChipRecord
from qdash_jupyter.domain.analysis import AskedAbout, CellSubject
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.metrics import MetricTable, Scoring
from qdash_jupyter.domain.sizes import MEGABYTE
from qdash_jupyter.errors import Ambiguous, ConfigurationError, NoData, NotFound, PersonError, ToolError
from qdash_jupyter.llm.client import LLM
from qdash_jupyter.session import BuildParts, Copilot, Status
from qdash_jupyter.session.mask import Mask
from qdash_jupyter.tools.background import in_background
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.chips import ChipScope
from qdash_jupyter.tools.spec import Language, ToolContext
from qdash_jupyter.tools.toolbox import Toolbox
from qdash_jupyter.tools.windows import moment_of

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.agent.analysis import AnalysisContext
    from qdash_jupyter.cells.host import CellHost
    from qdash_jupyter.cells.namespace import Namespace
    from qdash_jupyter.store.store import FrameStore

logger = logging.getLogger("qdash_jupyter")


@dataclass(slots=True)
class ConnectedParts:
    """Everything a conversation works with."""

    manifest: Manifest
    reader: QDashReader
    llm: LLM
    toolbox: Toolbox
    metrics: MetricTable

    @property
    def question_chars(self) -> int:
        """Longest question."""
        return self.manifest.limits.question_chars

    def setting(self, language: Language, analysis: AskedAbout | None = None) -> TurnSetting:
        """What a turn in this language works with, perhaps about one result."""
        configured = self.manifest.language.response
        response: Language = language if configured == "auto" else configured
        self.toolbox.language = response
        limits = self.manifest.limits
        context = PromptContext(
            tools=BUILTIN_TOOLS,
            metrics=self.metrics,
            origin=self.reader.origin,
            now=self.reader.now(),
            chip=self._chip(),
            response_language=response,
            thinking_language=self.manifest.language.thinking,
            knowledge=_knowledge(self.manifest),
        )
        model = model_in_use(self.manifest)
        read = None if analysis is None else self._analysis(analysis)
        return TurnSetting(
            llm=self.llm,
            toolbox=self.toolbox,
            instructions=instructions(context),
            language=response,
            limits=TurnLimits(
                limits.max_tool_rounds,
                limits.max_same_call,
                limits.max_tool_calls,
                limits.max_tokens,
                limits.max_seconds,
                limits.conversation_tokens,
                stop_on_timeout=limits.on_tool_timeout == "stop",
            ),
            context=read.message if read is not None else None,
            subject=read.subject if read is not None else None,
            window=model.window if model is not None else None,
            price=model.price if model is not None else None,
        )

    def offered_results(self, words: str) -> JsonObject:
        """The newest results that fit the words."""
        from qdash_jupyter.agent.analysis import offered_results

        try:
            return offered_results(words, self.reader, self.toolbox.context.scope, self.metrics)
        except ToolError as error:
            raise PersonError(error.message, error.hint) from None

    def _analysis(self, request: AskedAbout) -> AnalysisContext:
        from qdash_jupyter.agent.analysis import AnalysisSources, analysis_context, cell_context
        from qdash_jupyter.agent.knowledge import KnowledgeLibrary

        model = model_in_use(self.manifest)
        analysis = self.manifest.analysis
        accepts = model.accepts if model is not None and analysis.images else ()
        if isinstance(request, CellSubject):
            return cell_context(request, accepts)
        sources = AnalysisSources(
            reader=self.reader,
            scope=self.toolbox.context.scope,
            metrics=self.metrics,
            library=KnowledgeLibrary.read(self.manifest.task_knowledge),
            accepts=accepts,
            calib_data=self.manifest.database.calib_data,
            most_references=analysis.max_reference_images,
        )
        try:
            return analysis_context(request, sources)
        except ToolError as error:
            raise PersonError(error.message, error.hint) from None

    def status(self) -> Status:
        """What is in use."""
        chip, card, origin = self._chip(), self.llm.card, self.reader.origin
        as_of = f", as of {origin.as_of:%Y-%m-%d %H:%M} UTC" if origin.as_of else ""
        return Status(
            database=origin.label + as_of,
            chip=f"{chip.ref.chip_id} (project {chip.ref.project_id}, {chip.size} qubits)" if chip else "not chosen",
            model=card.name,
            endpoint=card.endpoint,
            is_language_model=card.is_language_model,
            problems=len(self.reader.problems()),
            learned=card.learned,
            greeting=self.manifest.greeting,
            starters=self.manifest.starters,
        )

    @property
    def models(self) -> Mapping[str, ModelSection | None]:
        """The models that can be asked, by the names that choose them."""
        return {OFFLINE: None, **self.manifest.models, self.manifest.model: model_in_use(self.manifest)}

    @property
    def model(self) -> str:
        """The name of the one that is asked."""
        return self.manifest.model

    def use_model(self, name: str) -> LLM:
        """Ask that model from now on; gives the one before."""
        if name not in self.models:  # as a bare name it would be a model at OpenAI, who would get the lab's data
            known = ", ".join(self.models)
            message = f"There is no model {name!r} in the settings; there are {known}."
            raise PersonError(message, "Add it to `models` in copilot.yaml: docs/models.md has recipes.")
        manifest = self.manifest.model_copy(update={"model": name})
        model, before = open_model(manifest, self.metrics), self.llm
        self.manifest, self.llm = manifest, model
        return before

    async def close(self) -> None:
        """Give back connections and files."""
        await self.llm.close()
        await in_background(self.reader.close, "qdash-close")

    def _chip(self) -> ChipRecord | None:
        """The current chip, where that is one. A chip that somebody configured has to exist."""
        try:
            return self.toolbox.context.scope.resolve(self.reader)
        except (Ambiguous, NoData):
            return None
        except NotFound as error:
            raise PersonError(error.message, error.hint) from None


def open_copilot(shell: InteractiveShell, options: Mapping[str, Any] | None = None, *, demo: bool = False) -> Copilot:
    """A conversation in `shell`; connects at its first question. `options` are the last layer of the settings."""
    return Copilot(shell, parts_builder(options, demo=demo))


def parts_builder(options: Mapping[str, Any] | None = None, *, demo: bool = False) -> BuildParts:
    """A function that connects with these settings."""

    def build(host: CellHost, namespace: Namespace, store: FrameStore) -> ConnectedParts:
        loaded = load_manifest(options)
        for note in loaded.notes:
            logger.warning("Not taken over from QDash's copilot settings: %s", note)
        return connect(loaded.manifest, host, namespace, store, demo=demo)

    return build


def connect(
    manifest: Manifest, host: CellHost, namespace: Namespace, store: FrameStore, *, demo: bool = False
) -> ConnectedParts:
    """Open the reader and put everything together.

    Raises:
        PersonError: the settings are wrong or the database cannot be used.
    """
    metrics = MetricTable(
        {
            name: Scoring(own.good, own.excellent, own.bad, own.higher_is_better)
            for name, own in manifest.scoring.items()
        }
    )
    model = open_model(manifest, metrics)
    reader = open_reader(manifest, demo=demo)
    scope = ChipScope(manifest.database.project, manifest.chip)
    store.memory_budget = manifest.limits.data_memory_mb * MEGABYTE
    context = ToolContext(reader, store, host, namespace, scope, metrics)
    seconds = manifest.limits.tool_timeout_seconds
    specs = [spec if spec.timeout_s is None else replace(spec, timeout_s=seconds) for spec in BUILTIN_TOOLS]
    parts = ConnectedParts(manifest, reader, model, Toolbox(specs, context), metrics)
    try:
        # A wrong chip or project has to come out here: what is connected is kept, settings and all, and the person
        # would mend them in vain.
        parts.status()
    except BaseException:
        reader.close()
        raise
    return parts


def open_reader(manifest: Manifest, *, demo: bool = False) -> QDashReader:
    """The reader of the configured snapshot or MongoDB; the demo chip when neither is configured, or on request.

    Raises:
        DatabaseError: it cannot be used.
    """
    database = manifest.database
    if not demo and database.snapshot is not None:
        from qdash_jupyter.data.snapshot import SnapshotReader

        return SnapshotReader(database.snapshot.expanduser())
    if not demo and (database.mongo_uri is not None or os.environ.get("MONGO_HOST", "").strip()):
        from qdash_jupyter.data.mongo.connection import connect as connect_mongo
        from qdash_jupyter.data.mongo.reader import MongoReader

        uri = database.mongo_uri.get_secret_value() if database.mongo_uri is not None else None
        return MongoReader(connect_mongo(uri, database=database.mongo_database), as_of=database.as_of)
    from qdash_jupyter.data.demo.cache import demo_snapshot
    from qdash_jupyter.data.snapshot import SnapshotReader

    return SnapshotReader(demo_snapshot())


def take_snapshot(
    manifest: Manifest, folder: Path, *, since: str | None = None, told: Callable[[str, int], None] = lambda *_: None
) -> ChipRecord:
    """Write a snapshot of the configured chip, whose data stand in MongoDB, to `folder`.

    Raises:
        PersonError: there is no MongoDB, no such chip, or the folder cannot be written.
    """
    reader = open_reader(manifest)
    try:
        from qdash_jupyter.data.mongo.export import export_snapshot
        from qdash_jupyter.data.mongo.reader import MongoReader

        if not isinstance(reader, MongoReader):
            raise PersonError(
                f"A snapshot is taken of a MongoDB, not of {reader.origin.label}.",
                "Set QDASH_MONGO_URI or give --mongo URI. A snapshot is a folder: copy it.",
            )
        chip = ChipScope(manifest.database.project, manifest.chip).resolve(reader)
        start = moment_of(since, reader.now(), "--since") if since else None
        export_snapshot(reader, chip, folder, since=start, told=told)
    finally:
        reader.close()
    return chip


def open_model(manifest: Manifest, metrics: MetricTable) -> LLM:
    """The configured model, on a cassette where `QDASH_CASSETTE` says so.

    Raises:
        PersonError: the settings or the cassette are wrong.
    """
    if not (mode := os.environ.get("QDASH_CASSETTE", "").strip()):
        return _configured_model(manifest, metrics)
    from qdash_jupyter.llm.cassette import CassetteLLM

    file = os.environ.get("QDASH_CASSETTE_FILE", "")
    return CassetteLLM(mode, file, lambda: _configured_model(manifest, metrics), Mask(manifest))


def _configured_model(manifest: Manifest, metrics: MetricTable) -> LLM:
    """The configured language model, else the offline planner: a key alone never sends data out."""
    section = model_in_use(manifest)
    if section is None:
        from qdash_jupyter.llm.offline.planner import OfflinePlanner

        return OfflinePlanner(metrics)
    from qdash_jupyter.llm.served import served_model

    return served_model(section)


def _knowledge(manifest: Manifest) -> tuple[str, ...]:
    texts = []
    for path in manifest.knowledge:
        try:
            texts.append(path.expanduser().read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            msg = f"The knowledge file {path} cannot be read: {error}"
            raise ConfigurationError(msg, "Correct `knowledge` in copilot.yaml.") from None
    return tuple(texts)
