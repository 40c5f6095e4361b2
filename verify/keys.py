"""What the keys of a property mean, for whoever writes one with an editor that explains them (see ``question``)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from monjudge.model.notation.sentence import Sentence

__all__ = ["ABOUT"]

ABOUT: Mapping[str, Sentence] = MappingProxyType({
    "id": Sentence("a name of the property, once in the file", "性質の名前。ファイルに一度だけ"),
    "kind": Sentence("what is claimed", "何を主張するか"),
    "on": Sentence("the action whose moves are meant; its parameters and 'me' are names then", "どの行動の手か。そのパラメータと me が名前になる"),
    "premise": Sentence("where the claim is made", "主張の前件"),
    "formula": Sentence("the claim; monjudge names lists what it can speak of", "主張。書ける名前は monjudge names が並べる"),
    "lemmas": Sentence("invariants that are proved on the way", "途中で証明する不変条件"),
    "measure": Sentence("numbers: the first that changes is lowered, or none changes", "数。最初に変わるものが減る、またはどれも変わらない"),
    "among": Sentence("actions, triggers, parameters or sentences, by the kind", "行動、トリガー、パラメータ、文（種類による）"),
    "apart": Sentence("pairs of names for which nothing is claimed", "主張から除く名前の組"),
    "starts": Sentence("positions by name", "局面の名前"),
    "turns": Sentence("within so many turns", "このターン数の間"),
    "way": Sentence("conditions that a line meets one after the other", "手順が順に満たす条件"),
    "guide": Sentence("numbers; the state where they are least is looked at first", "数。いちばん小さい状態から調べる"),
    "player": Sentence("a player, from 0", "プレイヤー（0から）"),
    "goal": Sentence("a condition on states that the player is to force", "プレイヤーが強制する状態の条件"),
    "vary": Sentence("cells that take all these values", "これらの値を取るマス"),
    "change": Sentence("what is changed, and to which value; the formula says 'changed'", "何をどの値に変えるか。式では changed と書く"),
    "pile": Sentence("a field with a number for each kind of card", "カードの種類ごとの数のフィールド"),
    "of": Sentence("which kinds of 'card' are hits", "どの種類の card が当たりか"),
    "cards": Sentence("so many cards are drawn; the formula says 'hits'", "引く枚数。式では hits と書く"),
    "settled": Sentence("only of states in which the triggers have come to rest", "トリガーが済んだ状態だけについて"),
    "left": Sentence("what holds between the triggers while a premise is broken and restored", "前件がトリガーの間で破れて戻るとき、その間に成り立つこと"),
    "counters": Sentence("fields that may differ when play comes back", "戻ったときに違っていてよいフィールド"),
    "open": Sentence("readings that are left open; * for all, NORMS for the text taken literally", "開いておく読み。* はすべて、NORMS は文面を文字どおりに取ること"),
    "note": Sentence("why the verdict is another than one would expect", "判定が予想と違う理由"),
    "en": Sentence("the claim as an English sentence", "主張を英語の文で"),
    "ja": Sentence("the claim as a Japanese sentence", "主張を日本語の文で"),
})  # fmt: skip
"""Every key in both languages."""
