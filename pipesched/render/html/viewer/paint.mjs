// What a window on the time axis shows, as numbers and pixels. A column of pixels has the exact share of its
// time that each tone takes, stacked from the top, and below them what is idle. Nothing is rounded away.
import { firstAfter } from "./data.mjs";

/** A window of this length around a time, inside 0..whole; a billionth of that at least. */
export function around(time, wanted, whole) {
  const length = Math.min(Math.max(wanted, whole * 1e-9), whole);
  const t0 = Math.min(Math.max(time - length / 2, 0), whole - length);
  return { t0, t1: t0 + length, length, middle: t0 + length / 2 };
}

/** Round times in the window, at most one per 70 pixels of a ruler: [where on the axis, the time]. */
export function ticks({ t0, t1 }, width, ruler) {
  const least = (t1 - t0) * 70 / width, power = 10 ** Math.floor(Math.log10(least)), found = [];
  const step = [1, 2, 5, 10].map((part) => part * power).find((each) => each >= least * 0.999999);
  for (const [from, to, shift] of ruler) {
    const [low, high] = [Math.max(t0, from) + shift, Math.min(t1, to) + shift];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-12); k++)
      if (!(k * step - shift < found.at(-1)?.[0] + 0.9 * least)) found.push([k * step - shift, k * step]);
  }
  return found;
}

/** From lane to lane; and of that the lane and the strip of memory. 64 devices fit into 704 pixels. */
export function laneSizes(devices, memory, taller = 1) {
  const pitch = Math.max(8, Math.min(Math.floor(704 / devices * taller), (memory ? 48 : 36) * taller, 120));
  const strip = memory ? Math.max(3, Math.min(Math.round(pitch * 0.26), 14)) : 0;
  return { pitch, strip, lane: pitch - strip - (pitch >= 14 ? 4 : 1) };
}

/** What `width` columns show of a device: `shares` of tones, Float64Array[width * tones]; `levels`, the most
 * it holds; `path`, whether it is on the critical path. Ops from..to are seen, `columns` before the end. */
export function cover(s, tone, tones, device, { t0, t1 }, width) {
  const [shares, levels, path] = [width * tones, width, width].map((length) => new Float64Array(length));
  const { start, end, during, after, critical } = s, stop = s.first[device + 1], scale = width / (t1 - t0);
  const from = firstAfter(s, device, t0), columns = Math.ceil((s.makespan - t0) * scale - 1e-6);
  const meet = (i, x) => (s.half[i] === 1 && (end[i] - start[i]) * scale > 4 ? Math.floor(x) : x); // straight
  let i = Math.max(from - 1, s.first[device]); // what it leaves is held in the window
  for (; i < stop && start[i] < t1; i++) {
    const a = meet(i - 1, (start[i] - t0) * scale), b = meet(i, (end[i] - t0) * scale);
    let x = Math.max(Math.floor(a), 0);
    for (; x < b && x < width; x++) {
      shares[x * tones + tone[i]] += Math.min(x + 1, b) - Math.max(x, a);
      if (levels[x] < during[i]) levels[x] = during[i]; // never less than what it leaves
      path[x] += critical[i];
    }
    const next = ((i + 1 < stop ? start[i + 1] : s.makespan) - t0) * scale;
    for (; x < next && x < width; x++) levels[x] = after[i];
  }
  const column = (time) => Math.max(Math.ceil((time - t0) * scale - 1e-6), 0);
  for (const [from, to, level] of s.between?.[device] ?? []) levels.fill(level, column(from), column(to));
  return { shares, levels, path, from, to: i, columns: Math.min(columns, width) };
}

/** Paint a lane into the first rows of a picture; `marks` are the top pixels where the critical path runs. */
export function paintLane(pixels, width, { shares, path, columns }, rows, colours, idle, marks) {
  for (let x = 0; x < columns; x++) {
    let busy = 0, sum = 0, y = 0;
    for (let k = 0; k < colours.length; k++) busy += shares[x * colours.length + k];
    const least = busy < 1e-9 ? 0 : 1, most = busy < 1 - 1e-9 ? rows - 1 : rows;
    const filled = Math.max(least, Math.min(most, Math.floor(busy * rows)));
    for (let k = 0; y < filled; k++) {
      sum += shares[x * colours.length + k];
      for (const until = Math.round(sum / busy * filled); y < until; y++) pixels[y * width + x] = colours[k];
    }
    for (; y < rows; y++) pixels[y * width + x] = idle;
    for (y = 0; y < marks.length && path[x]; y++) pixels[y * width + x] = marks[y];
  }
}

/** Paint a strip of levels up to `top`: what is above the cap has a colour of its own, the cap is a line. */
export function paintStrip(pixels, width, { levels, columns }, rows, top, cap, colours) {
  const line = rows - Math.round(cap / top * rows); // NaN without a cap: nowhere
  for (let x = 0; x < columns; x++) {
    const free = rows - Math.max(Math.round(levels[x] / top * rows), levels[x] > 0 ? 1 : 0);
    const full = levels[x] > cap + 1e-9 ? colours.over : colours.held;
    for (let y = 0; y < rows; y++)
      pixels[y * width + x] = y === line ? colours.cap : y < free ? colours.empty : full;
  }
}
