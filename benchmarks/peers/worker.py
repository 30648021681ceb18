"""One package in a process of its own: reads requests, a line of JSON each, and answers with a line of JSON.

A package that crashes takes only this process with it, and the package that is timed has the process to itself.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import math
import os
import sys
import tempfile

from benchmarks.peers import cases
from benchmarks.peers.tools import SINGLE, TOOLS, CannotExpressError

KEPT = 6  # prepared runs that are kept: enough for the final rounds of one problem


class Worker:
    """A package, the case at hand and the runs that are ready.

    `tool` is a name of `TOOLS`, or a module with problems of its own: `scheme(case)` beside `methods` and `prepare`.
    """

    def __init__(self, tool: str):
        _, module, distribution = TOOLS.get(tool, (tool, tool, ""))
        self.module = importlib.import_module(module)
        self.version = getattr(self.module, "VERSION", None) or importlib.metadata.version(distribution)
        self.methods: dict = {}  # name -> (scheme, method as the package's module knows it)
        self.ready: dict = {}

    def hello(self, request) -> dict:
        """Version of the package."""
        return {"version": self.version, **getattr(self.module, "ABOUT", {})}

    def open(self, request) -> dict:
        """Take up a case; answers with the methods that the package has for it."""
        self.ready.clear()
        schemes = {"": getattr(self.module, "scheme", cases.scheme)(request["case"])}
        if self.module.JOINT_COORDINATES and schemes[""].loops:
            schemes[SINGLE] = cases.scheme(request["case"], single=True)
        try:
            self.methods = {
                method.name + ending: (scheme, method)
                for ending, scheme in schemes.items()
                for method in self.module.methods(scheme)
            }
        except CannotExpressError as reason:
            return {"cannot": str(reason)}
        return {"methods": [{**vars(method), "name": name} for name, (_, method) in self.methods.items()]}

    def run(self, request) -> dict:
        """Shortest time of some runs with one setting, and their error."""
        key = request["method"], request["setting"]
        if key not in self.ready:
            while len(self.ready) >= KEPT:
                self.ready.pop(next(iter(self.ready)))
            self.ready[key] = self.module.prepare(*self.methods[key[0]], key[1])
        work, best = self.ready[key], math.inf
        for turn in range(request["repeats"]):
            spent, error = work()
            if turn == 0 and request["repeats"] > 1 and not error <= request["worth"]:
                return {"seconds": spent, "error": error}
            best = min(best, spent)
            if best > request["long"]:
                break
        return {"seconds": best, "error": error}


def answer(worker: Worker, line: str) -> dict:
    """The answer to one request; what the package raises is told, not raised."""
    request = json.loads(line)
    try:
        reply = getattr(worker, request["do"])(request)
    except Exception as problem:
        return {"failed": f"{type(problem).__name__}: {' '.join(str(problem).split())[:200]}"}
    return {
        key: (str(value) if isinstance(value, float) and not math.isfinite(value) else value)
        for key, value in reply.items()
    }


def main(tool: str) -> None:
    """Answer requests until the other side closes."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)  # what packages print is no answer
    try:
        worker = Worker(tool)
    except ImportError as missing:
        print(json.dumps({"missing": str(missing)}), file=out, flush=True)
        return
    print(json.dumps({"ready": True}), file=out, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # some packages leave logs where they run
        for line in sys.stdin:
            print(json.dumps(answer(worker, line)), file=out, flush=True)
        os.chdir(os.path.dirname(folder))


if __name__ == "__main__":
    main(sys.argv[1])
