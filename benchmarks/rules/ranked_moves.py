"""Moves and pursuits of ranked units: the referee against small steps worked from the book that share no code with it.

    python -m benchmarks.rules.ranked_moves [TABLES [FIRST]]

On each random table a unit moves in some steps, and on another one side wins a fight and pursues. Prints on how many
the small steps say something, and every disagreement. It is none that is wanted.
"""

import sys
import time

from tests.referee.editions.warhammer_9.movement.moves_by_hand import (
    move_by_hand,
    move_disagreement,
    pursuit_disagreement,
    random_steps,
    random_world,
)


def main(tables: int, first: int) -> None:
    begun, said, wrong = time.monotonic(), 0, 0
    for seed in range(first, first + tables):
        said += move_by_hand(random_world(seed, fight=False), *random_steps(seed)) is not None
        for kind, found in (("move", move_disagreement(seed)), ("pursuit", pursuit_disagreement(seed))):
            if found is not None:
                wrong += 1
                print(f"{kind}: {found}", flush=True)
    print(f"{tables} tables, {said} moves not within half a millimetre of a limit: {wrong} disagreements, "
          f"{time.monotonic() - begun:.0f} s")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
