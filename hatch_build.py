"""Builds the compiled kernels, of lines of sight and of vision, into the package, where a C compiler is at hand.

Without one nothing is missing but speed: the plain path gives the same answers.
"""

import os
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("referee/line_of_sight", "vision/native")
_FLAGS = ("-O3", "-std=c11", "-shared", "-fPIC", "-ffp-contract=off")  # the same bytes on every machine


class KernelHook(BuildHookInterface[Any]):
    """Compiles what lies in each `kernel/` into one library beside that folder."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for folder in FOLDERS if self.target_name == "wheel" else ():
            if build_kernel(Path(self.root) / folder):
                build_data["artifacts"].append(f"{folder}/kernel.so")
                build_data["pure_python"] = False
                build_data["infer_tag"] = True


def build_kernel(folder: Path) -> bool:
    """Whether the kernel was built."""
    sources = [str(source) for source in sorted((folder / "kernel").glob("*.c"))]
    command = [os.environ.get("CC", "cc"), *_FLAGS, "-o", str(folder / "kernel.so"), *sources, "-lm"]
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=120).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    built = [build_kernel(Path(__file__).parent / folder) for folder in FOLDERS]
    raise SystemExit(0 if all(built) else 1)
