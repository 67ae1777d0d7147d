"""Source name: what of a source everybody in the room may read, in titles, problems and on the stream.

Of a camera on a cable also the device path and its number: numbers move when cables do; names by id stay.
"""

import re
from pathlib import Path
from urllib.parse import urlsplit

from models.errors import SourceLost

BY_ID = Path("/dev/v4l/by-id")  # where Linux's udev keeps a link for each, named by maker, product and serial number
_DEVICES = "/dev/"


def public_name(source: str) -> str:
    """The device's number, the file's name, or how and where a stream is: `rtsp://HOST:8554`.

    Names, passwords, tokens and stream keys stand before the host, behind it or in the path; none of these is shown.
    Where an `@` follows a `/`, `?` or `#`, these may be letters of a password, and where the host begins is not known.
    """
    if "://" not in source:
        return source if source.isdigit() else Path(source).name
    try:
        parts = urlsplit(source)
        if "@" in f"{parts.path}?{parts.query}#{parts.fragment}":
            return f"{parts.scheme}://\N{HORIZONTAL ELLIPSIS}"
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    except ValueError:
        return "a stream"


def is_device(source: str) -> bool:
    """Whether this names a camera on a cable: a number, or a path such as /dev/video0 or /dev/v4l/by-id/NAME."""
    return source.isdigit() or source.startswith(_DEVICES)


def device_number(source: str) -> int:
    """The number the camera has at this moment. Raises: SourceLost when none is there under this name."""
    if source.isdigit():
        return int(source)
    match = re.fullmatch(r"video(\d+)", (path := Path(source)).resolve().name)
    if match is None or not path.exists():
        raise SourceLost(f"camera {path.name}: it is not plugged in", field="source", value=path.name)
    return int(match[1])


def names_by_id(folder: Path = BY_ID) -> dict[int, str]:
    """The path by id of each camera, by the number it has now; none where the system keeps no such links."""
    if not folder.is_dir():
        return {}
    targets = ((link, re.fullmatch(r"video(\d+)", link.resolve().name)) for link in sorted(folder.iterdir()))
    return {int(match[1]): str(link) for link, match in targets if match is not None}
