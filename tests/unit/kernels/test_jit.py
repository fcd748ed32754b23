"""Functions made inside others: compiled code tells them apart by name."""

from taut.kernels.jit import tell_apart


def double(x):
    return 2 * x


def triple(x):
    return 3 * x


def made_of(part):
    def loop(x):
        return part(x)

    tell_apart(loop)
    return loop


def test_functions_made_of_different_parts_have_different_names():
    assert made_of(double).__qualname__ != made_of(triple).__qualname__


def test_the_name_is_the_same_in_every_process():
    assert made_of(double).__qualname__ == made_of(double).__qualname__
    assert " at 0x" not in made_of(double).__qualname__


def test_a_function_made_of_made_functions_is_told_apart_too():
    assert made_of(made_of(double)).__qualname__ != made_of(made_of(triple)).__qualname__


def test_plain_functions_keep_their_names():
    tell_apart(double)
    assert double.__qualname__ == "double"
