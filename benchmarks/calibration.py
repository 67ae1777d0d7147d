"""What calibration claims, measured: `python benchmarks/calibration.py --help`."""

import sys
from pathlib import Path

if __name__ == "__main__":
    # A script's own folder comes first on the path, and there this file would hide the package of its name.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    from benchmarks.calibrating import main

    main()
