"""Server and command line: HTTP, WebSocket, the phone's pages, and the wiring.

The only one that knows all the others.
"""

import os

# Our matrices are small: threads inside one product wait for each other longer than they work, and calibrating takes
# more than twice as long. numpy reads this once, when it is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
