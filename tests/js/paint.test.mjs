import assert from "node:assert/strict";
import test from "node:test";
import { blocks, cover, levels, paintBorders, paintLane, paintLevels, rowsOf } from "../../pipesched/render/html/viewer/paint.mjs";

/** One device that runs ops of the given lengths after gaps of the given lengths. */
function lane(ops) {
  const n = ops.length, s = { n, devices: 1, first: [0, n], start: new Float64Array(n), end: new Float64Array(n),
    half: new Uint8Array(n), during: new Float64Array(n), after: new Float64Array(n), near: 1e-9, top: 4, longest: 0 };
  let now = 0;
  ops.forEach(([gap, length, level = 1], i) => {
    s.start[i] = now += gap;
    s.end[i] = now += length;
    s.during[i] = level;
    s.longest = Math.max(s.longest, length);
  });
  return { ...s, makespan: now };
}
const random = (n, seed = 1) => Array.from({ length: n }, () => {
  seed = (seed * 48271) % 2147483647;
  return [seed % 7 === 0 ? (seed % 100) / 50 : 0, 0.1 + (seed % 31) / 10, seed % 4];
});
const tones = (s) => Uint8Array.from({ length: s.n }, (_, i) => i % 3);

test("coverage is exact: by tone it adds up to the time worked, whatever the window", () => {
  const s = lane(random(700)), tone = tones(s);
  for (const [t0, t1, width] of [[0, s.makespan, 11], [3.3, 97.1, 200], [0, s.makespan, 5000], [50, 50.4, 30]]) {
    const { into, from, to } = cover(s, tone, 3, 0, { t0, t1 }, width), worked = [0, 0, 0];
    for (let i = 0; i < s.n; i++) worked[tone[i]] += Math.max(0, Math.min(s.end[i], t1) - Math.max(s.start[i], t0));
    const drawn = [0, 0, 0];
    into.forEach((share, k) => { drawn[k % 3] += share * (t1 - t0) / width; });
    drawn.forEach((time, k) => assert.ok(Math.abs(time - worked[k]) < 1e-9 * s.makespan));
    for (let x = 0; x < width; x++) assert.ok(into[3 * x] + into[3 * x + 1] + into[3 * x + 2] < 1 + 1e-9);
    for (let i = 0; i < s.n; i++) assert.equal(i >= from && i < to, s.end[i] > t0 && s.start[i] < t1);
  }
});

test("adding whole blocks of ops changes nothing", () => {
  const s = lane(random(5000)), tone = tones(s), { time, most } = blocks(s, tone, 3);
  for (const [t0, t1] of [[0, s.makespan], [100, 900]]) {
    const plain = cover(s, tone, 3, 0, { t0, t1 }, 40).into, fast = cover(s, tone, 3, 0, { t0, t1 }, 40, time).into;
    plain.forEach((share, k) => assert.ok(Math.abs(share - fast[k]) < 1e-9));
    assert.deepEqual(levels(s, 0, { t0, t1 }, 40, most), levels(s, 0, { t0, t1 }, 40));
  }
});

test("idle time and work are never rounded away", () => {
  for (const rows of [4, 8, 30]) {
    assert.equal(rowsOf(1, rows), rows);
    assert.equal(rowsOf(0, rows), 0);
    assert.equal(rowsOf(0.9999999, rows), rows - 1);
    assert.equal(rowsOf(1e-7, rows), 1);
    assert.equal(rowsOf(0.5, rows), rows / 2);
  }
  const s = lane([...Array(450).fill([0, 1]), [0.01, 1], ...Array(549).fill([0, 1])]);
  const picture = { pixels: new Uint32Array(10 * 8), width: 10 }, view = { t0: 0, t1: s.makespan };
  paintLane(picture, s, view, cover(s, tones(s), 3, 0, view, 10).into, 3, 0, 8, [1, 2, 3], 9);
  const columns = Array.from({ length: 10 }, (_, x) => Array.from({ length: 8 }, (_, y) => picture.pixels[y * 10 + x]));
  assert.equal(columns.filter((column) => column.includes(9)).length, 1);
  assert.ok(columns.every((column) => [1, 2, 3].every((tone) => column.includes(tone))));
});

test("a cell is its tone inside its border; after the end of the schedule nothing is painted", () => {
  const s = lane([[10, 20], [10, 10]]), view = { t0: 0, t1: 100 }, picture = { pixels: new Uint32Array(100 * 10), width: 100 };
  const tone = new Uint8Array([0, 1]), range = cover(s, tone, 2, 0, view, 100);
  paintLane(picture, s, view, range.into, 2, 0, 10, [1, 2], 9);
  paintBorders(picture, s, tone, range, view, 0, 10, [11, 12], { ink: 8, idle: 9 }, 1, 4);
  const middle = [...picture.pixels.slice(500, 600)];
  assert.deepEqual(middle.slice(0, 10), Array(10).fill(9));
  assert.deepEqual(middle.slice(10, 30), [11, ...Array(18).fill(1), 11]);
  assert.deepEqual(middle.slice(40, 50), [12, ...Array(8).fill(2), 12]);
  assert.deepEqual(middle.slice(50), Array(50).fill(0));
  assert.deepEqual([...picture.pixels.slice(10, 30)], Array(20).fill(11));
});

test("a gap thinner than a pixel between two wide cells keeps a column", () => {
  const s = lane([[0, 20], [0.2, 20]]), view = { t0: 0, t1: 40.2 }, picture = { pixels: new Uint32Array(402), width: 40 };
  const range = cover(s, new Uint8Array(2), 1, 0, view, 40);
  paintBorders(picture, s, new Uint8Array(2), range, view, 0, 10, [1], { ink: 8, idle: 9 }, 1, 4);
  assert.equal([...picture.pixels.slice(200, 240)].filter((colour) => colour === 9).length, 1);
});

test("an op that takes no time is a line", () => {
  const s = lane([[0, 10], [5, 0], [5, 10]]), view = { t0: 0, t1: 30 };
  const picture = { pixels: new Uint32Array(300), width: 30 };
  const range = cover(s, new Uint8Array(3), 1, 0, view, 30);
  paintBorders(picture, s, new Uint8Array(3), range, view, 0, 10, [1], { ink: 8, idle: 9 }, 1, 4);
  assert.deepEqual([...picture.pixels.slice(150 + 11, 150 + 20)], [0, 0, 0, 0, 8, 0, 0, 0, 0]);
});

test("a pair has one frame around both halves", () => {
  const s = lane([[0, 10], [0, 20]]), view = { t0: 0, t1: 30 }, picture = { pixels: new Uint32Array(300), width: 30 };
  s.half.set([1, 2]);
  paintBorders(picture, s, new Uint8Array([0, 1]), { from: 0, to: 2 }, view, 0, 10, [11, 12], { ink: 8, idle: 9 }, 1, 4);
  assert.deepEqual([...picture.pixels.slice(150, 180)], [8, 8, ...Array(26).fill(0), 8, 8]);
});

test("a strip shows the highest level of each column, what is above the cap apart", () => {
  const s = lane([[0, 1, 1], [0, 1, 4], [0, 1, 2], [0, 1, 0]]), view = { t0: 0, t1: 4 };
  assert.deepEqual([...levels(s, 0, view, 4)], [1, 4, 2, 0]);
  assert.deepEqual([...levels(s, 0, view, 2)], [4, 2]);
  const picture = { pixels: new Uint32Array(32), width: 4 };
  paintLevels(picture, s, view, levels(s, 0, view, 4), 0, 8, 3, { held: 1, over: 2, cap: 3, empty: 0 });
  const column = (x) => Array.from({ length: 8 }, (_, y) => picture.pixels[y * 4 + x]);
  assert.deepEqual(column(0), [0, 0, 3, 0, 0, 0, 1, 1]);
  assert.deepEqual(column(1), [2, 2, 3, 2, 2, 2, 2, 2]);
  assert.deepEqual(column(3), [0, 0, 3, 0, 0, 0, 0, 0]);
});
