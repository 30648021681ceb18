"""numba's way from Python to LLVM, without what no kernel needs.

Kernels have numbers and pointers, and nothing else: no closures, lists, array expressions, generators, or objects whose
references are counted.  Half of a first start was numba's own Python, so what is for those is left out: whole
passes (`_UNUSED`), the lives of variables, which tell where references end, and what is said about each pass.  The code
that comes out is the same but for stores that nothing reads.
"""

from __future__ import annotations

from collections.abc import Callable

from numba import types
from numba.core import cgutils
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager
from numba.core.ir_utils import build_definitions
from numba.core.lowering import Lower
from numba.core.ssa import reconstruct_ssa
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import NativeLowering, PreLowerStripPhis
from numba.core.untyped_passes import IRProcessing, ReconstructSSA

#: passes of numba for what no kernel has: closures and list comprehensions, `with`, `literally`, array expressions,
#: errors; and texts about a kernel that nobody reads.  The last one is where references end
_UNUSED = {
    "inline_closure_likes",
    "with_lifting",
    "find_literally",
    "literal_unroll",
    "LiteralPropagation",
    "inline_inlinables",
    "inline_overloads",
    "nopython_rewrites",
    "rewrite_semantic_constants",
    "dead_branch_prune",
    "generic_rewrites",
    "Rewrite dynamic raises",
    "make_function_op_code_to_jit_function",
    "nopython_supported_feature_validation",
    "annotate_types",
    "dump_parfor_diagnostics",
    "ir_legalization",
}


class _Processing(IRProcessing):
    """Blocks in order."""

    def run_pass(self, state) -> bool:
        state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)
        return True


class _SingleAssignment(ReconstructSSA):
    """A variable for every value."""

    def run_pass(self, state) -> bool:
        state.func_ir = reconstruct_ssa(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


class _NoPhis(PreLowerStripPhis):
    """What comes from several blocks is put where each of them ends."""

    def run_pass(self, state) -> bool:
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


class _Lower(Lower):
    """Numbers and pointers: nothing is counted, and what a variable held before is not looked at."""

    def incref(self, typ, val) -> None:
        """Nothing is counted."""

    def decref(self, typ, val) -> None:
        """Nothing is counted."""

    def storevar(self, value, name, argidx=None) -> None:
        if self._disable_sroa_like_opt:
            super().storevar(value, name, argidx)
            return
        self._alloca_var(name, self.typeof(name))
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def alloca_lltype(self, name, lltype, datamodel=None):
        if self._disable_sroa_like_opt:
            return super().alloca_lltype(name, lltype, datamodel)
        return cgutils.alloca_once(self.builder, lltype, name=name, zfill=False)

    def lower_binop(self, resty, expr, op):
        """With the types that were found; numba would look for them again."""
        typing = self.context.typing_context
        function, found = typing.resolve_value_type(op), self.fndesc.calltypes[expr]
        names = expr.lhs.name, expr.rhs.name
        given = [self.loadvar(one) for one in names]
        kinds = map(self.typeof, names)
        given = [self.context.cast(self.builder, *one) for one in zip(given, kinds, found.args)]
        write = self.context.get_function(function, typing.resolve_function_type(function, found.args, {}))
        return self.context.cast(self.builder, write(self.builder, given), found.return_type, resty)


class _Lowering(NativeLowering):
    @property
    def lowering_class(self):
        return _Lower


def _known(kind: type, *names: str) -> bool:
    """Whether this numba has what ours is made of; else its own pass, or nothing, serves."""
    return all(hasattr(kind, one) for one in names)


_NEEDS = {
    _Processing: True,
    _SingleAssignment: True,
    _NoPhis: _known(PreLowerStripPhis, "_strip_phi_nodes"),
    _Lowering: _known(Lower, "_alloca_var", "_disable_sroa_like_opt", "_find_singly_assigned_variable"),
}
#: passes of ours in place of numba's
_OURS = {one.__base__: one() for one, serves in _NEEDS.items() if serves}


class _Passes(PassManager):
    """Passes one after another, without a word about them."""

    def run(self, state) -> None:
        for kind, _ in self.passes:
            found = _OURS.get(kind) or kind()
            found.analysis = self._analysis
            found.run_initialization(state)
            found.run_pass(state)
            found.run_finalizer(state)


class Pipeline(CompilerBase):
    """numba's way from Python to LLVM, for kernels."""

    _found: list = []

    def define_pipelines(self) -> list[PassManager]:
        """All passes but the unused ones, in their order; the same for all kernels."""
        if not self._found:
            manager = _Passes("kernel")
            for one, purpose in DefaultPassBuilder.define_nopython_pipeline(self.state).passes:
                if one.name() not in _UNUSED:
                    manager.add_pass(one, purpose)
            manager.finalize()
            self._found.append(manager)
        return self._found


#: what was found for calls in kernels, by what is called and the types that it is given
_FOUND: dict = {}


def remembered(resolve: Callable) -> Callable:
    """What numba finds for a call with types, `typingctx.resolve_function_type`, asked for once for the same types.

    What users tell numba makes another type of what is called.
    """

    def ask(function, args, kws):
        if kws or type(function) not in (types.Function, types.Dispatcher):
            return resolve(function, args, kws)
        key = function, tuple(args)
        found = _FOUND.get(key)
        if found is None:
            found = resolve(function, args, kws)
            if found is not None:
                _FOUND[key] = found
        return found

    return ask
