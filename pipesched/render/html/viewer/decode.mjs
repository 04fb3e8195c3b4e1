// The columns of data.py as typed arrays. Bundled into the page by page.py, which drops import and export.

const TYPES = { u1: Uint8Array, i1: Int8Array, u2: Uint16Array, i2: Int16Array, i4: Int32Array, f8: Float64Array };

/** The bytes behind a deflated base64 text. */
export async function inflate(text) {
  const packed = atob(text), bytes = new Uint8Array(packed.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = packed.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

/** The columns by name: views of a buffer in which each starts at a multiple of 8 bytes. */
export function views(buffer, layout) {
  const columns = {};
  let at = 0;
  for (const [name, code, length] of layout) {
    columns[name] = new TYPES[code](buffer, at, length);
    at += Math.ceil(length * TYPES[code].BYTES_PER_ELEMENT / 8) * 8;
  }
  return columns;
}

/**
 * A schedule to draw: columns with one entry per op, by device and time. A pair's two ops stand side by side,
 * half 1 its forward, half 2 its backward, and share its time; half 0 is an op of its own.
 */
export function decode(data, raw) {
  const n = raw.code.length, { first, held, time, level } = data;
  const s = {
    ...data, n, start: new Float64Array(n), end: new Float64Array(n), kind: new Uint8Array(n), half: new Uint8Array(n),
    shade: new Uint8Array(n), stage: new Int32Array(n), microbatch: new Int32Array(n), slack: new Float64Array(n),
    lag: new Float64Array(n), during: new Float64Array(n), after: new Float64Array(n), path: new Int32Array(raw.path),
    // Times closer than this are the same.
    near: 1e-9 * data.makespan + (time.exact ? 0 : 4 / time.steps),
  };
  for (let i = 1; i < s.path.length; i++) s.path[i] += s.path[i - 1];
  let pair = 0, holds = 0;
  for (let d = 0; d < data.devices; d++) {
    const last = new Int32Array(4 * held[d].length).fill(-1);
    let now = 0;  // in whole steps, so that sums are exact
    for (let i = first[d]; i < first[d + 1]; i++) {
      const code = raw.code[i], line = 4 * raw.chunk[i] + (code & 3);
      s.kind[i] = code & 3;
      s.half[i] = code >> 2;
      s.stage[i] = held[d][raw.chunk[i]];
      s.shade[i] = data.shade[d][raw.chunk[i]];
      s.microbatch[i] = last[line] += 1 + raw.microbatch[i];
      s.lag[i] = raw.lag[i] / time.steps;
      s.during[i] = (holds += raw.during[i]) / level.steps;
      s.after[i] = (holds - raw.freed[i]) / level.steps;
      if (s.half[i] === 2) {
        const meet = s.start[i - 1] + (s.end[i - 1] - s.start[i - 1]) * raw.meet[pair++] / 65535;
        s.end[i] = s.end[i - 1];
        s.start[i] = s.end[i - 1] = meet;
        s.slack[i] = s.slack[i - 1];
      } else {
        s.start[i] = (now += raw.gap[i]) / time.steps;
        s.end[i] = (now += raw.length[i]) / time.steps;
        s.slack[i] = raw.slack[i] / time.steps;
      }
    }
  }
  s.mostSlack = s.slack.reduce((a, b) => Math.max(a, b), 1e-300);
  s.longest = s.start.reduce((most, start, i) => Math.max(most, s.end[s.half[i] === 1 ? i + 1 : i] - start), 0);
  return s;
}
