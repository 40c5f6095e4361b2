"""The SVG is well formed, stands alone, says everything in words, and takes names for text."""

from __future__ import annotations

import dataclasses
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest

from monjudge.model.monjan.cards import Card, Catalogue
from monjudge.model.monjan.match import Setting
from monjudge.model.monjan.picture import PALETTE, picture
from monjudge.model.monjan.rules import monjan
from monjudge.model.notation.picture import Arrow, Picture
from monjudge.model.notation.sentence import Sentence
from monjudge.reports.layout import lay_out, seated
from monjudge.reports.png import Png, png
from monjudge.reports.svg import svg

SVG = "{http://www.w3.org/2000/svg}"
TABLES = [("EXTRA", "FLEHEIM HUNTERS", 3), ("URA_LM", "HUNTERS ATELIER MANAST", 5), ("INIT", "MANAST FLEHEIM HUNTERS ATELIER", 8)]


@pytest.fixture
def middle(written: Callable[..., Any]) -> Picture:
    scene = written()["ten-cards-after-a-fall"]
    return picture(scene.rules, scene.state, scene.catalogue, ("Akira", "Hanako"), boards=scene.position.boards)


def boxes(whole: Picture, bottom: int = 0) -> dict[str, Any]:
    return dict(lay_out(whole, bottom).boxes)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("table", TABLES)
def test_every_state_of_a_game_is_well_formed_and_fetches_nothing(table: tuple[Any, ...], lang: Any, played: Callable[..., Any]) -> None:
    setting, rules, states = played(*table)
    for state in states[:: max(1, len(states) // 10)]:
        whole = picture(rules, state, setting.catalogue, boards=setting.boards)
        text = svg(whole, lang)
        root = ET.fromstring(text)
        ids = [node.get("id") for node in root.iter() if node.get("id")]
        assert len(ids) == len(set(ids))
        assert {f"board-{zone.key}" for zone in whole.zones()} <= set(ids)
        assert {node.tag.removeprefix(SVG) for node in root.iter()} <= {
            "svg", "title", "desc", "style", "defs", "pattern", "marker", "g", "rect", "circle", "path", "text"}  # fmt: skip
        assert re.findall(r"(?:https?:|href|url\((?!#)|@import)[^\"]*", text) == ["http://www.w3.org/2000/svg"]


def test_the_same_picture_gives_the_same_bytes_and_each_its_title_and_description(middle: Picture) -> None:
    assert svg(middle) == svg(middle)
    root = ET.fromstring(svg(middle, "ja"))
    assert (root.get("role"), root.get("lang"), root.get("aria-labelledby")) == ("img", "ja", "board-title board-desc")
    assert root.findtext(f"{SVG}title") == "モンジャンコロシアム · 5ターン目 · 編集ターン"
    described = root.findtext(f"{SVG}desc") or ""
    for said in ("中・防御: 地12, ライフ 7", "左・防御: 対AG迎撃レーザー, 倒された, スキル使用可", "捨て札: 火11, 地8, 風4"):
        assert said in described


def test_each_card_is_a_group_with_its_name(middle: Picture) -> None:
    root = ET.fromstring(svg(middle))
    titles = {node.get("id"): node.findtext(f"{SVG}title") for node in root.iter(f"{SVG}g") if node.get("role") == "img"}
    assert titles["board-1.C.defence-card"] == "Earth 12"
    assert titles["board-1.L.mana.1"] == "Elements (F8)"
    assert titles["board-1.R.attack-card"] == "Toughness card Battering Ram 8 (cost 3)"


def test_a_suit_is_a_hatch_and_a_letter_in_the_language_and_print_has_no_colour(middle: Picture) -> None:
    for lang in ("en", "ja"):
        text = svg(middle, lang)
        for suit in PALETTE:
            assert f'id="board-hatch-{suit.key}"' in text
            assert f">{suit.letter if lang == 'en' else suit.kanji}</text>" in text
    colours = set(re.findall(r"#[0-9a-f]{6}\b", svg(middle, look="print")))
    assert {c for c in colours if len({c[1:3], c[3:5], c[5:7]}) > 1} == set()
    assert PALETTE[0].colour in svg(middle)


def test_the_opponent_is_turned_round_and_the_seat_at_the_bottom_can_be_chosen(middle: Picture) -> None:
    from_1, from_2 = boxes(middle), boxes(middle, 1)
    for seen, near, far in ((from_1, "1", "2"), (from_2, "2", "1")):
        heights = [seen[key].y for key in (f"{far}.hand", f"{far}.C.mana", f"{far}.C.defence", f"{far}.C.attack",
                                           "deck", f"{near}.C.attack", f"{near}.C.defence", f"{near}.C.mana", f"{near}.hand")]  # fmt: skip
        assert heights == sorted(heights)
        assert seen[f"{near}.L.attack"].x < seen[f"{near}.R.attack"].x
        assert seen[f"{far}.L.attack"].x > seen[f"{far}.R.attack"].x
        assert seen[f"{near}.C.attack"].x == seen[f"{far}.C.attack"].x
        # A stack begins at its player and grows towards the middle.
        assert seen[f"{near}.C.mana.1"].y > seen[f"{near}.C.mana.2"].y
        assert seen[f"{far}.C.mana.1"].y < seen[f"{far}.C.mana.2"].y
    with pytest.raises(ValueError, match="no seat 2"):
        svg(middle, bottom=2)


def test_four_players_sit_clockwise(played: Callable[..., Any]) -> None:
    setting, rules, states = played(*TABLES[2])
    whole = picture(rules, states[-1], setting.catalogue, boards=setting.boards)
    far, shared, near = seated(whole.areas, 1)
    assert [[area.key for area in row] for row in (far, shared, near)] == [["3", "4"], ["table"], ["2", "1"]]


@pytest.mark.parametrize("table", TABLES)
def test_zones_do_not_overlap_and_cards_stay_in_them(table: tuple[Any, ...], played: Callable[..., Any]) -> None:
    setting, rules, states = played(*table)
    for state in states[:: max(1, len(states) // 10)]:
        layout = lay_out(picture(rules, state, setting.catalogue, boards=setting.boards))
        zones = [zone for area in layout.areas for zone in area.zones]
        for n, zone in enumerate(zones):
            for other in zones[n + 1 :]:
                a, b = zone.box, other.box
                apart = a.x + a.w <= b.x or b.x + b.w <= a.x or a.y + a.h <= b.y or b.y + b.h <= a.y
                assert apart, (zone.zone.key, other.zone.key)
            for piece in zone.pieces:
                inner, box = piece.box, zone.box
                assert box.x <= inner.x and inner.x + inner.w <= box.x + box.w, piece.piece.key
                assert box.y <= inner.y and inner.y + inner.h <= box.y + box.h, piece.piece.key


def test_highlights_and_arrows_are_drawn_where_their_places_are(middle: Picture) -> None:
    box = boxes(middle)["2.C.defence"]
    text = svg(middle.marked(["2.C.defence"], [Arrow("1.C.attack", "2.C.defence", "4")]))
    assert f'<rect x="{box.x - 3}" y="{box.y - 3}"' in text
    root = ET.fromstring(text)
    [arrow] = [node for node in root.iter(f"{SVG}g") if node.get("class") == "arrow"]
    assert arrow.findtext(f"{SVG}title") == "1.C.attack → 2.C.defence 4"
    path = arrow.find(f"{SVG}path")
    assert path is not None
    end_x, end_y = map(int, str(path.get("d")).split()[-2:])
    assert box.x <= end_x <= box.x + box.w and box.y <= end_y <= box.y + box.h
    assert 'class="mark"' not in svg(middle)


HOSTILE = "</title><script>alert(1)</script>\x00\x1b[31m\u202e&<"


def test_names_from_files_are_text_whatever_they_contain() -> None:
    card = Card("TOUGHNESS", value=6, cost=2, name=HOSTILE)
    catalogue = Catalogue([card, *map(Card.parse, ("f7", "B12"))])
    rules = monjan(Setting(catalogue))
    state = list(rules.start)
    state[rules.cell("attack", 0, 1)] = state[rules.cell("extra", 1)] = catalogue[card]
    state[rules.cell("hand", 0, catalogue[card])] = state[rules.cell("discard", 1, catalogue[card])] = 2
    whole = picture(rules, tuple(state), catalogue, (HOSTILE, "'\"<b>"))
    for lang in ("en", "ja"):
        root = ET.fromstring(svg(whole, lang))
        assert not [node for node in root.iter() if node.tag.removeprefix(SVG) in ("script", "b")]
        said = "".join(root.itertext())
        assert "</title><script>alert(1)</script>\ufffd\ufffd[31m\ufffd&<" in said
        assert "'\"<b>" in said


def test_an_id_keeps_two_drawings_on_a_page_apart(middle: Picture) -> None:
    one, two = (set(re.findall(r'\bid="([^"]*)"', svg(middle, id=name))) for name in ("a", "b"))
    assert one and not one & two
    assert "url(#b-" not in svg(middle, id="a")
    with pytest.raises(ValueError, match="is no id"):
        svg(middle, id='a" onload="')


def test_the_size_follows_the_scale_and_no_other_scale_is_taken(middle: Picture) -> None:
    root, double = ET.fromstring(svg(middle)), ET.fromstring(svg(middle, scale=2))
    assert root.get("viewBox") == double.get("viewBox")
    assert int(double.get("width", 0)) == 2 * int(root.get("width", 0))
    for scale in (0, -1, 1000, float("nan")):
        with pytest.raises(ValueError, match="scale"):
            svg(middle, scale=scale)


# -- PNG ------------------------------------------------------------------------------------------------


def size(drawn: Png) -> tuple[int, int]:
    assert drawn.data.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(drawn.data[16:20]), int.from_bytes(drawn.data[20:24])


def test_a_png_has_the_size_of_the_drawing(middle: Picture) -> None:
    layout = lay_out(middle)
    assert size(png(middle)) == (layout.width, layout.height)
    assert size(png(middle, scale=2)) == (2 * layout.width, 2 * layout.height)


def test_without_a_japanese_font_the_picture_is_english_and_says_so(middle: Picture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("monjudge.reports.png.shows_japanese", lambda fonts: False)
    fallen_back = png(middle, "ja")
    assert fallen_back.data == png(middle, "en").data
    assert fallen_back.notes[0].en.startswith("No font here shows Japanese")
    monkeypatch.setattr("monjudge.reports.png.shows_japanese", lambda fonts: True)
    assert png(middle, "ja").notes == ()
    assert png(middle, "ja").data != fallen_back.data


def test_a_font_file_that_is_not_there_is_named(middle: Picture) -> None:
    with pytest.raises(FileNotFoundError, match=r"nowhere\.ttf"):
        png(middle, fonts=["nowhere.ttf"])


def test_a_caption_is_drawn_in_the_language(middle: Picture) -> None:
    whole = dataclasses.replace(middle, captions=(Sentence("Hanako is asked", "花子に訊く"),))
    assert "Hanako is asked" in svg(whole) and "花子に訊く" in svg(whole, "ja")
