"""Results as labelled tables of other libraries, loaded only when asked for."""

from __future__ import annotations

from typing import Any

from linkwork.errors import extra_package


def to_xarray(result: Any, names: Any = None) -> Any:
    """An xarray Dataset over time, with units."""
    xarray = extra_package("xarray", "to_xarray", "frames")
    names = result.scalars(names)
    data = {
        name: ("time", result[name].copy(), {"units": result.unit(name), "long_name": result.long_name(name)})
        for name in names
    }
    coordinate = {"time": ("time", result.t.copy(), {"units": "s"})}
    return xarray.Dataset(data, coordinate, {"mechanism": result.mechanism.name, "coordinates": result.coordinates})


def to_pandas(result: Any, names: Any = None) -> Any:
    """A pandas DataFrame over time; the units of its columns are in `attrs["units"]`."""
    pandas = extra_package("pandas", "to_pandas", "frames")
    names = result.scalars(names)
    frame = pandas.DataFrame({name: result[name] for name in names}, index=pandas.Index(result.t, name="time"))
    frame.attrs = {
        "mechanism": result.mechanism.name,
        "coordinates": result.coordinates,
        "units": {"time": "s", **{name: result.unit(name) for name in names}},
    }
    return frame


def maker_of_datasets(item: str) -> Any:
    """xarray's Dataset; where xarray is missing, an error that says how to get it."""
    return extra_package("xarray", item, "frames").Dataset
