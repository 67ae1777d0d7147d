"""A machine's clock that is set while a server runs, for that server and its processes alone.

A library of a page of C, `fake_clock.c`, stands before the system's: the wall clock is off by what a file says, all
other clocks and all waits are the system's own. libfaketime shifts what Python's `time.sleep` waits for, too, so that a
process seems to stand still.
"""

import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("fake_clock.c")


class FakeClock:
    """The clock of the processes that are started with `environment`; `set_off` sets it at any time."""

    def __init__(self, folder: Path) -> None:
        self._file, self._library = folder / "clock", folder / "fake_clock.so"
        self.set_off(0)
        command = ["cc", "-O2", "-shared", "-fPIC", "-o", str(self._library), str(SOURCE), "-ldl"]
        subprocess.run(command, check=True)

    @staticmethod
    def can_be_had() -> bool:
        """Whether there is a C compiler."""
        return shutil.which("cc") is not None

    def set_off(self, by_s: int) -> None:
        """From now on it is so far ahead of the right time."""
        told = struct.pack("q", by_s)
        if self._file.exists():
            with self._file.open("r+b") as file:  # processes have mapped this very file
                file.write(told)
        else:
            self._file.write_bytes(told)

    @property
    def environment(self) -> dict[str, str]:
        """What a process has to find in its environment."""
        return {"LD_PRELOAD": str(self._library), "FAKE_CLOCK_FILE": str(self._file)}
