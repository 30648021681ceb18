"""Motion through time: one loop, and steppers at addresses beside it.

| file       | does                                                                                         |
|------------|----------------------------------------------------------------------------------------------|
| loop       | the only loop: try a step, judge it, take it; outputs; events                                |
| control    | how long a step is and how large its error; the one place that knows nan, and fixed steps    |
| near       | what is different beside a singular position, with its constants                             |
| acceptance | what an accepted step leaves: conflicts, memory of turns and laws, the new state             |
| corners    | laws that begin to act in a step, or cease to: their steps are shorter                       |
| jumps      | laws that jump: told by steps that were refused several times                                |
| holding    | states back on the constraints, or Baumgarte's constants after the steps                     |
| dense      | the motion inside a step, as a polynomial                                                    |
| explicit   | a stepper: explicit Runge-Kutta methods by their tables                                      |
| radau      | a stepper: Radau IIA, three implicit stages, for what is stiff                               |
| triangle   | a stepper: the same for large systems, by soft evaluations, linear in the number of bodies   |
| rounds     | the iteration of triangle                                                                    |
| soft       | evaluations in which stiff laws are soft rows, or additions to the recursion                 |
| stages     | what both implicit steppers share: places, what is kept, the error of a step                 |
| newton     | the iteration of radau, in the space of the speeds                                           |
| shifted    | the linear systems of newton                                                                 |
| ports      | slopes of the laws, and what they move                                                       |
| lu         | small dense systems                                                                          |
| watches    | what a run watches, read at the state that the workspace is at                               |
| events     | roots of what is watched inside an accepted step; compiled when a run watches something      |
| cubic      | the cubic through both ends of a piece of a step, by which events are looked for             |
| places     | where a run keeps its numbers                                                                |

A stepper is one file with four kernels of the signature STEPPER, and with `check` and `arrange`.  They are compiled
when a method that needs them is first used; the loop calls them at their addresses.

| kernel   | is called                        | leaves                                                             |
|----------|----------------------------------|--------------------------------------------------------------------|
| attempt  | for every try                    | the new state in R_NEW, LOWEST and TURNING; or STATUS says why not |
| estimate | where the end could be evaluated | estimates of the error in R_ERROR and R_ERROR_LOW                  |
| dense    | once a step, if it is asked for  | the coefficients of the polynomial in R_POWERS                     |
| stiff    | where a run chooses its method   | HITS and MISSES: whether another stepper would serve better        |

`attempt` does not project the end of the step and counts nothing: the end is evaluated once, by the loop, and its slope
is in R_SLOPE_NEW when `estimate` is called.  `check(tables, fits)` refuses tables of a method that do not fit, and
`arrange(room, sizes, tables)` reserves what the stepper needs of its own.  One that asks laws for their slopes says
`SLOPES = True`, and one that makes soft evaluations `SOFT = True`: `coordinates.door` gives it the tables for that.
"""
