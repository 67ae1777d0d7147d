"""Build hook: compiles the kernels, of line of sight and of vision, into the package.

By the C compiler that `CC` names, or else the system's, or else that of the `ziglang` wheel, which the build then asks
for as pip asks for any build dependency: nobody needs to install one. Python loads the kernels as plain shared
libraries, so one wheel a platform serves every Python. `TABLESIDE_PLATFORM` (`win_amd64`) says for which `CC` builds,
where that is not this machine's.
"""

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("referee/line_of_sight", "vision/native")
_TIMEOUT_S = 600
_FLAGS = ("-O3", "-std=c11", "-s", "-shared", "-fPIC", "-ffp-contract=off")  # the same bytes on every machine
_ZIG_PACKAGE = "ziglang>=0.14"
_ZIG = (sys.executable, "-m", "ziglang", "cc", "-mcpu=baseline")  # else it builds for this very processor alone
_NO_COMPILER = f"No C compiler: neither CC, cc nor the package {_ZIG_PACKAGE} compiles a program; install one of them"


class KernelHook(BuildHookInterface[Any]):
    """Compiles what lies in each `kernel/` into one library beside that folder."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """The compiler that pip brings, where the machine has none."""
        return [] if self.target_name != "wheel" or find_compiler() else [_ZIG_PACKAGE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the kernels to the wheel, which is then one of this platform."""
        if self.target_name != "wheel":
            return
        compiler = find_compiler()
        if compiler is None:
            raise SystemExit(_NO_COMPILER)
        for folder in FOLDERS:
            if not build_kernel(Path(self.root) / folder, compiler):
                raise SystemExit(f"{shlex.join(compiler)} does not compile {folder}/kernel")
            build_data["artifacts"].append(f"{folder}/kernel.so")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{os.environ.get('TABLESIDE_PLATFORM', _own_platform())}"


def find_compiler() -> Sequence[str] | None:
    """The command of the first C compiler that works: what `CC` names and no other, or the system's, or ziglang's."""
    named = shlex.split(os.environ.get("CC", ""))
    return next(filter(_does_compile, [named] if named else [("cc",), _ZIG]), None)


def _does_compile(compiler: Sequence[str]) -> bool:
    """Whether it builds a small library: on some systems the command alone is there, or no headers are."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.c"
        source.write_text("#include <math.h>\ndouble probe(double x) { return sqrt(x); }\n", encoding="utf-8")
        return _compile(compiler, [source], Path(folder) / "probe.so")


def build_kernel(folder: Path, compiler: Sequence[str]) -> bool:
    """Whether the kernel was built."""
    with tempfile.TemporaryDirectory() as scratch:  # some compilers leave more than what was asked for
        library = Path(scratch) / "kernel.so"
        is_built = _compile(compiler, sorted((folder / "kernel").glob("*.c")), library)
        if is_built:
            shutil.move(library, folder / "kernel.so")
    return is_built


def _compile(compiler: Sequence[str], sources: Sequence[Path], library: Path) -> bool:
    command = [*compiler, *_FLAGS, "-o", str(library), *map(str, sources), "-lm"]
    try:
        ended = subprocess.run(command, capture_output=True, check=False, timeout=_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return ended.returncode == 0 and library.is_file()


def _own_platform() -> str:
    """The platform of this machine, as a wheel's name gives it."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
