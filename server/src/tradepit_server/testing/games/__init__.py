"""The trials of the games that come with Tradepit."""
