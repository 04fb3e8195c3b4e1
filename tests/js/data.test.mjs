import assert from "node:assert/strict";
import test from "node:test";
import { at, beside, decode, find, inspect, num, opText } from "../../pipesched/render/html/viewer/data.mjs";

/** Columns as they travel, of whole numbers and of times in half units: differences, anew for each device. */
function packed(first, whole, times) {
  const layout = [], bytes = [];
  for (const [columns, steps] of [[whole, 0], [times, 2]])
    for (const [name, column] of Object.entries(columns)) {
      layout.push([name, "i1", bytes.length, column.length, steps]);
      bytes.push(...column.map((value, i) => (value - (first.includes(i) ? 0 : column[i - 1])) * (steps || 1)));
      while (bytes.length % 8) bytes.push(0);
    }
  return { layout, buffer: Int8Array.from(bytes).buffer };
}

const none = (n) => Array(n).fill(0);

/** Two devices, one micro-batch, F=1 B=2, latency 0.5: 0F0 at 0, 0W0 for nothing at 5, 0B0 at 5; 1F0 at 1.5, 1B0 at 2.5. */
function tiny() {
  const first = [0, 3, 5], { layout, buffer } = packed(first, {
    device: [0, 0, 0, 1, 1], stage: [0, 0, 0, 1, 1], microbatch: none(5), half: none(5), kind_tone: [0, 6, 2, 0, 2],
    own: [0, 0, -2, 0, -1], local: none(5), sender: [0, 0, 2, -3, 0], own_user: [2, 0, 0, 1, 0], user: [3, 0, 0, 0, -2],
    cause: [0, 3, 0, -3, 0],
  }, {
    start: [0, 5, 5, 1.5, 2.5], end: [1, 5, 7, 2.5, 4.5], slack: [0, 1, 0, 0, 0], transfer: [0, 0.5, 0, 0.5, 0], held: none(5),
    departs: [0, 5, 4.5, 1, 2.5], arrives: [0, 5, 5, 1.5, 2.5],
  });
  return decode({
    name: "tiny", unit: "F", breaks: [], makespan: 7, near: 1e-9, devices: 2, first, layout,
    words: none(8).map((_, k) => `${"FFBBIIWW"[k]} of {m} on {s}`), slack_words: ["no slack", "slack {} F"],
  }, buffer);
}

test("columns become ops with times, each when it is asked for", () => {
  const s = tiny();
  assert.equal(typeof Object.getOwnPropertyDescriptor(s, "start").get, "function");
  assert.deepEqual([0, 1, 2, 3, 4].map((i) => opText(s, i)), ["0F0", "0W0", "0B0", "1F0", "1B0"]);
  assert.deepEqual([...s.start], [0, 5, 5, 1.5, 2.5]);
  assert.deepEqual([...s.end], [1, 5, 7, 2.5, 4.5]);
  assert.equal(Object.getOwnPropertyDescriptor(s, "start").value, s.start);
});

test("a point is an op, idle time, or nothing", () => {
  const s = tiny();
  assert.deepEqual(at(s, 0, 0.5), { op: 0 });
  assert.deepEqual(at(s, 0, 3), { gap: 1, device: 0 });
  assert.deepEqual(at(s, 1, 0.2), { gap: 3, device: 1 });
  assert.deepEqual(at(s, 1, 6), { gap: 5, device: 1 });
  assert.deepEqual(at(s, 0, 7), { op: 2 });
  for (const [device, time] of [[2, 1], [-1, 1], [0, -1], [0, 8]]) assert.equal(at(s, device, time), null);
});

test("an op that takes no time is found beside the point", () => {
  const s = tiny();
  assert.deepEqual(at(s, 0, 5.2), { op: 2 });
  assert.deepEqual(at(s, 0, 5.2, 0.3), { op: 1 });
  assert.deepEqual(at(s, 0, 4.8, 0.3), { op: 1 });
  assert.deepEqual(at(s, 0, 5), { op: 1 });
  const still = Object.assign(tiny(), { makespan: 0 });
  for (const name of ["start", "end"]) Object.defineProperty(still, name, { value: new Float64Array(5) });
  assert.deepEqual(at(still, 1, 0.2, 0.3), { op: 3 });
});

test("from op to op and through idle time, past what takes no time, and back", () => {
  const s = tiny(), seen = [];
  for (let what = { op: 0 }; what; what = beside(s, what, 1)) seen.push(what);
  assert.deepEqual(seen, [{ op: 0 }, { gap: 1, device: 0 }, { op: 1 }, { op: 2 }]);
  const back = [];
  for (let what = { op: 2 }; what; what = beside(s, what, -1)) back.unshift(what);
  assert.deepEqual(back, seen);
  assert.deepEqual(beside(s, { op: 4 }, 1), { gap: 5, device: 1 });
  assert.equal(beside(s, { gap: 5, device: 1 }, 1), null);
  assert.deepEqual(beside(s, { op: 3 }, -1), { gap: 3, device: 1 });
  assert.equal(beside(s, { gap: 3, device: 1 }, -1), null);
});

test("idle time says what it waited for and how much of it was transfer", () => {
  const s = tiny(), said = (device, time) => inspect(s, at(s, device, time)).said;
  assert.deepEqual(said(0, 3), ["device 0 waited 4 F for 1B0 on device 1, of which 0.5 transfer", "from 1 to 5 F, inside"]);
  assert.deepEqual(said(1, 1), ["device 1 waited 1.5 F for 0F0 on device 0, of which 0.5 transfer", "from 0 to 1.5 F, start-up"]);
  assert.deepEqual(said(1, 6), ["device 1 idle for 2.5 F: its last op has ended", "from 4.5 to 7 F"]);
});

test("where a transfer held the device, that is said", () => {
  const s = tiny();
  Object.defineProperty(s, "held", { value: Float64Array.of(0, 3, 0, -1, 0) });
  Object.defineProperty(s, "cause", { value: Int32Array.of(0, 3, 0, -1, 0) }); // 1F0 waits to send what 0B0 needs
  assert.equal(inspect(s, { gap: 1, device: 0 }).said[2], "its RECV held it for 3");
  const [title, , held] = inspect(s, { gap: 3, device: 1 }).said;
  assert.match(title, /^device 1 waited 1.5 F to send 1B0 to device 0/);
  assert.equal(held, "its SEND held it for 1");
});

test("an op says what it needs, what it unblocks, its slack and how its input came", () => {
  const s = tiny(), { before, after, said, time } = inspect(s, { op: 2 });
  assert.deepEqual([before, after, time], [[0, 4], [], 6]);
  assert.deepEqual(said, ["0B0: B of 0 on 0", "device 0, from 5 to 7 F; no slack", "the result of 1B0 travels from 4.5 to 5"]);
  assert.deepEqual(inspect(s, { op: 0 }).after, [2, 3]);
  assert.equal(inspect(s, { op: 1 }).said[1], "device 0, from 5 to 5 F; slack 1 F");
});

test("an op is found by its name", () => {
  const s = tiny();
  assert.equal(find(s, "1B0"), 4);
  for (const text of ["", "2F0", "0F1", "1W0", "F7", "0F", "-1F0", "1b0"]) assert.equal(find(s, text), -1);
});

test("numbers have six significant digits and no noise", () => {
  assert.deepEqual([0.1 + 0.2, 1 / 3, 66, 1234567, 24765.5].map(num), ["0.3", "0.333333", "66", "1,234,567", "24,765.5"]);
});
