"""The shell round the referee's core: an asyncio loop, gRPC, tokens."""

from tradepit_server.service.listening import ListenError
from tradepit_server.service.server import RefereeServer
from tradepit_server.service.tokens import Organiser, Spectator, Tokens

__all__ = ["ListenError", "Organiser", "RefereeServer", "Spectator", "Tokens"]
