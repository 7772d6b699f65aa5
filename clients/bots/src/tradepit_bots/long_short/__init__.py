"""House bots for Long Short, from the simplest: passive, random, greedy, hand_reader, search."""
