"""The referee server: games, codecs, the referee core, hosting and the gRPC service."""
