"""Playing cards: the predicates that offer a card are those that judge it. Source: rules page, "Card"."""

from collections.abc import Sequence

from tradepit_server.games.base import IllegalAction
from tradepit_server.games.buy_low_sell_high.actions import CardPlay
from tradepit_server.games.buy_low_sell_high.board import NONE, Board, Space
from tradepit_server.games.buy_low_sell_high.events import CardPlayed, CardsDrawn, Dealt, FeeCharged
from tradepit_server.games.quoting import quote


class Play:
    """The cards of one turn as they are laid one after another, without touching the board."""

    __slots__ = ("_cards", "_news", "due", "hand", "room", "uncovered")

    def __init__(self, board: Board, seat: int) -> None:
        self._cards = board.edition.cards
        self._news = board.edition.is_news
        self.hand = list(board.hands[seat])
        self.room = board.edition.card_spaces[board.seats] - len(board.spaces)
        """Empty card spaces."""
        self.uncovered = [space.card for space in board.spaces if space.news == NONE and not self._news[space.card]]
        """The cards that news could be laid over, oldest space first."""
        self.due = bool(self.hand)
        """Whether another card must be played."""

    def targets(self, card: int) -> list[int]:
        """The cards that *card*, news, can be laid over. Ruling: any uncovered one of the industry but news."""
        industry = self._cards[card].industry
        return [target for target in self.uncovered if self._cards[target].industry == industry]

    def playable(self) -> list[int]:
        """The cards of the hand that can be played now.

        Ruling: news without a target only if the hand then left holds nothing else that can be played.
        """
        regular = [card for card in self.hand if not self._news[card] or self.targets(card)]
        return regular or self.hand

    def lay(self, card: int, target: int) -> None:
        """Lay *card* over *target*, or on an empty space if that is NONE."""
        self.hand.remove(card)
        if target == NONE:
            self.room -= 1
            if not self._news[card]:
                self.uncovered.append(card)
        # News is the last card of a turn: what it covers need not be remembered here.
        self.due = self._cards[card].kind == "expense" and self.room > 0 and bool(self.hand)


def judge_cards(board: Board, seat: int, cards: Sequence[CardPlay]) -> None:
    """Raises IllegalAction unless *seat* can play these *cards*, no more and no fewer, in its turn."""
    if not isinstance(cards, (tuple, list)):
        raise IllegalAction(f"{quote(cards)} is no list of cards")
    play = Play(board, seat)
    for entry in cards:
        if type(entry) is not CardPlay:
            raise IllegalAction(f"{quote(entry)} is no card to play")
        if not play.due:
            raise IllegalAction(f"card {quote(entry.card)} is one too many")
        play.lay(*_judge_card(board, play, entry))
    if play.due:
        after = f"after {cards[-1].card}, an expense card," if cards else "in a turn"
        raise IllegalAction(f"{len(cards)} cards are too few: {after} another must be played")


def _judge_card(board: Board, play: Play, entry: CardPlay) -> tuple[int, int]:
    """The card and the target of *entry*, if it can be played now."""
    card = hand_card(board, play.hand, entry.card)
    if type(entry.over) is not str:
        raise IllegalAction(f"{entry.card} over {quote(entry.over)}: that is no card")
    if entry.over:
        return card, _judge_target(board, play, card, entry)
    if board.edition.is_news[card]:
        _judge_bare_news(board, play, card)
    return card, NONE


def _judge_target(board: Board, play: Play, card: int, entry: CardPlay) -> int:
    if not board.edition.is_news[card]:
        raise IllegalAction(f"{entry.card} over {quote(entry.over)}: only news is laid over a card")
    targets = play.targets(card)
    target = board.edition.card_of.get(entry.over, NONE)
    if target not in targets:
        possible = ", ".join(board.edition.cards[other].id for other in targets) or "none"
        raise IllegalAction(f"{entry.card} over {quote(entry.over)}: it can be laid over: {possible}")
    return target


def _judge_bare_news(board: Board, play: Play, card: int) -> None:
    cards = board.edition.cards
    if targets := play.targets(card):
        possible = ", ".join(cards[target].id for target in targets)
        raise IllegalAction(f"{cards[card].id} over nothing: it can be laid over: {possible}")
    playable = play.playable()
    if card not in playable:
        others = ", ".join(cards[other].id for other in playable)
        raise IllegalAction(f"{cards[card].id} is news without a card to cover, while there are to play: {others}")


def hand_card(board: Board, hand: Sequence[int], name: object) -> int:
    """The card of *hand* with the id *name*. Raises IllegalAction."""
    card = board.edition.card_of.get(name, NONE) if type(name) is str else NONE
    if card not in hand:
        raise IllegalAction(f"card {quote(name)} is not in the hand")
    return card


def default_cards(board: Board, seat: int) -> tuple[CardPlay, ...]:
    """The first playable card of the hand over the first legal target, until no further is due."""
    cards = board.edition.cards
    play = Play(board, seat)
    entries = []
    while play.due:
        card = play.playable()[0]
        target = next(iter(play.targets(card)), NONE) if board.edition.is_news[card] else NONE
        entries.append(CardPlay(cards[card].id, "" if target == NONE else cards[target].id))
        play.lay(card, target)
    return tuple(entries)


def play_cards(board: Board, seat: int, entries: Sequence[CardPlay]) -> None:
    """Play cards that have been judged; an expense charges its fee before the next card."""
    card_of = board.edition.card_of
    hand = list(board.hands[seat])
    for entry in entries:
        card = card_of[entry.card]
        hand.remove(card)
        if entry.over:
            _cover(board, card_of[entry.over], card, seat)
        else:
            board.spaces.append(Space(card, seat))
        board.events.append(CardPlayed(seat, entry.card, entry.over))
        if board.edition.cards[card].kind == "expense":
            _charge(board, board.edition.cards[card].industry)
    board.hands[seat] = tuple(hand)


def _cover(board: Board, target: int, news: int, seat: int) -> None:
    for index, space in enumerate(board.spaces):
        if space.card == target:
            board.spaces[index] = space._replace(news=news, news_seat=seat)


def _charge(board: Board, industry: int) -> None:
    """Ruling: who cannot pay gives all the cash and owes the rest."""
    for seat, shares in enumerate(board.shares):
        if number := shares[industry]:
            fee = number * board.edition.fee_per_share
            board.cash[seat] -= fee
            owed = max(-board.cash[seat], 0)
            board.events.append(FeeCharged(seat, board.edition.industries[industry], number, fee, owed))


def draw(board: Board, seat: int, number: int) -> None:
    """*seat* draws so many cards, or as many as the draw pile still has."""
    drawn = [board.pile.pop() for _ in range(min(number, len(board.pile)))]
    if drawn:
        board.hands[seat] = tuple(sorted((*board.hands[seat], *drawn)))
        board.events.append(CardsDrawn(seat, len(drawn)))
        board.events.append(Dealt(seat, tuple(board.edition.cards[card].id for card in sorted(drawn))))
