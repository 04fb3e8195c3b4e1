"""The same schedule twice: measured without being built, and built in full as its witness."""

import warnings

from pipesched.analysis.unbuilt import measure_unbuilt
from pipesched.generators import find
from pipesched.generators.size import Size
from pipesched.simulate import simulate


def long(name, devices, microbatches, costs):
    found = measure_unbuilt(Size.of(find(name), devices, microbatches, None, {}), costs)
    return None if found is None else found.timeline


def built(name, devices, microbatches, costs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return simulate(find(name).generate(devices, microbatches), costs)
