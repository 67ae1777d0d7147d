"""Device list: the cameras on cables that this computer sees, and the name they give themselves."""

import re
from pathlib import Path

from vision.capture.source_name import BY_ID, names_by_id

_LINUX = Path("/sys/class/video4linux")
_ELSEWHERE = 2  # numbers to offer on systems that do not list their cameras without being opened


def list_devices(folder: Path = _LINUX, *, by_id: Path = BY_ID) -> tuple[tuple[str, str], ...]:
    """(source, name) of each, in order: the path by id, which a camera keeps, or else its number.

    On Linux a camera's metadata nodes, which give no pictures, are left out.
    """
    if not folder.is_dir():
        return () if _LINUX.parent.is_dir() else tuple((str(k), f"camera {k}") for k in range(_ELSEWHERE))
    nodes = sorted(
        (int(number[1]), path) for path in folder.iterdir() if (number := re.fullmatch(r"video(\d+)", path.name))
    )
    kept = names_by_id(by_id)
    return tuple(
        (kept.get(number, str(number)), _read(path / "name") or f"camera {number}")
        for number, path in nodes
        if _is_first(path)
    )


def _is_first(path: Path) -> bool:
    return _read(path / "index") in ("", "0")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except OSError:
        return ""
