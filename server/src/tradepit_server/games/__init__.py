"""The games: pure rules, one package a game."""
