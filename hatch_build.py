"""The hooks of the build: put the JupyterLab extension where a Jupyter server looks for it, and have the README's links
lead to the repository.

The built files are committed, so an install needs no node. Where they are missing and npm is at hand they are built;
where neither is there, the package installs without them and serves kernels, scripts and the command line.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

BUILT = Path("qdash_jupyter", "labextension")
INSTALLED = "share/jupyter/labextensions/qdash-jupyter"
LINK = re.compile(r"\]\((?!https?:|#)([^)]+)\)")
"""What a page in the repository links to, where that is no address."""


class ReadmeHook(MetadataHookInterface):
    """The README of the package's page, whose links lead out of it."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Hatchling calls this with the table `project`."""
        home = metadata["urls"]["Repository"]
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = LINK.sub(lambda found: f"]({home}/{_kind(found[1])}/HEAD/{found[1]})", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def _kind(path: str) -> str:
    """How the repository's pages call a picture, and a page."""
    return "raw" if path.endswith(".png") else "blob"


class LabExtensionHook(BuildHookInterface[Any]):
    """Adds the built extension to a wheel, an editable one included, as shared data."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002  # hatchling's signature
        """Hatchling calls this before it collects files; a fixed table in pyproject.toml would fail without them."""
        if not self._built():
            self._build()
        if not self._built():
            self.app.display_warning(
                "Installing without the JupyterLab extension: it is not built, and npm is missing or QDASH_SKIP_JS is "
                "set. Magics and the command line work; for the panel install node, then install the package again."
            )
            return
        build_data["shared_data"][str(Path(self.root, BUILT))] = INSTALLED
        build_data["shared_data"][str(Path(self.root, "install.json"))] = f"{INSTALLED}/install.json"

    def _built(self) -> bool:
        return Path(self.root, BUILT, "package.json").is_file()

    def _build(self) -> None:
        npm = shutil.which("npm")
        if npm is None or os.environ.get("QDASH_SKIP_JS"):
            return
        for command in ["ci"], ["run", "build"]:
            subprocess.run([npm, *command], cwd=Path(self.root, "js"), check=True)  # noqa: S603  # our own scripts
