"""The command line: reads arguments, calls use cases, renders what they return.

It is the composition root, the one place that knows both the server and the ladder. Both are
imported inside commands, so that ``--help`` is quick and a node needs no ladder.
"""
