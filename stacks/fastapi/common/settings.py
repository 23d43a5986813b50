"""What the environment says."""

import os
from pathlib import Path

FOLDER = Path(os.environ["SITE_FOLDER"])
ACCESS = os.environ["TIERBENCH_FACTOR_ACCESS"]
TOKEN_KEY = os.environ["TIERBENCH_TOKEN_KEY"]
IS_POSTGRESQL = os.environ["TIERBENCH_DB_SERVICE"] == "postgresql"

# The pool's size is that of one process.
POOL = max(1, int(os.environ["TIERBENCH_FACTOR_POOL"]) // int(os.environ["SITE_PROCESSES"]))
