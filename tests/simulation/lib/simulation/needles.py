"""What may not be seen by whom: secrets, seeds and session ids, looked for in every frame that leaves."""

from simulation.accounts import Account, Block
from simulation.errors import Violation
from tradepit import chance

LONG = 64 * 1024
"""Bytes; a frame that is longer is mostly the blanks of the toy's padding."""

BLANKS = b" " * 1024


class Needles:
    """Bytes that must not be found, but in the frames of those who may see them."""

    def __init__(self) -> None:
        self._needles: dict[bytes, tuple[str, tuple[Account, ...]]] = {}

    def search(self, frame: bytes, account: Account | None) -> None:
        """Raise a Violation if *frame*, for this session or a spectator, holds what it must not."""
        if len(frame) > LONG:
            frame = frame.replace(BLANKS, b"")
        for needle, (what, allowed) in self._needles.items():
            if needle in frame and account not in allowed:
                raise Violation("a secret is seen", f"{what} stands in a frame for {account.bot if account else 'all'}")

    def add_session(self, account: Account) -> None:
        """A session's id is known to its bot alone."""
        self._needles[account.id.encode()] = (f"the session id of {account.bot}", (account,))

    def drop_session(self, account: Account) -> None:
        """The session is gone."""
        self._needles.pop(account.id.encode(), None)

    def add_secret(self, block: Block) -> None:
        """A block's secret is known to nobody before its end."""
        self._hide(block.secret, f"the secret of {block.id}")

    def add_seeds(self, block: Block, seed: bytes) -> None:
        """Nor are the seeds that follow from it, but a bot's own."""
        self._hide(seed, f"the seed of {block.id}")
        for twin, match_seed in zip(block.twins, block.seeds, strict=True):
            self._hide(match_seed, f"the seed of {twin.id}")
            for seat in range(len(block.accounts)):
                needle = chance.bot_seed(match_seed, seat)
                _, others = self._needles.get(needle, ("", ()))
                allowed = (*others, block.account(twin, seat))
                self._needles[needle] = (f"the bot seed of seat {seat} in {twin.id}", allowed)

    def drop_block(self, block: Block) -> None:
        """The block is over, and its chance published."""
        for needle in [
            key for key, (what, _) in self._needles.items() if what.endswith((block.id,)) or f" {block.id}/" in what
        ]:
            del self._needles[needle]

    def _hide(self, secret: bytes, what: str) -> None:
        self._needles[secret] = (what, ())
        self._needles[secret.hex().encode()] = (what, ())
