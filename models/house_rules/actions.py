"""House rules of actions: moves, charges, throws, templates, order, and measuring itself."""

from models.house_rules.house_rule import HouseRule, declare_house_rule

ACTION_HOUSE_RULES: tuple[HouseRule, ...] = (
    declare_house_rule(
        "odd-base-size",
        "a base of no size of the book counts as",
        "nearest smaller larger",
        "nearest nearest nearest -",
        "P base.size",
    ),
    declare_house_rule(
        "move-measure",
        "length of a move with turns",
        "centre-path front-mark",
        "centre-path centre-path - -",
        "P move.measure · H A31",
    ),
    declare_house_rule("move-slope", "moving up and down hills", "plan surface", "plan - - -", "P move.slope"),
    declare_house_rule(
        "toward-from",
        "toward and away judged at",
        "edges centres closest-points",
        "edges - - centres",
        "P within.toward · W AMB-14",
    ),
    declare_house_rule("three-inches", "three inches in rough ground", "covered spent", "- covered - -", "H A20"),
    declare_house_rule(
        "charge-no-sight",
        "in reach without sight at the end",
        "failed neither",
        "failed - - -",
        "P charge.gap-state",
    ),
    declare_house_rule(
        "graze",
        "touching a base in passing",
        "contact passes contact-but-slams-pass",
        "contact contact-but-slams-pass - -",
        "P charge.graze · H A21",
    ),
    declare_house_rule("charge-rough", "charge reaching rough ground", "stops half-rate", "- - stops -", "M A18"),
    declare_house_rule("charge-end-facing", "facing after a charge", "target as-moved", "- - target -", "M A19"),
    declare_house_rule("charge-stop-short", "stopping before reach on purpose", "no yes", "- - no -", "M A20"),
    declare_house_rule(
        "charge-order", "charge order judged for", "each-trooper whole-unit", "- - each-trooper -", "M A41"
    ),
    declare_house_rule(
        "slam-low-wall",
        "slammer touches a wall within half an inch",
        "ends-activation success",
        "- - ends-activation -",
        "M A21",
    ),
    declare_house_rule("trample-large", "trampling into a larger base", "stops illegal", "- - stops -", "M A28"),
    declare_house_rule(
        "throw-measure",
        "throw distance from and to",
        "centre-travel edge-to-centre edge-to-edge",
        "centre-travel edge-to-centre edge-to-centre -",
        "P throw.distance · H A08 · M A22",
    ),
    declare_house_rule(
        "throw-heading",
        "what counts as away",
        "never-nearer always-farther straight",
        "- never-nearer never-nearer -",
        "H A32 · M A24",
    ),
    declare_house_rule(
        "throw-axis",
        "direction 1 of a missed throw",
        "from-thrown from-thrower",
        "from-thrown - - -",
        "P throw.axis",
    ),
    declare_house_rule(
        "throw-cap",
        "cap on a throw's deviation",
        "half-separation half-throw none",
        "- half-separation none -",
        "H A09b · M A23",
    ),
    declare_house_rule(
        "two-hands-too-far", "double-hand throw beyond its distance", "deviates exact", "- deviates - -", "H A09a"
    ),
    declare_house_rule(
        "edge-stop",
        "involuntary move at the table edge",
        "base-edge centre",
        "base-edge - base-edge -",
        "P edge.stop · M A27",
    ),
    declare_house_rule(
        "fall-trigger",
        "when a base is off a ledge",
        "centre overhang-one-inch wholly",
        "centre - - -",
        "P fall.trigger",
    ),
    declare_house_rule(
        "ground-depth",
        "inch of ground under a base",
        "square-to-edge along-move area",
        "- square-to-edge square-to-edge -",
        "H A16 · M A26",
    ),
    declare_house_rule("hill-falls", "falling off hills", "sheer-only never always", "- sheer-only - -", "H A22"),
    declare_house_rule(
        "displaced",
        "where models in the way go",
        "fewest-then-least least-by-controller free",
        "fewest-then-least - least-by-controller -",
        "P disturb.metric · M A25",
    ),
    declare_house_rule(
        "free-strike-again", "leaving, returning, leaving", "each-time once", "- - each-time -", "M A13"
    ),
    declare_house_rule("free-strike-shielded", "last spot in reach is shielded", "none strike", "- - none -", "M A14"),
    declare_house_rule(
        "entering-again", "entering twice in one move", "each-time once-per-advance", "- - each-time -", "M A39"
    ),
    declare_house_rule("regroup-run", "out of formation: also run directly", "yes no", "- yes - -", "H A11"),
    declare_house_rule("flee-toward", "no move toward any enemy", "every-step whole-path", "- every-step - -", "H A12"),
    declare_house_rule("flee-threat", "the nearest threat", "able-enemy any-enemy", "- - able-enemy -", "M A36"),
    declare_house_rule(
        "flee-priority",
        "away from the threat or toward the edge",
        "threat-first edge-first",
        "- - threat-first -",
        "M A37",
    ),
    declare_house_rule(
        "deviation-sense",
        "order of directions 2 to 6",
        "clockwise anticlockwise",
        "clockwise clockwise clockwise -",
        "P dev.numbering · H A17",
    ),
    declare_house_rule(
        "deviation-cap", "distance that is halved", "edges centres", "edges edges edges -", "P dev.cap · H A24a"
    ),
    declare_house_rule(
        "deviation-far-point",
        "range point of a shot too far",
        "edge centre",
        "edge edge edge -",
        "P dev.oor-point · H A24b",
    ),
    declare_house_rule(
        "template-outline",
        "outline of spray or flame",
        "calibrated trapezoid teardrop",
        "calibrated calibrated calibrated teardrop",
        "P spray.shape · H A18 · W AMB-22",
    ),
    declare_house_rule(
        "spray-axis",
        "how the spray is laid",
        "nearest-point-through-centre free",
        "nearest-point-through-centre - - -",
        "P spray.axis",
    ),
    declare_house_rule(
        "one-inch-tall",
        "feature exactly an inch tall",
        "obstacle obstruction",
        "obstacle obstruction - -",
        "P terrain.one-inch · H A10a",
    ),
    declare_house_rule(
        "one-inch-thick", "obstacle exactly an inch thick", "climbable linear", "- climbable - -", "H A10b"
    ),
    declare_house_rule(
        "structure-point", "range and sight to a structure", "section any-part", "- section - -", "H A28"
    ),
    declare_house_rule(
        "missing-text",
        "what the book does not hold",
        "ask borrow-hordes-mk2",
        "- - borrow-hordes-mk2 ask",
        "M A42 · W AMB-31",
    ),
    declare_house_rule("text-layers", "older against newer entries", "newer older", "- - newer -", "M A1"),
    declare_house_rule("nearest-tie", "nearly equal distances", "within-sigma exact", "- within-sigma - -", "H A25"),
    declare_house_rule(
        "order-ties", "order of dice bands and contacts", "nearest-first as-chosen", "- - nearest-first -", "M A40"
    ),
    declare_house_rule("frenzy-sight", "must models in reach be seen", "yes no", "- yes - -", "H A26a"),
    declare_house_rule("frenzy-closest", "step 2: closest among", "engaging all", "- engaging - -", "H A26b"),
    declare_house_rule(
        "terror-sight", "terror without sight or reach", "reach-only sight-too", "- reach-only - -", "H A27"
    ),
    declare_house_rule("measure-policy", "measuring without a licence", "refuse allow", "- refuse refuse -", "H A23a"),
    declare_house_rule(
        "measure-beyond",
        "control area: models outside",
        "outside-only exact",
        "- outside-only outside-only -",
        "M A34",
    ),
    declare_house_rule("unit-spacing", "skirmish and open distances", "told three-and-one", "- - told -", "M A29"),
    declare_house_rule(
        "leaderless-group",
        "coherent group without a leader",
        "skirmish-spacing formation-in-use",
        "- - skirmish-spacing -",
        "M A30",
    ),
    declare_house_rule("rank-misfit", "one badly placed model", "only-it whole-unit", "- - only-it -", "M A32"),
    declare_house_rule(
        "unit-in-range", "how much of a unit must be in range", "one all leader", "- - one one", "M A35 · W AMB-27"
    ),
    declare_house_rule(
        "deploy-advance", "up to 6 in beyond", "completely front-edge", "completely - - -", "P deploy.advance"
    ),
    declare_house_rule(
        "deploy-corner", "within 10 in of a corner", "quarter-disc square", "quarter-disc - - -", "P deploy.corner"
    ),
    declare_house_rule("flag-distance", "4 in from a flag", "edge centre", "edge - - -", "P flag.distance"),
)
