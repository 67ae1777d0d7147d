"""The games that are played: one for each thing that goes wrong when a table is followed."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from benchmarks.tracking.games.camera import Eye
from benchmarks.tracking.games.hand import Hand
from benchmarks.tracking.games.miniature import Piece
from benchmarks.tracking.games.script import GRIP_MM, LIFT_MM, Game

TABLE_MM = (1219.2, 914.4)
_EYE = Eye((1920, 1080), 1400.0, (640.0, 505.0, 1560.0))
_CALM_S, _SETTLES_S = 1.6, 1.4


def _pieces(seed: int) -> list[Piece]:
    """Two small armies, everyone of another look, well apart."""
    random = np.random.default_rng([seed, 5])
    sizes = (30, 30, 30, 40, 30, 50, 30, 40, 30, 30, 50, 30)
    markings = ("front-half", "none", "ticks+dot")
    places = [(x, y) for y in (180, 420, 680) for x in (160, 420, 700, 980)]
    found = []
    for k, (size, (x, y)) in enumerate(zip(sizes, places, strict=True)):
        at = (x + random.uniform(-50, 50), y + random.uniform(-60, 60))
        found.append(
            Piece(
                f"p{k}", size, 100 * seed + k // 4, 1000 * seed + k, markings[k % 3], at, float(random.uniform(0, 360))
            )
        )
    return found


def _game(name: str, says: str, seed: int, pieces: list[Piece]) -> Game:
    return Game(name, says, seed, _EYE, tuple(pieces), TABLE_MM)


def _near(x: float = 600.0) -> Hand:
    return Hand((x, -520.0))


def _far(x: float = 600.0) -> Hand:
    return Hand((x, 1440.0), skin=(70.0, 95.0, 150.0), sleeve=(40.0, 40.0, 120.0))


def _with_settling_time(game: Game) -> Game:
    game.lasts_s += _SETTLES_S
    return game


def _twins(seed: int, *places: tuple[float, float], kept_clear: tuple[tuple[float, float], ...] = ()) -> list[Piece]:
    """Of the others, those that stand clear; and the same plastic as often as there are places."""
    clear_of = (*places, *kept_clear)
    clear = [one for one in _pieces(seed) if all(np.hypot(*np.subtract(one.at_mm, at)) > 90 for at in clear_of)]
    twin = Piece("t0", 30, 9000 + seed, 9100 + seed, "front-half", places[0], 90.0)
    return clear + [replace(twin, id=f"t{k}", at_mm=at) for k, at in enumerate(places)]


def plain_moves(seed: int) -> Game:
    """One after the other, as most of a game is."""
    game = _game("moves", "three moves, a turn on the spot, a hand that changes nothing", seed, _pieces(seed))
    t = _CALM_S
    for id_, to in (("p1", (560, 330)), ("p6", (860, 560)), ("p11", (860, 760))):
        way, _ = game.carry(id_, t + 0.55, to, turn_deg=35)
        left = game.reach(_near(to[0]), way)
        game.record_happening("moved", id_, at_s=left, to_mm=to)
        t = game.lasts_s + 1.2
    x, y, *_ = game.where["p5"].values[-1]
    way, _ = game.carry("p5", t + 0.55, (x, y), turn_deg=75, up=0.0)
    game.record_happening("turned", "p5", at_s=game.reach(_far(x), way))
    t = game.lasts_s + 1.2
    game.reach(_near(500), [(t + 0.55, 520, 480, 70), (t + 1.2, 540, 520, 60)])
    return _with_settling_time(game)


def two_hands(seed: int) -> Game:
    game = _game("two hands", "both players move something at once", seed, _pieces(seed))
    t = _CALM_S + 0.55
    first, _ = game.carry("p2", t, (620, 300), turn_deg=20)
    second, _ = game.carry("p9", t + 0.15, (560, 600), turn_deg=-30, takes_s=1.1)
    left = max(game.reach(_near(700), first), game.reach(_far(420), second))
    game.record_happening("moved", "p2", at_s=left, to_mm=(620, 300))
    game.record_happening("moved", "p9", at_s=left, to_mm=(560, 600))
    return _with_settling_time(game)


def swapped_twins(seed: int) -> Game:
    """Nobody can say who is who afterwards; saying so is what is asked for."""
    a, b = (560.0, 450.0), (605.0, 452.0)
    game = _game("swap", "two look-alikes change places under one hand", seed, _twins(seed, a, b))
    t = _CALM_S + 0.55
    _, end = game.carry("t0", t, (a[0] + 52, a[1] - 8), takes_s=0.35, up=12)
    game.carry("t1", t, (b[0] - 51, b[1] + 6), takes_s=0.35, up=12)
    left = game.reach(_near(580), [(t, 580, 480, GRIP_MM), (end, 583, 480, GRIP_MM), (end + 0.3, 580, 482, GRIP_MM)])
    for id_, to in (("t0", (a[0] + 52, a[1] - 8)), ("t1", (b[0] - 51, b[1] + 6))):
        game.record_happening("moved", id_, at_s=left, to_mm=to, may_be_unsure=True)
    return _with_settling_time(game)


def tray(seed: int) -> Game:
    places = [(420.0 + 34 * (k % 3), 400.0 + 34 * (k // 3)) for k in range(6)]
    game = _game(
        "tray",
        "a unit of six look-alikes is moved on its tray",
        seed,
        _twins(seed, *places, kept_clear=((690.0, 477.0), (655.0, 470.0), (725.0, 480.0))),
    )
    t, turn, shift = _CALM_S + 0.55, np.radians(18.0), np.array([235.0, 60.0])
    middle = np.mean(places, axis=0)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    for k, at in enumerate(places):
        x, y = (matrix @ (np.array(at) - middle) + middle + shift).tolist()
        game.carry(f"t{k}", t, (x, y), turn_deg=18.0, takes_s=1.4, up=0.0)
    x, y = middle.tolist()
    left = game.reach(_near(x), [(t, x, y - 50, 10), (t + 1.4, x + shift[0], y + shift[1] - 50, 10)])
    for k in range(6):
        to = game.where[f"t{k}"].values[-1][:2]
        game.record_happening("moved", f"t{k}", at_s=left, to_mm=(to[0], to[1]))
    return _with_settling_time(game)


def lamps(seed: int) -> Game:
    """The light changes and nothing else; then something is moved in another light."""
    game = _game(
        "lamps", "dimmed, raised until white clips, switched off and on, another colour; flicker", seed, _pieces(seed)
    )
    game.flicker = 0.03
    t = _CALM_S
    lights = (
        (0.72, 0.72, 0.7, 0.1),
        (1.3, 1.3, 1.32, 0.0),
        (1, 1, 1, 0),
        (0.3, 0.34, 0.4, 0.25),
        (1, 1, 1, 0),
        (0.8, 0.9, 1.05, 0.2),
    )
    for k, light in enumerate(lights):
        sudden = 0.07 if k in (3, 4) else 0.5
        game.light.add(t, *game.light.values[-1])
        game.light.add(t + sudden, *light)
        t += sudden + 1.3
    way, _ = game.carry("p4", t + 0.55, (330, 560))
    game.record_happening("moved", "p4", at_s=game.reach(_near(330), way), to_mm=(330, 560))
    return _with_settling_time(game)


def bump(seed: int) -> Game:
    game = _game("bump", "the camera is bumped; then something is moved", seed, _pieces(seed))
    game.bump_s = _CALM_S
    game.bumped = replace(_EYE, tilt_rad=(0.0385, -0.0225), turn_rad=0.017)
    game.record_happening("camera-moved", at_s=_CALM_S)
    way, _ = game.carry("p7", _CALM_S + 2.2, (880, 330))
    game.record_happening("moved", "p7", at_s=game.reach(_near(900), way), to_mm=(880, 330))
    return _with_settling_time(game)


def sleeve(seed: int) -> Game:
    game = _game(
        "sleeve", "a sleeve rests on the table for five seconds, over a base; then a move", seed, _pieces(seed)
    )
    x, y = game.where["p3"].values[-1][:2]
    t = _CALM_S + 0.55
    game.reach(Hand((x + 260, -420.0)), [(t, x, y + 30, 0), (t + 5, x, y + 30, 0)], flat=True)
    t = game.lasts_s + 1.2
    way, _ = game.carry("p8", t + 0.55, (250, 540))
    game.record_happening("moved", "p8", at_s=game.reach(_near(260), way), to_mm=(250, 540))
    return _with_settling_time(game)


def push(seed: int) -> Game:
    game = _game("push", "a base is pushed with a finger and never lifted", seed, _pieces(seed))
    t = _CALM_S + 0.55
    x, y, *_ = game.where["p5"].values[-1]
    _, end = game.carry("p5", t, (x + 40, y + 62), takes_s=0.9, up=0.0)
    left = game.reach(_near(x - 60), [(t, x - 18, y - 26, 0), (end, x + 22, y + 36, 0), (end + 0.1, x + 15, y + 20, 0)])
    game.record_happening("moved", "p5", at_s=left, to_mm=(x + 40, y + 62))
    return _with_settling_time(game)


def one_removed(seed: int) -> Game:
    """Of two look-alikes one leaves and the other moves, under one hand: who is left cannot be seen."""
    a, b = (560.0, 450.0), (600.0, 452.0)
    game = _game(
        "one removed",
        "of two look-alikes one is taken away while the other moves",
        seed,
        _twins(seed, a, b, kept_clear=((520, 430),)),
    )
    t = _CALM_S + 0.55
    _, end = game.carry("t0", t, (520.0, 430.0), takes_s=0.3, up=10)
    hand = _near(580)
    off, _ = game.take_off("t1", end, hand)
    left = game.reach(hand, [(t, 575, 462, GRIP_MM), (end, 560, 455, GRIP_MM), *off[1:]])
    game.record_happening("moved", "t0", at_s=left, to_mm=(520.0, 430.0), may_be_unsure=True)
    game.record_happening("removed", "t1", at_s=left, may_be_unsure=True)
    return _with_settling_time(game)


def one_by_one(seed: int) -> Game:
    """Look-alikes are moved one after the other; the hand stays over the table, but is seen to do it."""
    a, b = (380.0, 440.0), (560.0, 560.0)
    game = _game(
        "one by one",
        "two look-alikes are moved in turn; the hand never leaves the table",
        seed,
        _twins(seed, a, b, kept_clear=((480, 330), (800, 570))),
    )
    t = _CALM_S + 0.55
    first, end = game.carry("t0", t, (480.0, 330.0), takes_s=0.7)
    second, _ = game.carry("t1", end + 1.1, (800.0, 570.0), takes_s=0.7)
    left = game.reach(_near(500), [*first, (end + 0.4, 560, 420, 70), *second])
    game.record_happening("moved", "t0", at_s=left, to_mm=(480.0, 330.0))
    game.record_happening("moved", "t1", at_s=left, to_mm=(800.0, 570.0))
    return _with_settling_time(game)


def returns(seed: int) -> Game:
    game = _game("return", "taken off the table, and put back elsewhere later", seed, _pieces(seed))
    hand, t = _near(420), _CALM_S + 0.55
    way, _ = game.take_off("p1", t, hand)
    game.record_happening("removed", "p1", at_s=game.reach(hand, way), to_mm=None)
    t = game.lasts_s + 1.5
    track, (x, y) = game.where["p1"], (610.0, 420.0)
    out = game._outside(hand, (x, y))
    track.add(t, *out, 10.0, 0.0, 0.0)
    track.add(t + 0.01, *out, 10.0, 40.0, 1.0)
    track.add(t + 0.7, x, y, 10.0, 40.0, 1.0)
    track.add(t + 0.9, x, y, 10.0, 0.0, 1.0)
    left = game.reach(hand, [(t + 0.7, x, y, GRIP_MM + 40), (t + 0.9, x, y, GRIP_MM)])
    game.record_happening("appeared", "p1", at_s=left, to_mm=(x, y))
    return _with_settling_time(game)


def put_back(seed: int) -> Game:
    game = _game(
        "put back", "lifted, held, and put back where it stood; another beside it is not touched", seed, _pieces(seed)
    )
    t = _CALM_S + 0.55
    x, y, *_ = game.where["p6"].values[-1]
    up, _ = game.carry("p6", t, (x + 90, y - 70), takes_s=0.6)
    track = game.where["p6"]
    track.times.pop(), track.values.pop()
    track.add(t + 1.6, x + 90, y - 70, track.values[-1][2], LIFT_MM, 1)
    track.add(t + 2.2, x, y, track.values[-1][2], LIFT_MM, 1)
    track.add(t + 2.4, x, y, track.values[-1][2], 0, 1)
    game.lifts[-1] = ("p6", t, t + 2.4)
    held = (t + 1.6, x + 90, y - 70, GRIP_MM + LIFT_MM)
    game.reach(_near(x), [*up[:3], held, (t + 2.2, x, y, GRIP_MM + LIFT_MM), (t + 2.4, x, y, GRIP_MM)])
    return _with_settling_time(game)


def shadows(seed: int) -> Game:
    game = _game("shadows", "somebody leans before the window and away again; then a move", seed, _pieces(seed))
    game.shade.add(0.0, -700.0, 500.0, 0.38)
    game.shade.add(_CALM_S, -700.0, 500.0, 0.38)
    game.shade.add(_CALM_S + 1.2, 350.0, 500.0, 0.38)
    game.shade.add(_CALM_S + 3.4, 350.0, 500.0, 0.38)
    way, _ = game.carry("p6", _CALM_S + 4.6, (800, 330))
    left = game.reach(_near(800), way)
    game.record_happening("moved", "p6", at_s=left, to_mm=(800, 330))
    t = game.lasts_s + 1.0
    game.shade.add(t, 350.0, 500.0, 0.38)
    game.shade.add(t + 1.2, 2000.0, 500.0, 0.38)
    game.lasts_s = t + 1.2
    return _with_settling_time(game)


GAMES: dict[str, Callable[[int], Game]] = {
    "moves": plain_moves, "two-hands": two_hands, "swap": swapped_twins, "tray": tray, "lamps": lamps, "bump": bump,
    "sleeve": sleeve, "push": push, "one-removed": one_removed, "one-by-one": one_by_one, "return": returns,
    "shadows": shadows, "put-back": put_back,
}  # fmt: skip
