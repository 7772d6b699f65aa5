"""Codecs: a game state as messages, messages as actions, actions as JSON; one module a game."""
