"""Everything that the author of a Buy Low Sell High bot needs."""
