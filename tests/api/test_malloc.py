"""What a process gives back of its memory."""

from pathlib import Path

from api.malloc import HeapTrimmer

PIECES, PIECE_BYTES = 40_000, 600  # small enough to come from the heap, and not from Python's own pools


def test_what_is_free_between_what_stays_goes_back_to_the_system() -> None:
    pieces = [bytes(PIECE_BYTES) for _ in range(PIECES)]
    kept = pieces[::50]
    full_mb = resident_mb()
    del pieces
    HeapTrimmer(every_s=0.0)()

    assert full_mb - resident_mb() > 0.5 * PIECES * PIECE_BYTES / 1e6
    assert len(kept) == PIECES // 50


def test_it_is_not_given_back_all_the_time() -> None:
    now_s = [0.0]
    give_back = HeapTrimmer(every_s=30.0, clock=lambda: now_s[0])
    trims: list[int] = []
    give_back._trim = lambda size: trims.append(size) or 1  # type: ignore[func-returns-value]
    for now_s[0] in (1.0, 29.0, 31.0, 40.0, 62.0):
        give_back()

    assert len(trims) == 2


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6
