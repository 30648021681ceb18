"""Numbers to numbers: numba functions of arrays. They never raise; they leave a status in the workspace."""
