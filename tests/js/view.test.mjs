import assert from "node:assert/strict";
import test from "node:test";
import { clamp, fromHash, laneSizes, pan, reveal, ticks, toHash, zoom } from "../../pipesched/render/html/viewer/view.mjs";

test("zooming keeps the time under the pointer where it is", () => {
  const view = { t0: 10, t1: 30 }, zoomed = zoom(view, 2, 15, 100);
  assert.deepEqual(zoomed, { t0: 12.5, t1: 22.5 });
  assert.equal((15 - 12.5) / 10, (15 - 10) / 20);
});

test("the window never leaves the schedule, is never longer and never nothing", () => {
  assert.deepEqual(zoom({ t0: 0, t1: 100 }, 0.1, 50, 100), { t0: 0, t1: 100 });
  assert.deepEqual(pan({ t0: 10, t1: 30 }, -50, 100), { t0: 0, t1: 20 });
  assert.deepEqual(pan({ t0: 10, t1: 30 }, 500, 100), { t0: 80, t1: 100 });
  const { t0, t1 } = clamp(50, 50, 100);
  assert.ok(t1 > t0);
});

test("what is shown already is not moved, the rest is brought to the middle", () => {
  const view = { t0: 10, t1: 30 };
  assert.equal(reveal(view, 12, 14, 100), view);
  assert.deepEqual(reveal(view, 50, 52, 100), { t0: 41, t1: 61 });
  const wide = reveal(view, 40, 80, 100);
  assert.ok(wide.t0 <= 40 && wide.t1 >= 80);
});

test("ticks are round, inside, and far enough apart", () => {
  for (const [t0, t1] of [[0, 66], [0.125, 0.127], [1e6, 1e6 + 3], [0, 1e7]]) {
    const found = ticks({ t0, t1 }, 1000);
    assert.ok(found.length >= 4 && found.length <= 15, `${found}`);
    assert.ok(found[0] >= t0 - 1e-9 && found.at(-1) <= t1 * (1 + 1e-9));
    const step = found[1] - found[0], lead = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
    assert.ok([1, 2, 5].some((nice) => Math.abs(lead - nice) < 1e-3), `${step}`);
    assert.ok(step / (t1 - t0) * 1000 >= 69);
  }
});

test("64 devices fit without scrolling, and few are not stretched", () => {
  assert.ok(64 * laneSizes(64, true).pitch <= 720);
  assert.ok(laneSizes(64, true).lane >= 6);
  assert.ok(laneSizes(1, true).pitch <= 48);
  for (const devices of [1, 4, 8, 64, 500])
    for (const memory of [true, false]) {
      const { pitch, lane, strip, gap } = laneSizes(devices, memory);
      assert.equal(pitch, lane + strip + gap);
      assert.ok(lane >= 4);
    }
});

test("a link restores the view, and says nothing of what is as it starts", () => {
  assert.equal(toHash({ t0: 0, t1: 66 }, 66), "");
  const state = { t0: 10, t1: 20.5, at: "0:3F7", color: "slack", critical: 1, memory: "0" };
  const hash = toHash(state, 66);
  assert.equal(hash, "view=10,20.5&at=0%3A3F7&color=slack&critical=1&memory=0");
  assert.deepEqual(fromHash(`#${hash}`, 66), { ...state, critical: "1" });
  assert.deepEqual(fromHash("#schedule-1", 66), { t0: 0, t1: 66 });
  assert.deepEqual(fromHash("#view=20,10", 66), { t0: 0, t1: 66 });
});
