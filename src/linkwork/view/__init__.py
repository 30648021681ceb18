"""Pictures: plots of named series and textbook drawings.  They read a result and compute no mechanics."""
