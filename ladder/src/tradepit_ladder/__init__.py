"""The ladder: who plays whom, the results, and the ratings that follow from them."""
