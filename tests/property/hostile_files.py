"""Files that were made to do harm, each with what the reader says about it."""

HEAD = "linkwork: 1\n"


def bomb(levels=12):
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    return HEAD + "\n".join(lines + [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]" for k in range(1, levels)])


def body(mass):
    return HEAD + f"bodies: {{b: {{mass: {mass}}}}}\n"


HOSTILE = {
    "alias bomb": (bomb(), "aliases counted by what they stand for"),
    "depth bomb in lists": (HEAD + "a: " + "[" * 500_000, "nested too deeply"),
    "depth bomb in maps": (HEAD + "a: " + "{a: " * 300_000, "nested too deeply"),
    "depth bomb by indentation": (HEAD + "\n".join(" " * k + "a:" for k in range(1500)), "nested too deeply"),
    "long expression": (body("'" + "(" * 20_000 + "'"), "Body 'b' mass: Expression is too long. Got 20000"),
    "depth bomb in an expression": (body("'" + "(" * 900 + "'"), "parentheses are nested deeper than"),
    "duplicate key": (HEAD + "name: a\nname: b\n", "The field 'name' is given twice"),
    "tabs": (HEAD + "bodies:\n\tb: {mass: 1}\n", "indented by a tab"),
    "latin-1": (HEAD.encode() + "name: Käfig\n".encode("latin-1"), "not UTF-8 text"),
    "utf-16": (HEAD.encode("utf-16"), "UTF-16"),
    "10 MB scalar": (HEAD + "name: " + "a" * 10_000_000, "The file is too large"),
    "2 MB scalar": (HEAD + "name: " + "a" * 1_900_000, "A value is too long"),
    "many values": (HEAD + "a: [" + "1," * 900_000 + "1]", "too many values"),
    "many bodies": (HEAD + "bodies:\n" + "".join(f"  b{k}: {{mass: 1}}\n" for k in range(20_000)), "too many items"),
    "many problems": (HEAD + "bodies:\n" + "".join(f"  b{k}: {{mas: 1}}\n" for k in range(9_000)), "reading stopped"),
    "many expressions": (
        HEAD + "bodies:\n" + "".join(f"  b{k}: {{mass: 1+1}}\n" for k in range(9_000)),
        "too many numbers",
    ),
    "many parameters": (
        HEAD + "parameters: {" + ", ".join(f"p{k}: q{k}" for k in range(990)) + "}\n",
        "There is no name",
    ),
    "many corners": (
        HEAD + "bodies: {b: {shape: polygon, mass: 1, corners: [" + "[0, 1], " * 20_000 + "[1, 1]]}}\n",
        "too many corners",
    ),
    "long names": (
        HEAD + f"bodies: {{{'x' * 1000}: {{mass: -1}}}}\njoints: {{{'y' * 1000}: {{type: {'z' * 15_000}}}}}\n",
        "unknown type",
    ),
    "power tower": (body("9**9**9"), "too large"),
    "import": (body("__import__('os').system('x')"), "has no meaning in an expression"),
    "import without quotes": (body("__import__(os)"), "There is no function '__import__'"),
    "attribute": (body("(1).__class__"), "at column 1: this part is not allowed. Got '(1).__class__'"),
    "attribute of a body": (
        HEAD + "bodies: {b: {mass: 1}}\nforces: {f: {type: PointForce, at: b.__class__}}\n",
        "names a point",
    ),
    "attribute of a joint": (
        HEAD + "bodies: {b: {mass: 1}}\njoints: {A: {type: Revolute, on: ground, to: b}}\n"
        "drivers: {d: {measure: A.__init__, function: 1}}\n",
        "is not a measure of 'A'",
    ),
    "lambda": (body("'(lambda: 1)()'"), "at column 8: ':' has no meaning in an expression"),
    "comprehension": (body("'[x for x in (1,)]'"), "at column 1: '[' has no meaning in an expression"),
    "walrus": (body("'(x := 1)'"), "at column 4: ':' has no meaning in an expression"),
    "string": (body("'\"a\" * 9999999'"), "at column 1: '\"' has no meaning in an expression"),
    "python object": (HEAD + "bodies: !!python/object/apply:os.system ['x']\n", "is not allowed here"),
    "python name": (HEAD + "name: !!python/name:os.system\n", "is not allowed here"),
    "path traversal": (
        HEAD + "bodies: {b: {mass: 1}}\nforces: {f: {type: SpringDamper, on: ground, to: b, "
        "stiffness: {file: ../../../etc/passwd}}}\n",
        "outside the folder",
    ),
    "absolute path": (
        HEAD + "bodies: {b: {mass: 1}}\nforces: {f: {type: SpringDamper, on: ground, to: b, "
        "stiffness: {file: /dev/zero}}}\n",
        "outside the folder",
    ),
    "cyclic parameters": (HEAD + "parameters: {a: b, b: c + 1, c: a}\n", "is defined by itself"),
    "parameter of itself": (HEAD + "parameters: {a: a}\n", "is defined by itself"),
    "NaN": (body(".nan"), "is not finite"),
    "infinity": (body("-.inf"), "is not finite"),
    "beyond infinity": (body("1e999"), "is not finite"),
    "infinity by overflow": (body("1e308*10"), "not a finite number"),
    "overflow in a shape": (HEAD + "bodies: {b: {shape: bar, length: 1e300, mass: 1}}\n", "too large to compute with"),
    "path as a name": (HEAD + "bodies: {../x: {mass: 1}}\n", "cannot give a name with a dot"),
    "law that is not given": (
        HEAD + "bodies: {b: {mass: 1}}\nforces: {f: {type: Torque, to: b, value: {law: os.system}}}\n",
        "which a file cannot hold",
    ),
    "zero bytes": (HEAD.encode() + b"\0" * 1000, "control character"),
    "escape sequences": (HEAD.encode() + b"name: \x1b]0;x\x07\n", "control character"),
}
