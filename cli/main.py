"""The command ``monjudge``: one subcommand for each question."""

from __future__ import annotations

import monjudge
from monjudge.cli.cases import cases
from monjudge.cli.toolkit import click

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(monjudge.__version__, prog_name="monjudge")
def main() -> None:
    """A rules judge for tabletop card games. / カードゲームのルール判定。"""


main.add_command(cases)
