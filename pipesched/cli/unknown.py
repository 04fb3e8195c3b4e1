"""What to say of an option that does not exist."""

import typer

#: How alike two options are that are taken for each other.
_ALIKE = 0.7


def no_option(app: typer.Typer, command: str, option: str) -> str | None:
    """A sentence with the nearest options of the command; None where none is near."""
    import difflib

    group = typer.main.get_command(app)
    found = getattr(group, "commands", {}).get(command)
    flags = {
        flag.strip("-"): flag
        for each in (found or group).params
        for flag in (*each.opts, *each.secondary_opts)
        if flag.startswith("-")
    }
    near = difflib.get_close_matches(option.strip("-"), flags, n=2, cutoff=_ALIKE)
    if not near:
        return None
    shows = f"'pipesched {command} --help' shows all" if found else "'pipesched --help' shows all"
    meant = " or ".join(flags[name] for name in near)
    return f"no option is called {option}; did you mean {meant}? ({shows})"
