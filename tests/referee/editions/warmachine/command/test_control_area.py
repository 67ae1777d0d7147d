from typing import Any

from models.verdict import Verdict
from tests.referee.tables import asked, mini, table

INCH = 25.4
CASTER = {"side": "red", "type": "warcaster", "profile": {"control_stat": 6}}
WARLOCK = {"side": "red", "type": "warlock", "profile": {"control_stat": 6}}


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


PACK = [{"id": "p", "commander": "lead"}]


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
