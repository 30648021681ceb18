"""Ready mechanisms by name, each as a Python function and as a file of the same name.

from linkwork import gallery

m = gallery.four_bar()              # a fresh Mechanism, to look at, to change, to run
m = gallery.get("four_bar")         # the same by its name
lw.read(gallery.path("four_bar"))   # the same from its file, which also says what to run

>>> m = lw.gallery.four_bar()
>>> m.check().freedom
1
>>> lw.gallery.names()[:3]
['pendulum', 'double_pendulum', 'slider_crank']
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from linkwork.errors import DescriptionError, UnknownNameError, message
from linkwork.gallery.benchmarks import andrews, n_four_bar, spatial_chain
from linkwork.gallery.linkages import (
    double_pendulum,
    four_bar,
    inverted_slider_crank,
    pendulum,
    six_bar_quick_return,
    slider_crank,
    sliding_pendulum,
)
from linkwork.gallery.vehicles import cart, double_a_arm, macpherson_a, macpherson_b, planetary_gear

_FUNCTIONS = {
    function.__name__: function
    for function in (
        pendulum,
        double_pendulum,
        slider_crank,
        four_bar,
        inverted_slider_crank,
        six_bar_quick_return,
        sliding_pendulum,
        double_a_arm,
        macpherson_a,
        macpherson_b,
        cart,
        n_four_bar,
        andrews,
        planetary_gear,
        spatial_chain,
    )
}

__all__ = [
    "get",
    "names",
    "path",
    "summary",
    "pendulum",
    "double_pendulum",
    "slider_crank",
    "four_bar",
    "inverted_slider_crank",
    "six_bar_quick_return",
    "sliding_pendulum",
    "double_a_arm",
    "macpherson_a",
    "macpherson_b",
    "cart",
    "n_four_bar",
    "andrews",
    "planetary_gear",
    "spatial_chain",
]


def names() -> list[str]:
    """Names of all mechanisms of the gallery."""
    return list(_FUNCTIONS)


def get(name: str, **options: Any) -> Any:
    """The mechanism of this name; options go to its function (`get("n_four_bar", n=3)`)."""
    return _FUNCTIONS[_known(name)](**options)


def path(name: str) -> Path:
    """The file of the mechanism of this name."""
    found = Path(__file__).parent / f"{_known(name)}.yaml"
    if not found.is_file():
        raise DescriptionError(
            message(
                f"Gallery file '{found.name}'", "is missing from this installation", remedy="install the package again"
            )
        )
    return found


def summary(name: str) -> str:
    """One line about the mechanism of this name."""
    return (_FUNCTIONS[_known(name)].__doc__ or "").strip().splitlines()[0]


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(name)
    raise UnknownNameError("mechanism", name, names(), "in the gallery")


def _known(name: str) -> str:
    key = str(name).strip().lower().replace("-", "_").replace(" ", "_")
    if key not in _FUNCTIONS:
        raise UnknownNameError("mechanism", str(name), names(), "in the gallery")
    return key
