from tests.referee.tables import asked, box, mini, table

HILL = box("h", "hill", 100, 100, 300, 300, height_mm=40, level=1)


def test_who_is_completely_inside_a_hill_is_elevated_and_its_rim_will_do() -> None:
    inside = asked(table(mini("a", 200, 115), terrain=[HILL]), "elevation", who="a")

    assert (inside.answer, inside.margin_mm, inside.value["level"], inside.value["on"]) == ("yes", 0, 1, ["h"])
    assert inside.value["height_mm"] == 40
    half = asked(table(mini("a", 200, 110), terrain=[HILL]), "elevation", who="a")
    assert (half.answer, half.margin_mm) == ("no", -5)


def test_on_flat_ground_nobody_is_elevated() -> None:
    assert asked(table(mini("a", 200, 200)), "elevation", who="a").answer == "no"
