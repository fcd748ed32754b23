import taut
from taut.verify.mamidi_4_3 import published


def test_published_numbers():
    result = taut.simulate(taut.build(taut.library.load("mamidi-quadcopter-failure-paper")))
    wrong = {quantity.name: quantity.value for quantity in published(result) if not quantity.is_passed}
    assert wrong == {}
