"""Pictures for people. ``chart`` is the plain data; each renderer is one file that knows no other."""
