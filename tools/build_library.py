"""Compile all kernels, laws and functions of time of Linkwork into one library: `python tools/build_library.py OUT`.

What goes in follows from the source: every kernel that Python calls (`entry`), every kernel with a signature that
kernels call at addresses, and every law and function of time of the product.  They become one object for the baseline
of an architecture, with C functions of stable names around them; everything else in it is hidden or gone.  The library
needs nothing but the C library and its mathematics, and holds the hash of the sources that it was made from.  What it
asks for is compared with a list for Linux only; of other targets that is said, and zig alone has found the names.

It is linked by zig (`pip install ziglang`), for an old glibc, or by `cc` with `--linker cc`, for this machine.
"""

from __future__ import annotations

import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: by platform: LLVM's triple, baseline processor, and what zig calls it
TARGETS = {
    "linux-x86_64": ("x86_64-unknown-linux-gnu", "x86-64", "x86_64-linux-gnu.2.17"),
    "linux-aarch64": ("aarch64-unknown-linux-gnu", "generic", "aarch64-linux-gnu.2.17"),
    "macos-arm64": ("arm64-apple-macosx11.0", "apple-m1", "aarch64-macos.11.0"),
    "macos-x86_64": ("x86_64-apple-macosx11.0", "x86-64", "x86_64-macos.11.0"),
    "windows-x86_64": ("x86_64-w64-windows-gnu", "x86-64", "x86_64-windows-gnu"),
}
#: what something has run; only these are released
TRIED = ("linux-x86_64",)

#: what a library may ask of others: C mathematics, and memory
ALLOWED = frozenset(
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs floor fma fmax "
    "fmin fmod frexp hypot ldexp lgamma log log10 log1p log2 modf pow remainder rint round sin sincos sinh sqrt tan "
    "tanh tgamma trunc memcpy memmove memset".split()
)
#: what a linker adds
OF_THE_LINKER = frozenset(
    "_GLOBAL_OFFSET_TABLE_ __cxa_finalize __gmon_start__ _ITM_deregisterTMCloneTable _ITM_registerTMCloneTable".split()
)
#: numba counts references of arrays that own their numbers; those of laws own none, so there is nothing to count; what
#: numba itself would bring for it has been made ready for the processor of this machine
NOTHING_COUNTED = "".join(
    f"define void @NRT_{name}(ptr %0) {{ ret void }}\n" for name in ("incref", "decref", "MemInfo_call_dtor")
)


def emit(target: str) -> bytes:
    """The object: everything compiled by numba, put together and optimised as a whole."""
    from importlib import import_module
    from pkgutil import walk_packages

    import llvmlite.binding as llvm

    import linkwork.kernels
    from linkwork.compiled.laws import slot_function, slot_key
    from linkwork.compiled.own_laws import own_laws
    from linkwork.kernels import compiling, library, passing

    for one in walk_packages(linkwork.kernels.__path__, "linkwork.kernels."):
        if not one.name.endswith((".ready", "._library")):  # the other way, and what an earlier build has left
            import_module(one.name)
    whole = llvm.parse_assembly(NOTHING_COUNTED)
    names = []

    def add(made, signature, symbol: str) -> None:
        whole.link_in(made.library._final_module, preserve=True)
        whole.link_in(passing.entry(made.fndesc.llvm_func_name, signature, symbol))
        names.append(symbol)

    for kernel in compiling.exported():
        add(compiling.as_part(kernel), compiling.DECLARED[kernel], library.symbol_of(kernel.py_func))
    for law, source, signature in own_laws():
        key = slot_key(law, source)
        inner = compiling.compile_inner(law)
        slot = compiling.slot_kernel(signature, slot_function(key, source, inner))
        add(compiling.as_part(slot), compiling.DECLARED[slot], library.LAW + key)
    said = library.sources()
    text = f'@{library.HASH} = constant [{len(said) + 1} x i8] c"{said}\\00"'
    whole.link_in(llvm.parse_assembly(text))
    passing.optimise_library(whole, names)

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    triple, processor, _ = TARGETS[target]
    whole.triple = triple
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=processor, features="", opt=3, reloc="pic")
    whole.data_layout = str(machine.target_data)
    return machine.emit_object(whole)


def undefined(elf: bytes) -> set[str]:
    """Names that an ELF file of 64 bits asks of others."""
    start, _, _, _, _, size, count, _ = struct.unpack_from("<QIHHHHHH", elf, 40)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, start + size * k) for k in range(count)]
    found = set()
    for _, kind, _, _, offset, length, link, _, _, entry in sections:
        if kind in (2, 11):  # symbols, also those for loading
            texts = sections[link][4]
            for place in range(offset + entry, offset + length, entry):
                name, _, _, section, _, _ = struct.unpack_from("<IBBHQQ", elf, place)
                if section == 0 and name:
                    found.add(elf[texts + name : elf.index(b"\0", texts + name)].decode())
    return found


def newest_glibc(elf: bytes) -> tuple[int, int]:
    """The newest version of the C library that a library asks for; (0, 0) where it names none."""
    return max(((int(one), int(two)) for one, two in re.findall(rb"GLIBC_(\d+)\.(\d+)", elf)), default=(0, 0))


def machine_of(elf: bytes) -> int:
    """The kind of processor that an ELF file is for, by its number there (62 is x86-64); 0 of any other file."""
    return struct.unpack_from("<H", elf, 18)[0] if elf[:4] == b"\x7fELF" else 0


def stale(made: bytes) -> str:
    """What a library lacks of these sources, as the end of a sentence; empty if it was made from them.

    Kernels of other sources are not used at all, laws of another text are compiled again: both without a word.
    """
    sys.path.insert(0, str(ROOT / "src"))
    from linkwork.compiled.laws import slot_key
    from linkwork.compiled.own_laws import own_laws
    from linkwork.kernels import library

    if library.sources().encode() + b"\0" not in made:
        return "was made from other sources than those that are to be packed"
    names = [(law.__qualname__, library.LAW + slot_key(law, source)) for law, source, _ in own_laws()]
    lacks = [law for law, name in names if name.encode() not in made]
    return f"was made before these laws were changed or added: {', '.join(lacks)}" if lacks else ""


def link(object_file: bytes, out: Path, target: str, linker: str) -> None:
    """The library of an object, for the oldest system that the target names."""
    with tempfile.TemporaryDirectory() as folder:
        part, made = Path(folder) / "kernels.o", Path(folder) / out.name
        part.write_bytes(object_file)
        if linker == "zig":
            command = [sys.executable, "-m", "ziglang", "cc", "-target", TARGETS[target][2]]
        else:
            command = [linker]
        subprocess.run([*command, "-shared", "-s", "-o", str(made), str(part), "-lm"], check=True)
        out.parent.mkdir(parents=True, exist_ok=True)
        temporary = out.with_name(out.name + ".part")
        temporary.write_bytes(made.read_bytes())
        os.replace(temporary, out)  # a process that has the old one loaded keeps it


def refuse(what: str, found: set[str], allowed: frozenset[str]) -> None:
    """Refuse a library that would need more than it may."""
    if found - allowed:
        raise SystemExit(f"The {what} asks for {', '.join(sorted(found - allowed))}, which is not on the list.")


def build(out: Path, target: str = "linux-x86_64", linker: str = "zig") -> None:
    """Build the library of a target into a file, in a process of its own whose numba knows the baseline only."""
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / "kernels.o"
        environment = {
            **os.environ,
            "NUMBA_CPU_NAME": "x86-64" if sys.platform == "linux" and os.uname().machine == "x86_64" else "generic",
            "NUMBA_CPU_FEATURES": "",
            "LINKWORK_LIBRARY": "off",
            "LINKWORK_CACHE": folder,
            "LINKWORK_PROGRESS": "off",
            "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]),
        }
        environment.pop("NUMBA_DISABLE_JIT", None)
        subprocess.run([sys.executable, __file__, str(part), "--target", target, "--emit"], env=environment, check=True)
        made = part.read_bytes()
    linux = target.startswith("linux")
    if linux:
        refuse("object", undefined(made), ALLOWED | OF_THE_LINKER)
    link(made, out, target, linker)
    if linux:
        refuse("library", undefined(out.read_bytes()), ALLOWED | OF_THE_LINKER)
    else:
        print(f"What it asks for of others is not compared with the list for {target}: only files of Linux are read.")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the library; in a package it is src/linkwork/kernels/_library.so")
    parser.add_argument("--target", choices=TARGETS, default="linux-x86_64")
    parser.add_argument("--linker", default="zig", help="zig, or a C compiler for this machine")
    parser.add_argument("--emit", action="store_true", help="only the object")
    given = parser.parse_args()
    if given.emit:
        given.out.write_bytes(emit(given.target))
        return
    build(given.out, given.target, given.linker)
    print(f"{given.out}: {given.out.stat().st_size // 1024} KB for {given.target}")
    if given.target not in TRIED:
        print("Nobody has run this one yet: it is not to be released.")


if __name__ == "__main__":
    main()
