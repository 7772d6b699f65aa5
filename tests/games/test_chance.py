"""Keyed chance, against vectors that were computed by another program."""

import hmac
import json
from pathlib import Path

import pytest

from tradepit import chance
from tradepit_server.games.long_short.game import RECONSTRUCTED

VECTORS = json.loads((Path(__file__).parents[1] / "golden" / "chance-vectors.json").read_text())


@pytest.fixture
def keyed() -> chance.Chance:
    """The chance of the vectors' match."""
    return chance.Chance(bytes.fromhex(VECTORS["seed"]))


@pytest.mark.parametrize(("label", "value"), VECTORS["draw"].items())
def test_draw_is_the_hmac_of_the_label(keyed: chance.Chance, label: str, value: str) -> None:
    assert keyed.draw(label) == int(value, 16)
    digest = hmac.digest(bytes.fromhex(VECTORS["seed"]), label.encode(), "sha256")
    assert keyed.draw(label) == int.from_bytes(digest, "big")


@pytest.mark.parametrize(("label", "value"), VECTORS["pick"].items())
def test_pick_is_the_draw_modulo_the_number_of_faces(keyed: chance.Chance, label: str, value: int) -> None:
    seats = {"buy-low-sell-high/start": 4}
    assert keyed.pick(label, seats.get(label, 6)) == value


def test_shuffle_orders_the_ids_by_their_draws(keyed: chance.Chance) -> None:
    (name, order), *rest = VECTORS["shuffle"].items()
    assert not rest
    assert keyed.shuffle(name, sorted(order)) == order
    greens = [card.id for card in RECONSTRUCTED.price_cards if card.id.startswith("green-")]
    assert keyed.shuffle(name, greens) == order


def test_commitment_is_the_hash_of_the_secret() -> None:
    assert chance.commitment(bytes.fromhex(VECTORS["secret"])).hex() == VECTORS["commitment"]


def block_seed() -> bytes:
    nonces = [bytes.fromhex(nonce) for nonce in VECTORS["nonces"]]
    return chance.block_seed(bytes.fromhex(VECTORS["secret"]), VECTORS["block_id"], nonces)


def test_block_seed_is_the_hmac_of_block_id_and_nonces() -> None:
    assert block_seed().hex() == VECTORS["block_seed"]


@pytest.mark.parametrize("deal", ["independent", "duplicate"])
def test_match_seeds_follow_from_the_block_seed(deal: str) -> None:
    seeds = [chance.match_seed(block_seed(), match, duplicate=deal == "duplicate").hex() for match in range(3)]
    assert seeds == VECTORS["match_seeds"][deal]


def test_bot_seed_is_the_hmac_of_the_seat() -> None:
    seed = bytes.fromhex(VECTORS["seed"])
    assert chance.bot_seed(seed, 2) == hmac.digest(seed, b"bot/2", "sha256")


def test_reproducible_secret_is_the_hmac_of_the_block_index() -> None:
    root = bytes(32)
    assert chance.reproducible_secret(root, 12) == hmac.digest(root, b"block/12", "sha256")


@pytest.mark.parametrize("length", [0, 31, 33])
def test_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"a seed has 32 bytes, this one has {length}"):
        chance.Chance(bytes(length))
