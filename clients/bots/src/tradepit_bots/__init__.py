"""The house bots."""
