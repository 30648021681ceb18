"""Says how many draws of a module were left out."""

import pytest


@pytest.fixture(scope="module", autouse=True)
def say_how_many_were_rejected(request):
    yield
    rejections = getattr(request.module, "REJECTIONS", None)
    if rejections is not None:
        capture = request.config.pluginmanager.getplugin("capturemanager")
        with capture.global_and_fixture_disabled():
            print(f"\n{rejections.refused} of {rejections.seen} random mechanisms rejected: cond(J) above 1e4")
