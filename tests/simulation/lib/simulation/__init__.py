"""A whole world in one process: the referee's real core, bots, lines and an organiser, in virtual time, by one seed.

``world`` runs it; ``ledger`` works out from what was fed what must come of it, and compares. ``docs/simulation.md``
tells the rest.
"""
