"""How much is done side by side: each look is worked on by so many threads at most."""

import os

AT_ONCE = min(4, os.cpu_count() or 1)
