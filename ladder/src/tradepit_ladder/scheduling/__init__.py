"""Who plays whom: pure functions over the entrants' positions in an order, 0, 1, 2, ..."""
