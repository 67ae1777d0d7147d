"""Saved camera profiles: one calibrated lens for each device and picture size, in the user's own data folder."""

import math
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

from api.storage.files import load, make_folder, save
from models.camera import Camera
from models.errors import BadCamera, BadFile, BadInput, SourceLost
from models.frozen import Frozen
from vision.capture.source_name import device_number, is_device

_LINUX_NAMES = Path("/sys/class/video4linux")


class Profile(Frozen):
    """A lens, and the device it was calibrated for."""

    device: str
    camera: Camera

    @property
    def name(self) -> str:
        width, height = self.camera.image_size
        return f"{_file_name(self.device)}@{width}x{height}"


@dataclass(frozen=True)
class Profiles:
    """A folder of profiles, one file each."""

    folder: Path

    def save(self, camera: Camera, *, device: str) -> Profile:
        """Keep this lens for the device; one of the same device and size gives way. Raises: BadFile."""
        profile = Profile(device=device, camera=camera)
        make_folder(self.folder, field="profiles")
        save(profile, self._path(profile.name))
        return profile

    def all(self) -> tuple[Profile, ...]:
        """Every profile by name. Raises: BadCamera for a file that is none."""
        return tuple(load(Profile, path, error=BadCamera) for path in sorted(self.folder.glob("*@*.json")))

    def find_profile(self, name: str) -> Profile:
        """Raises: BadInput naming the profiles that there are."""
        profile = next((profile for profile in self.all() if profile.name == name), None)
        if profile is None:
            known = ", ".join(profile.name for profile in self.all()) or "none"
            raise BadInput(f"Unknown profile {name!r}: saved are {known}", field="name", value=name)
        return profile

    def remove(self, name: str) -> None:
        """Raises: BadInput when there is none of that name; BadFile."""
        path = self._path(self.find_profile(name).name)
        try:
            path.unlink()
        except OSError as wrong:
            raise BadFile(f"{path}: {wrong.strerror}", field="name", value=name) from wrong

    def of_device(self, device: str) -> Profile | None:
        known = [profile for profile in self.all() if profile.device == device]
        return max(known, key=lambda profile: math.prod(profile.camera.image_size), default=None)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.json"


def profiles_in(folder: Path | None) -> Profiles:
    """The profiles of this folder; of the user's own when none is named."""
    return Profiles(folder or platformdirs.user_data_path("tableside") / "cameras")


def authority_folder() -> Path:
    return platformdirs.user_data_path("tableside") / "authority"


def device_of(source: str) -> str:
    """What the device calls itself, where the system tells; a stream its address without user and query."""
    if is_device(source):
        try:
            number = device_number(source)
        except SourceLost:
            return Path(source).name
        return _linux_name(number) or f"camera {number}"
    if "://" not in source:
        return Path(source).name
    parts = urlsplit(source)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.hostname or ''}{port}{parts.path}"


def _linux_name(number: int) -> str | None:
    try:
        return (_LINUX_NAMES / f"video{number}" / "name").read_text(encoding="utf-8").strip() or None
    except OSError:
        return None


def _file_name(device: str) -> str:
    """A file's name on every system."""
    return re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-") or "camera"
