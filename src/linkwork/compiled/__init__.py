"""Words to numbers: the graph of a mechanism, its tables, its laws as addresses, and the immutable model."""
