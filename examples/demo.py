"""An endgame that is solved, and a judge's first question: why a summon is not allowed, and what would help.

Everything is asked by the command itself, in the language of the reader (LANG, or MONJUDGE_LANG=en or ja).
"""

from __future__ import annotations

import os
import shlex
import sys

from monjudge.cli.language import language
from monjudge.cli.main import main as monjudge
from monjudge.model.notation.sentence import Sentence

SUMMON = "1:summon TIDE_CALLER pair"
ENDGAME = "puzzle:the-column-that-may-fall"
QUESTIONS = (
    (Sentence("An endgame of Monjan Colosseum: an attack of 6 is under way. How does Player 1 win in this battle turn?",
              "モンジャンコロシアムの詰め問題です。6の攻撃を受けています。このバトルターンで、プレイヤー1が勝つには？"), ("puzzles", ENDGAME.removeprefix("puzzle:"))),
    (Sentence("Let it be solved, whatever Player 2 does.", "プレイヤー2が何をしても勝つ手順を解かせます。"), ("solve", ENDGAME)),
    (Sentence("Turn 6 of a match of Monjan Colosseum. Player 1 holds the Tide Caller.",
              "モンジャンコロシアムの6ターン目。プレイヤー1は「潮を呼ぶ者」を持っています。"), ("show", "example:summon")),
    (Sentence("May Player 1 summon it?", "召喚できるでしょうか。"), ("why", "example:summon", SUMMON)),
    (Sentence("And with the water 4 laid on the centre first?", "先に中央へ水4を置いたらどうでしょうか。"),
     ("check", "example:summon", "1:mana W4 C", SUMMON, "--no-flips")),
)  # fmt: skip
NEXT = Sentence(
    "Now ask your own: type `. .venv/bin/activate` once, and go on with docs/en/judges.md.",
    "次はあなたの番です。一度 `. .venv/bin/activate` と入力してから、docs/ja/judges.md へ進んでください。",
)


def main() -> None:
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # Japanese, whatever the code page
    lang = language([], os.environ)
    for said, words in QUESTIONS:
        print(f"{getattr(said, lang)}\n$ {shlex.join(('monjudge', *words))}\n")
        try:
            monjudge(words)
        except SystemExit:  # the exit code says what was found
            print()
    print(getattr(NEXT, lang))


if __name__ == "__main__":
    main()
