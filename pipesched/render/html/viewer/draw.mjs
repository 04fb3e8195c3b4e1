// Drawing: lanes and strips as pixels, then numbers and what is chosen as strokes. Needs a canvas.
import { at, deviceOf, extent, firstWhere, opText, slotEnd, slotStart } from "./model.mjs";
import { blocks, cover, levels, paintBorders, paintLane, paintLevels } from "./paint.mjs";
import { laneSizes, ticks } from "./view.mjs";

const LEFT = 76, RIGHT = 12, TALLEST = 720, FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
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
  const size = laneSizes(s.devices, !state.memory, board.taller), tall = s.devices * size.pitch;
  const [wide, high, scroll] = paper ? [paper, tall, 0] : [box.clientWidth, Math.min(tall, TALLEST), box.scrollTop];
  const width = Math.max(1, Math.round((wide - LEFT - RIGHT) * scale));
  const across = Math.round(wide * scale), down = Math.round(high * scale);
  Object.assign(chart, { size, width, scale, wide });
  canvas.parentElement.style.height = `${tall}px`;
  if (canvas.width !== across || canvas.height !== down) {
    Object.assign(canvas, { width: across, height: down });
    Object.assign(canvas.style, { width: `${wide}px`, height: `${high}px` });
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
  if (size.lane >= 9) numbers(pen, chart, lanes);
  pen.save();
  pen.beginPath();
  pen.rect(LEFT - 1, 0, width / scale + 2, high);
  pen.clip();
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

/** In each cell with room for it its op, in a narrow one its micro-batch. */
function numbers(pen, { s, x, size, tone }, ranges) {
  if (x(s.longest) - x(0) < 4) return;
  const high = Math.min(12, size.lane - 1);
  Object.assign(pen, { font: `${high}px ${NARROW}`, textAlign: "center", textBaseline: "middle" });
  const digit = pen.measureText("0").width, room = 3;
  let last = null;
  for (const { range, y } of ranges)
    for (let i = range.from; i < range.to; i++) {
      const a = Math.max(x(s.start[i]), LEFT), b = Math.min(x(s.end[i]), x(state.t1));
      if (b - a < digit + 1) continue;
      let text = String(s.microbatch[i]);
      if (digit * text.length + 1 > b - a) continue;
      if (digit * (text.length + 4) + 4 * room < b - a) text = opText(s, i);
      const fill = ink.inks[tone[i]];
      if (fill !== last) pen.fillStyle = last = fill;
      pen.fillText(text, (a + b) / 2, y + size.lane / 2 + 0.5);
    }
}

function stroke(pen, colour, width) {
  for (const [strokeStyle, lineWidth] of [[ink.paper, width + 2.5], [colour, width]]) {
    Object.assign(pen, { strokeStyle, lineWidth, lineJoin: "round" });
    pen.stroke();
  }
}

/** The critical path: under the number of each op; per column of pixels where it is denser. */
function critical(pen, { s, x, y, size, width, scale }) {
  const { path } = s, from = firstWhere(0, path.length, (k) => slotEnd(s, path[k]) > state.t0);
  pen.beginPath();
  let low = 0, high = 0, column = -1;
  for (let k = from; k < path.length && slotStart(s, path[k]) < state.t1; k++) {
    const a = x(slotStart(s, path[k])), b = x(slotEnd(s, path[k])), middle = y(deviceOf(s, path[k])) + size.lane * 0.84;
    if (path.length < width / scale || b - a > 1) {
      pen.lineTo(a, middle);
      pen.lineTo(b, middle);
      column = -1;
      continue;
    }
    if (Math.round(a) === column && middle >= low && middle <= high) continue;
    if (Math.round(a) !== column) [column, low, high] = [Math.round(a), middle, middle];
    [low, high] = [Math.min(low, middle), Math.max(high, middle)];
    pen.lineTo(a, middle);
  }
  stroke(pen, ink.path, 2);
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

/** The shared time axis. */
export function ruler(canvas) {
  const pen = canvas.getContext("2d"), { paper } = board, scale = paper ? 3 : devicePixelRatio;
  const wide = paper ?? canvas.parentElement.clientWidth, across = wide - LEFT - RIGHT;
  Object.assign(canvas, { width: Math.round(wide * scale), height: Math.round(24 * scale) });
  Object.assign(canvas.style, { width: `${wide}px`, height: "24px" });
  pen.scale(scale, scale);
  Object.assign(pen, { font: `12px ${FONT}`, fillStyle: ink.soft, textAlign: "center", textBaseline: "middle" });
  for (const tick of ticks(state, across)) {
    const x = LEFT + (tick - state.t0) / (state.t1 - state.t0) * across;
    if (x < wide - RIGHT - 8) pen.fillText(String(Number(tick.toPrecision(12))), x, 12);
  }
  Object.assign(pen, { textAlign: "right" });
  pen.fillText(`time (${charts[0].s.unit})`, LEFT - 18, 12, LEFT - 20);
}

/** What is under a point of a canvas. */
export function under(chart, event) {
  const frame = chart.canvas.getBoundingClientRect(), x = event.clientX - frame.left - LEFT;
  const time = state.t0 + x * chart.scale / chart.width * (state.t1 - state.t0);
  const device = Math.floor((event.clientY - frame.top + chart.box.scrollTop) / chart.size.pitch);
  return { time, device, what: x < 0 ? null : at(chart.s, device, time) };
}
