"""The documents say what is there."""

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from qdash_jupyter import __version__
from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.ui.link.control import ANNOUNCE, CLIENT
from scripts.tools_page import page as tools_page

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
NAME = re.compile(r"`(qdash_jupyter(?:\.\w+)+)`")
LINK = re.compile(r"\[[^\]]*\]\(([^)#:]+)(?:#[^)]*)?\)")


def resolve(dotted: str) -> object:
    """The module, class or attribute of that name."""
    parts = dotted.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for name in parts[cut:]:
            found = getattr(found, name)
        return found
    raise ModuleNotFoundError(dotted)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_name_and_link_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for dotted in set(NAME.findall(text)) - {ANNOUNCE, CLIENT}:
        resolve(dotted)
    for target in LINK.findall(text):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_walk_names_every_room() -> None:
    named = set(NAME.findall((ROOT / "docs" / "walk.md").read_text(encoding="utf-8")))
    rooms = {path.name for path in (ROOT / "qdash_jupyter").iterdir() if (path / "__init__.py").exists()}
    assert {dotted.split(".")[1] for dotted in named} >= rooms


def test_a_wrong_name_would_be_seen() -> None:
    with pytest.raises(AttributeError):
        resolve("qdash_jupyter.session.Nonsense")


def test_the_tools_page_is_what_the_declarations_say() -> None:
    shown = (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")
    assert shown == tools_page(), "run scripts/tools_page.py"
    for spec in BUILTIN_TOOLS:
        assert f"## `{spec.name}`" in shown


def test_commands_of_the_readme_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"^make ([a-z]+)\b", readme, re.MULTILINE)) <= targets
    assert {"demo", "test"} <= targets


def test_the_settings_page_is_a_manifest() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    [example] = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    manifest = Manifest.model_validate(yaml.safe_load(example))
    assert manifest.models["lab"].timeout_seconds == 300
    for name in Manifest.model_fields:
        assert f"\n{name}:" in f"\n{example}", f"docs/settings.md lacks {name}"


def test_versions_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == __version__
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_nothing_names_a_registry_or_this_machine() -> None:
    tracked = [path for path in PAGES + sorted((ROOT / "notebooks").glob("*.ipynb")) if path.is_file()]
    for path in tracked:
        text = path.read_text(encoding="utf-8")
        for word in ("pypi.org", "npmjs", "/work/", "/root/"):
            assert word not in text, f"{path.name} names {word}"
