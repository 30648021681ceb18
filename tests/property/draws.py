"""What the property tests share: how many draws, and which of them tell anything."""

from hypothesis import HealthCheck, assume, settings


def examples(count):
    """The same draws every time, no time limit for one (the first compiles)."""
    return settings(
        derandomize=True,
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large],
    )


def assembler(rejections):
    """A function that gives the mechanism of a plan and a state on its constraints, velocities included."""

    def assembled(plan, **moved):
        m = plan.build(**moved)
        assume(rejections.well_conditioned(m.evaluate(coordinates="body")))  # draws close to singular are left out
        return m, m.assemble(coordinates="body").state

    return assembled
