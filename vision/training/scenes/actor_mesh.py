"""Actor meshes of 0 A.D.: PMD models skinned by one frame of a PSA animation, with their props and textures.

Read from the game's own archive, where the training command finds it; nothing of it is part of this program.
"""

import io
import struct
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Floats32, Ints32

Random = np.random.Generator
_SUFFIX = ".cached.dds"
_MOVES = ("art/animation/biped/infantry", "art/animation/quadraped")
_NO_POSES = ("death", "gather", "carry")
_DEEPEST = 3  # props on props


@dataclass(frozen=True)
class Skinned:
    """A PMD model: vertices (N, 8), faces (M, 3), bones (N, 4) with weights, rest pose, and places for props."""

    vertices: Floats32
    faces: Ints32
    bones: NDArray[np.uint8]
    weights: Floats32
    rest: Floats
    places: dict[str, tuple[Floats, int]]


@dataclass(frozen=True)
class Part:
    """A piece of an actor: vertices in the actor's frame, faces and the name of its texture."""

    vertices: Floats32
    faces: Ints32
    texture: str


def read_pmd(data: bytes) -> Skinned:
    """Raises: struct.error, ValueError where the file is of another kind."""
    stream = io.BytesIO(data)
    if stream.read(4) != b"PSMD":
        raise ValueError("no PMD file")
    version, _ = _numbers(stream, "2I")
    (count,) = _numbers(stream, "I")
    sets = _numbers(stream, "I")[0] if version >= 4 else 1
    kind = np.dtype(
        [("at", "<f4", 3), ("normal", "<f4", 3), ("uv", "<f4", (sets, 2)), ("bone", "u1", 4), ("w", "<f4", 4)]
    )
    raw = np.frombuffer(stream.read(kind.itemsize * count), kind, count)
    (face_count,) = _numbers(stream, "I")
    faces = np.frombuffer(stream.read(6 * face_count), "<u2").reshape(-1, 3).astype(np.int32)
    (bone_count,) = _numbers(stream, "I")
    rest = _transforms(stream, bone_count)
    places: dict[str, tuple[Floats, int]] = {}
    for _ in range(_numbers(stream, "I")[0] if version >= 2 else 0):
        name = stream.read(_numbers(stream, "I")[0]).decode("ascii", "replace")
        (place,) = _transforms(stream, 1)
        places[name] = place, _numbers(stream, "B")[0]
    uv = raw["uv"][:, 0]
    vertices = np.concatenate([raw["at"], raw["normal"], uv[:, :1], 1 - uv[:, 1:]], axis=1).astype(np.float32)
    return Skinned(vertices, faces, raw["bone"], raw["w"], rest, places)


def read_psa(data: bytes) -> Floats:
    """Bone transforms of every frame, (F, B, 4, 4). Raises: struct.error, ValueError."""
    stream = io.BytesIO(data)
    if stream.read(4) != b"PSSA":
        raise ValueError("no PSA file")
    _numbers(stream, "2I")
    stream.read(_numbers(stream, "I")[0])
    _numbers(stream, "f")
    bones, frames = _numbers(stream, "2I")
    return _transforms(stream, bones * frames).reshape(frames, bones, 4, 4)


def _numbers(stream: io.BytesIO, kind: str) -> tuple[int, ...]:
    return struct.unpack("<" + kind, stream.read(struct.calcsize("<" + kind)))


def _transforms(stream: io.BytesIO, count: int) -> Floats:
    """(count, 4, 4) of a translation and a quaternion each."""
    raw = np.frombuffer(stream.read(28 * count), "<f4").reshape(-1, 7).astype(float)
    x, y, z, w = raw[:, 3:].T / np.maximum(np.linalg.norm(raw[:, 3:], axis=1), 1e-9)
    made = np.tile(np.eye(4), (len(raw), 1, 1))
    made[:, 0, :3] = np.column_stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)])
    made[:, 1, :3] = np.column_stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)])
    made[:, 2, :3] = np.column_stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)])
    made[:, :3, 3] = raw[:, :3]
    return made


def pose_skin(model: Skinned, pose: Floats) -> Floats32:
    """Linear blend skinning: the vertices with the bones as `pose` (B, 4, 4) has them."""
    if not len(model.rest):
        return model.vertices
    moves = np.concatenate([pose @ np.linalg.inv(model.rest), np.eye(4)[None]])
    chosen = np.where(model.bones < len(model.rest), model.bones, len(model.rest))
    weights = model.weights / np.maximum(model.weights.sum(axis=1, keepdims=True), 1e-6)
    still = model.weights.sum(axis=1) < 1e-3
    blended = np.einsum("nk,nkij->nij", weights, moves[chosen])
    blended[still] = np.eye(4)
    vertices = model.vertices.copy()
    vertices[:, :3] = np.einsum("nij,nj->ni", blended[:, :3, :3], model.vertices[:, :3]) + blended[:, :3, 3]
    vertices[:, 3:6] = np.einsum("nij,nj->ni", blended[:, :3, :3], model.vertices[:, 3:6])
    return vertices


class ActorArchive:
    """The game's archive of actors, meshes, animations and textures."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = set(archive.namelist())
        self._moves: dict[int, list[Floats]] = {}
        for name in sorted(self._names):
            if name.startswith(_MOVES) and name.endswith(".psa") and not any(word in name for word in _NO_POSES):
                self._keep_move(name)

    def _keep_move(self, name: str) -> None:
        try:
            frames = read_psa(self._archive.read(name))
        except (struct.error, ValueError):
            return
        self._moves.setdefault(frames.shape[1], []).append(frames)

    def actors(self, folder: str) -> list[str]:
        return sorted(name for name in self._names if name.startswith(f"art/actors/{folder}") and name.endswith(".xml"))

    def texture(self, name: str) -> bytes | None:
        path = f"art/textures/skins/{name}{_SUFFIX}"
        return self._archive.read(path) if path in self._names else None

    def parts(self, actor: str, random: Random, depth: int = 0) -> Iterator[Part]:
        """One make of an actor, in one pose: y up, as the game has it."""
        mesh, texture, props = self._chosen(actor, random)
        path = f"art/meshes/{mesh}.cached.pmd" if mesh and mesh.endswith(".dae") else f"art/meshes/{mesh}"
        if path not in self._names:
            return
        model = read_pmd(self._archive.read(path))
        pose = self._pose(model, random)
        if texture:
            yield Part(pose_skin(model, pose), model.faces, texture)
        for place, prop in props if depth < _DEEPEST else ():
            local, bone = model.places.get(place, (np.eye(4), 255)) if place != "root" else (np.eye(4), 255)
            if place != "root" and place not in model.places:
                continue
            frame = pose[bone] @ local if bone < len(pose) else local
            for part in self.parts(f"art/actors/{prop}", random, depth + 1):
                yield Part(_transform_vertices(part.vertices, frame), part.faces, part.texture)

    def _pose(self, model: Skinned, random: Random) -> Floats:
        moves = self._moves.get(len(model.rest), []) if len(model.rest) else []
        if not moves:
            return model.rest
        frames = moves[int(random.integers(len(moves)))]
        return np.asarray(frames[int(random.integers(len(frames)))])

    def _chosen(self, actor: str, random: Random) -> tuple[str, str, list[tuple[str, str]]]:
        """Mesh, texture and props of one variant a group."""
        mesh = texture = ""
        props: dict[str, str] = {}
        if actor not in self._names:
            return mesh, texture, []
        for group in ElementTree.fromstring(self._archive.read(actor)).iter("group"):
            variants = group.findall("variant")
            if not variants:
                continue
            for variant in self._inherit_parents(variants[int(random.integers(len(variants)))]):
                mesh = variant.findtext("mesh") or mesh
                for element in variant.iter("texture"):
                    texture = element.get("file", "") if element.get("name") == "baseTex" else texture
                for prop in variant.iter("prop"):
                    if prop.get("actor"):
                        props[prop.get("attachpoint", "root")] = prop.get("actor", "")
        return mesh, texture, list(props.items())

    def _inherit_parents(self, variant: ElementTree.Element) -> list[ElementTree.Element]:
        path = f"art/variants/{variant.get('file')}"
        if variant.get("file") and path in self._names:
            return [ElementTree.fromstring(self._archive.read(path)), variant]
        return [variant]


def _transform_vertices(vertices: Floats32, frame: Floats) -> Floats32:
    made = vertices.copy()
    made[:, :3] = vertices[:, :3] @ frame[:3, :3].T + frame[:3, 3]
    made[:, 3:6] = vertices[:, 3:6] @ frame[:3, :3].T
    return made
