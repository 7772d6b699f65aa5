"""All checks of a game, by name."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tradepit_server.testing import general, messages, privacy, processes, refusals, rules
from tradepit_server.testing.records import Case, cases, further_cases
from tradepit_server.testing.trials import Subject, find

OF_A_GAME: tuple[Callable[[Subject], None], ...] = (
    general.information,
    general.editions,
    general.wrong_tables,
    processes.another_process,
    processes.wire,
)
"""Done once."""

OF_A_CASE: tuple[Callable[[Subject, Case], None], ...] = (
    rules.determinism,
    rules.shape,
    rules.events,
    rules.clones,
    rules.legality,
    rules.defaults,
    rules.bound,
    rules.ledger,
    rules.placements,
    refusals.illegal,
    refusals.uninvited,
    refusals.answers_of_another_kind,
    refusals.garbage,
    messages.schema,
    messages.actions,
    messages.hidden,
    messages.samples,
    privacy.secrets,
)
"""Done for every number of seats with every preset, and for every value of an option that no preset takes."""


class Check(NamedTuple):
    """Something that a game must pass. Call it: it returns, or raises what is wrong."""

    name: str
    """As in "clones 3p-classic"."""
    run: Callable[[], None]

    def __call__(self) -> None:
        """Raises Nonconformity, or whatever the game raised where it should not; a note names the check."""
        try:
            self.run()
        except Exception as error:
            error.add_note(f"check: {self.name}")
            raise

    def __str__(self) -> str:
        return self.name


def checks(game: str) -> list[Check]:
    """Every check of the installed *game*, to be called one by one. Raises UnknownGame or NoTrials."""
    return list(checks_of(find(game)))


def checks_of(subject: Subject) -> Iterator[Check]:
    """Every check of *subject*."""
    for check in OF_A_GAME:
        yield Check(check.__name__, _bound(check, subject))
    for case in (*cases(subject), *further_cases(subject)):
        for check_case in OF_A_CASE:
            yield Check(f"{check_case.__name__} {case}", _bound_to_case(check_case, subject, case))


def _bound(check: Callable[[Subject], None], subject: Subject) -> Callable[[], None]:
    return lambda: check(subject)


def _bound_to_case(check: Callable[[Subject, Case], None], subject: Subject, case: Case) -> Callable[[], None]:
    return lambda: check(subject, case)


def check_game(game: str) -> None:
    """Run every check of the installed *game*. Raises an ExceptionGroup of all that is wrong."""
    failures = [error for check in checks(game) if (error := failure(check)) is not None]
    if failures:
        raise ExceptionGroup(f"{game} does not conform: {len(failures)} checks failed", failures)


def failure(check: Check) -> Exception | None:
    """What is wrong by *check*; None when it passes."""
    try:
        check()
    except Exception as error:  # whatever the game raises is what the check has found
        return error
    return None
