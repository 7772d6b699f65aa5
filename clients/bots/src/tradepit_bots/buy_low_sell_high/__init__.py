"""House bots for Buy Low Sell High, from the simplest: passive, random, value, search."""
