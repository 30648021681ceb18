"""The other end of a worker: starts it, asks it, and starts it again when it has crashed or hangs."""

from __future__ import annotations

import json
import math
import os
import selectors
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.tools import TOOLS, Method
from benchmarks.timing import ROOT

LONGEST_START = 600.0  # seconds for the import of a package, or for taking up a problem, first compilation included
LONGEST_RUN = 30.0  # seconds for building and running one setting; what takes longer is ended


class MissingPackageError(Exception):
    """The package cannot be imported here."""


@dataclass(frozen=True)
class Outcome:
    """Seconds of the integration and error at the end.

    A run that failed has an infinite error, the reason, and the seconds until it failed, building included.
    """

    seconds: float
    error: float = math.inf
    failure: str = ""


class Process:
    """A worker process of one package, or of another source of Linkwork; `tool` as `Worker` takes it."""

    def __init__(self, tool: str, source: Path = ROOT / "src"):
        self.tool = tool
        self.source = source
        self.title = TOOLS[tool][0] if tool in TOOLS else tool
        self.case = ""
        self.child: subprocess.Popen | None = None
        self._start()
        self.about = self._ask({"do": "hello"})

    def _start(self) -> None:
        single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
        environment = {**os.environ, **single, "LINKWORK_PROGRESS": "off"}
        parts = [str(self.source), str(ROOT), environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(part for part in parts if part)
        self.child = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.peers.worker", self.tool],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        first = self._read()
        if "ready" not in first:
            self.close()
            raise MissingPackageError(first.get("missing") or first.get("failed") or "does not start")

    def _read(self, patience: float = LONGEST_START) -> dict:
        """One answer, or the reason why there is none."""
        assert self.child is not None and self.child.stdout is not None
        with selectors.DefaultSelector() as wait:
            wait.register(self.child.stdout, selectors.EVENT_READ)
            if not wait.select(patience):
                self.close()
                return {"failed": f"no answer within {patience:.0f} s"}
        line = self.child.stdout.readline()
        if not line:
            code = self.child.wait()
            self.child = None
            return {"failed": f"crashed (exit status {code})"}
        return json.loads(line)

    def _ask(self, request: dict, patience: float = LONGEST_START) -> dict:
        if self.child is None:
            self._start()
            if self.case and request["do"] == "run":
                self._ask({"do": "open", "case": self.case})
        assert self.child is not None and self.child.stdin is not None
        try:
            self.child.stdin.write((json.dumps(request) + "\n").encode())
            self.child.stdin.flush()
        except BrokenPipeError:
            pass  # said when the answer is read
        return self._read(patience)

    def open(self, case: str) -> list[Method] | str:
        """The methods of the package for a case, or the reason why it has none."""
        self.case = case
        reply = self._ask({"do": "open", "case": case})
        if "methods" in reply:
            return [Method(**method) for method in reply["methods"]]
        return reply.get("cannot") or reply.get("failed", "")

    def run(
        self, method: Method, setting: float, repeats: int = 1, *, worth: float = math.inf, long: float = 0.5
    ) -> Outcome:
        """Run one setting; the shortest of `repeats` runs, of fewer where they are long or not worth repeating."""
        begin = time.perf_counter()
        reply = self._ask(
            {
                "do": "run",
                "method": method.name,
                "setting": setting,
                "repeats": repeats,
                "worth": min(worth, 1e300),
                "long": long,
            },
            LONGEST_RUN,
        )
        if "failed" in reply:
            return Outcome(time.perf_counter() - begin, failure=reply["failed"])
        return Outcome(float(reply["seconds"]), float(reply["error"]))

    def close(self) -> None:
        """End the process."""
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            for stream in (self.child.stdin, self.child.stdout):
                if stream is not None:
                    stream.close()
            self.child = None
