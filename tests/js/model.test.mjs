import assert from "node:assert/strict";
import test from "node:test";
import { decode } from "../../pipesched/render/html/viewer/decode.mjs";
import { aboutGap, aboutOp, at, find, num, opText, search } from "../../pipesched/render/html/viewer/model.mjs";

/** The rule of the Python package, as it travels. */
const RULE = [[1, [0], 0], [2, [0], 0], [3, [2], 0], [0, [0], -1], [1, [1, 2], 1], [2, [1, 2], 1]]
  .map(([consumer, kinds, step]) => ({ consumer, kinds, step }));

/** Two devices, one micro-batch, F=1 B=2, latency 0.5: 0F0 at 0, 1F0 at 1.5, 1B0 at 2.5, 0B0 at 5. */
const tiny = () => decode({
  name: "tiny", unit: "F", makespan: 7, devices: 2, stages: 2, flows: 1, microbatches: 1, first: [0, 2, 4],
  held: [[0], [1]], shade: [[0], [0]], time: { steps: 2, exact: true }, level: { steps: 1 }, cap: null, peak: 1,
}, {
  code: [0, 1, 0, 1], chunk: [0, 0, 0, 0], microbatch: [0, 0, 0, 0], meet: [], path: [0, 2, 1, -2],
  gap: [0, 8, 3, 0], length: [2, 4, 2, 4], slack: [0, 0, 0, 0], lag: [0, 1, 1, 0], during: [1, 0, 0, 0], freed: [0, 1, 0, 1],
});

test("columns become ops with times", () => {
  const s = tiny();
  assert.deepEqual([0, 1, 2, 3].map((i) => opText(s, i)), ["0F0", "0B0", "1F0", "1B0"]);
  assert.deepEqual([...s.start], [0, 5, 1.5, 2.5]);
  assert.deepEqual([...s.end], [1, 7, 2.5, 4.5]);
  assert.deepEqual([...s.path], [0, 2, 3, 1]);
  assert.deepEqual([...s.after], [1, 0, 1, 0]);
});

test("a point is an op, a gap, or nothing", () => {
  const s = tiny();
  assert.deepEqual(at(s, 0, 0.5), { op: 0 });
  assert.deepEqual(at(s, 0, 3), { gap: { device: 0, start: 1, end: 5, next: 1 } });
  assert.deepEqual(at(s, 1, 0.2), { gap: { device: 1, start: 0, end: 1.5, next: 2 } });
  assert.deepEqual(at(s, 1, 6), { gap: { device: 1, start: 4.5, end: 7, next: 4 } });
  for (const [device, time] of [[2, 1], [-1, 1], [0, -1], [0, 8]]) assert.equal(at(s, device, time), null);
});

test("a gap says what it waited for and how much of it was transfer", () => {
  const s = tiny(), about = (device, time) => aboutGap(s, RULE, at(s, device, time).gap);
  assert.equal(about(0, 3).title, "device 0 waited 4 F for 1B0 on device 1, of which 0.5 transfer");
  assert.deepEqual(about(0, 3).lines, ["from 1 to 5 F, inside"]);
  assert.equal(about(1, 1).title, "device 1 waited 1.5 F for 0F0 on device 0, of which 0.5 transfer");
  assert.equal(about(1, 6).title, "device 1 idle for 2.5 F: its last op has ended");
});

test("an op says what it needs, what it unblocks, and its slack", () => {
  const s = tiny(), about = aboutOp(s, RULE, 3);
  assert.equal(about.title, "1B0: backward of micro-batch 0 on stage 1");
  assert.deepEqual([about.needs, about.unblocks], [[2], [1]]);
  assert.match(about.lines[0], /^device 1, from 2.5 to 4.5 F; no slack/);
  assert.deepEqual(aboutOp(s, RULE, 1).needs, [0, 3]);
  assert.deepEqual(aboutOp(s, RULE, 0).unblocks.toSorted(), [1, 2]);
});

test("search reads an op as people write it, and goes round the schedules", () => {
  const both = [tiny(), tiny()];
  assert.deepEqual(search(both, " 1b0 "), [0, 3]);
  assert.deepEqual(search(both, "1B0", 1), [1, 3]);
  assert.deepEqual(search(both, "1B0", 2), [0, 3]);
  for (const text of ["", "2F0", "0F1", "0W0", "F7", "0F", "-1F0"]) assert.equal(search(both, text), null);
  assert.equal(find(both[0], 0, -1, 0), -1);
});

test("ids far apart need no table as large as they", () => {
  const s = { ...tiny(), microbatches: 2 ** 31, microbatch: Int32Array.of(0, 0, 2 ** 31 - 2, 0) };
  assert.equal(find(s, 0, 1, 2 ** 31 - 2), 2);
});

test("numbers have six significant digits and no noise", () => {
  assert.deepEqual([0.1 + 0.2, 1 / 3, 66, 1234567].map(num), ["0.3", "0.333333", "66", "1234567"]);
});
