"""Evidence service: keeps the newest pictures, and the evidence of a verdict before its line is written."""

import contextlib
import logging
import os
from collections import OrderedDict
from collections.abc import Iterable
from functools import cache, lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from pydantic import BaseModel

from api.camera.protocol import SettledPicture
from api.evidence.pictures import TABLE_PX_PER_MM, box_around, cut_crop, decode, straighten_part, straighten_table
from api.evidence.schemas import Evidence, EvidenceFacts, PictureFacts, PixelBox, TablePart
from api.evidence.store import EvidenceStore
from api.journal.entry import TableSettled
from api.live.hub import Hub
from api.live.publisher import RestPictured
from models.camera import Camera, CameraPose
from models.state import TableState
from models.verdict import Verdict
from models.vocabulary import Id, NotNegative
from referee.verdicts.svg import draw

log = logging.getLogger(__name__)

ALARM = "evidence"
THUMBNAILS = "thumbnails"
_LEAST_BYTES = 65_536
_WEIGHTS = Path(__file__).parents[2] / "vision" / "detection" / "network" / "weights"
_NETWORKS = ("bases.onnx", "dense.onnx")
FOLDER = "pictures"


class EvidenceKeeper:
    """Keeps evidence of a hub's table. Where that fails the game goes on, and an alarm says so on the judge's page."""

    def __init__(
        self, hub: Hub, folder: Path, *, most_bytes: int, is_read_only: bool = False, is_lasting: bool = True
    ) -> None:
        """`is_read_only`: what is kept is shown, and nothing is added; `is_lasting`: the folder outlives the server."""
        self._hub = hub
        self._folder = folder
        self.is_lasting = is_lasting
        self.writable_folder = None if is_read_only or not is_lasting else folder
        self._store = EvidenceStore(folder)
        self._ring = PictureRing(folder, most_bytes=most_bytes)
        self._ring_trouble: str | None = None
        self._store_trouble: str | None = None
        self._needed_bytes = _LEAST_BYTES
        hub.rests.has_picture = self.has_picture
        if hub.measured is not None:
            hub.show_table()
        if not is_read_only:
            hub.publisher.subscribe(RestPictured, lambda event: self.keep_picture(event.picture))
            hub.keeps_evidence = is_lasting
            self.check()

    def path(self, name: str) -> Path:
        return self._store.path(name)

    def keep_picture(self, picture: SettledPicture) -> None:
        """The newest settled state was measured in this picture."""
        line = self._hub.journal.newest(TableSettled)
        if line is None or line.n in self._ring:
            return
        try:
            self._ring.put(line.n, picture)
            self._ring_trouble = None
        except OSError as wrong:
            self._ring_trouble = f"The picture of the table at rest is not kept: {wrong.strerror or wrong}."
        self.check()

    def keep(self, state: TableState, verdict: Verdict, *, ids: Iterable[Id], at: int | None = None) -> Evidence | None:
        """Evidence of this verdict about this moment, on the disk; None where it cannot be kept.

        May be called from any thread; `check` then tells what went wrong.
        """
        line = self._hub.journal.newest(TableSettled, until=at)
        picture = None if line is None else self._ring.get(line.n)
        try:
            parts = _make_pictures(picture, state, verdict, tuple(ids))
        except ValueError as wrong:
            log.warning("evidence without pictures line=%s why=%s", line and line.n, wrong)
            picture, parts = None, ({}, None)
        facts = _facts(picture, 0 if line is None else line.n, parts[1], state, verdict)
        files = parts[0] | {"overlay": (draw(state, verdict).encode(), "svg"), "facts": (facts, "json")}
        try:
            names = self._store.put(files.values())
        except OSError as wrong:
            log.warning("evidence not kept why=%s", wrong)
            self._needed_bytes = sum(len(content) for content, _ in files.values())
            return None
        self._needed_bytes = _LEAST_BYTES
        return Evidence(**dict(zip(files, names, strict=True)))

    def has_picture(self, line: int) -> bool:
        """Whether the picture in which the state of this line was measured is kept."""
        return line in self._ring or _thumbnail(self._folder, line).is_file()

    def picture(self, at: int) -> bytes | None:
        line = self._hub.journal.newest(TableSettled, until=at)
        return None if line is None else moment_picture(self._folder, line.n)

    def part(self, at: int, part: TablePart) -> bytes | None:
        """This part of the table as the camera saw it at this moment, as finely as it did; None where that is gone."""
        line = self._hub.journal.newest(TableSettled, until=at)
        try:
            return None if line is None else _straighten_part(self._folder, line.n, part)
        except (OSError, ValueError):
            return None

    def check(self) -> None:
        """Let the judge's page say whether evidence is kept; on the server's event loop."""
        try:
            self._store.probe(self._needed_bytes)
        except OSError as wrong:
            self._store_trouble = f"Evidence of rulings is not kept: {wrong.strerror or wrong}."
        else:
            self._store_trouble = None
        wrong_now = self._store_trouble or self._ring_trouble
        if wrong_now is None:
            self._hub.alarms.end(ALARM)
        else:
            log.warning("evidence %s", wrong_now)
            self._hub.alarms.sound(ALARM, f"{wrong_now} The game goes on.")


def moment_picture(folder: Path, line: int) -> bytes | None:
    """The table in whose picture the state of this line was measured, straightened, as JPEG; None where it is gone."""
    try:
        return _straighten_kept(folder, line)
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=64)
def _straighten_kept(folder: Path, line: int) -> bytes:
    """Raises: OSError, ValueError."""
    thumbnail = _thumbnail(folder, line)
    if thumbnail.is_file():
        return thumbnail.read_bytes()
    picture = PictureRing(folder, most_bytes=0).get(line)
    if picture is None:
        raise FileNotFoundError(f"no picture of line {line} is kept")
    return straighten_table(picture, decode(picture))


@lru_cache(maxsize=16)
def _straighten_part(folder: Path, line: int, part: TablePart) -> bytes:
    """Raises: OSError, ValueError."""
    picture = PictureRing(folder, most_bytes=0).get(line)
    if picture is None:
        raise FileNotFoundError(f"no picture of line {line} is kept")
    return straighten_part(picture, decode(picture), part)


def _thumbnail(folder: Path, line: int) -> Path:
    return folder / THUMBNAILS / f"{line:08d}.jpg"


def _make_pictures(
    picture: SettledPicture | None, state: TableState, verdict: Verdict, ids: tuple[Id, ...]
) -> tuple[dict[str, tuple[bytes, str]], PixelBox | None]:
    """Crop and table as JPEG, by their names. Raises: ValueError when the picture cannot be read."""
    if picture is None:
        return {}, None
    image = decode(picture)
    box = box_around(picture, image, state, verdict, ids)
    crop = {} if box is None else {"crop": (cut_crop(image, box), "jpg")}
    return crop | {"table": (straighten_table(picture, image), "jpg")}, box


def _facts(
    picture: SettledPicture | None, line: int, box: PixelBox | None, state: TableState, verdict: Verdict
) -> bytes:
    seen = None
    if picture is not None:
        kept = {
            name: getattr(picture, name) for name in ("t_s", "taken_at_s", "pose_age_s", "camera", "pose", "table_mm")
        }
        seen = PictureFacts(settled_line=line, crop_px=box, table_px_per_mm=TABLE_PX_PER_MM, **kept)
    facts = EvidenceFacts(
        software=version("tableside"), weights_sha256=weights_sha256(), picture=seen, state=state, verdict=verdict
    )
    return facts.model_dump_json().encode()


@cache
def weights_sha256() -> str:
    """Which networks proposed where bases are: of their files, one after the other."""
    return sha256(b"".join((_WEIGHTS / name).read_bytes() for name in _NETWORKS)).hexdigest()


class _Kept(BaseModel):
    """All of a settled picture but its pixels."""

    t_s: NotNegative
    taken_at_s: float
    pose_age_s: NotNegative
    camera: Camera
    pose: CameraPose
    table_mm: tuple[float, float]


class PictureRing:
    """Settled pictures by the number of the journal's line that holds their state, within so many bytes."""

    def __init__(self, folder: Path, *, most_bytes: int) -> None:
        """What the last server kept is known again; parts of what it did not finish are removed."""
        self._folder = folder / FOLDER
        self._most_bytes = most_bytes
        self._sizes: OrderedDict[int, int] = OrderedDict()
        for path in sorted(self._folder.glob("*")) if self._folder.is_dir() else ():
            facts = path.with_suffix(".json")
            if path.suffix == ".jpg" and path.stem.isdigit() and facts.exists():
                self._sizes[int(path.stem)] = path.stat().st_size + facts.stat().st_size
            elif path.suffix == ".part":
                with contextlib.suppress(OSError):
                    path.unlink()

    def __contains__(self, line: int) -> bool:
        return line in self._sizes

    def size_bytes(self) -> int:
        return sum(self._sizes.values())

    def put(self, line: int, picture: SettledPicture) -> None:
        """Keep it, and let the oldest go. Raises: OSError."""
        facts = _Kept(**{name: getattr(picture, name) for name in _Kept.model_fields}).model_dump_json().encode()
        size = len(picture.jpeg) + len(facts)
        if size > self._most_bytes:
            return
        while self._sizes and self.size_bytes() + size > self._most_bytes:
            self._drop(next(iter(self._sizes)))
        self._folder.mkdir(mode=0o700, exist_ok=True)
        self._write(line, ".jpg", picture.jpeg)
        self._write(line, ".json", facts)
        self._sizes[line] = size

    def get(self, line: int) -> SettledPicture | None:
        """The picture in which the state of this line was measured; None when it is gone, or cannot be read."""
        try:
            jpeg = self._path(line, ".jpg").read_bytes()
            kept = _Kept.model_validate_json(self._path(line, ".json").read_bytes())
        except (OSError, ValueError):
            return None
        return SettledPicture(jpeg=jpeg, **{name: getattr(kept, name) for name in _Kept.model_fields})

    def _path(self, line: int, suffix: str) -> Path:
        return self._folder / f"{line:08d}{suffix}"

    def _write(self, line: int, suffix: str, content: bytes) -> None:
        part = self._path(line, f"{suffix}.part")
        try:
            part.write_bytes(content)
            os.replace(part, self._path(line, suffix))
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()
            raise

    def _drop(self, line: int) -> None:
        for suffix in (".json", ".jpg"):
            with contextlib.suppress(OSError):
                self._path(line, suffix).unlink()
        self._sizes.pop(line, None)
