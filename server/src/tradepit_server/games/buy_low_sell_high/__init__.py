"""Buy Low Sell High: shares of three industries over three years. The rules: ``docs/rules/buy-low-sell-high.md``."""
