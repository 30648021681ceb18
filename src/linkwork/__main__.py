"""`python -m linkwork`: the command line."""

from linkwork.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
