"""Control area: who is in it, through whom a spell is channelled, and whose control may be taken."""

from dataclasses import replace

from models.miniature import Miniature
from models.profile import Profile, Spell
from models.queries import B2b, Channel, ControlArea, SpellTarget, TakeControl
from models.unit_conversion import inches
from models.verdict import CAPPED_MM, Witness
from models.vocabulary import Point
from referee.editions.warmachine.attacks.targets import check_not_astray, spell_range
from referee.editions.warmachine.command.formation import command_mm
from referee.editions.warmachine.melee.attack_eligibility import check_formation, check_sight, may_attack
from referee.editions.warmachine.melee.in_melee import check_engages, enemies
from referee.editions.warmachine.miniatures.base_state import commander_of
from referee.editions.warmachine.miniatures.distances import b2b, draw_ruler, hinges, ids_that_matter
from referee.editions.warmachine.parameters import because
from referee.editions.warmachine.terms import terms_of
from referee.geometry.distance import area_gap, farthest
from referee.rules.candidates import evaluate_each, in_play, is_zero_or_more
from referee.rules.conditions import Clauses, all_of, any_of, negate
from referee.rules.exact_table import ExactTable
from referee.rules.rule_result import RuleResult, ask_for, plain_condition
from referee.rules.sides import are_enemies
from referee.rules.switches import is_at_least

_CONTROL = because("Control Range", 69, "The control range is twice the current stat in inches, from the base edge.")
_OWN = because("Control Range", 69, "Everybody is in its own control range.")
_GROUP = because("Battlegroup Commander", 68, "Only those of its own battlegroup are its to use.")
_FOCUS = because("Allocating Focus Points", 69, "Focus goes to warjacks of the battlegroup in the control range.")
_FURY = because("Forcing Warbeasts", 101, "Fury comes from warbeasts of the battlegroup in the control range.")
_INERT = because("Inert Warjacks", 59, "An inert warjack cannot gain focus.")
_WILD = because("Wild Warbeasts", 103, "A wild warbeast cannot be forced.")
_MARSHAL = because("'Jack Marshals", 74, "A warjack has its marshal's benefits within the marshal's command range.")
FRIENDS = because("Battlegroup Commander", 68, "Only friends can be of a battlegroup.")
_FOCUS_USES = frozenset({"allocate", "power-up"})
_FURY_USES = frozenset({"force", "leach", "reave", "transfer"})
_PACK_USES = frozenset({"force", "transfer"})  # what a trooper of a pack may be used for only in formation
_CHANNEL = because("Channeling", 73, "A spell starts from a channeler of the battlegroup that is in the control range.")
_NODE = because("Channeling", 73, "Only a channeler, such as a warjack with an arc node, relays spells.")
_ENGAGED = because("Channeling", 73, "A channeler that an enemy engages cannot channel.")
_HELPLESS = because("Channeling", 73, "A channeler that is stationary or knocked down cannot channel.")
_SELF = because("Channeling", 73, "A spell with range SELF cannot be channeled.")
_ITSELF = because("Channeling", 73, "An offensive spell cannot be aimed at its own channeler.")
_HOLDS = because("Channeling", 73, "A spell that is not offensive may be cast at its channeler.")
_SIGHT = because("Channeling", 73, "Sight and range run from the channeler; the caster need not see.")
_TAKE_INERT = because("Inert Warjacks", 59, "A warjack is reactivated base to base, for focus or a Combat Action.")
_TAKE_FREE = because("Autonomous Warjacks", 67, "A warjack without a controller is taken over base to base.")
_TAKE_WILD = because("Wild Warbeasts", 103, "A wild warbeast is taken over base to base, for one fury.")
_HELD = because("Battlegroup Commander", 68, "It has a controller and is no one else's to take.")
_WHO = because("Autonomous Warjacks", 67, "Battlegroup commanders and 'jack marshals take control.")
_BUSY = because("Autonomous Warjacks", 67, "A marshal who has a warjack already takes no other.")


def control_mm(table: ExactTable, caster: str) -> float | None:
    """The control range from the base edge. Source: Control Range, p. 69: twice the current stat in inches."""
    stat = table.miniature(caster).profile.control_stat
    return None if stat is None else inches(2 * stat)


def check_in_control(table: ExactTable, caster: str, target: str | Point) -> RuleResult:
    """Whether some part is within the control range; the limit itself is. Source: Control Range, p. 69, 101."""
    limit = control_mm(table, caster)
    if limit is None:
        return ask_for(f"profile.control_stat of {caster}", because=(_CONTROL,), on=ids_that_matter(caster, target))
    return _check_within(table, caster, target, limit)


def _check_within(table: ExactTable, caster: str, target: str | Point, limit: float) -> RuleResult:
    if target == caster:
        return RuleResult(margin_mm=CAPPED_MM, because=(_CONTROL, _OWN), depends_on_place=(caster,))
    between = area_gap(table.area(caster), table.area(target))
    apart = max(0.0, between.mm)
    return RuleResult(
        margin_mm=limit - apart,
        lengths_mm={"distance": apart},
        witness=(
            draw_ruler(between, caster, target, role="clear" if apart <= limit else "blocked"),
            *_draw_rim(table, caster),
        ),
        because=(_CONTROL,),
        depends_on_place=ids_that_matter(caster, target),
    )


def _draw_rim(table: ExactTable, caster: str) -> tuple[Witness, ...]:
    base, limit = table.base(caster), control_mm(table, caster)
    if limit is None:
        return ()
    return (Witness(type="circle", role="limit", centre_mm=base.centre, radius_mm=base.reach_mm + limit, of=(caster,)),)


def control_area(table: ExactTable, query: ControlArea) -> RuleResult:
    """Control area: whether it is in the control area, and free for the purpose asked about; without a target, who is.

    Source: Control Range, p. 69, 101.
    """
    purpose, target = query.purpose, query.target
    if target is None:
        return _list_all(table, query)
    if purpose is None:
        return _add_lengths(table, query, target, check_in_control(table, query.caster, target), ())
    if not isinstance(target, str) or target not in table.miniatures:
        return RuleResult(status="refused", because=(_CONTROL,), advice="Name a miniature as the target.")
    clauses = _clauses(table, query.caster, target, purpose)
    return _add_lengths(table, query, target, all_of(clauses), clauses)


def _list_all(table: ExactTable, query: ControlArea) -> RuleResult:
    """Everybody else in play, each as if asked about alone."""
    limit = control_mm(table, query.caster)
    if limit is None and query.purpose != "marshal":
        return check_in_control(table, query.caster, query.caster)

    def about(perturbed: ExactTable, id_: str) -> RuleResult:
        return perturbed.evaluate_query(query.model_copy(update={"target": id_}))

    return RuleResult(
        status="measured",
        value={"radius_mm": limit},
        witness=_draw_rim(table, query.caster),
        because=(_CONTROL,),
        depends_on_place=(query.caster,),
        members=evaluate_each(table, in_play(table, query.caster), about),
    )


def _add_lengths(
    table: ExactTable, query: ControlArea, place: str | Point, result: RuleResult, clauses: Clauses
) -> RuleResult:
    """The same result with the lengths a player wants to hear."""
    source, target = table.area(query.caster), table.area(place)
    apart = 0.0 if place == query.caster else max(0.0, area_gap(source, target).mm)
    limit = control_mm(table, query.caster)
    whole = place == query.caster
    if limit is not None and not whole:
        on = hinges(table, place, query.caster)
        whole = is_at_least(limit, farthest(source, target)[0], "is completely within the control area of", on)
    completely = None if limit is None else "yes" if whole else "no"
    value = {"radius_mm": limit, "distance_mm": apart, "completely": completely}
    witness = next((r.witness for _, r in clauses if r.witness), result.witness)
    return replace(result, value={**result.value, **value}, lengths_mm={"distance": apart}, witness=witness)


def _clauses(table: ExactTable, caster: str, target: str, purpose: str) -> Clauses:
    if purpose == "marshal":
        return (
            ("command", _check_marshal(table, caster, target)),
            ("battlegroup", check_battlegroup(table, caster, target)),
        )
    lead = _leader(table, target)
    clauses = [
        ("control", check_in_control(table, caster, target if purpose == "transfer" else lead)),
        ("battlegroup", check_battlegroup(table, caster, lead)),
    ]
    if lead != target and purpose in _PACK_USES:
        clauses.append(("formation", check_formation(table, target)))
    if purpose in _FOCUS_USES | _FURY_USES:
        clauses.append(("kind", _check_kind(table, table.miniature(target), purpose)))
    return tuple(clauses)


def _leader(table: ExactTable, target: str) -> str:
    """The commander of its pack, else itself. Source: Warbeast Packs, p. 100."""
    me = table.miniature(target)
    unit = next((u for u in table.state.units if u.id == me.unit), None)
    return commander_of(table, unit) or target


def _check_marshal(table: ExactTable, marshal: str, target: str) -> RuleResult:
    """Source: 'Jack Marshals, p. 74: within the command range."""
    limit = command_mm(table, marshal)
    if limit is None:
        return ask_for(f"profile.cmd_in of {marshal}", because=(_MARSHAL,))
    return replace(_check_within(table, marshal, target, limit), because=(_MARSHAL,))


def check_battlegroup(table: ExactTable, commander: str, target: str) -> RuleResult:
    """Whether it is of the commander's battlegroup. Source: Battlegroup Commander, p. 68, 101; Autonomous, p. 67."""
    controller = None if "autonomous" in table.miniature(target).status else table.miniature(target).controller
    if target == commander:
        return RuleResult(margin_mm=CAPPED_MM, because=(_GROUP,), depends_on_place=(target,))
    if are_enemies(table.state, table.miniature(commander), table.miniature(target)):
        return RuleResult(margin_mm=-CAPPED_MM, because=(FRIENDS,), depends_on_place=(target,))
    if controller is None and not has_no_controller(table.miniature(target)):
        return ask_for(f"controller of {target}", because=(_GROUP,), on=(target,))
    margin = CAPPED_MM if controller == commander else -CAPPED_MM
    return RuleResult(margin_mm=margin, because=(_GROUP,), depends_on_place=(target,))


def _check_kind(table: ExactTable, target: Miniature, purpose: str) -> RuleResult:
    """Source: Allocating Focus Points, p. 69; Forcing Warbeasts, p. 101; Inert, p. 59; Wild, p. 103."""
    wanted, reason = ("warjack", _FOCUS) if purpose in _FOCUS_USES else ("warbeast", _FURY)
    if target.type not in (None, "trooper", wanted):
        return plain_condition(target.id, False, reason)
    if purpose in _FOCUS_USES and "inert" in target.status:
        return plain_condition(target.id, False, _INERT)
    if not terms_of(table).statuses_barring_force.get(purpose, frozenset[str]()).isdisjoint(target.status):
        return plain_condition(target.id, False, _WILD)
    return RuleResult(margin_mm=CAPPED_MM, because=(reason,), depends_on_place=(target.id,))


def has_no_controller(target: Miniature) -> bool:
    """Whether it has been told that nobody controls it."""
    return bool({"inert", "autonomous", "wild"} & set(target.status))


def channel(table: ExactTable, query: Channel) -> RuleResult:
    """Channelling: whether the spell may go through the channeler, at this target if one is named.

    Source: Channeling, p. 73.
    """
    result = all_of((*_channeler_clauses(table, query), *_target_clauses(table, query)))
    return replace(result, because=(_CHANNEL, *(r for r in result.because if r != _CHANNEL)))


def _channeler_clauses(table: ExactTable, query: Channel) -> Clauses:
    channeler = query.channeler
    return (
        ("caster", may_attack(table, query.caster)),
        ("arc-node", _check_arc_node(table, channeler)),
        ("battlegroup", check_battlegroup(table, query.caster, channeler)),
        ("control", check_in_control(table, query.caster, channeler)),
        ("state", _check_standing(table, channeler)),
        ("engaged", _check_unengaged(table, channeler)),
    )


def _check_arc_node(table: ExactTable, channeler: str) -> RuleResult:
    """Source: Channeling, p. 73."""
    me = table.miniature(channeler)
    if me.profile == Profile():
        return ask_for(f"profile.abilities of {channeler}", because=(_NODE,), on=(channeler,))
    return plain_condition(channeler, me.has("arc-node"), _NODE)


def _check_standing(table: ExactTable, channeler: str) -> RuleResult:
    """Source: Channeling, p. 73; Inert Warjacks, p. 59: what a stationary one cannot do, an inert one cannot."""
    down = not terms_of(table).statuses_barring_channel.isdisjoint(table.miniature(channeler).status)
    return plain_condition(channeler, not down, _HELPLESS)


def _check_unengaged(table: ExactTable, channeler: str) -> RuleResult:
    """Whether no enemy engages it. Source: Channeling, p. 73; Engaged & Engaging, p. 43."""
    foes = enemies(table, channeler)
    if not foes:
        return RuleResult(margin_mm=CAPPED_MM, because=(_ENGAGED,), depends_on_place=(channeler,))
    held = any_of(tuple(check_engages(table, foe, channeler) for foe in foes))
    return replace(negate(held), because=(_ENGAGED,))


def _target_clauses(table: ExactTable, query: Channel) -> Clauses:
    """Source: Channeling, p. 73; Casting a Spell, p. 71."""
    spell = next((s for s in table.miniature(query.caster).profile.spells if s.name == query.spell), None)
    if query.target is None:
        return () if spell is None or spell.rng_in != "self" else (("range", _check_not_self(query)),)
    if query.target not in table.miniatures:
        return (("target", RuleResult(margin_mm=-CAPPED_MM, because=(_SIGHT,), depends_on_place=(query.channeler,))),)
    asked = SpellTarget(
        caster=query.caster, target=query.target, spell=query.spell, range_in=query.range_in, origin=query.channeler
    )
    if query.target == query.channeler:
        return (("target", _refuse_self(query, spell)), ("range", spell_range(table, asked, spell, query.channeler)))
    return (
        ("sight", check_sight(table, query.channeler, query.target)),
        (
            "range",
            _check_not_self(query)
            if spell is not None and spell.rng_in == "self"
            else spell_range(table, asked, spell, query.channeler),
        ),
        ("formation", check_not_astray(table, asked)),
    )


def _check_not_self(query: Channel) -> RuleResult:
    """Source: Channeling, p. 73."""
    return RuleResult(margin_mm=-CAPPED_MM, because=(_SELF,), depends_on_place=(query.channeler,))


def _refuse_self(query: Channel, spell: Spell | None) -> RuleResult:
    """Source: Channeling, p. 73: the channeler may be the target of what is not offensive."""
    if spell is None:
        return ask_for(f"spell of {query.caster}, with offensive", because=(_ITSELF,), on=(query.channeler,))
    reason = _ITSELF if spell.offensive else _HOLDS
    return plain_condition(query.channeler, not spell.offensive, reason)


def take_control(table: ExactTable, query: TakeControl) -> RuleResult:
    """Taking control: whether it may be taken over: base to base, and free to take.

    Source: Inert Warjacks, p. 59; Autonomous Warjacks, p. 67; Wild Warbeasts, p. 103.
    """
    target = table.miniature(query.target)
    touching = b2b(table, B2b(a=query.caster, b=query.target))
    result = all_of(
        (
            ("contact", touching),
            ("friend", _check_friendly(table, query)),
            ("free", _check_free(target)),
            ("taker", _check_taker(table, table.miniature(query.caster), target)),
        )
    )
    contact_decides = is_zero_or_more(result) or result.margin_mm == touching.margin_mm
    return replace(
        result,
        value={**result.value, "gap_mm": touching.value["gap_mm"]},
        lengths_mm=touching.lengths_mm,
        witness=touching.witness,
        contact_probability=touching.contact_probability if contact_decides else None,
    )


def _check_friendly(table: ExactTable, query: TakeControl) -> RuleResult:
    enemies = are_enemies(table.state, table.miniature(query.caster), table.miniature(query.target))
    return plain_condition(query.target, not enemies, FRIENDS)


def _check_free(target: Miniature) -> RuleResult:
    """Source: Inert Warjacks, p. 59; Autonomous Warjacks, p. 67; Wild Warbeasts, p. 103."""
    for status, reason in (("inert", _TAKE_INERT), ("autonomous", _TAKE_FREE), ("wild", _TAKE_WILD)):
        if status in target.status:
            return RuleResult(margin_mm=CAPPED_MM, because=(reason,), depends_on_place=(target.id,))
    if target.controller is None and target.type in (None, "warjack", "warbeast"):
        need = f"status of {target.id} (inert, autonomous or wild) or its controller"
        return ask_for(need, because=(_HELD,), on=(target.id,))
    return plain_condition(target.id, False, _HELD)


def _check_taker(table: ExactTable, caster: Miniature, target: Miniature) -> RuleResult:
    """Source: Autonomous Warjacks, p. 67: a battlegroup commander, or a marshal who has no warjack yet."""
    if caster.type in ("warcaster", "warlock") or caster.has("battlegroup-commander"):
        return RuleResult(margin_mm=CAPPED_MM, because=(_WHO,), depends_on_place=(caster.id,))
    if not caster.has("jack-marshal") or target.type == "warbeast" or "wild" in target.status:
        return plain_condition(caster.id, False, _WHO)
    busy = any(m.controller == caster.id and m.id != target.id for m in table.state.miniatures)
    if busy and "inert" not in target.status:
        return plain_condition(caster.id, False, _BUSY)
    return RuleResult(margin_mm=CAPPED_MM, because=(_WHO,), depends_on_place=(caster.id,))
