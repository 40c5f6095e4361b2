"""``monjudge completion``: the script by which a shell completes the command."""

from __future__ import annotations

from monjudge.cli.asking import question
from monjudge.cli.output import Talk
from monjudge.cli.toolkit import argument, click
from monjudge.model.notation.sentence import Sentence

__all__ = ["completion"]


@question("completion", Sentence("Print the completion script of a SHELL, to be read by its start file.",
                                 "シェルの補完スクリプトを出力する。シェルの設定ファイルから読み込む。"))  # fmt: skip
@argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(talk: Talk, shell: str) -> int:
    from click.shell_completion import get_completion_class

    context = click.get_current_context().find_root()
    script = get_completion_class(shell)
    assert script is not None, "click completes these shells"
    talk.put([script(context.command, {}, "monjudge", "_MONJUDGE_COMPLETE").source() + "\n"])
    return 0
