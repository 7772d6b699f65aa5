"""The installed games and their editions, as messages."""

from collections.abc import Iterable

from tradepit.v1 import block_pb2, referee_pb2
from tradepit_server import registry
from tradepit_server.games.base import Edition, Game, GameInfo, Option


class UnknownEdition(LookupError):
    """No such edition; the message quotes the digest."""


def list_games() -> referee_pb2.ListGamesResponse:
    """Every installed game, by name."""
    return referee_pb2.ListGamesResponse(games=[_game(registry.get(name).game) for name in registry.names()])


def find_edition(game: str, sha256: bytes, played: Iterable[tuple[str, Edition]]) -> referee_pb2.GetEditionResponse:
    """The edition of *game* with that digest, or its first when *sha256* is empty.

    *played* are the editions of the running blocks with the games they belong to: an organiser's own edition
    is known while it is played. Raises UnknownGame or UnknownEdition.
    """
    packaged = registry.get(game).game.editions
    known = [*packaged, *(edition for owner, edition in played if owner == game)]
    for edition in known:
        if not sha256 or edition.sha256 == sha256:
            return referee_pb2.GetEditionResponse(edition=_reference(edition), toml=edition.toml)
    raise UnknownEdition(f"no edition of {game} has the SHA-256 {sha256.hex()}")


def _game(game: Game) -> referee_pb2.Game:
    info = game.info
    return referee_pb2.Game(
        name=info.name,
        title=info.title,
        min_seats=info.min_seats,
        max_seats=info.max_seats,
        options=map(_option, info.options),
        presets=_presets(info),
        editions=map(_reference, game.editions),
    )


def _option(option: Option) -> referee_pb2.GameOption:
    return referee_pb2.GameOption(
        name=option.name,
        description=option.description,
        values=map(str, option.values),
        default_value=str(option.default),
    )


def _presets(info: GameInfo) -> list[referee_pb2.GamePreset]:
    return [
        referee_pb2.GamePreset(name=name, options={key: str(value) for key, value in options.items()})
        for name, options in info.presets.items()
    ]


def _reference(edition: Edition) -> block_pb2.EditionReference:
    return block_pb2.EditionReference(id=edition.id, sha256=edition.sha256)
