"""click, which the command line is made with, or a sentence that says what is missing."""

from __future__ import annotations

__all__ = ["click"]

try:
    import click
except ImportError as missing:
    raise ImportError(
        'the command line needs click: pip install "monjudge[cli]" / '
        'コマンドの実行には click が必要です：pip install "monjudge[cli]"'
    ) from missing
