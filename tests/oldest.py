"""The oldest versions that pyproject.toml allows, as constraints for pip: `python tests/oldest.py > oldest.txt`."""

import re
import tomllib
from pathlib import Path


def oldest() -> list[str]:
    """`name==version` for every requirement with a least version."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(one for some in project["optional-dependencies"].values() for one in some)]
    found = (re.fullmatch(r"([\w-]+)>=([\d.]+)", one) for one in wanted)
    return sorted({f"{match[1]}=={match[2]}" for match in found if match})


if __name__ == "__main__":
    print("\n".join(oldest()))
