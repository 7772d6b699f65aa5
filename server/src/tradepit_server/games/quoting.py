"""Values in the messages of refusals."""

_QUOTED = 60


def quote(value: object) -> str:
    """*value* for a message, cut short: a bot may send anything."""
    text = repr(value)
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}..."
