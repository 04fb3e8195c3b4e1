// A schedule as columns, one entry per op, by device and time, as data.py writes them; and what to say of an
// op, {op}, or of idle time, {gap, device}: before op number `gap`, or after the last op of the device.

const ARRAYS = { i1: Int8Array, i2: Int16Array, i4: Int32Array, f8: Float64Array };

/** The bytes behind a text: base64 of what was deflated twice. */
export async function inflate(text) {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const [once, twice] = [new DecompressionStream("deflate"), new DecompressionStream("deflate")];
  return new Response(new Blob([packed]).stream().pipeThrough(once).pipeThrough(twice)).arrayBuffer();
}

/** The data with its columns by name, each made when it is first asked for. */
export function decode(data, buffer) {
  const s = { ...data };
  for (const [name, ...where] of data.layout) {
    const get = () => Object.defineProperty(s, name, { value: summed(buffer, where, data.first) })[name];
    Object.defineProperty(s, name, { get, configurable: true });
  }
  return s;
}

/** The sums, device by device, of what was sent; in steps where there are any. */
function summed(buffer, [code, from, length, steps], first) {
  const column = new (steps ? Float64Array : Int32Array)(new ARRAYS[code](buffer, from, length));
  for (let d = 0; d + 1 < first.length; d++)
    for (let i = first[d] + 1; i < first[d + 1]; i++) column[i] += column[i - 1];
  return steps > 1 ? column.map((sum) => sum / steps) : column;
}

/** Numbers as people write them, 24,765.5; num: six significant digits, or three decimals if that is more. */
export const written = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 15 }).format;
export const num = (x) => written(Number(Math.abs(x) >= 1e3 ? x.toFixed(3) : x.toPrecision(6)));

/** An op as torch writes it: 3F7. Each kind has two tones. */
export const opText = (s, op) => `${s.stage[op]}${"FFBBIIWW"[s.kind_tone[op]]}${s.microbatch[op]}`;

/** The op of such a name, or -1. */
export const find = (s, name) => s.stage.findIndex((_, op) => opText(s, op) === name);

/** [device, start, end] of idle time, or of the slot that an op stands in, alone or with its partner. */
export function extent(s, { op, gap, device }, start = s.start, end = s.end, whole = s.makespan) {
  const [low, high] = [s.first[device], s.first[device + 1]];
  if (op === undefined) return [device, gap > low ? end[gap - 1] : 0, gap < high ? start[gap] : whole];
  const first = s.half[op] === 2 ? op - 1 : op, last = s.half[op] === 1 ? op + 1 : op;
  return [s.device[op], start[first], end[last]];
}

/** The first op of a device that ends after a time, or the one after its last. */
export function firstAfter(s, device, time) {
  let low = s.first[device], high = s.first[device + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (s.end[middle] > time) high = middle; else low = middle + 1;
  }
  return low;
}

/** What a device does at a time, or null; an op that takes no time is found from `reach` away. */
export function at(s, device, time, reach = 0) {
  if (!(device >= 0 && device < s.devices && time >= 0 && time <= s.makespan + reach)) return null;
  const stop = s.first[device + 1], [early, late] = [time - reach - s.near, time + reach + s.near];
  for (let op = firstAfter(s, device, early); op < stop && s.start[op] < late; op++)
    if (s.start[op] === s.end[op]) return { op };
  const next = firstAfter(s, device, time - s.near);
  return next < stop && s.start[next] < time + s.near ? { op: next } : { gap: next, device };
}

/** The op or the idle time before (by -1) or after (by 1) another on its device, or null. */
export function beside(s, { op, gap, device = s.device[op] }, by) {
  const idle = { gap: by > 0 ? op + 1 : op, device };
  if (op === undefined) op = by > 0 ? gap - 1 : gap;
  else if (extent(s, idle)[2] - extent(s, idle)[1] > s.near) return idle;
  return s.device[op + by] === device ? { op: op + by } : null;
}

/** The ops that are as far away as some columns say, 0 for nowhere. */
const others = (s, op, ...names) => names.map((name) => s[name][op]).filter(Boolean).map((away) => op + away);

/** All about an op or idle time: its slot, its middle, what it waits for, what waits for it, and in words. */
export function inspect(s, what) {
  const { op, gap } = what, [device, start, end] = extent(s, what);
  const [, since, until] = extent(s, what, s.since, s.until, s.total); // an axis with breaks has other places

  const needs = op !== undefined ? ["own", "local", "sender"] : gap < s.first[device + 1] ? ["cause"] : [];
  const before = others(s, op ?? gap, ...needs), after = others(s, op, "own_user", "user");
  const time = op === undefined ? (start + end) / 2 : (s.start[op] + s.end[op]) / 2;
  const span = `from ${num(since)} to ${num(until)} ${s.unit}`, where = `device ${device}, ${span}`;
  const left = op === undefined && s.breaks.filter(({ at }) => at > start - s.near && at < end);
  const said = left.length ? [`left out: ${left.map(({ text }) => text).join("; ")}`, where]
    : left ? sayGap(s, gap, before[0], device, `${num(until - since)} ${s.unit}`, span)
      : sayOp(s, op, where, since - start);
  return { ...what, device, start, end, time, before, after, said };
}

function sayGap(s, gap, cause, device, length, span) {
  const last = gap === s.first[device + 1] ? ": its last op has ended" : ""; // else why is not known
  if (cause === undefined) return [`device ${device} idle for ${length}${last}`, span];
  const held = s.held[gap], sends = held < 0; // else a RECV held the device, or nothing did
  const wanted = sends ? `to send ${opText(s, cause + s.sender[cause])} to` : `for ${opText(s, cause)} on`;
  const part = s.transfer[gap] > s.near ? `, of which ${num(s.transfer[gap])} transfer` : "";
  const waited = `device ${device} waited ${length} ${wanted} device ${s.device[cause]}${part}`;
  const holds = held ? [`its ${sends ? "SEND" : "RECV"} held it for ${num(Math.abs(held))}`] : [];
  return [waited, `${span}, ${gap > s.first[device] ? "inside" : "start-up"}`, ...holds];
}

function sayOp(s, op, where, shift) {
  const words = s.words[s.kind_tone[op]].replace("{m}", s.microbatch[op]).replace("{s}", s.stage[op]);
  const slack = s.slack_words[s.slack[op] > s.near ? 1 : 0].replace("{}", num(s.slack[op]));
  const said = [`${opText(s, op)}: ${words}`, `${where}; ${slack}`];
  if (s.half[op]) said.push(`overlapped with ${opText(s, s.half[op] === 1 ? op + 1 : op - 1)}`);
  const [left, here] = [s.departs, s.arrives].map((x) => x[op] + shift), from = opText(s, op + s.sender[op]);
  if (here > left + s.near) said.push(`the result of ${from} travels from ${num(left)} to ${num(here)}`);
  return said;
}
