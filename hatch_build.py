"""Builds the compiled kernels, of lines of sight and of vision, into the package, where a C compiler is at hand.

Without one nothing is missing but speed: the plain path gives the same answers. Python loads the kernels as plain
shared libraries, so one wheel a platform serves every Python. `TABLESIDE_KERNELS` says otherwise than the machine: `no`
builds the wheel without them, the name of a platform (`win_amd64`) is that for which the compiler named by `CC` builds.
"""

import os
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("referee/line_of_sight", "vision/native")
_PATIENCE_S = 600
_FLAGS = ("-O3", "-std=c11", "-s", "-shared", "-fPIC", "-ffp-contract=off")  # the same bytes on every machine


class KernelHook(BuildHookInterface[Any]):
    """Compiles what lies in each `kernel/` into one library beside that folder."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        wanted = os.environ.get("TABLESIDE_KERNELS", "yes")
        for folder in FOLDERS if self.target_name == "wheel" and wanted != "no" else ():
            if build_kernel(Path(self.root) / folder):
                build_data["artifacts"].append(f"{folder}/kernel.so")
                build_data["pure_python"] = False
                build_data["tag"] = f"py3-none-{_own_platform() if wanted == 'yes' else wanted}"
            elif wanted != "yes":
                raise RuntimeError(f"{os.environ.get('CC', 'cc')} does not build {folder}/kernel for {wanted}")


def build_kernel(folder: Path) -> bool:
    """Whether the kernel was built."""
    sources = [str(source) for source in sorted((folder / "kernel").glob("*.c"))]
    with tempfile.TemporaryDirectory() as made:  # some compilers leave more than what was asked for
        library = Path(made) / "kernel.so"
        command = [*shlex.split(os.environ.get("CC", "cc")), *_FLAGS, "-o", str(library), *sources, "-lm"]
        try:
            is_built = subprocess.run(command, capture_output=True, check=False, timeout=_PATIENCE_S).returncode == 0
        except (OSError, subprocess.TimeoutExpired):
            return False
        if is_built:
            shutil.move(library, folder / "kernel.so")
    return is_built


def _own_platform() -> str:
    """The platform of this machine, as a wheel's name gives it."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


if __name__ == "__main__":
    built = [build_kernel(Path(__file__).parent / folder) for folder in FOLDERS]
    raise SystemExit(0 if all(built) else 1)
