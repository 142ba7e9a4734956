"""What an install brings along, with and without node, and with the extension built before or not."""

import base64
import csv
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILT = Path("qdash_jupyter", "labextension")
INSTALLED = "share/jupyter/labextensions/qdash-jupyter/"
SOURCES = ("hatch_build.py", "install.json", "pyproject.toml", "README.md", "LICENSE")

needs_npm = pytest.mark.skipif(not (shutil.which("npm") and shutil.which("node")), reason="node and npm are missing")


@dataclass(frozen=True)
class Wheel:
    """A built wheel, and what the build said."""

    files: dict[str, bytes]
    log: str

    @property
    def package(self) -> dict[str, bytes]:
        return {name: data for name, data in self.files.items() if name.startswith("qdash_jupyter/")}

    @property
    def shared(self) -> dict[str, bytes]:
        """What lands beside the environment's other data files, by its place there."""
        data = re.compile(r"[^/]+\.data/data/(.+)")
        return {match[1]: content for name, content in self.files.items() if (match := data.fullmatch(name))}

    def info(self, name: str) -> bytes:
        [found] = [data for path, data in self.files.items() if re.fullmatch(rf"[^/]+\.dist-info/{name}", path)]
        return found

    @property
    def metadata(self) -> Message:
        return message_from_bytes(self.info("METADATA"))


def copy_sources(to: Path) -> Path:
    """The files a wheel is made from, and a test file that must stay out of it."""
    leave = shutil.ignore_patterns("__pycache__", "node_modules")
    for folder in ("qdash_jupyter", "js"):
        shutil.copytree(ROOT / folder, to / folder, ignore=leave)
    for file in SOURCES:
        shutil.copy(ROOT / file, to / file)
    (to / "tests").mkdir()
    (to / "tests" / "test_nothing.py").write_text("")
    return to


def build(sources: Path, **environment: str) -> Wheel:
    out = sources / "dist"
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(sources)]
    # npm may take from its cache what the set-up has fetched a moment ago.
    env = os.environ | {"npm_config_prefer_offline": "true"} | environment
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    [path] = out.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        return Wheel({name: archive.read(name) for name in archive.namelist()}, done.stdout)


def files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def expected_shared() -> dict[str, bytes]:
    extension = {INSTALLED + name: data for name, data in files_below(ROOT / BUILT).items()}
    return extension | {INSTALLED + "install.json": (ROOT / "install.json").read_bytes()} | of_server()


def of_server() -> dict[str, bytes]:
    """What says that the server's extension is there, and off."""
    file = "qdash_jupyter/server/jupyter_server_config.json"
    return {"etc/jupyter/jupyter_server_config.d/qdash_jupyter.json": (ROOT / file).read_bytes()}


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    return copy_sources(tmp_path / "sources")


@pytest.fixture(scope="module")
def plain_wheel(tmp_path_factory: pytest.TempPathFactory) -> Wheel:
    """The wheel of a fresh clone on a machine without node."""
    nothing = tmp_path_factory.mktemp("empty-path")
    return build(copy_sources(tmp_path_factory.mktemp("plain") / "sources"), PATH=str(nothing))


def test_a_fresh_clone_needs_no_node(plain_wheel: Wheel) -> None:
    assert plain_wheel.shared == expected_shared()


@pytest.mark.long
def test_without_build_and_node_it_installs_with_a_warning(sources: Path, tmp_path: Path) -> None:
    shutil.rmtree(sources / BUILT)
    wheel = build(sources, PATH=str(tmp_path))
    assert wheel.shared == of_server()
    assert "without the JupyterLab extension" in wheel.log
    assert wheel.info("entry_points.txt")


@pytest.mark.long
@needs_npm
def test_without_build_npm_builds_the_same_bytes(sources: Path) -> None:
    shutil.rmtree(sources / BUILT)
    assert build(sources).shared == expected_shared()


@needs_npm
@pytest.mark.long
def test_the_build_can_be_switched_off(sources: Path) -> None:
    shutil.rmtree(sources / BUILT)
    assert build(sources, QDASH_SKIP_JS="1").shared == of_server()


def test_the_wheel_holds_the_package_and_nothing_else(plain_wheel: Wheel) -> None:
    ours = {
        f"qdash_jupyter/{path}": data
        for path, data in files_below(ROOT / "qdash_jupyter").items()
        if "__pycache__" not in path and not path.startswith("labextension/")  # that is among the shared data
    }
    assert plain_wheel.package == ours
    others = {name.split("/")[0].rpartition(".")[2] for name in plain_wheel.files if name not in ours}
    assert others == {"data", "dist-info"}


def test_the_demo_chip_is_there_with_its_curves_and_takes_at_most_10_mb(plain_wheel: Wheel) -> None:
    folder = "qdash_jupyter/data/demo/64Q-demo/"
    chip = {name.removeprefix(folder): len(data) for name, data in plain_wheel.files.items() if name.startswith(folder)}
    assert {"manifest.json", "task_result_history.parquet", "calib_data.parquet"} <= set(chip)
    assert sum(chip.values()) <= 10_000_000


def test_the_wheel_agrees_with_its_own_record(plain_wheel: Wheel) -> None:
    rows = csv.reader(io.StringIO(plain_wheel.info("RECORD").decode()))
    recorded = {name: digest for name, digest, _ in rows if digest}
    for name, data in plain_wheel.files.items():
        if not name.endswith("/RECORD"):
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert recorded[name] == f"sha256={digest}"


def test_the_command_line_and_the_licence_are_there(plain_wheel: Wheel) -> None:
    assert "qdash-jupyter = qdash_jupyter.ui.cli:main" in plain_wheel.info("entry_points.txt").decode()
    assert plain_wheel.metadata["License-Expression"] == "Apache-2.0"
    theirs = [str(path.relative_to(ROOT)) for path in (ROOT / "qdash_jupyter").rglob("THIRD-PARTY.txt")]
    assert len(theirs) == 2
    for name in ("LICENSE", *theirs):
        assert plain_wheel.info(f"licenses/{name}") == (ROOT / name).read_bytes()


def test_the_links_of_the_packages_page_lead_to_the_repository(plain_wheel: Wheel) -> None:
    """In the repository they stay relative, and tests/docs looks whether they lead anywhere."""
    page = plain_wheel.metadata.get_payload()
    assert isinstance(page, str)
    links = re.findall(r"\]\(([^)]+)\)", page)
    urls = dict(url.split(", ") for url in plain_wheel.metadata.get_all("Project-URL", []))
    assert {*urls} == {"Repository", "Documentation", "Changelog", "Issues"}
    home = urls["Repository"]
    written = re.findall(r"\]\(([^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(links) == len(written)
    assert all(link.startswith("https://") for link in links)
    assert f"{home}/blob/HEAD/docs/walk.md" in links
    assert f"{home}/raw/HEAD/docs/first-answer.png" in links


def test_its_types_are_for_others_too(plain_wheel: Wheel) -> None:
    assert "qdash_jupyter/py.typed" in plain_wheel.package
    assert "Typing :: Typed" in plain_wheel.metadata.get_all("Classifier", [])


def test_the_source_archive_holds_what_its_build_reads_and_nothing_else(sources: Path, tmp_path: Path) -> None:
    for stray in ("js/src/notes.orig.md", "README.md", "package.json"):
        (sources / "tests" / stray).parent.mkdir(parents=True, exist_ok=True)
        (sources / "tests" / stray).write_text("{}")
    command = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path), str(sources)]
    subprocess.run(command, check=True, capture_output=True)
    [path] = tmp_path.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        archive.extractall(tmp_path, filter="data")
    [unpacked] = [each for each in tmp_path.iterdir() if each.is_dir() and each.name.startswith("qdash_jupyter-")]
    assert {each.name for each in unpacked.iterdir()} <= {*SOURCES, "qdash_jupyter", "js", "PKG-INFO", ".gitignore"}
    read = set(files_below(ROOT / "js/src")) | {f"../schema/{name}" for name in files_below(ROOT / "js/schema")}
    assert [name for name in read if not (unpacked / "js/src" / name).exists()] == []
    assert {each.name for each in (unpacked / "js").iterdir()} == {
        *("src", "schema", "build.mjs", "package.json", "package-lock.json", "tsconfig.json")
    }
    if (ROOT / "js/node_modules").exists() and shutil.which("node"):
        shutil.rmtree(unpacked / BUILT)
        (unpacked / "js/node_modules").symlink_to((ROOT / "js/node_modules").resolve())
        subprocess.run(["node", "build.mjs"], cwd=unpacked / "js", check=True)
        assert files_below(unpacked / BUILT) == files_below(ROOT / BUILT)


def test_the_servers_of_the_tests_stay_with_the_tests(plain_wheel: Wheel) -> None:
    """One of them is GPL: it may neither be a dependency of ours nor be imported."""
    needed = [line for line in plain_wheel.metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert needed
    assert not [line for line in needed if "secantus" in line.lower()]
    assert not [name for name, data in plain_wheel.package.items() if b"secantus" in data.lower()]


@needs_npm
def test_labextension_is_current(tmp_path: Path) -> None:
    js = ROOT / "js"
    if not (js / "node_modules").exists():
        subprocess.run(["npm", "ci"], cwd=js, check=True)
    folders = [tmp_path / name for name in ("extension", "panel", "client", "explorer")]
    extension, panel, client, explorer = folders
    subprocess.run(["node", "build.mjs", *map(str, folders)], cwd=js, check=True)
    changed = "js/ has changed: run `make js` and commit the result"
    assert files_below(extension) == files_below(ROOT / BUILT), changed
    assert files_below(panel) == files_below(ROOT / "qdash_jupyter/ui/static"), changed
    assert files_below(client) == files_below(ROOT / "qdash_jupyter/server/static"), changed
    assert files_below(explorer) == files_below(ROOT / "qdash_jupyter/explore/static"), changed


def test_there_is_one_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    lock = json.loads((ROOT / "js" / "package-lock.json").read_text())
    assert json.loads((ROOT / "js" / "package.json").read_text())["version"] == version
    assert json.loads((ROOT / BUILT / "package.json").read_text())["version"] == version
    assert lock["version"] == lock["packages"][""]["version"] == version


def test_the_lock_file_names_no_registry() -> None:
    assert "://" not in (ROOT / "js" / "package-lock.json").read_text().replace('"url": "https://', "")
