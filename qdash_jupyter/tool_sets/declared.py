"""What the tools of all declared sets have in common, whatever answers their calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from qdash_jupyter.config.mask import masked
from qdash_jupyter.config.tool_sets import DeclaredSection, DeploymentToolSection, RestToolSection
from qdash_jupyter.tool_sets.attachments import sorted_out
from qdash_jupyter.tools.spec import ToolArguments, ToolContext, ToolOutput, ToolSpec


def with_settings(spec: ToolSpec, *sections: DeclaredSection) -> ToolSpec:
    """The tool with the time limit and the fallbacks of its sections, its own before that of its set."""
    limits = (section.timeout_seconds for section in sections)
    return replace(
        spec,
        timeout_s=next((limit for limit in limits if limit is not None), spec.timeout_s),
        fallbacks=tuple(fallback for section in sections for fallback in section.fallback),
    )


def declared(spec: ToolSpec, *sections: DeclaredSection) -> ToolSpec:
    """So is one that something else answers: a server, another model. What it gives is masked and sorted out."""
    supported = next((each.supported_types for each in sections if each.supported_types is not None), None)
    shown = next((each.propagate_types_to_choice for each in sections if each.propagate_types_to_choice), ())

    def run(arguments: Any, context: ToolContext) -> ToolOutput:
        output = cast("ToolOutput", spec.run(arguments, context))  # nothing that a set declares is awaited
        safe = replace(output, content=masked(output.content), rows=masked(output.rows))
        return sorted_out(safe, spec.name, supported, shown)

    return replace(with_settings(spec, *sections), run=run, is_declared=True)


def declared_spec(
    tool: RestToolSection | DeploymentToolSection,
    tool_set: DeclaredSection,
    args: type[ToolArguments],
    run: Callable[[Any, ToolContext], ToolOutput],
    *,
    acts_on: str = "",
) -> ToolSpec:
    """The tool of a section; one that acts on something asks first."""
    description = " ".join(tool.description.split())
    spec = ToolSpec(
        name=tool.name,
        label=tool.name.replace("_", " ").capitalize(),
        description=description,
        guidance=tool.guidance or f"{tool.name}: {description.split('. ')[0].rstrip('.')}.",
        args=args,
        run=run,
        effect="act" if acts_on else "read",
        acts_on=acts_on,
    )
    return declared(spec, tool, tool_set)
