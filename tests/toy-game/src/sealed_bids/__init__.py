# src/sealed_bids/__init__.py
"""Sealed Bids: lots are auctioned off, all bid at once, and everybody knows one lot beforehand."""
