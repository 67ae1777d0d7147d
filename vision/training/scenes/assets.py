"""Training assets: photographs of ground and posed figures out of Debian's game packages, or procedural ones.

`0ad-data` (CC BY-SA 3.0) and `ufoai-textures` (GPL 2 or later and Creative Commons, file by file) are read where
they are installed; what was read is kept in one file beside the run. Where neither is installed the procedural ones
stand in: enough for tests, not for training. Every eighth photograph is held out of training, to judge by.
"""

import io
import shutil
import subprocess
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Floats32, Image, Ints32
from vision.training.scenes.actor_mesh import ActorArchive, Part

Random = np.random.Generator

ZERO_AD = Path("/usr/share/games/0ad/mods/public/public.zip")
UFO = Path("/usr/share/games/ufoai/base/0textures.pk3")
PACKAGES = ("0ad-data", "ufoai-textures")
_SIDE, _SKIN = 512, 128  # px of photographs, of skins
_UFO_GROUND = (
    "tex_nature/", "tex_terrain/", "tex_rock/", "tex_buildings/floor", "tex_buildings/concrete", "tex_common/",
)  # fmt: skip
_SKIPPED = ("_norm", "_spec", "_nm", "_sm", "_gm", "water", "grid_", "whiteness", "blackness")
_HELD_OUT = 8
_ACTORS = {"people": ("units/",), "beasts": ("fauna/",), "clutter": ("props/special/eyecandy", "geology/", "flora/")}
_MOST = {"people": 260, "beasts": 60, "clutter": 110}
_MOST_FACES = 2600


@dataclass(frozen=True)
class Figure:
    """A body to be set on a base or a table: vertices (N, 8) with z up, faces, a skin; about `high` game units tall."""

    vertices: Floats32
    faces: Ints32
    skin: Image

    @property
    def size(self) -> Floats32:
        return np.asarray(np.ptp(self.vertices[:, :3], axis=0), np.float32)


@dataclass(frozen=True)
class Assets:
    """Ground photographs and figures by kind; empty lists where nothing is installed."""

    grounds: list[Image]
    figures: dict[str, list[Figure]] = field(default_factory=dict)


def install_packages(*, said: Callable[[str], None]) -> None:
    """Debian's packages with photographs, through apt where they are missing; a word of it where there is no apt."""
    if ZERO_AD.exists() and UFO.exists():
        return
    script = Path(__file__).parents[3] / "scripts" / "apt-install"
    command = [str(script), *PACKAGES]
    if script.exists() and shutil.which("apt-get") and subprocess.run(command, check=False).returncode == 0:
        return
    said(f"{' and '.join(PACKAGES)} cannot be installed here: without them the ground is procedural")


def load_assets(kept: Path, *, is_held_out: bool = False) -> Assets:
    """The assets, read from the packages at the first call and from `kept` afterwards."""
    path = kept / ("assets-held-out.npz" if is_held_out else "assets.npz")
    if not path.exists():
        kept.mkdir(parents=True, exist_ok=True)
        _write(path, collect_assets(is_held_out=is_held_out))
    return _read(path)


def collect_assets(*, is_held_out: bool) -> Assets:
    """What the installed packages hold, one share for training and one to judge by; procedural without any."""
    grounds, figures = [], {}
    if ZERO_AD.exists():
        with zipfile.ZipFile(ZERO_AD) as archive:
            grounds += _photographs(archive, ("art/textures/terrain/types/",), ".dds", is_held_out)
            figures = _figures(archive, is_held_out)
    if UFO.exists():
        with zipfile.ZipFile(UFO) as archive:
            names = tuple(f"textures/{name}" for name in _UFO_GROUND)
            grounds += _photographs(archive, names, ("jpg", "png"), is_held_out)
    return Assets(grounds, figures) if grounds else procedural()


def pictures_in(folder: Path) -> Assets:
    """Photographs of a folder, such as those of another game to judge by; figures are procedural."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".jpg", ".png"))
    return Assets([made for path in paths if (made := _fit_texture(path.read_bytes())) is not None])


def procedural(seed: int = 0) -> Assets:
    """Mottled ground in a few colours, for tests."""
    random, grounds = np.random.default_rng(seed), []
    for _ in range(8):
        made = np.full((_SIDE, _SIDE, 3), random.uniform(30, 200, 3), np.float32)
        for cells in (8, 32, 128, 512):
            rough = random.normal(0, random.uniform(4, 16), (cells, cells, 1)) * random.uniform(0.7, 1.3, 3)
            made += cv2.resize(rough.astype(np.float32), (_SIDE, _SIDE), interpolation=cv2.INTER_CUBIC)
        grounds.append(np.clip(made, 0, 255).astype(np.uint8))
    return Assets(grounds)


def _is_apart(name: str) -> bool:
    """Whether a file is held out: by its name without variant letters and numbers, so that kin stay together."""
    stem = name.rsplit("/", 1)[-1].split(".")[0].rstrip("0123456789_abcdefgh")
    return zlib.crc32(stem.encode()) % _HELD_OUT == 0


def _photographs(
    archive: zipfile.ZipFile, folders: tuple[str, ...], ends: str | tuple[str, ...], is_held_out: bool
) -> list[Image]:
    pictures = []
    for name in sorted(archive.namelist()):
        is_one = name.startswith(folders) and name.endswith(ends) and not any(word in name for word in _SKIPPED)
        if is_one and _is_apart(name) == is_held_out and (made := _fit_texture(archive.read(name))) is not None:
            pictures.append(made)
    return pictures


def _decode_texture(data: bytes) -> Image | None:
    """BGR, or None where it is no picture."""
    if data[:4] == b"DDS ":
        from PIL import Image  # comes with reportlab; reads the block compression of games

        try:
            rgb = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
        except (OSError, NotImplementedError, ValueError):
            return None
        return np.ascontiguousarray(rgb[..., ::-1])
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return None if picture is None else np.asarray(picture, np.uint8)


def _fit_texture(data: bytes) -> Image | None:
    """A photograph as a square; None where it is plain or tiny."""
    picture = _decode_texture(data)
    if picture is None or min(picture.shape[:2]) < 128 or picture.std() < 4:
        return None
    side = min(min(picture.shape[:2]), 1024)
    square = picture[:side, :side]
    return np.asarray(cv2.resize(square, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA), np.uint8)


def _figures(archive: zipfile.ZipFile, is_held_out: bool) -> dict[str, list[Figure]]:
    actors, figures = ActorArchive(archive), {}
    random = np.random.default_rng(int(is_held_out))
    for kind, folders in _ACTORS.items():
        names = [name for folder in folders for name in actors.actors(folder) if _is_apart(name) == is_held_out]
        made: list[Figure] = []
        for name in random.permutation(names).tolist():
            if len(made) >= _MOST[kind]:
                break
            try:
                figure = _figure(list(actors.parts(name, random)), actors)
            except (ValueError, IndexError, KeyError):
                continue
            if figure is not None:
                made.append(figure)
        figures[kind] = made
    return figures


def _figure(parts: list[Part], actors: ActorArchive) -> Figure | None:
    """One body with one skin: the parts' textures side by side. None where it is too fine, flat or without a skin."""
    skins: list[Image] = []
    bodies, faces, start = [], [], 0
    for part in parts:
        data = actors.texture(part.texture)
        picture = _decode_texture(data) if data else None
        if picture is None:
            continue
        vertices = part.vertices[:, [0, 2, 1, 3, 5, 4, 6, 7]].copy()  # z up
        vertices[:, 6] -= np.floor(vertices[:, 6])
        vertices[:, 6] += len(skins)
        skins.append(np.asarray(cv2.resize(picture, (_SKIN, _SKIN), interpolation=cv2.INTER_AREA), np.uint8))
        bodies.append(vertices)
        faces.append(part.faces + start)
        start += len(vertices)
    if not bodies or sum(map(len, faces)) > _MOST_FACES:
        return None
    body = np.concatenate(bodies)
    if not np.isfinite(body).all() or np.ptp(body[:, 2]) < 0.3 or np.ptp(body[:, :3], axis=0).max() > 60:
        return None
    body[:, 6] /= len(skins)
    body[:, :2] -= np.median(body[:, :2], axis=0)
    body[:, 2] -= np.percentile(body[:, 2], 1)
    return Figure(body.astype(np.float32), np.concatenate(faces).astype(np.int32), np.hstack(skins))


def _write(path: Path, assets: Assets) -> None:
    parts: dict[str, Any] = {"grounds": np.array(assets.grounds)}
    for kind, figures in assets.figures.items():
        for k, figure in enumerate(figures):
            parts |= {f"{kind}-{k}-v": figure.vertices, f"{kind}-{k}-f": figure.faces, f"{kind}-{k}-s": figure.skin}
    unfinished = path.with_suffix(".part.npz")
    np.savez(unfinished, **parts)
    unfinished.replace(path)


def _read(path: Path) -> Assets:
    with np.load(path) as kept:
        figures: dict[str, list[Figure]] = {}
        for name in kept.files:
            if name.endswith("-v"):
                kind, k, _ = name.split("-")
                skin, faces = kept[f"{kind}-{k}-s"], kept[f"{kind}-{k}-f"]
                figures.setdefault(kind, []).append(Figure(kept[name], faces, skin))
        return Assets(list(kept["grounds"]), figures)
