"""Makes tools of the tool sets of the settings. What cannot be made is told of, and the rest goes on."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Sequence
from functools import partial

from qdash_jupyter.config.initialization import InitializationIssue
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.mask import masked
from qdash_jupyter.config.tool_sets import (
    DeclaredSection,
    DeploymentToolSetSection,
    InternalToolSetSection,
    McpToolSetSection,
    RestToolSetSection,
    ToolSetSection,
)
from qdash_jupyter.errors import nearest
from qdash_jupyter.messages.message import Message, sentences
from qdash_jupyter.tool_sets.built import BuiltTools, hard_issue
from qdash_jupyter.tool_sets.declared import with_settings
from qdash_jupyter.tool_sets.mcp.sign_in import AskForKeys
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.fallback import swallows_timeouts

logger = logging.getLogger("qdash_jupyter")


def build_tool_sets(manifest: Manifest, ask: AskForKeys | None = None) -> list[BuiltTools]:
    """All tools of all sets, in the order of the settings. Those of internal sets are all that is offered of the
    built-in ones, where there is such a set. `ask` has the user type the keys of servers that want one.
    """
    sections = manifest.tool_sets
    servers = [section for section in sections if isinstance(section, McpToolSetSection)]
    limit_s = manifest.tool_defaults.timeout_seconds
    of_servers = iter(_or_issues(servers, lambda: _mcp(servers, limit_s, ask)) if servers else ())
    built: list[BuiltTools] = []
    for section in sections:
        _log_what_timeouts_pass_by(section)
        if isinstance(section, McpToolSetSection):
            built.append(next(of_servers))
        else:
            built += _or_issues([section], partial(_built, section, manifest))
    return built


def _or_issues(sections: Sequence[ToolSetSection], make: Callable[[], Sequence[BuiltTools]]) -> Sequence[BuiltTools]:
    """What these sets become; whatever goes wrong, the other tools are there."""
    try:
        return make()
    except ImportError as error:
        message = Message("tool-set-needs-package", extra=sections[0].type, why=str(error))
    except Exception as error:  # noqa: BLE001 - of servers and their clients
        logger.error("A tool set cannot be opened: %s", masked(traceback.format_exc()))  # noqa: TRY400 - for secrets
        message = Message("tool-set-not-opened", why=masked(f"{type(error).__name__}: {error}"))
    return [BuiltTools(issues=(hard_issue(section.name, message),)) for section in sections]


def _built(section: ToolSetSection, manifest: Manifest) -> Sequence[BuiltTools]:
    """What one set becomes; its code is imported here, so that a kind that is not used costs nothing."""
    if isinstance(section, InternalToolSetSection):
        return [_internal(section)]
    if isinstance(section, RestToolSetSection):
        from qdash_jupyter.tool_sets.rest import rest_tools

        return [rest_tools(section, write_methods=manifest.features.write_methods.enabled)]
    if isinstance(section, DeploymentToolSetSection):
        from qdash_jupyter.tool_sets.deployment import deployment_tools

        return [deployment_tools(section, manifest.models)]
    raise TypeError(section.type)


def _internal(section: InternalToolSetSection) -> BuiltTools:
    known = {spec.name: spec for spec in BUILTIN_TOOLS}
    specs = tuple(with_settings(known[name], section) for name in section.tools if name in known)
    return BuiltTools(specs, tuple(_unknown(name, list(known)) for name in section.tools if name not in known))


def _unknown(name: str, known: Sequence[str]) -> InitializationIssue:
    near = nearest(name, known, 1)
    meant = Message("not-found-nearest", names=near[0]) if near else ""
    return hard_issue(name, sentences(Message("no-built-in-tool"), meant))


def _mcp(sections: Sequence[McpToolSetSection], limit_s: float | None, ask: AskForKeys | None) -> Sequence[BuiltTools]:
    """Those of all servers, which are connected with side by side; one each, in their order."""
    from qdash_jupyter.tool_sets.mcp import mcp_tools

    return mcp_tools(sections, limit_s, ask)


def _log_what_timeouts_pass_by(section: ToolSetSection) -> None:
    sections: list[DeclaredSection] = [section]
    if isinstance(section, (RestToolSetSection, DeploymentToolSetSection)):
        sections += section.tools
    if any(swallows_timeouts(each.fallback) for each in sections):
        logger.info("Tool set %s: a fallback without trigger_on does not count for time limits", section.name)
