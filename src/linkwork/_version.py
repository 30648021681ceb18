"""The version of Linkwork: written here, read by the build and by `linkwork.__version__`."""

__version__ = "0.2.0"
