"""The full-screen viewer of the terminal; needs textual."""
