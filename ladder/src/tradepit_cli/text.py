"""Text for terminals."""


def visible(text: str) -> str:
    """*text* on one line: control characters, which could command the terminal, as escapes."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def visible_lines(text: str) -> list[str]:
    """The lines of *text*, each made visible; tabs become spaces."""
    return [visible(line.expandtabs(4)) for line in text.splitlines()]


def plural(count: int, noun: str) -> str:
    """``1 match``, ``2 matches``, ``3 bots``."""
    ending = "" if count == 1 else "es" if noun.endswith(("ch", "s", "x")) else "s"
    return f"{count:,} {noun}{ending}"
