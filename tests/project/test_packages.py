"""What is shipped is what is on disk, and nothing generic lands in a user's site-packages."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNSHIPPED = re.compile(r"/\.|\.pyc$")
"""Caches of tools, and compiled modules."""
FOLDERS = ("cli", "model", "puzzles", "reports", "solvers", "verify")


def shipped(suffix: str = "") -> set[Path]:
    """Every file of the package (or those with the suffix), relative to ``src``, through the links."""
    source = ROOT / "src"
    return {
        Path(folder, name).relative_to(source)
        for folder, _, files in os.walk(source / "monjudge", followlinks=True)
        for name in files
        if name.endswith(suffix) and not UNSHIPPED.search(f"{folder}/{name}".removeprefix(str(source)))
    }


def test_the_packages_listed_are_the_packages_on_disk() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]
    assert listed == sorted(listed)
    assert set(listed) == {".".join(path.parent.parts) for path in shipped(".py")}


def test_every_folder_with_modules_says_what_it_is_for() -> None:
    silent = {
        str(folder)
        for folder in {path.parent for path in shipped(".py")}
        if not (ROOT / "src" / folder / "__init__.py").is_file()
        or not ast.get_docstring(ast.parse((ROOT / "src" / folder / "__init__.py").read_text("utf-8")))
    }
    assert silent == set()


def test_the_package_is_relative_links_to_the_top_level_folders() -> None:
    links = {p.name: os.readlink(p) for p in (ROOT / "src" / "monjudge").iterdir() if p.is_symlink()}
    assert links == {folder: f"../../{folder}" for folder in FOLDERS}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment that holds the wheel made from the sdist, and nothing else."""
    work = tmp_path_factory.mktemp("wheel")
    tree = work / "tree"
    ignore = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "tests")
    shutil.copytree(ROOT, tree, symlinks=True, ignore=ignore)

    def run(*command: str | Path, cwd: Path = work) -> None:
        done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    build = "from setuptools import build_meta; build_meta.build_{}({!r})"
    run(sys.executable, "-c", build.format("sdist", str(work)), cwd=tree)
    [archive] = work.glob("*.tar.gz")
    shutil.unpack_archive(archive, work / "unpacked")
    [unpacked] = (work / "unpacked").iterdir()
    run(sys.executable, "-c", build.format("wheel", str(work)), cwd=unpacked)
    [wheel] = work.glob("*.whl")
    run(sys.executable, "-m", "venv", "--without-pip", work / "venv")
    python = work / "venv" / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", "--quiet", wheel)
    return python


def imports(python: Path, module: str) -> bool:
    return subprocess.run([python, "-I", "-c", f"import {module}"], capture_output=True).returncode == 0


def test_a_wheel_made_from_the_sdist_holds_every_module_and_data_file(installed: Path) -> None:
    [site] = (installed.parent.parent / "lib").glob("python*/site-packages")
    files = {path.relative_to(site) for path in (site / "monjudge").rglob("*") if path.is_file()}
    assert {path for path in files if path.suffix != ".pyc"} == shipped()
    assert imports(installed, "monjudge.model.language")


@pytest.mark.parametrize("name", FOLDERS)
def test_no_generic_module_becomes_importable(installed: Path, name: str) -> None:
    assert imports(installed, f"monjudge.{name}")
    assert not imports(installed, name)
