"""Swiss system: standings with declared tie-breaks, and pairings by maximum-weight matching.

A pairing is the best of all that are possible, by these rules in order: as many games as can be; nobody meets the same
opponent, or has a bye, twice; no two of a team; opponents of points as near as can be, the bye to few points; what the
seed of the event says. No rule gives way to one behind it.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from pydantic import Field

from api.hall.errors import BadPairings
from api.hall.rounds import Opponent, Pairing, fold_name
from models.frozen import Frozen

Edge = tuple[int, int]
WIN, DRAW, LOSS = 1.0, 0.5, 0.0
BYE = WIN
_MOST_DIFFERENCE = 2 * 99  # in halves of a point, after all rounds there can be


class NewSwissPlayer(Opponent):
    """A player who enters."""

    team: str | None = Field(None, max_length=80, description="two of it are not paired where that can be avoided")
    is_here: bool = Field(False, description="checked in; once anybody is, only those who are here are paired")


class SwissPlayer(NewSwissPlayer):
    """A player of the event: from which round on, and after which no more; null: to the end."""

    joined: int = Field(1, ge=1, le=99)
    dropped: int | None = Field(None, ge=0, le=99, description="the last round that was played; 0: none")

    def plays_in(self, number: int) -> bool:
        return self.joined <= number and (self.dropped is None or number <= self.dropped)


class Standing(Frozen):
    """A player's place. Who has the same place is level by every tie-break."""

    place: int
    name: str
    points: float
    strength: float = Field(description="strength of schedule: the mean of the opponents' points a round")
    game_points: float
    wins: int
    draws: int
    losses: int
    byes: int
    has_dropped: bool


@dataclass
class Score:
    """What a player has so far; `beaten` are those who lost against them."""

    points: float = 0.0
    game_points: float = 0.0
    rounds: int = 0
    opponents: list[str] = field(default_factory=list)
    beaten: list[str] = field(default_factory=list)
    results: Counter[str] = field(default_factory=Counter)
    tables: Counter[int] = field(default_factory=Counter)

    def add(self, outcome: str, points: float, game_points: float) -> None:
        self.results[outcome] += 1
        self.points += points
        self.game_points += game_points
        self.rounds += 1


def score_players(pairings: Collection[Pairing]) -> dict[str, Score]:
    """By folded name. A game without a result says who met whom, and gives no points."""
    scores: dict[str, Score] = {}
    for pairing in pairings:
        a = scores.setdefault(fold_name(pairing.a.name), Score())
        if pairing.b is None:
            a.add("bye", BYE, 0.0)
            continue
        b = scores.setdefault(fold_name(pairing.b.name), Score())
        for mine, other in ((a, pairing.b), (b, pairing.a)):
            mine.opponents.append(fold_name(other.name))
            mine.tables[pairing.table or 0] += 1
        if pairing.result is not None:
            _add_result(pairing, a, b)
    return scores


def _add_result(pairing: Pairing, a: Score, b: Score) -> None:
    result = pairing.result
    assert result is not None
    assert pairing.b is not None
    if result.winner == "draw":
        a.add("draw", DRAW, result.points_a)
        b.add("draw", DRAW, result.points_b)
        return
    is_a = result.winner == "player-a"
    a.add("win" if is_a else "loss", WIN if is_a else LOSS, result.points_a)
    b.add("loss" if is_a else "win", LOSS if is_a else WIN, result.points_b)
    winner, loser = (a, pairing.b) if is_a else (b, pairing.a)
    winner.beaten.append(fold_name(loser.name))


def strength_of_schedule(name: str, scores: dict[str, Score]) -> float:
    """The mean of what the opponents have of the points that they could have; a bye is no opponent."""
    shares = [scores[other].points / max(scores[other].rounds, 1) for other in scores[name].opponents]
    return round(sum(shares) / len(shares), 6) if shares else 0.0


def head_to_head(name: str, scores: dict[str, Score]) -> float:
    """How many of those who are level by points and strength were beaten, where all of them have met."""
    strength = strength_of_schedule(name, scores)
    near = [other for other in scores if scores[other].points == scores[name].points]
    level = [other for other in near if strength_of_schedule(other, scores) == strength]
    have_met = all(b in scores[a].opponents for a, b in combinations(level, 2))
    return float(sum(other in level for other in scores[name].beaten)) if have_met else 0.0


TIE_BREAKS: tuple[tuple[str, Callable[[str, dict[str, Score]], float]], ...] = (
    ("points", lambda name, scores: scores[name].points),
    ("strength of schedule", strength_of_schedule),
    ("head to head", head_to_head),
    ("game points", lambda name, scores: scores[name].game_points),
)
"""What the standings go by, the first that differs decides."""


def rank_players(players: Sequence[SwissPlayer], pairings: Collection[Pairing]) -> tuple[Standing, ...]:
    """The standings, the first place first; level players by name, at the same place."""
    scores = score_players(pairings)
    for player in players:
        scores.setdefault(fold_name(player.name), Score())
    keys = {name: tuple(-rule(name, scores) for _, rule in TIE_BREAKS) for name in scores}
    ordered = sorted(players, key=lambda player: (keys[fold_name(player.name)], fold_name(player.name)))
    standings: list[Standing] = []
    for n, player in enumerate(ordered, 1):
        name = fold_name(player.name)
        is_level = bool(standings) and keys[name] == keys[fold_name(ordered[n - 2].name)]
        standings.append(_standing(standings[-1].place if is_level else n, player, name, scores))
    return tuple(standings)


def _standing(place: int, player: SwissPlayer, name: str, scores: dict[str, Score]) -> Standing:
    score = scores[name]
    return Standing(
        place=place,
        name=player.name,
        points=score.points,
        strength=strength_of_schedule(name, scores),
        game_points=score.game_points,
        wins=score.results["win"],
        draws=score.results["draw"],
        losses=score.results["loss"],
        byes=score.results["bye"],
        has_dropped=player.dropped is not None,
    )


def pair_round(
    players: Sequence[SwissPlayer], before: Collection[Pairing], *, number: int, tables: Sequence[int], seed: str
) -> tuple[Pairing, ...]:
    """The pairings of this round after those before it. Raises: BadPairings where too few players or tables are there.

    The same event and results give the same pairings.
    """
    present = sorted((p for p in players if p.plays_in(number)), key=lambda player: fold_name(player.name))
    if len(present) < 2:
        raise BadPairings(f"{len(present)} players are there for round {number}", field="players", value=len(present))
    if len(present) // 2 > len(tables):
        detail = f"{len(present)} players need {len(present) // 2} tables; the event has {len(tables)}"
        raise BadPairings(detail, field="table", value=len(tables))
    random.Random(f"{seed} {number}").shuffle(present)
    scores = score_players(before)
    for player in present:
        scores.setdefault(fold_name(player.name), Score())
    matched = match_maximum_weight(pair_weights(present, scores))
    games: list[tuple[int, int]] = []
    byes: list[tuple[int, int]] = []
    for i, j in matched:
        (byes if j == len(present) else games).append((i, j))
    seated = _seat(sorted(games, key=lambda game: _rank_of(game, present, scores)), present, scores, tables)
    pairings = [_pairing(number, present[i], present[j], table) for (i, j), table in seated]
    byes_last = [_pairing(number, present[i], None, None) for i, _ in byes]
    return (*sorted(pairings, key=lambda pairing: pairing.table or 0), *byes_last)


def match_maximum_weight(weights: Mapping[Edge, int]) -> set[Edge]:
    """The pairs (i, j), i < j, of a matching of the greatest sum. `weights`: of each pair that may be."""
    import networkx  # here, since it takes a while and a table pairs nobody

    graph = networkx.Graph()
    graph.add_weighted_edges_from((*edge, weight) for edge, weight in weights.items())
    return {(min(edge), max(edge)) for edge in networkx.max_weight_matching(graph)}


def pair_weights(present: Sequence[SwissPlayer], scores: dict[str, Score]) -> dict[tuple[int, int], int]:
    """Whole numbers that put the rules of the module in order; the last vertex is the bye, where the count is odd."""
    count = len(present)
    half = (count + 1) // 2
    near = half * count * count + 1  # more than all that the seed says together
    team = near * half * _MOST_DIFFERENCE**2 + near
    again = team * (half + 1)
    most = again * 100 * half
    weights: dict[tuple[int, int], int] = {}
    for i, j in combinations(range(count), 2):
        a, b = (fold_name(present[k].name) for k in (i, j))
        cost = again * (scores[a].opponents.count(b)) + near * _halves_apart(scores[a].points, scores[b].points)
        cost += team * (present[i].team is not None and present[i].team == present[j].team)
        weights[i, j] = most * (half + 1) - cost - abs(i - j)
    for i in range(count if count % 2 else 0):
        score = scores[fold_name(present[i].name)]
        cost = again * score.results["bye"] + near * _halves_apart(score.points, 0.0)
        weights[i, count] = most * (half + 1) - cost - i
    return weights


def _halves_apart(a: float, b: float) -> int:
    return min(round(2 * abs(a - b)), _MOST_DIFFERENCE) ** 2


def _rank_of(game: tuple[int, int], present: Sequence[SwissPlayer], scores: dict[str, Score]) -> tuple[float, int, int]:
    points = max(scores[fold_name(present[k].name)].points for k in game)
    return -points, *game


def _seat(
    games: Sequence[tuple[int, int]],
    present: Sequence[SwissPlayer],
    scores: dict[str, Score],
    tables: Sequence[int],
) -> list[tuple[tuple[int, int], int]]:
    """A table for each game: none that one of the two has had, where there is another; then the best at the first."""
    count, places = len(games), sorted(tables)
    far = len(places) + 1
    weights: dict[tuple[int, int], int] = {}
    for n, game in enumerate(games):
        for k, table in enumerate(places):
            times = sum(scores[fold_name(present[i].name)].tables[table] for i in game)
            weights[n, count + k] = 10_000 * far * far * count - times * far * far * count - abs(n - k)
    matched = match_maximum_weight(weights)
    return [(games[n], places[k - count]) for n, k in sorted(matched)]


def _pairing(number: int, a: SwissPlayer, b: SwissPlayer | None, table: int | None) -> Pairing:
    opponents = [Opponent(name=p.name, army=p.army, list_file=p.list_file) for p in (a, b) if p is not None]
    return Pairing(round=number, table=table, a=opponents[0], b=opponents[1] if b is not None else None)


def rounds_needed(players: int) -> int:
    """After so many rounds at most one player has won every game."""
    return max(1, math.ceil(math.log2(max(players, 2))))
