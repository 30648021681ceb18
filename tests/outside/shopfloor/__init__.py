"""A package that is no part of Linkwork: what it adds is there when it is imported, one file each."""
