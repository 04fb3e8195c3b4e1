// What there is to know about an op or an idle gap of a decoded schedule: data and sentences, no drawing.

export const LETTERS = "FBIW";
const WORDS = ["forward", "backward", "backward for the input", "backward for the weights"];

/** A number as people write it: six significant digits, more only for a whole number. */
export const num = (x) => String(Math.abs(x) >= 1e6 ? Math.round(x) : Number(x.toPrecision(6)));

export const opText = (s, op) => `${s.stage[op]}${LETTERS[s.kind[op]]}${s.microbatch[op]}`;

/** [first, last] op of the slot that an op stands in: twice the same, or a pair. */
export const slotOf = (s, op) => [s.half[op] === 2 ? op - 1 : op, s.half[op] === 1 ? op + 1 : op];
export const slotStart = (s, op) => s.start[slotOf(s, op)[0]];
export const slotEnd = (s, op) => s.end[slotOf(s, op)[1]];

/** The least index in low..high at which a monotone test holds, else high. */
export function firstWhere(low, high, test) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle; else low = middle + 1;
  }
  return low;
}

export const deviceOf = (s, op) => firstWhere(0, s.devices, (d) => s.first[d + 1] > op);

/** What a device does at a time: {op}, or {gap}; null outside 0..makespan. */
export function at(s, device, time) {
  if (!(device >= 0 && device < s.devices && time >= 0 && time <= s.makespan)) return null;
  const low = s.first[device], high = s.first[device + 1];
  const next = firstWhere(low, high, (i) => s.end[i] > time);
  if (next < high && s.start[next] <= time) return { op: next };
  const gap = { device, start: next > low ? s.end[next - 1] : 0, end: next < high ? s.start[next] : s.makespan, next };
  return gap.end - gap.start > s.near || next === high ? { gap } : { op: next };
}

/** The op of this kind, stage and micro-batch, or -1. */
export function find(s, kind, stage, microbatch) {
  if (!s.index) {
    const size = 4 * s.stages * s.microbatches;
    s.index = size <= 8 * s.n + 1024 ? new Int32Array(size).fill(-1) : {};  // ids may be sparse
    for (let i = s.n - 1; i >= 0; i--) s.index[key(s, s.kind[i], s.stage[i], s.microbatch[i])] = i;
  }
  const known = stage >= 0 && stage < s.stages && microbatch >= 0 && microbatch < s.microbatches;
  return known ? s.index[key(s, kind, stage, microbatch)] ?? -1 : -1;
}
const key = (s, kind, stage, microbatch) => (microbatch * s.stages + stage) * 4 + kind;

/** The op that a text such as 3F7 names in one of the schedules: [schedule, op], from one schedule on; or null. */
export function search(schedules, text, from = 0) {
  const match = /^\s*(\d+)\s*([FBIW])\s*(\d+)\s*$/i.exec(text);
  if (!match) return null;
  const kind = LETTERS.indexOf(match[2].toUpperCase());
  for (let k = 0; k < schedules.length; k++) {
    const which = (from + k) % schedules.length, op = find(schedules[which], kind, +match[1], +match[3]);
    if (op >= 0) return [which, op];
  }
  return null;
}

/** The ops that an op waits for by a rule of dependencies.py: at most one on its own stage and one beside it. */
export function needs(s, rule, op) {
  const found = [];
  for (const { consumer, kinds, step } of rule) {
    if (consumer !== s.kind[op]) continue;
    const needed = kinds.map((kind) => find(s, kind, s.stage[op] + step, s.microbatch[op])).find((i) => i >= 0);
    if (needed !== undefined) found.push(needed);
  }
  return found;
}

/** The ops that wait for an op. */
export function unblocks(s, rule, op) {
  const found = new Set();
  for (const { consumer, kinds, step } of rule)
    if (kinds.includes(s.kind[op])) found.add(find(s, consumer, s.stage[op] - step, s.microbatch[op]));
  return [...found].filter((i) => i >= 0 && needs(s, rule, i).includes(op));
}

/** When the result of one op is there for another. */
export const arrival = (s, needed, op) =>
  slotEnd(s, needed) + (deviceOf(s, needed) === deviceOf(s, op) ? 0 : s.lag[op]);

/** What kept a device waiting in a gap: {op, transfer}; null where it had nothing left to do. */
export function waited(s, rule, gap) {
  if (gap.next >= s.first[gap.device + 1]) return null;
  let best = null;
  for (const consumer of new Set(slotOf(s, gap.next)))
    for (const op of needs(s, rule, consumer)) {
      const there = arrival(s, op, consumer);
      if (deviceOf(s, op) !== gap.device && (!best || there > best.there + s.near)) best = { op, there };
    }
  return best && { op: best.op, transfer: Math.max(0, gap.end - Math.max(gap.start, slotEnd(s, best.op))) };
}

/** [device, start, end] of an op's slot or of a gap. */
export const extent = (s, { op, gap }) =>
  (gap ? [gap.device, gap.start, gap.end] : [deviceOf(s, op), slotStart(s, op), slotEnd(s, op)]);

const span = (from, to, unit) => `from ${num(from)} to ${num(to)} ${unit}`;

/** A gap in words: {title, lines, needs: ops}. */
export function aboutGap(s, rule, gap) {
  const length = `${num(gap.end - gap.start)} ${s.unit}`, wait = waited(s, rule, gap);
  const where = gap.next >= s.first[gap.device + 1] ? "drain" : gap.next > s.first[gap.device] ? "inside" : "start-up";
  if (!wait) {
    return { title: `device ${gap.device} idle for ${length}: ${where === "drain" ? "its last op has ended" : where}`,
      lines: [span(gap.start, gap.end, s.unit)], needs: [] };
  }
  const part = wait.transfer > s.near ? `, of which ${num(wait.transfer)} transfer` : "";
  return {
    title: `device ${gap.device} waited ${length} for ${opText(s, wait.op)} on device ${deviceOf(s, wait.op)}${part}`,
    lines: [`${span(gap.start, gap.end, s.unit)}, ${where}`], needs: [wait.op],
  };
}

/** An op in words: {title, lines, needs, unblocks: ops}. */
export function aboutOp(s, rule, op) {
  const [a, b] = slotOf(s, op), device = deviceOf(s, op), slack = s.slack[op];
  const flow = s.flows === 2 ? `, flowing ${["down", "up"][s.shade[op] % 2]}` : "";
  const late = slack > s.near ? `slack ${num(slack)} ${s.unit}` : "no slack: a delay here delays the end";
  const before = a > s.first[device] ? s.end[a - 1] : 0;
  const gap = { device, start: before, end: s.start[a], next: a };
  const lines = [`device ${device}, ${span(s.start[a], s.end[b], s.unit)}; ${late}`];
  if (a !== b) lines.push(`overlapped with ${opText(s, op === a ? b : a)}`);
  if (gap.end - gap.start > s.near && a > 0) lines.push(aboutGap(s, rule, gap).title);
  return {
    title: `${opText(s, op)}: ${WORDS[s.kind[op]]} of micro-batch ${s.microbatch[op]} on stage ${s.stage[op]}${flow}`,
    lines, needs: needs(s, rule, op), unblocks: unblocks(s, rule, op),
  };
}

/** An op or a gap in words. */
export const describe = (s, rule, { op, gap }) => (gap ? aboutGap(s, rule, gap) : aboutOp(s, rule, op));
