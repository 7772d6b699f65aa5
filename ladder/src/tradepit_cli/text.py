"""Text for terminals."""


def visible(text: str) -> str:
    """*text* on one line: control characters, which could command the terminal, as escapes."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def visible_lines(text: str) -> list[str]:
    """The lines of *text*, each made visible and not too long; tabs become spaces."""
    return [shortened(visible(line.expandtabs(4))) for line in text.splitlines()]


def shortened(text: str, most: int = 400) -> str:
    """*text*, its middle left out where it has more than *most* characters."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} ... {text[-half:]}"


def plural(count: int, noun: str) -> str:
    """``1 match``, ``2 matches``, ``3 bots``."""
    ending = "" if count == 1 else "es" if noun.endswith(("ch", "s", "x")) else "s"
    return f"{count:,} {noun}{ending}"
