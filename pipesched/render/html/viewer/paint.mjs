// A lane as pixels. Every column of pixels shows the exact share of its time that each tone takes, stacked
// from the top; what is left at the bottom is idle and never rounded away, nor is the least work.
import { firstWhere } from "./model.mjs";

const BLOCK = 16;

/** By block of 16 ops: the time of each tone, and the highest level held. What many ops share is then added once. */
export function blocks(s, tone, tones) {
  const count = Math.ceil(s.n / BLOCK), time = new Float64Array(count * tones), most = new Float64Array(count);
  for (let i = 0; i < s.n; i++) {
    const k = Math.floor(i / BLOCK);
    time[k * tones + tone[i]] += s.end[i] - s.start[i];
    most[k] = Math.max(most[k], s.during[i], s.half[i] === 1 ? 0 : s.after[i]);
  }
  return { time, most };
}

/** How much of each of `width` columns each tone covers, Float64Array[width * tones]; and the ops in the window. */
export function cover(s, tone, tones, device, view, width, time = null, into = new Float64Array(width * tones)) {
  into.fill(0, 0, width * tones);
  const { t0, t1 } = view, scale = width / (t1 - t0), stop = s.first[device + 1], { start, end } = s;
  const from = firstWhere(s.first[device], stop, (k) => end[k] > t0);
  let i = from;
  for (; i < stop && start[i] < t1; i++) {
    if (time && i % BLOCK === 0 && i + BLOCK <= stop && start[i] >= t0) {
      const x = (start[i] - t0) * scale | 0, k = i / BLOCK * tones;
      if (x < width && x === ((end[i + BLOCK - 1] - t0) * scale | 0)) {
        for (let c = 0; c < tones; c++) into[x * tones + c] += time[k + c] * scale;
        i += BLOCK - 1;
        continue;
      }
    }
    const a = Math.max((start[i] - t0) * scale, 0), b = Math.min((end[i] - t0) * scale, width);
    const x = a | 0, last = Math.min(b | 0, width - 1), at = tone[i];
    if (x >= last) { into[Math.min(x, width - 1) * tones + at] += b - a; continue; }
    into[x * tones + at] += x + 1 - a;
    for (let c = x + 1; c < last; c++) into[c * tones + at] += 1;
    into[last * tones + at] += b - last;
  }
  return { into, from, to: i };
}

/** How many of `rows` pixels show a share: all only for all, none only for none. */
export function rowsOf(share, rows) {
  if (share >= 1 - 1e-9) return rows;
  return share < 1e-9 ? 0 : Math.max(1, Math.min(rows - 1, Math.floor(share * rows)));
}

/** The columns up to the end of the schedule. */
const shown = (s, { t0, t1 }, width) => Math.min(width, Math.ceil((s.makespan - t0) / (t1 - t0) * width - 1e-6));

/** Write a lane's coverage into `picture` {pixels, width}, `rows` high from row `top` on. */
export function paintLane(picture, s, view, covered, tones, top, rows, colours, idle) {
  const { pixels, width } = picture, stop = shown(s, view, width);
  for (let x = 0; x < stop; x++) {
    const base = x * tones;
    let busy = 0;
    for (let k = 0; k < tones; k++) busy += covered[base + k];
    const filled = rowsOf(busy, rows);
    let y = 0, sum = 0;
    for (let k = 0; k < tones && y < filled; k++) {
      if (!covered[base + k]) continue;
      sum += covered[base + k];
      for (const until = Math.round(sum / busy * filled); y < until; y++) pixels[(top + y) * width + x] = colours[k];
    }
    for (; y < rows; y++) pixels[(top + y) * width + x] = idle;
  }
}

/**
 * Borders of the cells that are at least `least` pixels wide; neighbours share a line, a pair has one frame in ink
 * around both halves. An idle gap that a line would hide gets a column of its own.
 */
export function paintBorders(picture, s, tone, range, view, top, rows, colours, { ink, idle }, thick, least) {
  const { pixels, width } = picture, scale = width / (view.t1 - view.t0);
  if (s.longest * scale < least) return;
  for (let i = range.from; i < range.to; i++) {
    if (s.half[i] === 2) continue;
    const pair = s.half[i] === 1, stop = s.end[pair ? i + 1 : i];
    const a = (s.start[i] - view.t0) * scale, b = (stop - view.t0) * scale;
    if (stop === s.start[i] && a >= 0 && a < width)  // takes no time: a line
      for (let y = 0; y < rows; y++) pixels[(top + y) * width + Math.floor(a)] = ink;
    if (b - a < least) continue;
    const weight = pair && b - a > 3 * least ? 2 * thick : thick, colour = pair ? ink : colours[tone[i]];
    const left = Math.floor(a), right = Math.ceil(b), from = Math.max(left, 0), to = Math.min(right, width);
    for (let y = 0; y < rows; y++) {
      const row = (top + y) * width, edge = y < weight || y >= rows - weight;
      if (edge) { pixels.fill(colour, row + from, row + to); continue; }
      for (let w = 0; w < weight; w++) {
        if (left + w >= 0 && left + w < to) pixels[row + left + w] = colour;
        if (right - 1 - w >= from && right - 1 - w < width) pixels[row + right - 1 - w] = colour;
      }
    }
  }
  for (let i = range.from; i + 1 < range.to; i++) {
    const gap = s.start[i + 1] - s.end[i], x = Math.floor((s.end[i] - view.t0) * scale);
    if (gap > s.near && gap * scale < 2 && x >= 0 && x < width)
      for (let y = 0; y < rows; y++) pixels[(top + y) * width + x] = idle;
  }
}

/** The highest level that a device holds in each column of pixels, Float64Array[width]. */
export function levels(s, device, view, width, block = null) {
  const most = new Float64Array(width), { t0, t1 } = view, scale = width / (t1 - t0), { start, end, after } = s;
  const put = (from, to, level) => {
    const a = Math.max(Math.floor((from - t0) * scale), 0), b = Math.min(Math.ceil((to - t0) * scale), width);
    for (let x = a; x < b; x++) if (most[x] < level) most[x] = level;
  };
  const stop = s.first[device + 1], from = firstWhere(s.first[device], stop, (k) => end[k] > t0);
  for (let i = Math.max(from - 1, s.first[device]); i < stop && start[i] < t1; i++) {
    if (block && i % BLOCK === 0 && i + BLOCK < stop && start[i] >= t0) {
      const x = (start[i] - t0) * scale | 0;
      if (x < width && x === ((start[i + BLOCK] - t0) * scale | 0)) {
        if (most[x] < block[i / BLOCK]) most[x] = block[i / BLOCK];
        i += BLOCK - 1;
        continue;
      }
    }
    put(start[i], end[i], s.during[i]);
    if (s.half[i] !== 1) put(end[i], i + 1 < stop ? start[i + 1] : s.makespan, after[i]);
  }
  return most;
}

/** Write a memory strip; what is above the cap has its own colour, and the cap is a line. */
export function paintLevels(picture, s, view, most, top, rows, cap, colours) {
  const { pixels, width } = picture, stop = shown(s, view, width), highest = s.top;
  const limit = cap == null ? -1 : Math.round(cap / highest * rows);
  for (let x = 0; x < stop; x++) {
    const filled = most[x] > 0 ? Math.max(1, Math.round(most[x] / highest * rows)) : 0;
    const held = cap != null && most[x] > cap + 1e-9 ? colours.over : colours.held;
    for (let y = 0; y < rows; y++) {
      const height = rows - y;  // of this row over the bottom, counted from 1
      pixels[(top + y) * width + x] = height === limit ? colours.cap : height <= filled ? held : colours.empty;
    }
  }
}
