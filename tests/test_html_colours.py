"""The viewer's colours for eyes that lack one kind of cone, for contrast, and in black and white."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from pipesched.generators import find
from pipesched.ops import Kind
from pipesched.render.chart import PALETTE
from pipesched.render.html.colours import MICROBATCHES, PAGE, SLACKS, STAGES, colours, luminance
from pipesched.simulate import simulate

#: Linear RGB as seen without one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1).
EYES = {
    "full": [1, 0, 0, 0, 1, 0, 0, 0, 1],
    "no red cones": [
        *(0.152286, 1.052583, -0.204868),
        *(0.114503, 0.786281, 0.099216),
        *(-0.003882, -0.048116, 1.051998),
    ],
    "no green cones": [
        *(0.367322, 0.860646, -0.227968),
        *(0.280085, 0.672501, 0.047413),
        *(-0.011820, 0.042940, 0.968881),
    ],
    "no blue cones": [
        *(1.255528, -0.076749, -0.178779),
        *(-0.078411, 0.930809, 0.147602),
        *(0.004733, 0.691367, 0.303900),
    ],
}
#: sRGB to CIE XYZ.
XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
LIGHT, DARK = ({name: pair[k] for name, pair in PAGE.items()} for k in (0, 1))


def lab(colour, eye):
    """CIE L*a*b* of #rrggbb as an eye sees it."""
    part = np.array([int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)])
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    xyz = XYZ @ np.clip(np.reshape(EYES[eye], (3, 3)) @ linear, 0, 1) / (XYZ @ np.ones(3))
    root = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def apart(one, other, eye):
    return float(np.linalg.norm(lab(one, eye) - lab(other, eye)))


@pytest.mark.parametrize("eye", EYES)
def test_kinds_differ_for_every_eye(eye):
    fills = [tone.fill for tones in PALETTE.values() for tone in tones]
    assert min(apart(*pair, eye) for pair in combinations(fills, 2)) > 12
    first = [PALETTE[kind][0].fill for kind in Kind]
    assert min(apart(*pair, eye) for pair in combinations(first, 2)) > 13


@pytest.mark.parametrize("eye", EYES)
def test_neighbouring_micro_batches_differ_for_every_eye(eye):
    ring = [*MICROBATCHES, MICROBATCHES[0]]
    assert min(apart(a, b, eye) for a, b in pairwise(ring)) > 40
    assert min(apart(*pair, eye) for pair in combinations(MICROBATCHES, 2)) > 10


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("sequence", [STAGES, SLACKS[1:]])
def test_sequences_run_one_way_in_lightness_for_every_eye(eye, sequence):
    light = [lab(colour, eye)[0] for colour in sequence]
    assert all(abs(b - a) > 5 for a, b in pairwise(light))
    assert light in (sorted(light), sorted(light, reverse=True))


@pytest.mark.parametrize("eye", EYES)
def test_no_slack_stands_out(eye):
    assert min(apart(SLACKS[0], other, eye) for other in SLACKS[1:]) > 25


@pytest.mark.parametrize("eye", EYES)
def test_work_is_told_from_idle_time_in_light_and_dark(eye):
    fills = [tone.fill for tones in PALETTE.values() for tone in tones] + [
        *MICROBATCHES,
        *SLACKS,
        *STAGES[:-1],
    ]
    assert min(apart(fill, LIGHT["idle"], eye) for fill in fills) > 10
    assert min(apart(fill, DARK["idle"], eye) for fill in fills) > 14


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("page", [LIGHT, DARK], ids=["light", "dark"])
def test_memory_its_cap_and_lines_are_told_apart_in_light_and_dark(eye, page):
    assert (
        min(
            apart(*pair, eye) for pair in combinations([page[k] for k in ("held", "over", "cap", "empty")], 2)
        )
        > 30
    )
    # lines lie on paper
    assert min(apart(page[k], page["paper"], eye) for k in ("path", "cap", "soft", "ink")) > 40


def test_words_read_on_the_page_in_light_and_dark():
    for page in (LIGHT, DARK):
        for ink in ("ink", "soft", "link"):
            for paper in ("paper", "card"):
                bright, dark = sorted((luminance(page[ink]), luminance(page[paper])), reverse=True)
                assert (bright + 0.05) / (dark + 0.05) >= 4.5


def test_ink_reads_on_every_fill():
    lines = [simulate(find(name).generate(8, 20)) for name in ("dualpipe", "zb1p")]
    for mode in colours([each.schedule for each in lines]).values():
        for fill, ink in zip(mode["fills"], mode["inks"], strict=True):
            bright, dark = sorted((luminance(fill), luminance(ink)), reverse=True)
            assert (bright + 0.05) / (dark + 0.05) >= 4


def test_the_legend_names_what_is_drawn():
    lines = [simulate(find(name).generate(8, 20)) for name in ("dualpipe", "1f1b")]
    kinds = colours([each.schedule for each in lines])["kind"]
    assert kinds["names"][:4] == ["F forward, down", "F forward, up", "B backward, down", "B backward, up"]
    assert kinds["note"] == "framed: forward and backward overlapped"
    assert colours([each.schedule for each in lines[1:]])["kind"]["names"] == [
        "F forward",
        None,
        "B backward",
        *[None] * 5,
    ]
    assert colours([each.schedule for each in lines])["stage"]["names"] == [f"stage {k}" for k in range(8)]
    many = simulate(find("1f1b").generate(64, 64))
    assert colours([many.schedule])["stage"]["names"][-1] == "stage 63"
    for mode in colours([each.schedule for each in lines]).values():
        assert len(mode["fills"]) == len(mode["inks"]) == len(mode["names"])
