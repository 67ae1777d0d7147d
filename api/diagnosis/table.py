"""Table checks: cameras on cables, saved lenses and how old they are, a folder of games."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from api.diagnosis.findings import Finding, bad, good, warn
from api.journal.chain import read_chain
from api.journal.file_journal import NAME
from api.storage.camera_profiles import Profiles
from calibration.arrays import Image
from models.errors import TablesideError

_OLD_DAYS = 90
_DAY_S = 86_400.0

Grab = Callable[[str], Image]


def check_cameras(
    devices: tuple[tuple[str, str], ...], grab: Grab, *, keep: Callable[[str, Image], str] | None = None
) -> Iterator[Finding]:
    """Each camera that this computer sees, and whether it gives a picture; `keep` puts one away and says where."""
    if not devices:
        yield warn(
            "cameras",
            "this computer sees no camera on a cable",
            "plug one in, use a phone as a network camera, or take photographs with a phone",
        )
    for source, name in devices:
        try:
            image = grab(source)
        except TablesideError as wrong:
            yield bad(
                f"camera {source}", f"{name}: {wrong.detail}", "close the program that holds it, or plug it in anew"
            )
            continue
        height, width = image.shape[:2]
        where = f", picture in {keep(source, image)}" if keep is not None else ""
        yield good(f"camera {source}", f"{name}: {width} x {height}{where}")


def check_lenses(profiles: Profiles, *, now_s: float | None = None) -> Iterator[Finding]:
    """Lenses that were calibrated, and how long ago."""
    try:
        known = profiles.all()
    except TablesideError as wrong:
        yield bad("lenses", wrong.detail, f"remove the file from {profiles.folder}, and calibrate that camera again")
        return
    if not known:
        yield warn("lenses", "no camera was set up yet", "run `tableside setup`")
    for profile in known:
        age_s = (time.time() if now_s is None else now_s) - (profiles.folder / f"{profile.name}.json").stat().st_mtime
        says = f"{profile.device}, {age_s / _DAY_S:.0f} days old"
        yield (
            warn(f"lens {profile.name}", says, "set it up anew if its focus or zoom was touched")
            if age_s > _OLD_DAYS * _DAY_S
            else good(f"lens {profile.name}", says)
        )


def check_game(folder: Path) -> Finding:
    """Whether the game in this folder is whole; nothing in it is changed, and a running server is not disturbed."""
    path = folder / NAME
    if not path.is_file():
        return good("game", f"nothing is kept in {folder} yet")
    try:
        chain = read_chain(path)
    except OSError as wrong:
        return bad("game", f"{path}: {wrong.strerror}", "change the file's owner, or choose another folder with --data")
    if chain.why is not None:
        return warn(
            "game", f"line {chain.line}: {chain.why}", f"run `tableside verify {folder}`: it says what is missing"
        )
    return good("game", f"{chain.lines} lines, whole")
