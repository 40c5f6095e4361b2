"""Puzzles that are shipped, one YAML file each, called by the file's name, with a certificate of each verdict beside it."""

from __future__ import annotations

from pathlib import Path

__all__ = ["library", "proof_of"]


def library() -> dict[str, Path]:
    """The file of each puzzle by its name, in alphabetical order."""
    return {path.stem: path for path in sorted(Path(__file__).parent.glob("*.yaml"))}


def proof_of(name: str) -> Path:
    """The file of the certificate of a puzzle, if it has one."""
    return Path(__file__).parent / f"{name}.proof.json"
