"""Opens conversations: puts settings, reader, model and tools together, with what other packages add."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, get_args

from qdash_jupyter.cells.namespace import Namespace
from qdash_jupyter.cells.shells import shell_in_use
from qdash_jupyter.config import installed
from qdash_jupyter.config.content import PredefinedContent
from qdash_jupyter.config.initialization import InitializationIssue
from qdash_jupyter.config.layers import load_manifest
from qdash_jupyter.config.manifest import OFFLINE, FeaturesSection, Manifest
from qdash_jupyter.config.patch import merge_patch
from qdash_jupyter.config.tool_sets import FallbackSection, InternalToolSetSection
from qdash_jupyter.connect.sources import calib_data_of, open_model, open_reader
from qdash_jupyter.data.queries import CurrentQuery
from qdash_jupyter.data.reader import QDashReader
from qdash_jupyter.data.records import ElementKind
from qdash_jupyter.data.withheld import NEVER_SEND, Withheld
from qdash_jupyter.data.withholding import WithholdingReader
from qdash_jupyter.domain.metrics import METRICS, MetricTable, Scoring
from qdash_jupyter.domain.sizes import MEGABYTE
from qdash_jupyter.errors import ConfigurationError, PersonError, ToolError
from qdash_jupyter.kernel.shell_kernel import ShellKernel
from qdash_jupyter.llm.client import LLM
from qdash_jupyter.messages.languages import LANGUAGES
from qdash_jupyter.messages.message import Message, Text, one_of, sentences
from qdash_jupyter.session.conversation import Conversation
from qdash_jupyter.session.copilot import Copilot
from qdash_jupyter.session.parts import Given, Parts, check_known
from qdash_jupyter.tool_sets.built import close_all
from qdash_jupyter.tool_sets.skills import skill_tool, skills_of
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.chips import ChipScope
from qdash_jupyter.tools.function import spec_of
from qdash_jupyter.tools.runaway import RunawayLimits
from qdash_jupyter.tools.spec import ToolContext, ToolSpec
from qdash_jupyter.tools.toolbox import Toolbox

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

    from qdash_jupyter.store.store import FrameStore
    from qdash_jupyter.tool_sets.mcp.sign_in import AskForKeys

logger = logging.getLogger("qdash_jupyter")

_END_AT_TIMEOUT = (FallbackSection(strategy="stop", trigger_on=("timeout",)),)
"""What `limits.on_tool_timeout: stop` is."""


def open_copilot(
    shell: InteractiveShell | None = None,
    *,
    tools: Iterable[ToolSpec | Callable[..., Any]] = (),
    reader: QDashReader | None = None,
    model: str | LLM | None = None,
    settings: Mapping[str, Any] | None = None,
    demo: bool = False,
    ask_for_keys: AskForKeys | None = None,
) -> Copilot:
    """A conversation that connects at its first question: `open_copilot(demo=True).ask("Which qubits lost T1?")`.

    Args:
        shell: whose names the copilot's code sees; by default the one that runs this code, in plain Python a new one.
        tools: further tools: `ToolSpec`s, or functions with types and a docstring.
        reader: reads the data, in place of the database of the settings. It is not closed with the conversation.
        model: the name of a model of the settings, or a model itself, which is not closed with the conversation.
        settings: the last layer of the settings, over all files and variables.
        demo: ask about the generated demo chip, whatever the settings name.
        ask_for_keys: has the user type the keys of MCP servers that want one; None where nobody can be asked.

    Raises:
        PersonError: a function makes no tool; the message says why.
    """
    given = Given([spec_of(tool) for tool in tools], reader, model, ask_for_keys)
    shell = shell or shell_in_use()
    kernel = ShellKernel(shell, Namespace(shell.user_ns))
    conversation = Conversation(kernel, PartsBuilder(settings, demo, given))
    copilot = Copilot(conversation)
    conversation.bind()
    return copilot


@dataclass(frozen=True, slots=True)
class PartsBuilder:
    """Connects with these settings, and with those that the user has in JupyterLab, the `front_end`."""

    settings: Mapping[str, Any] | None = None
    demo: bool = False
    given: Given | None = None
    front_end: Mapping[str, Any] | None = None

    def __call__(self, namespace: Namespace, store: FrameStore) -> Parts:
        """Open all of it. Blocks.

        Raises:
            PersonError: the settings are wrong or the database cannot be used.
        """
        loaded = load_manifest(self.settings, front_end=self.front_end)
        for note in loaded.notes:
            logger.warning("Not taken over from QDash's copilot settings: %s", note)
        parts = connect(loaded.manifest, namespace, store, demo=self.demo, given=self.given, content=loaded.content)
        untrusted = [InitializationIssue("connect", Message("settings-name"), each) for each in loaded.untrusted]
        parts.found_issues = [*untrusted, *loaded.issues, *parts.found_issues]
        return parts

    def patched(self, patch: Mapping[str, Any]) -> PartsBuilder:
        """The same with a further layer of settings."""
        return replace(self, settings=merge_patch(dict(self.settings or {}), patch))


def connect(
    manifest: Manifest,
    namespace: Namespace,
    store: FrameStore,
    *,
    demo: bool = False,
    given: Given | None = None,
    content: PredefinedContent | None = None,
) -> Parts:
    """Open the reader and put everything together, with what other packages add.

    Raises:
        PersonError: the settings are wrong or the database cannot be used.
    """
    given = given or Given()
    issues: list[InitializationIssue] = []
    added = installed.loaded(installed.TOOLS, issues)
    installed.loaded(installed.READERS, issues)
    described = [OFFLINE, *manifest.models]
    own_models: dict[str, Callable[[], LLM]] = {
        name: make for name, make in installed.loaded(installed.MODELS, issues).items() if name not in described
    }
    if isinstance(given.model, str):
        check_known(given.model, (*described, *own_models))
        manifest = manifest.asking(given.model)
    elif (llm := given.model) is not None:
        own_models[llm.card.name] = lambda: llm
        manifest = manifest.asking(llm.card.name)
    _check_languages(manifest)
    scoring = {name: Scoring(**own.model_dump(exclude={"unit"})) for name, own in manifest.scoring.items()}
    metrics = MetricTable(scoring, manifest.bands)
    model_of = partial(open_model, metrics=metrics, own_models=own_models)
    withheld = Withheld(manifest.privacy.never_send)
    model = model_of(manifest)
    read = open_reader(manifest, demo=demo) if given.reader is None else given.reader
    reader: QDashReader = WithholdingReader(read, withheld) if withheld else read
    if given.reader is not None:
        given = replace(given, reader=reader)
    scope = ChipScope(manifest.database.project, manifest.chip)
    store.memory_budget = manifest.limits.data_memory_mb * MEGABYTE
    context = ToolContext(
        reader, store, namespace, scope, metrics, withheld=withheld, calib_data=calib_data_of(manifest, read)
    )
    limits = manifest.limits
    runaway = RunawayLimits(limits.cell_warning_seconds or inf, (limits.cell_warning_memory_mb or inf) * MEGABYTE)
    toolbox = Toolbox(
        () if any(isinstance(each, InternalToolSetSection) for each in manifest.tool_sets) else BUILTIN_TOOLS,
        context,
        timeout_s=manifest.tool_defaults.timeout_seconds,
        fallbacks=_END_AT_TIMEOUT if limits.on_tool_timeout == "stop" else (),
        runaway=runaway,
        shows_errors=manifest.tool_defaults.show_errors,
    )
    parts = Parts(manifest, reader, model, toolbox, metrics, model_of, own_models, given, issues)
    try:
        content = content or PredefinedContent.read(())
        skills, missing = skills_of(content, manifest.skills, partial(_fetched, manifest.features))
        issues += missing
        if skills:
            toolbox.add(skill_tool(skills))
        for spec in given.tools:
            toolbox.add(spec)
        for name, offered in added.items():
            _add(name, offered, toolbox, issues)
        if manifest.tool_sets:
            _add_declared(parts, toolbox, issues)
        issues += _unknown(withheld, scope, read)
        # A wrong chip or project has to come out here: what is connected is kept, settings and all, and the user
        # would mend them in vain.
        parts.status()
    except BaseException:
        if reader is not given.reader:
            reader.close()
        close_all(parts.tool_sets)
        raise
    return parts


def _unknown(withheld: Withheld, scope: ChipScope, reader: QDashReader) -> list[InitializationIssue]:
    """Names to be withheld that mean nothing here. The parameters are only read where that is in doubt."""
    if not (doubtful := withheld.unknown(METRICS)):
        return []
    with suppress(ToolError):
        chip = scope.resolve(reader).ref
        parameters = set(reader.parameter_names(chip)["parameter"])
        for kind in get_args(ElementKind):
            parameters.update(reader.current_parameters(CurrentQuery(chip, kind))["parameter"])
        doubtful = withheld.unknown({*METRICS, *parameters})
    return [InitializationIssue("connect", NEVER_SEND, _not_known(name, near)) for name, near in doubtful]


def _not_known(name: str, near: list[str]) -> Text:
    meant = Message("not-found-nearest", names=one_of(near)) if near else ""
    return sentences(Message("never-send-unknown", name=name), meant)


def _add_declared(parts: Parts, toolbox: Toolbox, issues: list[InitializationIssue]) -> None:
    """Add the tools of the settings' tool sets; what cannot be made is among the issues, and the rest goes on."""
    from qdash_jupyter.tool_sets.building import build_tool_sets

    parts.tool_sets = build_tool_sets(parts.manifest, parts.given.ask_for_keys)
    issues += [issue for each in parts.tool_sets for issue in each.issues]
    for spec in [spec for each in parts.tool_sets for spec in each.specs]:
        _add(spec.name, [spec], toolbox, issues)


def _add(name: str, offered: object, toolbox: Toolbox, issues: list[InitializationIssue]) -> None:
    """Add what is offered by a name: a tool, or a list of them."""
    for each in offered if isinstance(offered, (list, tuple)) else [offered]:
        try:
            toolbox.add(spec_of(each))
        except PersonError as error:
            issues.append(InitializationIssue("tools", name, error.text, is_hard=True))


def _fetched(features: FeaturesSection, url: str) -> str:
    """The text at an address, where the administrator and the settings allow that."""
    from qdash_jupyter.tool_sets.external_fetch import fetch

    try:
        return fetch(url, features).decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigurationError.with_hint("skill-not-utf8", url=url) from None


def _check_languages(manifest: Manifest) -> None:
    wanted = manifest.language
    for key, language in (("response", wanted.response), ("thinking", wanted.thinking)):
        if language not in LANGUAGES and (key, language) != ("response", "auto"):
            raise ConfigurationError.with_hint(
                "unknown-language", key=f"language.{key}", value=language, names=one_of(LANGUAGES)
            )
