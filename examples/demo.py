"""A four-bar with a spring, from its description to its forces: the same as `linkwork demo`.

Writes results and pictures into demo_output in the working folder; the code is in linkwork/cli/demo.py, the mechanism
in linkwork/gallery.
"""

from linkwork.cli import main

if __name__ == "__main__":
    raise SystemExit(main(["demo"]))
