"""Control area: who is in it, through whom a spell is channelled, and whose control may be taken."""

from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, mini, table

INCH = 25.4
CASTER = {"side": "red", "type": "warcaster", "profile": {"control_stat": 6}}
WARLOCK = {"side": "red", "type": "warlock", "profile": {"control_stat": 6}}
PACK = [{"id": "p", "commander": "lead"}]
BOLT = {"name": "Bolt", "rng_in": 10, "offensive": True}
BOON = {"name": "Boon", "rng_in": 6}
OWN = {"name": "Own", "rng_in": "self"}


def at(gap_in: float) -> float:
    """Where a 40 mm base stands whose edge is so far from the edge of the caster's 30 mm base at x = 200."""
    return 200 + 15 + 20 + gap_in * INCH


def jack(id_: str = "j", gap_in: float = 5, **more: Any) -> dict[str, Any]:
    return mini(id_, at(gap_in), 400, mm=40, **({"side": "red", "type": "warjack", "controller": "c"} | more))


def control(*others: dict[str, Any], caster: dict[str, Any] = CASTER, units: Any = (), **fields: Any) -> Verdict:
    state = table(mini("c", 200, 400, **caster), *others, units=list(units))
    return asked(state, "control-area", caster="c", **({"target": others[0]["id"]} | fields))


def clauses(verdict: Verdict) -> dict[str, str | None]:
    told: Any = verdict.value["clauses"]
    return {one["clause"]: one["answer"] for one in told}


def test_the_control_range_is_twice_the_stat_and_its_limit_is_within() -> None:
    verdict = control(jack(gap_in=12))

    assert (verdict.answer, verdict.margin_mm, verdict.value["radius_mm"]) == ("yes", 0, 12 * INCH)
    assert verdict.value["completely"] == "no"
    assert control(jack(gap_in=12.01)).answer == "no"


def test_the_caster_is_in_its_own_control_range() -> None:
    assert control(jack(), target="c").answer == "yes"


def test_a_point_may_be_asked_about() -> None:
    assert control(jack(), target=(200, 400 + 15 + 12 * INCH)).margin_mm == 0


def test_without_a_stat_the_question_says_what_is_missing() -> None:
    verdict = control(jack(), caster={"side": "red"})

    assert (verdict.status, verdict.needs) == ("unknown", ("profile.control_stat of c",))


def test_focus_goes_to_warjacks_of_the_own_battlegroup_only() -> None:
    assert control(jack(), purpose="allocate").answer == "yes"
    assert control(jack(controller="other"), purpose="allocate").answer == "no"
    assert control(jack(status=["autonomous"]), purpose="allocate").answer == "no"
    assert control(jack(type="warbeast"), purpose="allocate").answer == "no"
    assert control(jack(status=["inert"]), purpose="power-up").answer == "no"


def test_whose_warjack_it_is_has_to_be_told() -> None:
    verdict = control(jack(controller=None), purpose="allocate")

    assert (verdict.status, verdict.needs) == ("unknown", ("controller of j",))


def test_a_wild_warbeast_cannot_be_forced() -> None:
    beast = jack(type="warbeast", status=["wild"])

    assert clauses(control(beast, caster=WARLOCK, purpose="force"))["kind"] == "no"
    assert control(jack(type="warbeast"), caster=WARLOCK, purpose="force").answer == "yes"


def pack(lead_in: float, member_in: float) -> tuple[dict[str, Any], dict[str, Any]]:
    lead = jack("lead", lead_in, type="warbeast", unit="p", profile={"cmd_in": 6})
    return jack("m", member_in, type="warbeast", unit="p"), lead


def test_a_pack_is_forced_where_its_commander_stands() -> None:
    assert control(*pack(11, 14), caster=WARLOCK, units=PACK, purpose="force").answer == "yes"
    assert control(*pack(13, 11), caster=WARLOCK, units=PACK, purpose="force").answer == "no"


def test_damage_goes_to_a_pack_warbeast_that_is_itself_in_the_control_range() -> None:
    assert control(*pack(11, 14), caster=WARLOCK, units=PACK, purpose="transfer").answer == "no"
    assert control(*pack(13, 11), caster=WARLOCK, units=PACK, purpose="transfer").answer == "yes"


def test_a_pack_is_ordered_while_its_commander_is_in_the_control_range() -> None:
    assert control(*pack(12, 14), caster=WARLOCK, units=PACK, purpose="pack-order").margin_mm == 0
    assert control(*pack(13, 11), caster=WARLOCK, units=PACK, purpose="pack-order").answer == "no"


def test_a_marshal_leads_within_its_command_range() -> None:
    marshal = {"side": "red", "profile": {"cmd_in": 5}, "abilities": ["jack-marshal"]}

    assert control(jack(gap_in=5), caster=marshal, purpose="marshal").margin_mm == 0
    assert control(jack(gap_in=5.2), caster=marshal, purpose="marshal").answer == "no"


def test_without_a_target_everybody_is_a_member() -> None:
    verdict = control(jack(gap_in=5), jack("k", gap_in=13), mini("e", 300, 400, side="blue"), target=None)

    assert verdict.status == "measured"
    assert {one.id: one.answer for one in verdict.members} == {"j": "yes", "k": "no", "e": "yes"}


def test_the_list_is_of_those_whom_the_purpose_allows() -> None:
    others = (jack(gap_in=5), jack("x", gap_in=5, controller="other"))
    verdict = control(*others, target=None, purpose="allocate")

    assert {one.id: one.answer for one in verdict.members} == {"j": "yes", "x": "no"}


def test_where_measuring_is_licensed_those_outside_are_listed_without_figures() -> None:
    state = table(mini("c", 200, 400, **WARLOCK), jack(gap_in=5), jack("k", gap_in=13)).in_edition("hordes-mk2")

    verdict = asked(state, "control-area", caster="c", asked_by="red")

    assert [one.margin_mm is None for one in verdict.members] == [False, True]


def channel(*others: dict[str, Any], node: dict[str, Any] | None = None, **fields: Any) -> Verdict:
    caster = mini("c", 200, 400, 180, side="red", profile={"control_stat": 7, "spells": [BOLT, BOON, OWN]})
    words = {"side": "red", "type": "warjack", "controller": "c", "abilities": ["arc-node"]} | (node or {})
    x = 200 + 15 + 20 + words.pop("gap_in", 10) * INCH
    state = table(caster, mini("n", x, 400, words.pop("facing", 0.0), mm=40, **words), *others)
    return asked(state, "channel", caster="c", channeler="n", **fields)


def foe(dx: float, **more: Any) -> dict[str, Any]:
    """An enemy whose edge is dx mm beyond the channeler's."""
    return mini("t", 200 + 35 + 10 * INCH + 35 + dx, 400, 180, side="blue", **more)


def test_sight_and_range_run_from_the_channeler_and_the_caster_may_look_away() -> None:
    verdict = channel(foe(200), target="t", spell="Bolt")

    assert verdict.answer == "yes"
    assert verdict.margin_mm == 10 * INCH - 200


def test_the_channeler_has_to_see_the_target() -> None:
    verdict = channel(foe(200), target="t", spell="Bolt", node={"facing": 180.0})

    assert (verdict.answer, clauses(verdict)["sight"]) == ("no", "no")


def test_the_channeler_has_to_stand_in_the_control_range_and_its_limit_is_within() -> None:
    assert channel(node={"gap_in": 14}).margin_mm == 0
    assert channel(node={"gap_in": 14.1}).answer == "no"


def test_an_engaged_channeler_cannot_channel() -> None:
    verdict = channel(foe(10, reach=0.5))

    assert (verdict.answer, clauses(verdict)["engaged"]) == ("no", "no")


def test_a_channeler_that_lies_or_stands_helpless_cannot_channel() -> None:
    for status in ("knocked-down", "stationary", "inert"):
        assert clauses(channel(node={"status": [status]}))["state"] == "no"


def test_only_a_channeler_of_the_own_battlegroup_relays() -> None:
    assert clauses(channel(node={"controller": "other"}))["battlegroup"] == "no"
    assert clauses(channel(node={"abilities": ["pathfinder"]}))["arc-node"] == "no"


def test_a_spell_for_oneself_cannot_be_channeled() -> None:
    assert channel(spell="Own").answer == "no"
    assert channel(foe(100), target="t", spell="Own").answer == "no"


def test_the_channeler_may_be_the_target_of_what_is_not_offensive_only() -> None:
    assert channel(target="n", spell="Boon").answer == "yes"
    assert channel(target="n", spell="Bolt").answer == "no"
    assert channel(target="n").status == "unknown"


def test_what_the_channeler_is_has_to_be_told() -> None:
    verdict = channel(node={"abilities": []})

    assert (verdict.status, verdict.needs) == ("unknown", ("profile.abilities of n",))


def taking(target: dict[str, Any], caster: dict[str, Any] = CASTER, *more: dict[str, Any], **state: Any) -> Verdict:
    found = table(mini("c", 200, 400, **caster), target, *more, **state)
    return asked(found, "take-control", caster="c", target=target["id"])


def test_an_inert_warjack_is_taken_base_to_base() -> None:
    assert taking(jack(gap_in=0, status=["inert"], controller=None)).answer == "yes"
    assert taking(jack(gap_in=1, status=["inert"], controller=None)).margin_mm == 0.5 - INCH


def test_what_has_a_controller_is_not_free() -> None:
    assert clauses(taking(jack(gap_in=0, controller="other")))["free"] == "no"


def test_an_enemys_warjack_is_not_taken() -> None:
    assert clauses(taking(jack(gap_in=0, status=["autonomous"], controller=None, side="blue")))["friend"] == "no"


def test_a_marshal_with_a_warjack_takes_no_other_but_may_reactivate() -> None:
    marshal = {"side": "red", "abilities": ["jack-marshal"]}
    own = jack("own", 8)

    assert taking(jack(gap_in=0, status=["autonomous"], controller=None), marshal, own).answer == "no"
    assert taking(jack(gap_in=0, status=["autonomous"], controller=None), marshal).answer == "yes"
    assert taking(jack(gap_in=0, status=["inert"], controller=None), marshal, own).answer == "yes"


def test_a_told_contact_decides() -> None:
    near = jack(gap_in=0.1, status=["wild"], controller=None, type="warbeast", sigma=1.0)
    verdict = taking(near, WARLOCK, contacts=[{"a": "c", "b": "j", "probability": 0.99}])

    assert (verdict.answer, verdict.probability) == ("yes", 0.99)
