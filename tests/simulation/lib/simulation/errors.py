"""What a world that breaks a rule comes to."""


class Violation(AssertionError):
    """Something happened that the protocol forbids, or did not happen that it demands."""

    def __init__(self, invariant: str, message: str) -> None:
        """*invariant* names the rule, in a few words that stay the same; *message* says what was seen."""
        super().__init__(f"{invariant}: {message}")
        self.invariant = invariant


def require(condition: bool, invariant: str, message: str) -> None:
    """Raise a Violation unless *condition* holds."""
    if not condition:
        raise Violation(invariant, message)
