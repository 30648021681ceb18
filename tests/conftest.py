"""What all tests share: kernels that are compiled while they run say nothing, so that tests can read stderr."""

import os

os.environ.setdefault("LINKWORK_PROGRESS", "off")
