"""Run the README with the package that is installed, not with the sources: `python tests/docs/from_wheel.py`.

What `make wheel` does in an environment of its own, which holds the wheel and nothing of this clone.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from test_readme import ROOT, script_of


def main() -> int:
    """Run the blocks of the README in an empty folder; returns the status of that."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "readme.py"
        script.write_text(script_of((ROOT / "README.md").read_text(encoding="utf-8")), encoding="utf-8")
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        environment |= {"MPLBACKEND": "Agg", "LINKWORK_PROGRESS": "off"}
        ask = [sys.executable, "-c", "import linkwork; print(linkwork.__file__)"]
        place = subprocess.run(ask, cwd=folder, env=environment, text=True, capture_output=True, check=True).stdout
        if Path(place.strip()).is_relative_to(ROOT / "src"):
            print(f"linkwork is imported from the sources, {place.strip()}, not from a wheel")
            return 1
        print(f"README with {place.strip()}")
        return subprocess.run([sys.executable, str(script)], cwd=folder, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
