"""Makes the runtime importable where it stands: as the package `runtime`."""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[3] / "templates" / "python"))
sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(
    0, str(Path(__file__).parents[3] / "templates" / "python" / "runtime" / "tests")
)
