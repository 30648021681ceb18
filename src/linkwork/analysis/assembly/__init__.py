"""What `assemble` does, part by part.

| file       | does                                                                                     |
|------------|------------------------------------------------------------------------------------------|
| placement  | a first position: declared poses, and along the joints                                   |
| declared   | which poses are declared, held or let go, and what has moved                             |
| newton     | the smallest moves that meet the rows, from one position                                 |
| wishes     | what `near` asks, met as far as it is left free                                          |
| trials     | other positions to try                                                                   |
| positions  | the search: which attempt is made next, and which answer is taken                        |
| fits       | axes the wrong way round, gears that do not touch                                        |
| refusal    | why nothing was found                                                                    |
| turns      | in which full turn angles begin                                                          |
| velocities | velocities that meet the rows                                                            |
| branches   | other ways to go together                                                                |
"""
