// Draws a schedule: lanes and strips as pixels, over them frames, numbers and lines. Needs a canvas.
import { extent, opText, written } from "./data.mjs";
import { cover, laneSizes, paintLane, paintStrip, ticks } from "./paint.mjs";

const LEFT = 76, AXIS = 24; // the space beside and above the lanes, in CSS pixels
const CELL = 4, DIGIT = 3.6; // the least width of a cell with a frame, and of a digit
const NARROW = "'Arial Narrow', 'Liberation Sans Narrow', 'Roboto Condensed', Arial, sans-serif";

/** Draw a schedule, as large as its box is, as `view` says. */
export function draw(chart, view) {
  const { s, canvas, box } = chart, { t0, t1 } = view, scale = view.scale ?? devicePixelRatio;
  const size = laneSizes(s.devices, view.memory, view.scale ? 0.75 : view.taller);
  const axis = AXIS + (s.ruler[1] ? 14 : 0), all = axis + s.devices * size.pitch, top = axis - box.scrollTop;
  canvas.parentElement.style.height = `${all}px`;
  const wide = box.clientWidth, across = wide - LEFT, high = view.scale ? all : box.clientHeight;
  Object.assign(canvas, { width: Math.round(wide * scale), height: Math.round(high * scale) });
  Object.assign(chart, size, {
    scale, wide, high, across, axis, tone: s[`${view.color}_tone`], reach: 3 * (t1 - t0) / across,
    x: (time) => LEFT + (time - t0) / (t1 - t0) * across, time: (x) => t0 + (x - LEFT) / across * (t1 - t0),
    y: (device) => top + device * size.pitch, device: (y) => Math.floor((y - top) / size.pitch),
  });
  const pen = canvas.getContext("2d", { alpha: false });
  pen.scale(scale, scale);
  Object.assign(pen, { textBaseline: "middle", lineJoin: "round" });
  const lanes = paint(pen, chart, view), fine = s.longest / (t1 - t0) * across >= CELL;
  if (fine && size.lane > 5) for (const lane of lanes) cells(pen, chart, view, lane);
  breaks(pen, chart, view);
  flags(pen, chart, view);
  if (fine && view.transfers) links(pen, chart, view, lanes, s.sender, "soft");
  if (fine && view.critical) links(pen, chart, view, lanes, s.follows, "path");
  if (view.chosen?.chart === chart) mark(pen, chart, view);
  labels(pen, chart, view, lanes);
}

/** Paint a line for each tick, and over them the lanes in sight with their strips; what each lane has. */
function paint(pen, chart, view) {
  const { s, scale, axis, across, high, x, y } = chart, { ink, pixel, fills } = view, lanes = [];
  const [width, rows, strip] = [chart.across, chart.lane, chart.strip].map((n) => Math.round(n * scale));
  const image = new ImageData(width, rows + strip), pixels = new Uint32Array(image.data.buffer);
  const marks = view.critical ? [...Array(Math.ceil(rows / 7)).fill(pixel.path), pixel.paper] : [];
  pen.fillStyle = ink.paper;
  pen.fillRect(0, 0, chart.wide, chart.high);
  pen.fillStyle = ink.line;
  for (const [tick] of ticks(view, across, s.ruler)) pen.fillRect(Math.floor(x(tick)), axis, 1, high);
  for (let d = Math.max(chart.device(axis), 0); d < s.devices && y(d) < chart.high; d++) {
    const found = cover(s, chart.tone, fills.length, d, view, width);
    pixels.fill(pixel.paper);
    paintLane(pixels, width, found, rows, fills, pixel.idle, marks);
    paintStrip(pixels.subarray(rows * width), width, found, strip, s.top, s.cap?.[d], pixel);
    pen.putImageData(image, Math.round(LEFT * scale), Math.round(y(d) * scale));
    lanes.push({ ...found, d });
  }
  return lanes;
}

/** Frames and numbers where there is room; lines for what takes no time and for idle time they would hide. */
function cells(pen, { s, x, y, lane: high, scale, tone, wide }, { ink, inks, borders }, { from, to, d }) {
  const snap = (at, round = Math.floor) => round(at * scale) / scale, top = snap(y(d), Math.round);
  Object.assign(pen, { font: `${Math.min(12, high - 1)}px ${NARROW}`, textAlign: "center" });
  for (let i = from; i < to; i++) {
    const a = x(s.start[i]), b = x(s.end[i]), pair = s.half[i] === 1, right = pair ? x(s.end[i + 1]) : b;
    if (right - a >= CELL && s.half[i] !== 2) {
      const left = snap(a), long = snap(right, Math.ceil) - left, thick = pair && long > 3 * CELL ? 2 : 1;
      Object.assign(pen, { strokeStyle: pair ? ink.ink : borders[tone[i]], lineWidth: thick });
      pen.strokeRect(left + thick / 2, top + thick / 2, long - thick, high - thick);
    }
    const idle = i > from && s.start[i] > s.end[i - 1] + s.near && a - x(s.end[i - 1]) < 2;
    pen.fillStyle = idle ? ink.idle : ink.ink;
    if (idle || a === b) pen.fillRect(snap(idle ? x(s.end[i - 1]) : a), top, 1, high);
    const left = Math.max(a, LEFT), room = Math.min(b, wide) - left - 2, number = String(s.microbatch[i]);
    if (room < DIGIT * number.length || high < 9) continue;
    pen.fillStyle = inks[tone[i]];
    pen.fillText(room > 36.5 ? opText(s, i) : number, left + room / 2 + 1, top + high / 2 + 0.5, room);
  }
}

/** Torn paper across all lanes where the axis leaves time out. */
function breaks(pen, { s, x, y, axis, high }, { ink }) {
  const teeth = "l4 5-4 5".repeat(Math.ceil((y(s.devices) - axis) / 10));
  Object.assign(pen, { fillStyle: ink.paper, strokeStyle: ink.soft, lineWidth: 1 });
  for (const { at, width } of s.breaks) {
    const [a, b] = [x(at), x(at + width)];
    pen.fillRect(a, axis, b - a, high);
    pen.stroke(new Path2D(`M${a} ${axis}${teeth}M${b - 4} ${axis}${teeth}`));
  }
}

/** A flag where something stands in the list that takes no time: filled where its type is unknown. */
function flags(pen, { s, x, y, lane }, { t0, t1, middle, ink }) {
  Object.assign(pen, { fillStyle: ink.path, strokeStyle: ink.paper, lineWidth: 3, font: `10px ${NARROW}` });
  for (const [d, time, unknown, text] of s.marks.filter(([, each]) => each >= t0 && each <= t1)) {
    const flag = unknown ? "▲" : "△", words = s.marks.length > 40 ? "" : text;
    pen.textAlign = time < middle ? "left" : "right"; // so that the words are inside
    const sign = [time < middle ? flag + words : words + flag, x(time), y(d) + lane - 5];
    pen.strokeText(...sign);
    pen.fillText(...sign);
  }
}

/** Stroke a path on a wider one of paper, so that it reads on every colour. */
function stroke(pen, path, { ink }, colour) {
  for (const [strokeStyle, lineWidth] of [[ink.paper, 4], [ink[colour], 1.6]]) {
    Object.assign(pen, { strokeStyle, lineWidth });
    pen.stroke(path);
  }
}

/** Lines for pairs of ops, [from, to]: where a transfer goes, or from the one's end to the other's start. */
function ways(pen, { s, x, y, lane }, view, pairs, colour) {
  const path = new Path2D();
  for (const [from, to] of pairs) {
    const [d, , end] = extent(s, { op: from }), [e, start] = extent(s, { op: to });
    const sent = s.sender[to] === from - to;
    path.moveTo(x(sent ? s.departs[to] : end), y(d) + lane / 2);
    path.lineTo(x(sent ? s.arrives[to] : start), y(e) + lane / 2);
  }
  stroke(pen, path, view, colour);
}

/** Lines to the ops in sight from those that are as far away as a column says. */
function links(pen, chart, view, lanes, away, colour) {
  const ops = lanes.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, k) => from + k));
  ways(pen, chart, view, ops.filter((op) => away[op]).map((op) => [op + away[op], op]), colour);
}

/** What is chosen, framed, with lines from what it waits for and to what waits for it. */
function mark(pen, chart, view) {
  const { x, y, lane } = chart, { op, gap = op, device, start, end, before, after } = view.chosen;
  const frame = new Path2D();
  ways(pen, chart, view, before.map((each) => [each, gap]), "path");
  ways(pen, chart, view, after.map((each) => [op, each]), "cap");
  frame.rect(x(start) - 0.5, y(device) - 0.5, Math.max(x(end) - x(start), 2) + 1, lane + 1);
  stroke(pen, frame, view, "ink");
}

/** The names of the devices and the time axis, which stay where they are, on paper. */
function labels(pen, { s, x, y, pitch, lane, wide, high, across, axis }, view, lanes) {
  const { paper, soft } = view.ink, size = Math.min(11, pitch);
  pen.fillStyle = paper;
  for (const [right, foot] of [[LEFT - 2, high], [wide, axis]]) pen.fillRect(0, 0, right, foot);
  Object.assign(pen, { font: `${size}px sans-serif`, fillStyle: soft, textAlign: "right" });
  for (const { d } of lanes) pen.fillText(`device ${d}`, LEFT - 8, y(d) + lane / 2 + 0.5);
  pen.font = "11px sans-serif";
  pen.fillText(`time (${s.unit})`, LEFT - 18, axis - AXIS / 2, LEFT - 20);
  pen.textAlign = "center";
  for (const [tick, time] of ticks(view, across, s.ruler))
    if (x(tick) < wide - 20) pen.fillText(written(Number(time.toPrecision(12))), x(tick), axis - AXIS / 2);
  for (const { at, width, text } of s.breaks) pen.fillText(`… ${text} …`, x(at + width / 2), 9);
}
