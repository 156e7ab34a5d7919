import doctest
import importlib
import pkgutil

import pytest

import gameserver.backgammon

MODULES = [module.name for module in pkgutil.iter_modules(gameserver.backgammon.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_are_true(name: str) -> None:
    module = importlib.import_module(f"gameserver.backgammon.{name}")
    assert doctest.testmod(module).failed == 0


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    modules = [importlib.import_module(f"gameserver.backgammon.{name}") for name in MODULES]
    assert sum(len(test.examples) for module in modules for test in finder.find(module)) >= 20


def test_every_name_of_the_public_interface_exists() -> None:
    for name in gameserver.backgammon.__all__:
        assert hasattr(gameserver.backgammon, name)
