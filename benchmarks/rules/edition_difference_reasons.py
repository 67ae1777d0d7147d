"""What the declarations say on which the three books of round bases part, and where each book has it."""

_SAME = "as Prime"
_MK2 = "as HORDES Mk II"

# By declaration: Prime, HORDES Mk II, the first edition; each with the rule and its place.
ROWS: dict[str, tuple[str, str, str]] = {
    "los-start": ("`los`: a line may start anywhere in the volume (Line of Sight & Targeting, p. 36)", _SAME,
        "`los`: it starts over the centre of the base (Line of Sight, Prime p. 33)"),
    "rule of intervening": ("`intervening-model`: whose base meets the corridor from base to base (p. 36)", _SAME,
        "`intervening`: whose base a line from the centre crosses (Intervening Models, Prime p. 33)"),
    "why_ignored": ("`los-elevation`: from above the lower are looked past, but within an inch of the target (p. 78)",
        "`los-elevation`: but larger bases than the viewer's within an inch (How Elevation Affects LOS)",
        "`elevation-los`: the viewer has to stand above the target too, and stealth hides nobody from being in the way "
        "(Elevation and LOS, Prime p. 33)"),
    "cards": ("`back-strike`: the knocked down keep their arcs (Knockdown, p. 61)", _SAME,
        "`knocked-down-facing`: all round is their front, so nothing comes from behind (Knockdown, Prime p. 49)"),
    "rule of back-strike": ("`back-strike`: behind the target at the moment of the blow (Back Strikes, p. 51)",
        "`back-strike`: and by the attacker itself, in its own activation, from its start (Back Strikes)",
        _MK2 + " (Back Strikes, Prime p. 48)"),
    "charge_clauses": ("`charge-declare`: enemies only; a penalty to speed forbids nothing (Charge, p. 31)",
        "`charge-legal`: a penalty to speed forbids it (Charge)",
        "`charge-legal/declare`: it forbids nothing (Q/A on half rate and charges)"),
    "charge-no-sight": (
        "`charge-legal`: who ends in reach and out of sight has failed (Charge, p. 31; Engaged & Engaging, p. 43)",
        "`charge-legal`: the melee range alone is asked for (Charge)", _MK2),
    "rule of charge": ("`charge-legal`: rough ground slows a charge (Charge Examples, p. 32)", _SAME,
        "`charge-legal/path`: who stands in rough ground is stopped at once (Q/A: charging from a forest)"),
    "is_charge_stopped_by": ("`charge-legal`, `slam-path`: rough ground slows (p. 32)", _SAME,
        "`charge-legal/path`, `slam-path`: touching rough ground stops it (Slam, Prime p. 41; Cavalry Charge)"),
    "rush_clauses": ("`slam-power-attack`: a penalty to speed forbids nothing (Slam, p. 45)",
        "`slam-path`: what forbids a charge forbids a slam (Slam)",
        "`slam-path`: a penalty to speed or movement forbids it (Slam, Prime p. 41)"),
    "rule of slam": ("`slam-path`: the knocked down may be slammed at (Slam, p. 45)", _SAME,
        "`slam-path`: nobody slams the knocked down, and touching ground that hinders ends it (Slam, Prime p. 41)"),
    "rule of power-attack": ("`head-butt`: warjacks and warbeasts, at enemies in sight (Power Attacks, p. 44)",
        "`power-attack-legal`: warbeasts, at friend or foe (Power Attacks)",
        "`power-attack-reach`: warjacks and warbeasts (Power Attacks, Prime p. 41; Q/A on warbeasts)"),
    "power_attackers": ("`head-butt`: warjacks and warbeasts (Power Attacks, p. 44)",
        "`power-attack-legal`: warbeasts (Power Attacks)",
        "`power-attack-reach`: warjacks and warbeasts (Power Attacks, Prime p. 41; Q/A on warbeasts)"),
    "may_head_butt_larger": ("`head-butt`: no larger base (Head-Butt, p. 45)", _SAME,
        "`power-attack-reach`: larger bases too, at 4 less (Head-butt, Prime p. 41)"),
    "terrain_shelter": ("`cover`: inside by the whole base, behind by an inch along the line (p. 56, 80)",
        "`cover`, `concealment`: inside by any part, behind by the nearest inch (Concealment and Cover; Forests)",
        _MK2),
    "cover-distance": ("`cover`: the inch is measured along the line (p. 56)",
        "`cover`: the inch is measured to the nearest point (Concealment and Cover)", _MK2),
    "rule of elevation-bonus": ("`elevation-bonus`: by agreed tiers, when the whole base is up (p. 78)",
        "`elevation-bonus`: an inch of height under the middle of the base (Elevated Target)",
        _MK2 + " (Elevated Target, Prime p. 177)"),
    "rise_mm": ("`melee-range-elevation`: across tiers from volume to volume (p. 78)",
        "`melee-range`: beyond an inch of height from base to base in space (Melee Range and Elevation)", _MK2),
    "free_line": ("`free-strike`, `target-legal`: by sight, which smaller bases do not hinder (p. 41, 44)", _SAME,
        "`melee-attack-reach`, `free-strike`: a line of its own that no base crosses; leaving sight is nothing "
        "(Q/A: attack another model in melee; Free Strikes, Prime p. 40)"),
    "rule of in-melee-penalty": (
        "`target-in-melee-bonus`: not from within that melee (Targeting a Model in Melee, p. 51)",
        _SAME,
        "`in-melee-penalty`: only spells from within that melee are spared (Prime p. 46; Offensive Spells, p. 55)"),
    "forest-sum": ("`los-forest`: each forest by itself (p. 80)",
        "`los-forest`: the depth in all forests in which the line begins or ends (Forests)", _MK2),
    "counts_as": ("`terrain-class`: obstacles to an inch tall (p. 81)",
        "`obstacle-kind`: an inch tall is an obstruction (Obstacles)",
        "`terrain-class`: a thin one of an inch is crossed whole (Obstacles & Obstructions, Prime p. 60)"),
    "how_blocks": ("`los-terrain-volume`: only obstructions close a line (p. 37)",
        "`los-wall`: whatever is tall enough does (Line of Sight)", _MK2),
    "ground_mm": ("`elevated`: as high as what it is wholly on (p. 78)",
        "`hill`: as high as the ground under its middle (Hills)", _MK2),
    "may_attack_friends": ("`slam-power-attack`: enemies only (p. 45)", "`charge-legal`, `slam-path`: friends too",
        _MK2),
    "turn_rows": ("`may-move`: nobody flees in this book",
        "`may-move`: who flees runs, and neither attacks nor casts (Fleeing)",
        _MK2 + " (Fleeing, Prime p. 58)"),
    "turn_traits": ("`may-move`: a run takes a Combat Action to forfeit (Run, p. 30)", _SAME,
        "`may-move`: who has no action left may still run (Running, Prime p. 35)"),
    "looking-down-needs": ("`los-elevation`: the screen has to be lower (p. 78)", _SAME,
        "`elevation-los`: viewer above target and screen (Elevation and LOS, Prime p. 33)"),
}  # fmt: skip


def row_of(name: str) -> str | None:
    """The row that explains a declaration; of two together, the first that is explained."""
    return next((part for part in name.split(" and ") if part in ROWS), None)
