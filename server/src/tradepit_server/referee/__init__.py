"""The referee core: sessions, blocks, matches, clocks and faults, without sockets, threads or clocks of its own."""
