"""Mechanisms and results as files.

A model file is YAML or JSON with the words, fields and defaults of the Python classes: `declarations` reads them from
the classes themselves, and the reader, the writer and the schema use what it finds.  A new joint needs nothing here.

>>> m = lw.read(lw.gallery.path("four_bar"))
>>> m == lw.gallery.four_bar()
True
"""

from linkwork.files.whole import write_whole as write_whole
