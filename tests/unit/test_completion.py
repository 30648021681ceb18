"""What IPython offers behind a tab: points of bodies, readings of joints, names in brackets."""

import pytest

import linkwork as lw

pytest.importorskip("IPython")


@pytest.fixture(scope="module")
def offered():
    from IPython.core.interactiveshell import InteractiveShell

    m = lw.gallery.four_bar()
    run = m.simulate(0.1, every=0.05, coordinates="body")
    shell = InteractiveShell()
    shell.user_ns.update(m=m, run=run, crank=m["crank"], A=m["A"], spring=m["spring"], state=run.final, lw=lw)
    shell.Completer.use_jedi = False
    return lambda text: shell.complete(None, text)[1]


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("crank.mid", "crank.middle"),
        ("A.an", "A.angle"),
        ("spring.len", "spring.length"),
        ('m["coupler.tr', "coupler.tracer"),
        ('m["A.', "A.angle"),
        ('m["roc', "rocker"),
        ('run["D.angle.', "D.angle.rate"),
        ('run["B.reaction.m', "B.reaction.magnitude"),
        ('state["crank.x', "crank.x.rate"),
        ("lw.Revo", "lw.Revolute"),
        ("run.plot_", "run.plot_path"),
    ],
)
def test_offered(offered, typed, wanted):
    assert any(wanted.endswith(one) and one for one in offered(typed)), offered(typed)
