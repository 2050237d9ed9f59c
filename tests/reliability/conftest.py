"""These tests fork and kill, as only POSIX systems do."""

import os

collect_ignore_glob = [] if os.name == "posix" else ["test_*.py"]
