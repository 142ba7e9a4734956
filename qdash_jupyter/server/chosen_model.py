"""The configured models as QDash's page lists them, and the one that it chose for a request."""

from __future__ import annotations

from collections.abc import Mapping

from qdash_jupyter.config.manifest import ModelSection
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.errors import PersonError
from qdash_jupyter.messages.message import Text
from qdash_jupyter.session.parts import check_known

Models = Mapping[str, ModelSection | Text | None]


def listed(name: str, models: Models) -> JsonObject:
    """A model as the page knows it: nothing of its server and its key."""
    section = models[name]
    return {"provider": section.provider if isinstance(section, ModelSection) else "qdash-jupyter", "name": name}


def chosen_model(override: JsonObject, models: Models) -> str:
    """The name of the model that answers, by its name in the settings or at its server. What else is said of it has to
    be what the settings say: a client cannot name a server, a key or a limit of its own.

    Raises:
        PersonError: there is no such model, or it is another one than the settings'.
    """
    asked = str(override.get("name"))
    by_server = [key for key, each in models.items() if isinstance(each, ModelSection) and each.name == asked]
    name = asked if asked in models or len(by_server) != 1 else by_server[0]
    check_known(name, models)
    section = models[name]
    known = section.model_dump(mode="json") if isinstance(section, ModelSection) else listed(name, models)
    for field, value in override.items():
        if field != "name" and value is not None and value != known.get(field):
            raise PersonError.with_hint("override-differs", field=field, model=name)
    return name
