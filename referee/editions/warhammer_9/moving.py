"""Moving in formation: marches, wheels, steps, the inch one keeps, gaps one fits through."""

import math
from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from models.miniature import Miniature
from models.queries import March, Move, Wheel
from models.turn import Step, UnitPose
from models.units import inches, radians
from models.verdict import CAPPED_MM
from referee.editions.warhammer_9 import legs, parameters
from referee.editions.warhammer_9.fitting import longest_moves, skirmish_places
from referee.editions.warhammer_9.footing import Footing, after, on_the_way
from referee.editions.warhammer_9.inferring import cheapest
from referee.editions.warhammer_9.looking import bodies
from referee.editions.warhammer_9.measuring import apart
from referee.editions.warhammer_9.parameters import because
from referee.editions.warhammer_9.radii import leadership_chance
from referee.editions.warhammer_9.regiments import (
    all_regiments,
    are_friends,
    is_skirmishing,
    kind_of,
    leading,
    members_of,
    regiment,
)
from referee.editions.warhammer_9.shooting import deeds_of
from referee.editions.warhammer_9.spacing import Near, closest_on_way, ids_of, is_closed
from referee.gaps import gap
from referee.ruling import Ruling
from referee.situation import Situation
from referee.telling import applied, length

MOVING = because("Moving Your Units", 15, "It goes straight ahead and wheels, at most its Movement in all.")
_MARCH = because("Marching", 23, "Twice the Movement; an enemy within 8 in at the start calls for a Leadership test.")
_WHEEL = because("Wheel", 15, "A wheel costs the way of the outer front corner.")
_BACK = because("Backwards and Sideways", 23, "Steps back or aside count double, and directions are not mixed.")
_FLY = because("Fly", 59, "It passes over all, and lands on neither units nor impassable terrain.")
_LOOSE = because("Skirmishers", 65, "Each of them goes its own way, at most its Movement.")
_MARCH_TWICE = 2.0
_VANGUARD_IN, _VANGUARD_RIDERS_IN, _FLY_IN = 6.0, 12.0, 10.0
_DUST_MM = 1e-6


def speed_mm(table: Situation, id_: str) -> float | None:
    """The Movement of its slowest, barding taken off; None when a card does not tell. Source: p. 15; Barding, p. 77."""
    told = [_speed_in(table.miniature(m)) for m in members_of(table, id_)]
    known = [one for one in told if one is not None]
    return inches(min(known)) if known else None


def _speed_in(miniature: Miniature) -> float | None:
    card = miniature.profile
    if card.spd_in is None:
        return None
    return max(0.0, card.spd_in + card.spd_bonus_in - card.spd_penalty_in - float(miniature.has("barding")))


def march(table: Situation, query: March) -> Ruling:
    """Whether it marches without a test. Source: Marching, p. 23."""
    speed = speed_mm(table, query.mover)
    every = [one for one in all_regiments(table) if not are_friends(table, query.mover, one)]
    foes = [one for one in every if "fleeing" not in leading(table, one).status]
    found = [(apart(table, query.mover, one), one) for one in foes]
    between, nearest = min(found, key=lambda pair: pair[0].mm, default=(None, None))
    mm = CAPPED_MM if between is None else max(0.0, between.mm)
    ld = leading(table, query.mover).profile.ld
    margin = mm - parameters.MARCH_BLOCK_MM if between is not None else CAPPED_MM
    barred = _never_marches(table, query.mover)
    value: dict[str, JsonValue] = {"nearest": nearest, "barred": [*barred]}
    if speed is not None:
        value["allowance_mm"] = _MARCH_TWICE * speed
    if ld is not None and margin <= 0:
        value["chance"] = leadership_chance(ld)
    return Ruling(
        margin_mm=-CAPPED_MM if barred else margin,
        zero_is_met=False,
        value=value,
        lengths_mm={} if between is None else {"distance": mm},
        because=(applied(table, _MARCH, f"{nearest} is {length(mm)} away." if nearest else "No enemy is there."),),
        touches=() if between is None else between.touches,
    )


def _never_marches(table: Situation, mover: str) -> list[str]:
    """Why it may not march whatever its Leadership. Source: p. 23-24, 64, 72, 80, 86, 93."""
    first, deeds = leading(table, mover), deeds_of(table, mover)
    found = [kind_of(first)] * (kind_of(first) in ("chariot", "war-machine"))
    found += ["random-movement"] * first.has("random-movement") + ["fleeing"] * ("fleeing" in first.status)
    return found + [one for one in ("reform", "swift-reform", "reinforced") if one in deeds.moved]


def wheel(table: Situation, query: Wheel) -> Ruling:
    """What a wheel costs. Source: Wheel, p. 15."""
    own = Footing.of(regiment(table, query.mover))
    allowance = inches(query.allowance_in) if query.allowance_in is not None else speed_mm(table, query.mover)
    if allowance is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.mover}",), because=(_WHEEL,))
    arm = _arm_mm(table, query.mover, own)
    most = allowance / arm if arm else math.tau
    turn = most if query.by_deg is None else radians(query.by_deg)
    cost = _wheeled_mm(table, arm, turn)
    rear = math.hypot(own.width_mm, own.depth_mm) * turn
    end = own.wheeled(query.way, turn)
    way = legs.of_steps(
        own, [Step(do="wheel-left" if query.way == "left" else "wheel-right", by_deg=math.degrees(turn))]
    )
    speed = speed_mm(table, query.mover)
    twice = CAPPED_MM if speed is None else _MARCH_TWICE * speed
    double = min(CAPPED_MM, twice - (cost if _only_front(table) else rear))
    return Ruling(
        margin_mm=min(allowance - cost, double),
        value={
            "cost_mm": cost,
            "most_deg": math.degrees(most),
            "rear_mm": rear,
            "left_mm": max(0.0, allowance - cost),
            "poses": legs.poses_of(table, regiment(table, query.mover), end),
            "paths": {query.mover: way},
        },
        lengths_mm={"cost": cost},
        witness=legs.drawn(own, end, way, query.mover),
        because=(applied(table, _WHEEL, f"The outer corner goes {length(cost)} of {length(allowance)}."),),
        readings=("wheel-measure", "wheel-double-move"),
        doubtful=("wheel-double-move",) if twice - rear < allowance - cost else (),
        retold=("wheel-measure",),
        touches=regiment(table, query.mover).rank(0),
    )


def _only_front(table: Situation) -> bool:
    """Whether only the front rank is held to twice the move. Source: Manoeuvres, p. 15."""
    return table.reading("wheel-double-move") == "front-rank"


def _wheeled_mm(table: Situation, arm_mm: float, turn_rad: float) -> float:
    """The way of what measures a wheel: along its arc, or straight from where it begins to where it ends."""
    return 2 * arm_mm * math.sin(turn_rad / 2) if table.reading("wheel-measure") == "chord" else arm_mm * turn_rad


def _arm_mm(table: Situation, mover: str, own: Footing) -> float:
    """How far what measures a wheel is from the corner it turns about."""
    outer = table.reading("wheel-measure") == "outer-centre"
    return own.width_mm - (regiment(table, mover).base_mm[0] / 2 if outer else 0.0)


def move(table: Situation, query: Move) -> Ruling:
    """Whether a move is legal, and what it costs. Source: p. 15, 23; p. 59, 65, 67."""
    manner = query.manner or ("skirmish" if query.to is not None and is_skirmishing(table, query.mover) else "advance")
    allowance = _allowance_mm(table, query, manner)
    if allowance is None:
        return Ruling(status="unknown", needs=(f"profile.spd_in of {query.mover}",), because=(MOVING,))
    if query.to is not None and (manner == "skirmish" or is_skirmishing(table, query.mover)):
        return _loose(table, query, allowance)
    steps = query.steps
    if steps is None and query.heading_deg is not None and query.distance_in is not None:
        steps = (Step(do="forward", by_in=query.distance_in),)
    own = Footing.of(regiment(table, query.mover))
    begun, there = _seen_move(table, query, own)
    if steps is None and there is not None:
        lone = len(members_of(table, query.mover)) == 1
        read = cheapest(begun, there, is_lone=lone)
        if read is None:
            return Ruling(margin_mm=-CAPPED_MM, value=_unexplained(table, query, begun, there), because=(MOVING, _BACK))
        steps = read.steps
    if steps is None:
        return Ruling(status="unknown", needs=("steps",), because=(MOVING,))
    asked = Move(mover=query.mover, steps=steps, manner=query.manner, allowance_in=query.allowance_in)
    return _stepped(table, asked, manner, steps, _allowance_mm(table, asked, manner) or 0.0, begun)


def _seen_move(table: Situation, query: Move, own: Footing) -> tuple[Footing, Footing | None]:
    """Where a move began and where it ends: told, or from where it stood before to where it stands now."""
    if query.to is not None:
        return own, own.standing(query.to)
    began = deeds_of(table, query.mover).start
    told = query.steps is not None or query.heading_deg is not None or began is None
    return (own, None) if told or began is None else (own.standing(began), own)


def _unexplained(table: Situation, query: Move, begun: Footing, there: Footing) -> dict[str, JsonValue]:
    """A move that no steps explain: if its centre stayed, it was a reform."""
    stayed = math.dist(begun.centre, there.centre) <= 1.0
    return {
        "violation": {"what": "reform" if stayed else "not-explainable", "thing": None},
        "steps": [],
        "poses": legs.poses_of(table, regiment(table, query.mover), there),
        "paths": {query.mover: []},
    }


def _allowance_mm(table: Situation, query: Move, manner: str) -> float | None:
    if query.allowance_in is not None:
        return inches(query.allowance_in)
    speed = speed_mm(table, query.mover)
    first = leading(table, query.mover)
    if manner == "vanguard":
        return inches(_VANGUARD_RIDERS_IN if kind_of(first) in ("cavalry", "monstrous-cavalry") else _VANGUARD_IN)
    if manner == "fly":
        return inches(_FLY_IN)
    if speed is None:
        return None
    speed -= inches(1) * _slowed_by_forest(table, query)
    return max(0.0, speed) * (_MARCH_TWICE if manner == "march" else 1.0)


def _slowed_by_forest(table: Situation, query: Move) -> bool:
    """Source: Mysterious Forests, p. 92."""
    return heeds_forests(table, query.mover) and bool(_crossed(table, query, {"forest"}))


def heeds_forests(table: Situation, id_: str) -> bool:
    """Whether forests slow it: not skirmishers on foot, lone characters on foot, ethereal ones and striders.

    Source: Mysterious Forests, p. 92.
    """
    first = leading(table, id_)
    foot = kind_of(first) == "infantry"
    alone = len(members_of(table, id_)) == 1 and "character" in first.role
    return not ((foot and (is_skirmishing(table, id_) or alone)) or first.has("ethereal") or first.has("strider"))


def _crossed(table: Situation, query: Move, kinds: set[str]) -> list[str]:
    """The terrain of these kinds that the way touches."""
    own = Footing.of(regiment(table, query.mover))
    steps = query.steps or ()
    stands = after(own, steps)
    swept = [
        own.shape,
        *(part for before, step in zip(stands, steps, strict=False) for part in on_the_way(before, step)),
    ]
    return [
        t.id
        for t in table.state.terrain
        if t.kind in kinds and any(gap(s, part).mm < 0 for s in swept for part in table.area(t.id).parts)
    ]


def _spent_mm(table: Situation, mover: str, own: Footing, steps: tuple[Step, ...]) -> float:
    """What steps cost: ahead as it is, wheels by the outer corner, back and aside twice. Source: p. 15, 23."""
    arm = _arm_mm(table, mover, own)
    total = 0.0
    for step in steps:
        if step.do == "forward":
            total += inches(step.by_in or 0.0)
        elif step.do in ("backward", "left", "right"):
            total += 2 * inches(step.by_in or 0.0)
        elif step.do != "pivot":
            total += _wheeled_mm(table, arm, radians(step.by_deg or 0.0))
    return total


def _stepped(
    table: Situation, query: Move, manner: str, steps: tuple[Step, ...], allowance: float, own: Footing
) -> Ruling:
    stands = after(own, steps)
    spent = _spent_mm(table, query.mover, own, steps)
    broken = _broken(table, query, manner, steps)
    near = closest_on_way(table, query.mover, steps, None, end_only=manner == "fly", start=own)
    clear = CAPPED_MM if near is None else near.mm - parameters.SPACING_MM
    margin = min(allowance - spent, clear)
    far = _from_enemies_mm(table, query.mover, stands[-1]) if manner == "vanguard" else CAPPED_MM
    others = [_spent_mm(one, query.mover, own, steps) for one in table.otherwise("wheel-measure")]
    costs = ("wheel-measure",) if _wheels(steps) and allowance - max(spent, *others) <= margin else ()
    came_on = ("reserve-depth",) if "reinforced" in deeds_of(table, query.mover).moved else ()
    rule, way = _FLY if manner == "fly" else MOVING, legs.of_steps(own, steps)
    strict = [key for key in _at_exactly(clear, far) if table.reading(key) == "too-near"]
    over = spent > allowance + _DUST_MM
    violation = _violation(broken, far, clear, strict, None if near is None else near.thing, over=over)
    if broken:
        margin = -CAPPED_MM
    return Ruling(
        margin_mm=min(margin, far),
        zero_is_met=not strict,
        value={
            "spent_mm": spent,
            "left_mm": max(0.0, allowance - spent),
            "travelled_mm": math.dist(own.centre, stands[-1].centre),
            "poses": legs.poses_of(table, regiment(table, query.mover), stands[-1]),
            "paths": {query.mover: way},
            "violation": violation,
            "steps": [step.model_dump(exclude_none=True) for step in steps],
        },
        lengths_mm={"spent": spent},
        witness=legs.drawn(own, stands[-1], way, query.mover),
        because=(applied(table, rule, f"It spends {length(spent)} of {length(allowance)}."), _BACK),
        readings=("one-inch-when", "one-inch-exact", "wheel-measure", "twelve-inches", "reserve-depth"),
        doubtful=(*_at_exactly(clear, far), *costs, *came_on),
        retold=("one-inch-when",) if _is_swept_nearer(near, stands[-1]) else (),
        mattering=("wheel-measure",) if _wheels(steps) else (),
        touches=tuple(dict.fromkeys((*regiment(table, query.mover).rank(0), *_thing_ids(table, near, margin, clear)))),
    )


def _violation(
    broken: Sequence[str], far: float, clear: float, strict: Sequence[str], thing: str | None, *, over: bool
) -> dict[str, JsonValue] | None:
    """What the move breaks first, and what it came too near to."""
    if broken:
        return {"what": broken[0], "thing": None}
    if far < 0 or "twelve-inches" in strict:
        return {"what": "near-enemy", "thing": None}
    if (clear < 0 or "one-inch-exact" in strict) and thing is not None:
        return {"what": "one-inch", "thing": thing}
    return {"what": "allowance", "thing": None} if over else None


def _at_exactly(clear: float, far: float) -> Iterator[str]:
    """The house rules that tell what exactly an inch, and exactly 12, are worth."""
    if abs(clear) < _DUST_MM:
        yield "one-inch-exact"
    if abs(far) < _DUST_MM:
        yield "twelve-inches"


def _wheels(steps: tuple[Step, ...]) -> bool:
    return any((step.by_deg or 0.0) > 0 and step.do != "pivot" for step in steps)


def _is_swept_nearer(near: Near | None, end: Footing) -> bool:
    """Whether it comes too close on its way and not, or not as close, where it ends."""
    return near is not None and near.mm < parameters.SPACING_MM and near.where != end.shape


def _thing_ids(table: Situation, near: Near | None, margin: float, clear: float) -> tuple[str, ...]:
    return ids_of(table, near.thing) if near is not None and clear <= margin + 5.0 else ()


def _broken(table: Situation, query: Move, manner: str, steps: tuple[Step, ...]) -> list[str]:
    """Which rules of the manner the steps break. Source: p. 15, 23; p. 72, 86, 93."""
    first = leading(table, query.mover)
    kind, done = kind_of(first), {step.do for step in steps}
    aside = done & {"backward", "left", "right"}
    found = ["mixed-directions"] * (bool(aside) and len(done - {"pivot"}) > 1)
    came = "reinforced" in deeds_of(table, query.mover).moved
    found += ["reinforced"] * (came and placed_for_good(table))
    if manner == "march":
        found += ["reinforced"] * came
        found += ["aside-on-a-march"] * bool(aside)
        found += ["may-not-march"] * (kind in ("chariot", "war-machine"))
        found += ["river"] * bool(_crossed(table, query, set(parameters.RIVER_KINDS)))
    found += ["sideways"] * (kind == "chariot" and bool(done & {"left", "right"}))
    found += ["pivot"] * ("pivot" in done and len(members_of(table, query.mover)) > 1)
    if manner != "fly" and not first.has("ethereal"):
        found += ["entered-impassable"] * _enters_closed(table, query, steps)
    if manner == "fly":
        found += ["cannot-fly"] * (not all(table.miniature(m).has("fly") for m in members_of(table, query.mover)))
    return found


def placed_for_good(table: Situation) -> bool:
    """Whether those who come on move no more once they are placed. Source: Reinforcements, p. 24."""
    return table.reading("reserve-depth") == "placement"


def _enters_closed(table: Situation, query: Move, steps: tuple[Step, ...]) -> bool:
    own = Footing.of(regiment(table, query.mover))
    swept = [part for before, step in zip(after(own, steps), steps, strict=False) for part in on_the_way(before, step)]
    closed = [part for t in table.state.terrain if is_closed(t) for part in table.area(t.id).parts]
    return any(gap(a, b).mm < -_DUST_MM for a in swept for b in closed)


def _from_enemies_mm(table: Situation, mover: str, end: Footing) -> float:
    """How much farther than 12 in from every enemy it ends. Source: Vanguard, p. 67."""
    foes = [one for one in all_regiments(table) if not are_friends(table, mover, one)]
    return min(
        (gap(end.shape, one.shape).mm - inches(12) for foe in foes for one in bodies(table, foe)), default=CAPPED_MM
    )


def _loose(table: Situation, query: Move, allowance: float) -> Ruling:
    """Each miniature on its own way; who went where is the kindest there is. Source: Skirmishers, p. 65."""
    own = regiment(table, query.mover)
    to = query.to
    assert to is not None
    there = Footing.of(own).standing(to)
    files = to.files if isinstance(to, UnitPose) and to.files is not None else own.files
    places = skirmish_places(table, own, there, files)
    longest, furthest, placed = longest_moves(own.places, places, own.members)
    return Ruling(
        margin_mm=allowance - longest,
        value={
            "longest_mm": longest,
            "furthest": furthest,
            "spent_mm": longest,
            "left_mm": max(0.0, allowance - longest),
            "poses": legs.poses_in_block(own, there, placed),
            "paths": {query.mover: legs.each(longest)},
        },
        lengths_mm={"longest": longest},
        because=(applied(table, _LOOSE, f"Somebody goes {length(longest)} of {length(allowance)} at least."),),
        touches=own.members,
    )
