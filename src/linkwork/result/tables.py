"""Results as labelled tables of other libraries, loaded only when asked for."""

from __future__ import annotations

from linkwork.compiled.names import measure_of, split
from linkwork.errors import LinkworkError, extra_package
from linkwork.units import MEASURE_UNITS


def unit_of(result, name: str) -> str:
    """SI unit of a named quantity."""
    if name in ("t", "time"):
        return "s"
    base, order = split(name)
    item, _, quantity = base.partition(".")
    if item == "energy":
        return "J"
    if item == "system":
        what = quantity.split(".")[0]
        other = {"momentum": "kg m/s", "angular_momentum": "kg m^2/s"}
        return MEASURE_UNITS["length"][order] if what == "center" else other[what]
    tail = quantity.split(".")[0]
    if tail == "angular_velocity":
        return MEASURE_UNITS["angle"][1 + order]
    if tail in ("reaction", "force", "tension"):
        return "N"
    if tail in ("moment", "torque"):
        return "N m"
    if tail == "power":
        return "W"
    if tail == "effort":
        return "N m" if result.mechanism.drivers[item].measure.quantity == "angle" else "N"
    try:
        measure, order = measure_of(result.mechanism, name)
    except LinkworkError:
        return ""
    return MEASURE_UNITS[measure.quantity][order]


def _names(result, names) -> list[str]:
    """The names asked for, or all."""
    if names is None:
        return list(result.names)
    return list(names) if isinstance(names, (list, tuple)) else [names]


def to_xarray(result, names=None):
    """An xarray Dataset over time, with units."""
    xarray = extra_package("xarray", "to_xarray", "frames")
    names = _names(result, names)
    data = {name: ("time", result[name], {"units": unit_of(result, name), "long_name": name}) for name in names}
    coordinate = {"time": ("time", result.t, {"units": "s"})}
    return xarray.Dataset(data, coordinate, {"mechanism": result.mechanism.name, "coordinates": result.coordinates})


def to_pandas(result, names=None):
    """A pandas DataFrame over time; the units of its columns are in `attrs["units"]`."""
    pandas = extra_package("pandas", "to_pandas", "frames")
    names = _names(result, names)
    frame = pandas.DataFrame({name: result[name] for name in names}, index=pandas.Index(result.t, name="time"))
    frame.attrs = {"mechanism": result.mechanism.name, "coordinates": result.coordinates,
                   "units": {"time": "s", **{name: unit_of(result, name) for name in names}}}
    return frame
