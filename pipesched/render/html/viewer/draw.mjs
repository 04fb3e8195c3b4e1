// Drawing: lanes and strips as pixels, then numbers and what is chosen as strokes. Needs a canvas.
import { at, deviceOf, extent, firstWhere, opText, slotEnd, slotStart } from "./model.mjs";
import { blocks, cover, levels, paintBorders, paintLane, paintLevels } from "./paint.mjs";
import { laneSizes, ticks } from "./view.mjs";

const LEFT = 76, RIGHT = 12, TALLEST = 720, AXIS = 24;  // in CSS pixels
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
const NARROW = "'Arial Narrow', 'Liberation Sans Narrow', 'Roboto Condensed', 'Helvetica Neue', Arial, sans-serif";

/** What is shown: the window t0..t1, color, critical, memory, at; as in the link. */
export const state = { t0: 0, t1: 1 };
/** What is not in the link: what is chosen, the height of lanes, the width of the paper while printing. */
export const board = { chosen: null, taller: 1, paper: null };
/** One per schedule: the schedule, its canvas, its scrolling box, the tone of each op. */
export const charts = [];
const ink = {};
const PIXELS = ["paper", "ink", "line", "idle", "held", "over", "cap", "empty"];

/** What the state of the page means for each op: the number of its colour. */
const TONES = {
  kind: (s, i) => 2 * s.kind[i] + s.shade[i] % 2,
  microbatch: (s, i, n) => s.microbatch[i] % n,
  stage: (s, i, n) => (s.stages <= n ? s.stage[i] : Math.floor(s.stage[i] * n / s.stages)),
  slack: (s, i, n) => (s.slack[i] <= s.near ? 0 : 1 + Math.min(n - 2, Math.floor((n - 1) * s.slack[i] / s.mostSlack))),
};
const pixel = (hex) => 0xff000000 | parseInt(hex.slice(5, 7) + hex.slice(3, 5) + hex.slice(1, 3), 16);
const mixed = (hex, dark) => "#" + [1, 3, 5].map((k) =>
  Math.round(parseInt(hex.slice(k, k + 2), 16) * 0.5 + dark * 0.5).toString(16).padStart(2, "0")).join("");

/** Read the colours of the page, light or dark. */
export function theme() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["paper", "ink", "soft", "line", "idle", "held", "over", "cap", "path", "empty"])
    ink[name] = style.getPropertyValue(`--${name}`).trim();
}

/** Give every op the tone of a mode: kind, microbatch, stage or slack, with its fills and inks. */
export function colour(mode, { fills, inks }) {
  for (const chart of charts) {
    const { s, tone } = chart;
    for (let i = 0; i < s.n; i++) tone[i] = TONES[mode](s, i, fills.length);
    chart.blocks = blocks(s, tone, fills.length);
  }
  Object.assign(ink, { fills: fills.map(pixel), borders: fills.map((hex) => pixel(mixed(hex, 20))), inks });
}

/** An image to paint into, kept from one time to the next. */
function picture(chart, width, height) {
  if (chart.image?.width !== width || chart.image.height !== height) {
    chart.image = new ImageData(width, height);
    chart.pixels = new Uint32Array(chart.image.data.buffer);
    chart.covered = new Float64Array(width * ink.fills.length);
  }
  if (chart.covered.length < width * ink.fills.length) chart.covered = new Float64Array(width * ink.fills.length);
  return { image: chart.image, pixels: chart.pixels, width };
}

/** Draw one schedule. */
export function draw(chart) {
  const { s, canvas, box } = chart, { paper, chosen } = board, scale = paper ? 3 : devicePixelRatio;
  const size = laneSizes(s.devices, !state.memory, paper ? 0.75 : board.taller), tall = s.devices * size.pitch;
  const wide = paper ?? box.clientWidth, scroll = paper ? 0 : box.scrollTop;
  const high = paper ? tall + AXIS : Math.min(tall, TALLEST);
  const width = Math.max(1, Math.round((wide - LEFT - RIGHT) * scale));
  const across = Math.round(wide * scale), down = Math.round(high * scale);
  Object.assign(chart, { size, width, scale, wide });
  canvas.parentElement.style.height = paper ? "auto" : `${tall}px`;
  if (canvas.width !== across || canvas.height !== down) {
    Object.assign(canvas, { width: across, height: down });
    Object.assign(canvas.style, { width: `${wide}px`, height: `${paper ? Math.min(high, 640) : high}px` });
  }
  chart.x = (time) => LEFT + (time - state.t0) / (state.t1 - state.t0) * width / scale;
  chart.y = (d) => d * size.pitch - scroll;
  const [image, lanes] = pixels(chart, picture(chart, width, down), scroll, high);
  const pen = canvas.getContext("2d", { alpha: false });
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = ink.paper;
  pen.fillRect(0, 0, across, down);
  pen.putImageData(image, Math.round(LEFT * scale), 0);
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  names(pen, chart, lanes);
  if (paper) axis(pen, wide, tall);
  if (size.lane >= 9) numbers(pen, chart, lanes);
  pen.save();
  pen.beginPath();
  pen.rect(LEFT - 1, 0, width / scale + 2, high);
  pen.clip();
  flags(pen, chart);
  if (state.critical) critical(pen, chart);
  if (chosen?.chart === chart) mark(pen, chart, chosen);
  pen.restore();
}

/** Paint the lanes in sight and the strips under them: [image, lanes]. */
function pixels(chart, picture, scroll, high) {
  const { s, size, scale, tone, blocks: { time, most }, covered } = chart, { width, image } = picture, lanes = [];
  const row = (y) => Math.max(0, Math.min(image.height, Math.round((y - scroll) * scale))), n = ink.fills.length;
  const as = Object.fromEntries(PIXELS.map((name) => [name, pixel(ink[name])]));
  picture.pixels.fill(as.paper);
  for (const tick of ticks(state, width / scale)) {
    const x = Math.round((tick - state.t0) / (state.t1 - state.t0) * width);
    if (x < width) for (let y = 0; y < image.height; y++) picture.pixels[y * width + x] = as.line;
  }
  const last = Math.min(s.devices, Math.ceil((scroll + high) / size.pitch));
  for (let d = Math.floor(scroll / size.pitch); d < last; d++) {
    const y = d * size.pitch, top = row(y), under = row(y + size.lane), rows = under - top;
    const range = cover(s, tone, n, d, state, width, time, covered), line = Math.round(scale);
    paintLane(picture, s, state, range.into, n, top, rows, ink.fills, as.idle);
    if (rows > 5) paintBorders(picture, s, tone, range, state, top, rows, ink.borders, as, line, 4 * scale);
    if (size.strip) {
      const high = row(y + size.lane + size.strip) - under;
      paintLevels(picture, s, state, levels(s, d, state, width, most), under, high, s.cap?.[d], as);
    }
    lanes.push({ d, range, y: y - scroll });
  }
  return [image, lanes];
}

function names(pen, { size }, ranges) {
  const every = Math.ceil(11 / size.pitch);
  Object.assign(pen, { font: `${Math.min(12, size.pitch)}px ${FONT}`, fillStyle: ink.soft, textAlign: "right" });
  pen.textBaseline = "middle";
  for (const { d, y } of ranges) if (d % every === 0) pen.fillText(`device ${d}`, LEFT - 8, y + size.lane / 2 + 0.5);
}

/** A flag where something stands in the list that takes no time: filled where its type is unknown. */
function flags(pen, { s, x, y, size }) {
  Object.assign(pen, { fillStyle: ink.path, strokeStyle: ink.path, lineWidth: 1, font: `9px ${NARROW}` });
  Object.assign(pen, { textAlign: "left", textBaseline: "bottom" });
  for (const [d, time, unknown, text] of s.marks) {
    if (time < state.t0 || time > state.t1) continue;
    const [a, b] = [x(time), y(d) + size.lane];
    pen.beginPath();
    for (const [across, up] of [[0, 7], [-4, 0], [4, 0]]) pen.lineTo(a + across, b - up);
    pen.closePath();
    if (unknown) pen.fill(); else pen.stroke();
    if (s.marks.length <= 40 && size.lane >= 18) pen.fillText(text, a + 5, b);
  }
}

/** In each cell with room for it its op, in a narrow one its micro-batch, in a very narrow one that in small. */
function numbers(pen, chart, ranges) {
  const { s, x, size } = chart, high = Math.min(12, size.lane - 1);
  if (x(s.longest) - x(0) < 4) return;
  Object.assign(pen, { textAlign: "center", textBaseline: "middle" });
  let taken = 0;
  for (const font of high > 9 ? [high, 8.5] : [high]) {
    pen.font = `${font}px ${NARROW}`;
    const digit = pen.measureText("0").width;
    for (const { range, y } of ranges) write(pen, chart, range, y + size.lane / 2 + 0.5, digit, taken);
    taken = digit;
  }
}

/** Write into the cells of a lane what fits with digits as wide as `digit`, unless it fits with wider ones. */
function write(pen, { s, x, tone }, range, y, digit, wider) {
  const right = x(state.t1);
  let last = null;
  for (let i = range.from; i < range.to; i++) {
    const a = Math.max(x(s.start[i]), LEFT), b = Math.min(x(s.end[i]), right), room = b - a - 0.5;
    if (room < digit) continue;
    let text = String(s.microbatch[i]);
    if (digit * text.length > room || (wider && wider * text.length <= room)) continue;
    if (digit * (text.length + 4) + 8 < room) text = opText(s, i);
    const fill = ink.inks[tone[i]];
    if (fill !== last) pen.fillStyle = last = fill;
    pen.fillText(text, (a + b) / 2, y);
  }
}

function stroke(pen, colour, width) {
  for (const [strokeStyle, lineWidth] of [[ink.paper, width + 2.5], [colour, width]]) {
    Object.assign(pen, { strokeStyle, lineWidth, lineJoin: "round" });
    pen.stroke();
  }
}

/** The critical path: a line under the number of each op; where it is too dense, a mark at the foot of each lane. */
function critical(pen, { s, x, y, size }) {
  const { path } = s, from = firstWhere(0, path.length, (k) => slotEnd(s, path[k]) > state.t0);
  const to = firstWhere(from, path.length, (k) => slotStart(s, path[k]) >= state.t1), last = new Int32Array(s.devices);
  const dense = to - from > (x(state.t1) - LEFT) / 2;
  pen.beginPath();
  for (let k = from; k < to; k++) {
    const d = deviceOf(s, path[k]), a = x(slotStart(s, path[k])), b = x(slotEnd(s, path[k])), foot = y(d) + size.lane;
    if (!dense) {
      pen.lineTo(a, foot - size.lane * 0.16);
      pen.lineTo(b, foot - size.lane * 0.16);
    } else if (Math.ceil(b) > last[d]) {
      const left = Math.max(Math.floor(a), last[d]);
      last[d] = Math.ceil(b);
      pen.rect(left, foot - 2, last[d] - left, 3);
    }
  }
  pen.fillStyle = ink.path;
  if (dense) pen.fill(); else stroke(pen, ink.path, 2);
}

/** What is chosen, framed, with lines from what it needs and to what it unblocks. */
function mark(pen, { s, x, y, size }, { op, gap, about }) {
  const line = (from, to, colour) => {
    pen.beginPath();
    pen.moveTo(x(slotEnd(s, from)), y(deviceOf(s, from)) + size.lane / 2);
    pen.lineTo(x(slotStart(s, to)), y(deviceOf(s, to)) + size.lane / 2);
    stroke(pen, colour, 1.5);
  };
  const self = op ?? gap.next;
  for (const each of about.needs) line(each, self, ink.path);
  for (const each of about.unblocks ?? []) line(self, each, ink.cap);
  const [d, a, b] = extent(s, { op, gap });
  pen.beginPath();
  pen.rect(x(a) - 0.5, y(d) - 0.5, Math.max(x(b) - x(a), 2) + 1, size.lane + 1);
  stroke(pen, ink.ink, 2);
}

/** The shared time axis on a canvas of its own. */
export function ruler(canvas) {
  const pen = canvas.getContext("2d"), scale = devicePixelRatio, wide = canvas.parentElement.clientWidth;
  Object.assign(canvas, { width: Math.round(wide * scale), height: Math.round(AXIS * scale) });
  Object.assign(canvas.style, { width: `${wide}px`, height: `${AXIS}px` });
  pen.scale(scale, scale);
  axis(pen, wide, 0);
}

function axis(pen, wide, y) {
  const across = wide - LEFT - RIGHT, middle = y + AXIS / 2;
  Object.assign(pen, { font: `12px ${FONT}`, fillStyle: ink.soft, textAlign: "center", textBaseline: "middle" });
  for (const tick of ticks(state, across)) {
    const x = LEFT + (tick - state.t0) / (state.t1 - state.t0) * across;
    if (x < wide - RIGHT - 8) pen.fillText(String(Number(tick.toPrecision(12))), x, middle);
  }
  pen.textAlign = "right";
  pen.fillText(`time (${charts[0].s.unit})`, LEFT - 18, middle, LEFT - 20);
}

/** What is under a point of a canvas. */
export function under(chart, event) {
  const frame = chart.canvas.getBoundingClientRect(), x = event.clientX - frame.left - LEFT;
  const time = state.t0 + x * chart.scale / chart.width * (state.t1 - state.t0);
  const device = Math.floor((event.clientY - frame.top + chart.box.scrollTop) / chart.size.pitch);
  return { time, device, what: x < 0 ? null : at(chart.s, device, time) };
}
