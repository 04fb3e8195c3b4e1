import assert from "node:assert/strict";
import test from "node:test";
import { around, cover, laneSizes, paintLane, paintStrip, ticks } from "../../pipesched/render/html/viewer/paint.mjs";

/** One device that runs ops of the given lengths after gaps of the given lengths. */
function lane(ops) {
  const n = ops.length, columns = ["start", "end", "during", "after", "critical"].map((name) => [name, new Float64Array(n)]);
  const s = { first: [0, n], devices: 1, half: new Int8Array(n), ...Object.fromEntries(columns) };
  let now = 0;
  ops.forEach(([gap, length, during = 1, after = 0], i) => {
    s.start[i] = now += gap;
    s.end[i] = now += length;
    Object.assign(s.during, { [i]: during });
    Object.assign(s.after, { [i]: after });
  });
  return { ...s, makespan: now };
}
const random = (n, seed = 1) => Array.from({ length: n }, () => {
  seed = (seed * 48271) % 2147483647;
  return [seed % 7 === 0 ? (seed % 100) / 50 : 0, 0.1 + (seed % 31) / 10, 1 + seed % 4, seed % 2];
});
const tones = (s) => Int32Array.from(s.start, (_, i) => i % 3);
const whole = (s) => ({ t0: 0, t1: s.makespan });

/** A picture with a lane in it, as rows of pixels. */
function painted(s, tone, colours, view, width, rows, marks = []) {
  const pixels = new Uint32Array(width * rows);
  paintLane(pixels, width, cover(s, tone, colours.length, 0, view, width), rows, colours, 9, marks);
  return Array.from({ length: rows }, (_, y) => [...pixels.slice(y * width, (y + 1) * width)]);
}

test("coverage is exact: by tone it adds up to the time worked, whatever the window", () => {
  const s = lane(random(700)), tone = tones(s);
  for (const [t0, t1, width] of [[0, s.makespan, 11], [3.3, 97.1, 200], [0, s.makespan, 5000], [50, 50.4, 30]]) {
    const { shares, from, to } = cover(s, tone, 3, 0, { t0, t1 }, width), worked = [0, 0, 0], drawn = [0, 0, 0];
    for (let i = 0; i < s.start.length; i++) worked[tone[i]] += Math.max(0, Math.min(s.end[i], t1) - Math.max(s.start[i], t0));
    shares.forEach((share, k) => { drawn[k % 3] += share * (t1 - t0) / width; });
    drawn.forEach((time, k) => assert.ok(Math.abs(time - worked[k]) < 1e-9 * s.makespan));
    for (let x = 0; x < width; x++) assert.ok(shares[3 * x] + shares[3 * x + 1] + shares[3 * x + 2] < 1 + 1e-9);
    for (let i = 0; i < s.start.length; i++) assert.equal(i >= from && i < to, s.end[i] > t0 && s.start[i] < t1);
  }
});

test("the halves of a pair that is drawn as a cell meet between two columns, of a thinner one where they do", () => {
  const s = lane([[0, 1], [0, 2], [0, 1], [0, 2]]), tone = Int32Array.of(0, 1, 0, 1);
  s.half.set([1, 2, 1, 2]);
  const mixed = (width) => cover(s, tone, 2, 0, whole(s), width).shares.filter((share) => share % 1 > 1e-9).length;
  assert.equal(mixed(57), 2); // where one pair ends and the next begins: both tones of that column
  assert.equal(mixed(7), 6);
});

test("levels are the highest in each column, of ops and of the idle time after them", () => {
  const s = lane(random(300));
  for (const [t0, t1, width] of [[0.0123, s.makespan, 41], [0.0123, s.makespan, 900], [20.5123, 60.25, 77]]) {
    const { levels } = cover(s, tones(s), 3, 0, { t0, t1 }, width), column = (t1 - t0) / width;
    for (let x = 0; x < width; x++) {
      const [from, to] = [t0 + x * column, t0 + (x + 1) * column];
      let most = 0;
      for (let i = 0; i < s.start.length; i++) {
        const next = i + 1 < s.start.length ? s.start[i + 1] : s.makespan;
        if (s.start[i] < to && s.end[i] > from) most = Math.max(most, s.during[i]);
        if (s.end[i] < to && next > from) most = Math.max(most, s.after[i]);
      }
      assert.ok(levels[x] === most, `${x}: ${levels[x]} ${most}`);
    }
  }
});

test("idle time and work are never rounded away", () => {
  for (const [busy, rows, filled] of [[1, 8, 8], [0.999999, 8, 7], [1e-6, 8, 1], [0.5, 8, 4], [0.999999, 4, 3], [1e-6, 30, 1]]) {
    const s = { ...lane([[0, busy]]), makespan: 1 }, picture = painted(s, tones(s), [1, 2, 3], { t0: 0, t1: 1 }, 1, rows);
    assert.deepEqual(picture.flat(), [...Array(filled).fill(1), ...Array(rows - filled).fill(9)]);
  }
  const s = lane([...Array(450).fill([0, 1]), [0.01, 1], ...Array(549).fill([0, 1])]);
  const picture = painted(s, tones(s), [1, 2, 3], whole(s), 10, 8), bottom = picture.at(-1);
  assert.equal(bottom.filter((pixel) => pixel === 9).length, 1);
  for (let x = 0; x < 10; x++) for (const tone of [1, 2, 3]) assert.ok(picture.some((row) => row[x] === tone));
});

test("after the end of the schedule nothing is painted", () => {
  const s = lane([[10, 20], [10, 10]]), row = painted(s, Int32Array.of(0, 1), [1, 2], { t0: 0, t1: 100 }, 100, 6)[3];
  const spans = [[10, 9], [20, 1], [10, 9], [10, 2], [50, 0]];
  assert.deepEqual(row, spans.flatMap(([length, pixel]) => Array(length).fill(pixel)));
});

test("the critical path is marked at the top, and only when it is asked for", () => {
  const s = lane([[0, 10], [0, 10], [0, 10]]);
  s.critical[1] = 1;
  const picture = painted(s, tones(s), [1, 2, 3], whole(s), 3, 12, [7, 8]);
  assert.deepEqual(picture.slice(0, 3), [[1, 7, 3], [1, 8, 3], [1, 2, 3]]);
  assert.deepEqual(painted(s, tones(s), [1, 2, 3], whole(s), 3, 12)[0], [1, 2, 3]);
});

test("a strip shows levels, what is above the cap apart", () => {
  const found = { levels: [1, 4, 2, 0], columns: 4 }, pixels = new Uint32Array(32);
  paintStrip(pixels, 4, found, 8, 4, 3, { held: 1, over: 2, cap: 3, empty: 0 });
  const column = (x) => Array.from({ length: 8 }, (_, y) => pixels[y * 4 + x]);
  assert.deepEqual(column(0), [0, 0, 3, 0, 0, 0, 1, 1]);
  assert.deepEqual(column(1), [2, 2, 3, 2, 2, 2, 2, 2]);
  assert.deepEqual(column(3), [0, 0, 3, 0, 0, 0, 0, 0]);
  paintStrip(pixels, 4, found, 8, 4, undefined, { held: 1, over: 2, cap: 3, empty: 0 });
  assert.deepEqual(column(1), Array(8).fill(1));
});

test("the window never leaves the schedule, is never longer and never nothing", () => {
  assert.deepEqual(around(50, 20, 100), { t0: 40, t1: 60, length: 20, middle: 50 });
  assert.deepEqual(around(50, 1000, 100), { t0: 0, t1: 100, length: 100, middle: 50 });
  assert.deepEqual(around(-40, 20, 100), { t0: 0, t1: 20, length: 20, middle: 10 });
  assert.deepEqual(around(520, 20, 100), { t0: 80, t1: 100, length: 20, middle: 90 });
  const { t0, t1 } = around(50, 0, 100);
  assert.ok(t1 > t0);
});

test("ticks are round, inside, and far enough apart", () => {
  for (const [t0, t1] of [[0, 66], [0.125, 0.127], [1e6, 1e6 + 3], [0, 1e7]]) {
    const found = ticks({ t0, t1 }, 1000, [[0, 1e300, 0]]).map(([at, time]) => { assert.equal(at, time); return time; });
    assert.ok(found.length >= 4 && found.length <= 15, `${found}`);
    assert.ok(found[0] >= t0 - 1e-9 && found.at(-1) <= t1 * (1 + 1e-9));
    const step = found[1] - found[0], lead = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
    assert.ok([1, 2, 5].some((nice) => Math.abs(lead - nice) < 1e-3), `${step}`);
    assert.ok(step / (t1 - t0) * 1000 >= 69);
  }
});

test("ticks on both sides of a break are true times, and do not run into each other", () => {
  const found = ticks({ t0: 0, t1: 47 }, 1000, [[0, 22, 0], [24, 1e300, 2999962]]);
  assert.deepEqual(found.map(([at]) => at + 0), [0, 5, 10, 15, 20, 28, 33, 38, 43]);
  assert.deepEqual(found.map(([, time]) => time + 0), [0, 5, 10, 15, 20, 2999990, 2999995, 3000000, 3000005]);
});

test("what is held after a break begins anew, and within it is not known", () => {
  const s = { ...lane([[0, 2, 3, 2], [3, 2, 7, 6]]), between: [[[2, 4, -1], [4, 5, 6]]] };
  const { levels } = cover(s, tones(s), 3, 0, { t0: 0, t1: 7 }, 7);
  assert.deepEqual([...levels], [3, 3, -1, -1, 6, 7, 7]);
  assert.deepEqual([...cover(s, tones(s), 3, 0, { t0: 3, t1: 5 }, 2).levels], [-1, 6]);
});

test("64 devices fit without scrolling, and few are not stretched", () => {
  assert.ok(64 * laneSizes(64, true).pitch <= 720);
  assert.ok(laneSizes(1, true).pitch <= 48);
  for (const devices of [1, 4, 8, 64, 500])
    for (const memory of [true, false])
      for (const taller of [0.1, 1, 10]) {
        const { pitch, lane: high, strip } = laneSizes(devices, memory, taller);
        assert.ok(high >= 4 && high + strip < pitch && pitch <= 120);
      }
});
