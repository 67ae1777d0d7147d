"""House rules of ranked units."""

from models.house_rules.house_rule import HouseRule, declare_house_rule

RANKED_UNIT_HOUSE_RULES: tuple[HouseRule, ...] = (
    declare_house_rule(
        "twelve-inches", "scouts and vanguard at exactly 12", "too-near allowed", "- - - too-near", "W AMB-26"
    ),
    declare_house_rule(
        "charge-side-by", "which models count for the side", "centre whole-base area", "- - - centre", "W AMB-02"
    ),
    declare_house_rule(
        "one-inch-when",
        "the 1 in rule while turning",
        "swept-pivots-at-end end-only",
        "- - - swept-pivots-at-end",
        "W AMB-05a",
    ),
    declare_house_rule("one-inch-exact", "exactly an inch", "legal too-near", "- - - legal", "W AMB-05b"),
    declare_house_rule(
        "wheel-measure",
        "a wheel is measured at",
        "outer-corner outer-centre chord",
        "- - - outer-corner",
        "W AMB-06",
    ),
    declare_house_rule(
        "reform-partner", "who went where in a reform", "best-case by-place", "- - - best-case", "W AMB-07"
    ),
    declare_house_rule(
        "combat-reform-centre",
        "the centre of a combat reform",
        "closes-up kept any-place",
        "- - - closes-up",
        "W p. 49",
    ),
    declare_house_rule(
        "wheel-double-move", "twice M in a wheel", "every-model front-rank", "- - - every-model", "W AMB-08"
    ),
    declare_house_rule(
        "charge-line",
        "charge distance",
        "shortest-gap shortest-clear-line way-round",
        "- - - shortest-gap",
        "W AMB-09",
    ),
    declare_house_rule("swiftstride-move", "M that picks the dice", "current printed", "- - - current", "W AMB-10"),
    declare_house_rule(
        "failed-charge-way", "way of a failed charge", "straight free-path", "- - - straight", "W AMB-11"
    ),
    declare_house_rule(
        "multi-charge-search", "no way round the neighbour", "exhaustive obvious", "- - - exhaustive", "W AMB-12"
    ),
    declare_house_rule(
        "multi-charge-margin",
        "the margin of several charges on one side",
        "spare-frontage least-clause",
        "- - - spare-frontage",
        "W p. 21",
    ),
    declare_house_rule(
        "most-contact", "most models in contact, of", "both-sides own-side", "- - - both-sides", "W AMB-13a"
    ),
    declare_house_rule("across-gap", "who fights across a gap", "all untouched", "- - - all", "W p. 42"),
    declare_house_rule("corner-contact", "corner to corner", "counts ignored", "- - - counts", "W AMB-13b"),
    declare_house_rule(
        "dangerous-who", "who tests for dangerous ground", "own-path whole-unit", "- - - own-path", "W AMB-15"
    ),
    declare_house_rule(
        "pursuit-landing", "pursuit ending on the fled unit", "before behind push", "- - - before", "W AMB-16"
    ),
    declare_house_rule(
        "unengaged-side", "within 4 in of a free side", "in-arc-and-near near", "- - - in-arc-and-near", "W AMB-17"
    ),
    declare_house_rule(
        "second-rank-range", "range of the second rank", "own-base front-base", "- - - own-base", "W AMB-18"
    ),
    declare_house_rule(
        "volley-sight", "sight and arc in volley fire", "one-for-all each", "- - - one-for-all", "W AMB-19"
    ),
    declare_house_rule(
        "least-width",
        "least width where the book is silent",
        "3-monstrous-5-beasts 5 none",
        "- - - 3-monstrous-5-beasts",
        "W AMB-21",
    ),
    declare_house_rule(
        "cannon-risk", "chance to hit friends", "plain-bounce any-scatter", "- - - plain-bounce", "W AMB-23"
    ),
    declare_house_rule("stone-range", "stone thrower's range to", "hole any-part", "- - - hole", "W AMB-24a"),
    declare_house_rule(
        "stone-heading", "straight ahead of the machine", "within-45 exactly", "- - - within-45", "W AMB-24b"
    ),
    declare_house_rule("ball-width", "width of the cannon ball", "zero ball", "- - - zero", "W AMB-25"),
    declare_house_rule(
        "reserve-depth", "within twice M of the edge", "placement then-moves", "- - - placement", "W AMB-28"
    ),
    declare_house_rule(
        "ridden-monster", "a monster that is a character", "character-rides plain", "- - - character-rides", "W p. 72"
    ),
    declare_house_rule("second-move", "a move after an advance", "once in-parts", "- - - once", "W p. 23"),
    declare_house_rule(
        "reserve-within", "how much of each is within twice M", "wholly partly", "- - - wholly", "W p. 24"
    ),
    declare_house_rule(
        "rank-bonus-flank",
        "ranks when fighting to the flank",
        "real-ranks behind-fighters",
        "- - - real-ranks",
        "W AMB-29",
    ),
    declare_house_rule(
        "high-ground", "who is uphill", "majority-at-start any crest", "- - - majority-at-start", "W AMB-30"
    ),
    declare_house_rule(
        "defended-by",
        "an obstacle is defended when touched by",
        "any-front-model all-models",
        "- - - any-front-model",
        "W AMB-32",
    ),
    declare_house_rule(
        "fire-past-friend", "shooting past the engaged friend", "clear-line free", "- - - clear-line", "W AMB-33"
    ),
    declare_house_rule("special-geometry", "sniper, sentient, hidden", "normal none", "- - - normal", "W AMB-34"),
    declare_house_rule(
        "stand-shoot-move",
        "M of random or flying chargers",
        "charge-move ground-move",
        "- - - charge-move",
        "W AMB-35",
    ),
    declare_house_rule(
        "squeeze-width", "least width while squeezing", "suspended binding", "- - - suspended", "W AMB-36"
    ),
    declare_house_rule(
        "shot-measured-to",
        "which model of the target",
        "nearest-seen-in-arc nearest",
        "- - - nearest-seen-in-arc",
        "W AMB-37",
    ),
    declare_house_rule("garrison-edge", "radii near a garrison", "building marker", "- - - building", "W AMB-38"),
)
