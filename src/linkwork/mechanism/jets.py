"""Programs on jets: what an expression becomes, and the one function that runs all of them.

A jet is a value with its first and second derivative by t. A program is a flat list of pairs (operation, number) for a
stack of jets; the number is used by CONSTANT and by POWER_OF (the exponent). Operations and interpreter stand in one
file, because compiled code is kept by the file that it is in.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

STACK = 32  # jets that wait for their operation

CONSTANT, TIME, ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE, POWER, POWER_OF, ATAN2, MIN, MAX, STEP = range(13)
SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, EXP, LOG, SQRT, ABS, SIGN = range(20, 34)


def stack() -> np.ndarray:
    """Room for jets; compiled, it is a part of the frame of the function that asks for it."""
    return np.empty((STACK, 3))


stack.on_stack = STACK, 3  # type: ignore[attr-defined]  # a mark that the compiler of kernels reads


def run(t: float, numbers: np.ndarray) -> tuple[float, float, float]:
    """Run a program, given as operation and number in turn: value, first and second derivative at t."""
    # s[n - 1] is the jet on top: f, f', f''. Chain rule: (f(u))' = f' u', (f(u))'' = f'' u'^2 + f' u''.
    s = stack()
    n = 0
    for k in range(0, len(numbers), 2):
        op = int(numbers[k])
        if op == CONSTANT or op == TIME:
            s[n, 0] = t if op == TIME else numbers[k + 1]
            s[n, 1] = 1.0 if op == TIME else 0.0
            s[n, 2] = 0.0
            n += 1
            continue
        if op == STEP:  # x, x0, f0, x1, f1 with x0 and x1 constant
            n -= 4
            span = s[n + 2, 0] - s[n, 0]
            z = (s[n - 1, 0] - s[n, 0]) / span
            z1, z2 = s[n - 1, 1] / span, s[n - 1, 2] / span
            if z <= 0.0 or z >= 1.0:
                z = 0.0 if z <= 0.0 else 1.0
                z1 = z2 = 0.0
            v = z * z * z * (10.0 + z * (-15.0 + 6.0 * z))
            d1 = 30.0 * z * z * (1.0 - z) * (1.0 - z)
            v1, v2 = d1 * z1, 60.0 * z * (1.0 - z) * (1.0 - 2.0 * z) * z1 * z1 + d1 * z2
            rise, rise1, rise2 = s[n + 3, 0] - s[n + 1, 0], s[n + 3, 1] - s[n + 1, 1], s[n + 3, 2] - s[n + 1, 2]
            s[n - 1, 0] = s[n + 1, 0] + rise * v
            s[n - 1, 1] = s[n + 1, 1] + rise1 * v + rise * v1
            s[n - 1, 2] = s[n + 1, 2] + rise2 * v + 2.0 * rise1 * v1 + rise * v2
            continue
        if op <= MAX and op != NEGATE and op != POWER_OF:
            n -= 1
            u, u1, u2 = s[n - 1, 0], s[n - 1, 1], s[n - 1, 2]
            v, v1, v2 = s[n, 0], s[n, 1], s[n, 2]
            if op == ADD:
                f, f1, f2 = u + v, u1 + v1, u2 + v2
            elif op == SUBTRACT:
                f, f1, f2 = u - v, u1 - v1, u2 - v2
            elif op == MULTIPLY:
                f, f1, f2 = u * v, u1 * v + u * v1, u2 * v + 2.0 * u1 * v1 + u * v2
            elif op == DIVIDE:  # u = f v, differentiated twice
                f = u / v
                f1 = (u1 - f * v1) / v
                f2 = (u2 - 2.0 * f1 * v1 - f * v2) / v
            elif op == POWER:  # f = exp(w), w = v log(u)
                log, p1 = math.log(u), u1 / u
                w1 = v1 * log + v * p1
                w2 = v2 * log + 2.0 * v1 * p1 + v * (u2 / u - p1 * p1)
                f = math.exp(v * log)
                f1, f2 = f * w1, f * (w2 + w1 * w1)
            elif op == ATAN2:  # angle of (v, u): r^2 f' = v u' - u v'
                square, turn = u * u + v * v, v * u1 - u * v1
                f, f1 = math.atan2(u, v), turn / square
                f2 = (v * u2 - u * v2 - 2.0 * f1 * (u * u1 + v * v1)) / square
            elif (op == MIN and v < u) or (op == MAX and v > u):
                f, f1, f2 = v, v1, v2
            else:
                f, f1, f2 = u, u1, u2
            s[n - 1, 0], s[n - 1, 1], s[n - 1, 2] = f, f1, f2
            continue
        u, u1, u2 = s[n - 1, 0], s[n - 1, 1], s[n - 1, 2]
        d2 = 0.0
        if op == NEGATE:
            f, d1 = -u, -1.0
        elif op == POWER_OF:
            p = numbers[k + 1]
            f = math.pow(u, p)
            d1 = p * math.pow(u, p - 1.0) if p != 0.0 else 0.0
            d2 = p * (p - 1.0) * math.pow(u, p - 2.0) if p != 0.0 and p != 1.0 else 0.0
        elif op == SIN:
            f, d1 = math.sin(u), math.cos(u)
            d2 = -f
        elif op == COS:
            f, d1 = math.cos(u), -math.sin(u)
            d2 = -f
        elif op == TAN:
            f = math.tan(u)
            d1 = 1.0 + f * f
            d2 = 2.0 * f * d1
        elif op == ASIN or op == ACOS:
            f = math.asin(u) if op == ASIN else math.acos(u)
            root = 1.0 / math.sqrt((1.0 - u) * (1.0 + u))
            d1 = root if op == ASIN else -root
            d2 = u * d1 * root * root
        elif op == ATAN:
            f, d1 = math.atan(u), 1.0 / (1.0 + u * u)
            d2 = -2.0 * u * d1 * d1
        elif op == SINH:
            f, d1 = math.sinh(u), math.cosh(u)
            d2 = f
        elif op == COSH:
            f, d1 = math.cosh(u), math.sinh(u)
            d2 = f
        elif op == TANH:
            f = math.tanh(u)
            d1 = 1.0 / math.cosh(u) ** 2 if abs(u) < 300.0 else 0.0
            d2 = -2.0 * f * d1
        elif op == EXP:
            f = math.exp(u)
            d1 = d2 = f
        elif op == LOG:
            f, d1 = math.log(u), 1.0 / u
            d2 = -d1 * d1
        elif op == SQRT:
            f = math.sqrt(u)
            d1 = 0.5 / f
            d2 = -0.5 * d1 / u
        else:  # ABS, SIGN
            side = 0.0 if u == 0.0 else math.copysign(1.0, u)
            f, d1 = (abs(u), side) if op == ABS else (side, 0.0)
        s[n - 1, 0], s[n - 1, 1], s[n - 1, 2] = f, d1 * u1, d2 * u1 * u1 + d1 * u2
    return s[0, 0], s[0, 1], s[0, 2]


# -- many times at once, value and rate only: to look for zeros --------------------------------------------------------


def operands(op: int) -> int:
    """How many jets an operation takes from the stack."""
    if op == STEP:
        return 5
    return 2 if CONSTANT < op <= MAX and op not in (TIME, NEGATE, POWER_OF) else 0 if op in (CONSTANT, TIME) else 1


# f(u) and f'(u)
_ONE = {
    NEGATE: lambda u: (-u, -1.0), SIN: lambda u: (np.sin(u), np.cos(u)), COS: lambda u: (np.cos(u), -np.sin(u)),
    TAN: lambda u: (np.tan(u), 1.0 + np.tan(u) ** 2), ASIN: lambda u: (np.arcsin(u), 1.0 / np.sqrt(1.0 - u * u)),
    ACOS: lambda u: (np.arccos(u), -1.0 / np.sqrt(1.0 - u * u)), ATAN: lambda u: (np.arctan(u), 1.0 / (1.0 + u * u)),
    SINH: lambda u: (np.sinh(u), np.cosh(u)), COSH: lambda u: (np.cosh(u), np.sinh(u)),
    TANH: lambda u: (np.tanh(u), 1.0 - np.tanh(u) ** 2), EXP: lambda u: (np.exp(u), np.exp(u)),
    LOG: lambda u: (np.log(u), 1.0 / u), SQRT: lambda u: (np.sqrt(u), 0.5 / np.sqrt(u)),
    ABS: lambda u: (np.abs(u), np.sign(u)), SIGN: lambda u: (np.sign(u), 0.0),
}  # fmt: skip


def rates(t: np.ndarray, program: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Value and first derivative of a program at many times."""
    stack: list[tuple[np.ndarray, np.ndarray]] = []
    none = np.zeros_like(t)
    for k in range(0, len(program), 2):
        op, number = int(program[k]), program[k + 1]
        if op in (CONSTANT, TIME):
            stack.append((t, none + 1.0) if op == TIME else (none + number, none))
            continue
        count = operands(op)
        jets = stack[-count:]
        del stack[-count:]
        (u, u1), (v, v1) = jets[0], jets[-1]
        if op == ADD or op == SUBTRACT:
            sign = 1.0 if op == ADD else -1.0
            f, f1 = u + sign * v, u1 + sign * v1
        elif op == MULTIPLY:
            f, f1 = u * v, u1 * v + u * v1
        elif op == DIVIDE:
            f, f1 = u / v, (u1 - u / v * v1) / v
        elif op == POWER:
            f = u**v
            f1 = f * (v1 * np.log(u) + v * u1 / u)
        elif op == POWER_OF:
            f, f1 = u**number, (number * u ** (number - 1.0) if number != 0.0 else 0.0) * u1
        elif op == ATAN2:
            f, f1 = np.arctan2(u, v), (v * u1 - u * v1) / (u * u + v * v)
        elif op == MIN or op == MAX:
            other = v < u if op == MIN else v > u
            f, f1 = np.where(other, v, u), np.where(other, v1, u1)
        elif op == STEP:
            (x0, _), (f0, d0), (x1, _) = jets[1:4]
            z = np.clip((u - x0) / (x1 - x0), 0.0, 1.0)
            share = z * z * z * (10.0 + z * (-15.0 + 6.0 * z))
            f = f0 + (v - f0) * share
            f1 = d0 + (v1 - d0) * share + (v - f0) * 30.0 * (z * (1.0 - z)) ** 2 * u1 / (x1 - x0)
        else:
            f, slope = _ONE[op](u)
            f1 = slope * u1
        stack.append((f, f1))
    return stack[0]
