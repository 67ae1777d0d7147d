"""House rules of sight: arcs, cover, heights, and what stands where."""

from models.house_rules.house_rule import HouseRule, declare_house_rule

SIGHT_HOUSE_RULES: tuple[HouseRule, ...] = (
    declare_house_rule(
        "arc-line-touch",
        "base just touching the arc line",
        "front back",
        "front front front -",
        "P arc.boundary · H A19b · M A16",
    ),
    declare_house_rule(
        "arc-line-at", "where the arc line runs", "centre marks-else-centre", "- marks-else-centre - -", "H A29"
    ),
    declare_house_rule(
        "arc-corners",
        "corners a unit's quadrants start from",
        "formation miniature last-rank",
        "- - - formation",
        "W AMB-01",
    ),
    declare_house_rule(
        "los-start", "where on the viewer a line may start", "anywhere front-half", "anywhere - - -", "P los.start"
    ),
    declare_house_rule(
        "los-touch",
        "line grazing a base, cloud or wall top",
        "blocked clear",
        "blocked blocked clear -",
        "P los.touch · H A19a · M A4",
    ),
    declare_house_rule(
        "los-wall", "low walls and bodies", "lines height-table", "lines lines - -", "P los.wall-model · H A03"
    ),
    declare_house_rule(
        "eyeless-stealth",
        "Stealth in the way of Eyeless Sight",
        "looked-past intervenes",
        "looked-past looked-past - -",
        "P p. 17 · H Advantages",
    ),
    declare_house_rule("los-check", "may sight be checked freely", "free licensed", "- free - -", "H A23b"),
    declare_house_rule(
        "seen-body",
        "what of the target must be seen",
        "base base-then-body outline declared-body",
        "- - base base-then-body",
        "M A3 · W AMB-03",
    ),
    declare_house_rule(
        "head-height", "height of the viewer's eyes", "declared by-base by-sculpt", "- - declared -", "M A2"
    ),
    declare_house_rule("blockers-together", "several blockers", "union each-alone", "- - union -", "M A5"),
    declare_house_rule(
        "sight-cone",
        "does a model beside the part outside the front arc intervene",
        "clipped whole",
        "- - clipped -",
        "M A6",
    ),
    declare_house_rule(
        "screen-hidden-by",
        "what can hide a screen from the attacker",
        "terrain everything",
        "- - terrain -",
        "M A7",
    ),
    declare_house_rule(
        "screen-from-above",
        "which low models still screen",
        "all-conditions base-and-distance",
        "- - all-conditions -",
        "M A9",
    ),
    declare_house_rule(
        "forest-sum",
        "forest depth over several forests",
        "each-forest forests-with-an-end whole-line",
        "each-forest forests-with-an-end - -",
        "P los.forest-scope · H A13b",
    ),
    declare_house_rule(
        "forest-ends",
        "inside or outside: the line's end or the model",
        "point miniature",
        "point point - -",
        "P los.forest-outside · H A13a",
    ),
    declare_house_rule(
        "forest-height",
        "looking over a forest",
        "unlimited declared",
        "unlimited unlimited - -",
        "P los.forest-height · H A13c",
    ),
    declare_house_rule("forest-exact", "exactly the depth limit", "clear blocked", "- - - clear", "W AMB-20a"),
    declare_house_rule(
        "cloud-height",
        "looking over a cloud",
        "unlimited declared",
        "unlimited unlimited - -",
        "P los.cloud-height · H A14b",
    ),
    declare_house_rule("cloud-as-terrain", "do clouds count as terrain for sprays", "no yes", "- no - -", "H A14a"),
    declare_house_rule(
        "cloud-inside", "concealment in a cloud", "completely any-part", "completely - - -", "P cloud.inside"
    ),
    declare_house_rule(
        "majority-inside",
        "when one model of a majority is in the wood",
        "more-than-half centre wholly any-part",
        "- - - more-than-half",
        "W AMB-20b",
    ),
    declare_house_rule(
        "equal-height", "low blocker between two equally high", "blocks ignored", "blocks - - -", "P elev.equal"
    ),
    declare_house_rule(
        "lower-than-whom",
        "looking down, blockers lower than",
        "viewer target",
        "viewer - - -",
        "P elev.lower-than",
    ),
    declare_house_rule(
        "looking-down-needs",
        "who must be lower to be looked past",
        "screen screen-and-target",
        "- screen - -",
        "H A33",
    ),
    declare_house_rule(
        "near-target",
        "within an inch of the target from above",
        "anywhere along-line",
        "anywhere - - -",
        "P elev.one-inch",
    ),
    declare_house_rule(
        "elevation-threshold",
        "height difference that counts",
        "one-inch over-one-inch any levels",
        "- one-inch one-inch -",
        "H A01 · M A8a",
    ),
    declare_house_rule(
        "straddler-height",
        "height of a base on two levels",
        "centre highest lowest",
        "- centre centre -",
        "H A02 · M A8b",
    ),
    declare_house_rule(
        "range-elevation", "distances across levels", "plan space", "plan plan - -", "P range.elevation · H A06"
    ),
    declare_house_rule(
        "melee-elevation",
        "melee range across levels",
        "bases-in-space plan volumes",
        "- bases-in-space - -",
        "H A07",
    ),
    declare_house_rule(
        "engage-elevation", "volumes for engaging too", "both attacks", "both - - -", "P engage.elevation"
    ),
    declare_house_rule(
        "melee-shape",
        "shape of the melee range",
        "front-part ring-and-arc ring",
        "front-part - front-part -",
        "P melee.arc-clip · M A10",
    ),
    declare_house_rule(
        "melee-line-start", "where the melee line may start", "front-half anywhere", "- - front-half -", "M A12"
    ),
    declare_house_rule(
        "engage-line",
        "what engaging needs beside reach",
        "free-of-terrain nothing sight",
        "- - free-of-terrain -",
        "M A11",
    ),
    declare_house_rule(
        "obscured",
        "when a target is obscured",
        "some-line hidden-part half-base half-body",
        "some-line some-line - half-base",
        "P melee.obscured · H A04a · W AMB-04",
    ),
    declare_house_rule(
        "obscured-part",
        "base or volume for cover and concealment",
        "base-and-volume base volume",
        "- base-and-volume - -",
        "H A04b",
    ),
    declare_house_rule(
        "cover-distance",
        "how the inch to cover is measured",
        "along-line nearest",
        "along-line nearest - -",
        "P cover.distance · H A05",
    ),
    declare_house_rule(
        "cover-from-behind",
        "attacker in the wood, target just outside",
        "none bonus",
        "none - - -",
        "P cover.forest-behind",
    ),
    declare_house_rule(
        "cover-by-helper", "cover from a helper out of range", "counts ignored", "- - counts -", "M A33"
    ),
    declare_house_rule(
        "redirect-blockers",
        "terrain that shields from a redirected shot",
        "all-terrain solids",
        "- all-terrain - -",
        "H A15a",
    ),
    declare_house_rule(
        "redirect-range",
        "second target out of range or behind",
        "may-be-drawn-and-misses may-be-drawn not-drawn",
        "- may-be-drawn-and-misses may-be-drawn -",
        "H A15b · M A38",
    ),
    declare_house_rule(
        "back-strike-since", "whose start counts for a trooper", "unit miniature", "- unit - -", "H A30"
    ),
    declare_house_rule(
        "back-strike-channel", "whose base for a channelled spell", "caster channeler", "- - caster -", "M A15"
    ),
    declare_house_rule(
        "shield-wall-needs",
        "who must stand beside",
        "legal-rank neighbours-both neighbour-one",
        "neighbour-one neighbour-one legal-rank -",
        "M A17",
    ),
    declare_house_rule("rank-contact-in", "gap that still counts as touching in a rank", "", "- - 0.10 -", "M A31a"),
    declare_house_rule("rank-facing-deg", "same facing in a rank", "", "- - 10 -", "M A31b"),
    declare_house_rule(
        "area-touch",
        "base tangent to a template, zone or trench",
        "covered not-covered",
        "covered covered covered not-covered",
        "P aoe.touch trench.touch",
    ),
    declare_house_rule(
        "trench-joined",
        "base across two touching trenches",
        "joined one-must-hold-it",
        "joined - - -",
        "P trench.union",
    ),
)
