"""Which settings of a working folder count: a folder that came from elsewhere must not send data anywhere.

A notebook's folder may hold a `copilot.yaml` that somebody else has written. Until this user has said that they trust
it, it may say how the copilot answers, but not whom it asks, with which key, or what it reads elsewhere.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from qdash_jupyter.config.disk import expanded, keep_json, kept_json, reason, user_folder
from qdash_jupyter.config.manifest import OFFLINE
from qdash_jupyter.config.patch import read_yaml, value_at
from qdash_jupyter.config.policy import POLICIES, Policy, narrower
from qdash_jupyter.errors import ConfigurationError

VARIABLE = "QDASH_COPILOT_TRUST"
_MODEL = ("orchestrator", "deployment")

_SERVERS = (
    ("models",),
    ("tool_sets",),
    ("skills",),
    ("contexts",),
    ("features",),
    ("knowledge",),
    ("task_knowledge",),
    ("starters",),
    ("qdash_copilot",),
    ("orchestrator", "system_prompt"),
    ("database", "mongo_uri"),
    ("database", "mongo_database"),
    ("database", "reader"),
    ("database", "reader_options"),
)
"""Where data would go, and what a model would be told."""
_FILES = (("database", "snapshot"), ("database", "calib_data"))
_DATA = "database"
"""What it names is data, which is read anew each time."""
_MOST_FILES = 2_000
_LONGEST_NAME = 1_000


def is_trusted(folder: Path, environment: Mapping[str, str]) -> bool:
    """Whether this user trusts the settings in the folder: by `QDASH_COPILOT_TRUST`, or with just this content."""
    folder = folder.resolve()
    named = [expanded(each).resolve() for each in environment.get(VARIABLE, "").split(os.pathsep) if each]
    known = _known().get(str(folder))
    return folder in named or (known is not None and known == _digest(folder))


def trust(folder: Path) -> Path:
    """Trust the settings in the folder, its `copilot.yaml` and predefined content, as long as they stay as they are;
    gives where that is written down.

    Raises:
        ConfigurationError: there are none, or it cannot be written down.
    """
    if not _settings(folder):
        raise ConfigurationError.with_hint("no-settings-in-folder", folder=str(folder))
    place = _place()
    try:
        keep_json(place, _known() | {str(folder.resolve()): _digest(folder)})
    except OSError as error:
        raise ConfigurationError.with_hint(
            "trust-not-saved", file=str(place), reason=reason(error), variable=VARIABLE, folder=str(folder)
        ) from None
    return place


def without_untrusted(
    patch: Mapping[str, Any], folder: Path, models: Collection[str], policy: Policy
) -> tuple[dict[str, Any], list[str]]:
    """The settings without what an untrusted folder may not say, and the names of that.

    Args:
        patch: the settings; nothing of it is changed.
        folder: theirs; files in it they may name.
        models: the models that trusted settings name; they may choose one of these.
        policy: that of the trusted settings; they may choose a narrower one.
    """
    kept = {name: dict(value) if isinstance(value, Mapping) else value for name, value in patch.items()}
    left_out = [key for key in _SERVERS if value_at(kept, key) is not None]
    left_out += [key for key in _FILES if not _is_inside(value_at(kept, key), folder)]
    model = value_at(kept, _MODEL)
    if isinstance(model, str) and model not in {OFFLINE, *models}:
        left_out.append(_MODEL)
    if (own := kept.get("policy")) in POLICIES and narrower(own, policy) != own:
        left_out.append(("policy",))
    for section, *name in left_out:
        del (kept[section] if name else kept)[name[0] if name else section]
    return kept, [".".join(key) for key in left_out]


def _is_inside(named: Any, folder: Path) -> bool:
    """Whether all files that are named are in the folder, also behind links."""
    files = named if isinstance(named, list) else [] if named is None else [named]
    home = folder.resolve()
    return all(Path(home, expanded(str(file))).resolve().is_relative_to(home) for file in files)


def _settings(folder: Path) -> list[Path]:
    """The files that say something: `copilot.yaml`, predefined content, and whatever else the settings name."""
    file, settings = folder / "copilot.yaml", {}
    with contextlib.suppress(ConfigurationError):
        settings = {name: value for name, value in read_yaml(file).items() if name != _DATA}
    places = [file, folder / "predefined", *(expanded(Path(folder, text)) for text in _texts(settings))]
    return sorted({path for place in places for path in _files(place, folder)})


def _texts(value: Any) -> Iterator[str]:
    """All texts in there that could name a file."""
    if isinstance(value, Mapping):
        for name, each in value.items():
            yield from _texts(name)
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, str) and value.isprintable() and len(value) < _LONGEST_NAME:
        yield value


def _files(place: Path, folder: Path) -> Iterator[Path]:
    """The file of that name, or those in the folder of that name; none of one that the working folder is in."""
    try:
        if place.is_file():
            yield place
        elif place.is_dir() and not folder.resolve().is_relative_to(place.resolve()):
            yield from islice((path for path in place.rglob("*") if path.is_file()), _MOST_FILES)
    except OSError:  # no file has such a name
        return


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in _settings(folder):
        content = path.read_bytes()
        digest.update(f"{os.path.relpath(path, folder)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _place() -> Path:
    return user_folder("config") / "trusted.json"


def _known() -> dict[str, str]:
    known = kept_json(_place())
    return known if isinstance(known, dict) else {}
