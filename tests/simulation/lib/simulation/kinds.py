"""All kinds of bots, by name."""

from simulation import habits, habits_unasked
from simulation.habits import Habit

HONEST: list[Habit] = [habits.Instant(), habits.Steady(), habits.Batching()]
"""What a bot does when it does nothing wrong."""

FAULTS: list[Habit] = [
    habits.Silent(), habits.Slow(), habits.Illegal(), habits.Malformed(), habits.Garbage(), habits.Raising(),
    habits.Duplicating(), habits.Reordering(), habits.Mistaken(), habits.Noting(),
    habits_unasked.Echoing(), habits_unasked.Impostor(), habits_unasked.Flooding(), habits_unasked.Strange(),
    habits_unasked.Overdue(), habits_unasked.Deserting(), habits_unasked.HalfClosing(),
    habits_unasked.Leaving(), habits_unasked.Doubling(), habits_unasked.Unacknowledging(), habits_unasked.Boasting(),
    habits_unasked.Refusing(), habits_unasked.Withholding(), habits_unasked.Ignoring(), habits_unasked.Rude(),
    habits_unasked.Crashing(),
]  # fmt: skip
"""What bots do wrong."""

DROPPING = habits_unasked.Dropping()
"""Short outages: no fault of an honest bot's, which comes back in time."""

KINDS = {habit.name: habit for habit in (*HONEST, *FAULTS, DROPPING)}
"""Every kind by its name, in the order of reports."""
