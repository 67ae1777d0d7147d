"""HTML pages: a list that a browser saved is read as its text is; a page with more than a list is asked about."""

from api.lists.army import describe_reading
from api.rosters.read import read_roster

LIST = """Low water (150 points)

CHARACTERS

Dame Marl &amp; Lamp (60 points)
  • 1x Long pole

BATTLELINE

Reeve (90 points)
  • 1x Reeve First
     ◦ 1x Bill
  • 5x Reeve
     ◦ 5x Bill

Exported with App Version: v1.48.0 (1), Data Version: v750
"""
PAGE = f"<html><body><script>var a = 1;</script><h2>Mara</h2><pre>\n{LIST}</pre></body></html>"
UNIT = """<li class="rootselection"><h4>Slingers [4 PL, 70pts]</h4><ul><li><h4>7x Slinger</h4>
<p>Selections: 7x Sling</p></li><li><h4>Slinger First</h4><p>Selections: Sling</p></li></ul>
<table><tr><td>Slinger</td><td>20</td></tr></table></li>"""
BATTLESCRIBE = f"""<!DOCTYPE html><html><body><div class="battlescribe"><h1>Low water [4 PL, 70pts]</h1><ul>
<li class="force"><h2>Patrol</h2><ul><li class="category"><h3>Core</h3><ul>{UNIT}</ul></li></ul></li></ul></div>
</body></html>"""


def test_a_page_of_an_event_is_read_and_asked_about() -> None:
    roster = read_roster(PAGE.encode())

    assert [(unit.name, unit.count) for unit in roster.units] == [("Dame Marl & Lamp", 1), ("Reeve", 6)]
    assert [question.asks for question in roster.questions] == ["lines"]


def test_a_player_looks_a_page_through_by_its_lines_of_text() -> None:
    reading = describe_reading(PAGE)

    assert reading.says is not None
    assert reading.says.startswith("The list was read from a page")
    assert reading.miniatures == 7
    assert not any("<" in doubt.text for doubt in reading.doubts)


def test_a_page_of_battlescribe_is_its_list() -> None:
    roster = read_roster(BATTLESCRIBE.encode())

    assert [(unit.name, unit.count, unit.points) for unit in roster.units] == [("Slingers", 8, 70)]
    assert roster.questions == ()


def test_a_page_of_battlescribe_that_was_cut_is_asked_about() -> None:
    cut = BATTLESCRIBE[: BATTLESCRIBE.index("<li><h4>Slinger First")]

    assert read_roster(cut.encode()).questions != ()
