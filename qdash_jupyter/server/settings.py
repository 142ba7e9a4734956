"""The settings as clients read them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import yaml

from qdash_jupyter.config.explain import shown_settings
from qdash_jupyter.config.layers import check_file
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import ConfigurationError
from qdash_jupyter.messages.message import text_in
from qdash_jupyter.server.chosen_model import listed
from qdash_jupyter.server.requests import ValidateRequest
from qdash_jupyter.server.service import CopilotService
from qdash_jupyter.session.parts import Parts
from qdash_jupyter.worker.confinement import why_unconfined


def described(parts: Parts, service: CopilotService) -> JsonObject:
    """What is in use: settings without secrets, database and model, the tools with their labels. Reads the database."""
    status, manifest = parts.status(), parts.manifest
    models = [
        listed(name, parts.models) for name in (parts.model, *(each for each in parts.models if each != parts.model))
    ]
    return {
        "enabled": True,
        "model": models[0],
        "chat_models": models,
        "analysis_models": models,
        "initial_message": manifest.greeting,
        "scoring": {name: each.model_dump(mode="json") for name, each in manifest.scoring.items()},
        "config": shown_settings(manifest),
        "status": {name: str(getattr(status, name)) for name in ("database", "chip", "model")}
        | {"is_language_model": status.is_language_model, "problems": status.problems},
        "tools": [
            {
                "name": spec.name,
                "label": {each: text_in(spec.label, each) for each in ("en", "ja")},
                "effect": spec.effect,
            }
            for spec in parts.toolbox.specs.values()
        ],
        "code": {"confined_by": str(service.confined_by), "why_not": str(why_unconfined())},
        "starters": [{"label": label, "prompt": prompt} for label, prompt in parts.starter_prompts().items()],
        "issues": [
            {"stage": each.stage, "name": str(each.name), "message": str(each.message)} for each in parts.issues()
        ],
    }


def checked(asked: ValidateRequest) -> JsonObject:
    """All that is wrong with settings, each with its key and line; they are neither used nor kept."""
    text = asked.yaml if asked.yaml is not None else yaml.safe_dump(asked.config, sort_keys=False, allow_unicode=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "copilot.yaml"
        path.write_text(text, encoding="utf-8")
        try:
            found = check_file(path)
        except ConfigurationError as error:
            message = str(error).replace(str(path), "the settings")
            return {"valid": False, "violations": [{"key": "", "line": 0, "message": message}], "hints": []}
    violations = [{"key": each.key, "line": each.line, "message": str(each.message)} for each in found.violations]
    return {"valid": not violations, "violations": violations, "hints": [str(each.message) for each in found.hints]}
