"""Tradepit: write bots for market games and play them against others.

Start with ``tradepit.long_short``. Importing this package loads neither grpc nor protobuf.
"""

__version__ = "0.1.0"
