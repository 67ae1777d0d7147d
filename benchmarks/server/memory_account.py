"""Memory account: where a server's resident memory lies, and which lines of Python hold what came since.

`account_for` starts the program in place of `tableside`; each SIGUSR1 writes the next account into a folder. Resident
memory is told apart as files and libraries, the C heap in use and free within it, and the rest: Python's own arenas
and stacks. From the first account on tracemalloc notes what Python takes, so that the next names the lines that hold
what was taken since: before, nothing is slowed down, and what is there already is not counted.
"""

import ctypes
import json
import os
import signal
import sys
import time
import tracemalloc
from pathlib import Path
from typing import Any

_SITES = 12
_PATIENCE_S = 120.0
_STEP_S = 0.1
_MB = 1e6


def account_for(folder: str) -> None:
    """Run the program of `sys.argv`, and write an account at each SIGUSR1."""
    written = 0

    def write(*_: object) -> None:
        nonlocal written
        sites = _largest_sites() if tracemalloc.is_tracing() else []
        account = resident_parts_mb() | {"sites": sites}
        part = Path(folder) / "account.part"
        part.write_text(json.dumps(account))
        part.rename(Path(folder) / f"account-{written}.json")
        written += 1
        if not tracemalloc.is_tracing():
            tracemalloc.start(1)

    signal.signal(signal.SIGUSR1, write)
    from api.cli import main

    main()


def _largest_sites() -> list[dict[str, Any]]:
    """The lines of Python that hold most of what was taken since tracing began."""
    held = tracemalloc.take_snapshot().statistics("lineno")[:_SITES]
    return [{"site": str(one.traceback), "kb": one.size / 1e3, "blocks": one.count} for one in held]


def resident_parts_mb() -> dict[str, float]:
    """This process's resident memory by parts, in megabytes; `traced` lies within arenas and heap."""
    rows = Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]
    kb = {row.split(":")[0]: int(row.split()[1]) for row in rows}
    heap = _mallinfo()
    used_b, free_b = heap["uordblks"] + heap["hblkhd"], heap["fordblks"]
    resident_b, anonymous_b = 1024 * kb["Rss"], 1024 * kb["Anonymous"]
    parts = {
        "resident": resident_b,
        "files and libraries": resident_b - anonymous_b,
        "C heap in use": used_b,
        "C heap free": free_b,
        "Python arenas, stacks": anonymous_b - used_b - free_b,
        "traced": tracemalloc.get_traced_memory()[0],
        "of tracemalloc": tracemalloc.get_tracemalloc_memory(),
    }
    return {name: size_b / _MB for name, size_b in parts.items()}


def _mallinfo() -> dict[str, int]:
    """What the GNU C library says of its heap; zeros where there is another."""
    names = ["arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"]
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        return dict.fromkeys(names, 0)

    class Info(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in names]

    library.mallinfo2.restype = Info
    info = library.mallinfo2()
    return {name: int(getattr(info, name)) for name in names}


def program(folder: Path) -> list[str]:
    """The command that stands for `tableside` and accounts for its memory in this folder."""
    return [
        sys.executable,
        "-c",
        f"from benchmarks.server.memory_account import account_for; account_for({str(folder)!r})",
    ]


def read_account(pid: int, folder: Path) -> dict[str, Any]:
    """The next account of this process; empty where none comes in a minute."""
    name = folder / f"account-{len(list(folder.glob('account-*.json')))}.json"
    os.kill(pid, signal.SIGUSR1)
    until_s = time.monotonic() + _PATIENCE_S
    while not name.exists():
        if time.monotonic() > until_s:
            return {}
        time.sleep(_STEP_S)
    return dict(json.loads(name.read_text()))


def report_growth(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Print what grew between two accounts, by parts and by lines of Python."""
    if not (before and after):
        print("memory was not accounted for")
        return
    print("\n| part of the memory | before, MB | after, MB | grew |")
    print("|---|---|---|---|")
    for part in before:
        if part != "sites":
            print(f"| {part} | {before[part]:.1f} | {after[part]:.1f} | {after[part] - before[part]:+.1f} |")
    print("\n| line of Python | holds since | in blocks |")
    print("|---|---|---|")
    for site in after["sites"]:
        print(f"| `{site['site']}` | {site['kb']:+.0f} kB | {site['blocks']:+d} |")
