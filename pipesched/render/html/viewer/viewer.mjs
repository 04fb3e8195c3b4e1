// The viewer: all that answers the reader. Needs a page.
import { $, fillTable, hover, legend, tell } from "./about.mjs";
import { decode, inflate, views } from "./decode.mjs";
import { board, charts, colour, draw, ruler, state, theme, under } from "./draw.mjs";
import { at, describe, extent, num, opText, search } from "./model.mjs";
import { clamp, fromHash, pan, reveal, toHash, zoom } from "./view.mjs";

const { schedules: sent, rule, colours } = JSON.parse($("timelines-data").textContent);
const page = document.documentElement.dataset;  // says when it is ready, moving, and how long a redraw took
const PAPER = 1040;  // the width of an A4 page across, in CSS pixels
let whole = 1, asked = 0, saving = 0;

function inSight({ box }) {
  const { top, bottom } = box.getBoundingClientRect();
  return board.paper || (top < innerHeight + 200 && bottom > -200);
}

function redraw() {
  const began = performance.now();
  asked = 0;
  ruler($("ruler"));
  for (const chart of charts) if (inSight(chart)) draw(chart);
  if ($("as-table").open) fillTable($("as-table"));
  page.redraw = (performance.now() - began).toFixed(1);
  if (!saving) delete page.moving;
}
const later = () => { asked ||= requestAnimationFrame(redraw); };

/** Bring the link up to date. */
function save() {
  saving = 0;
  history.replaceState(null, "", `#${toHash(state, whole)}`);
  if (!asked) delete page.moving;
}

function recolour() {
  const mode = state.color ?? "kind", { fills, names, note } = colours[mode];
  colour(mode, colours[mode]);
  legend(fills, names, note);
}

/** Change what is shown; the link follows when it has come to rest. */
function set(change) {
  const other = "color" in change && change.color !== state.color;
  Object.assign(state, change);
  if (other) recolour();
  page.moving = "";
  later();
  clearTimeout(saving);
  saving = setTimeout(save, 150);
}

/** Choose an op or a gap, and bring it into sight; nothing clears. */
function choose(chart, what, show = false) {
  board.chosen = what ? { chart, ...what, about: describe(chart.s, rule, what) } : null;
  tell((op) => choose(chart, { op }, true));
  if (!what) return set({ at: "" });
  const [d, a, b] = extent(chart.s, what);
  set({ at: `${charts.indexOf(chart)}:${what.gap ? `${d}@${num((a + b) / 2)}` : opText(chart.s, what.op)}` });
  if (!show) return;
  set(reveal(state, a, b, whole));
  if (!inSight(chart)) chart.box.scrollIntoView({ block: "center" });
  if (chart.y) chart.box.scrollTop += Math.min(0, chart.y(d)) + Math.max(0, chart.y(d + 1) - chart.canvas.clientHeight);
}

/** The next op or gap of a lane, or what the lane above or below does at that time. */
function step(chart, key) {
  const { s } = chart, { chosen } = board, skip = 2 * s.near;
  if (chosen?.chart !== chart) return choose(chart, at(s, 0, state.t0), true);
  const [d, a, b] = extent(s, chosen);
  const found = { ArrowUp: () => at(s, d - 1, (a + b) / 2), ArrowDown: () => at(s, d + 1, (a + b) / 2),
    ArrowLeft: () => at(s, d, a - skip), ArrowRight: () => at(s, d, b + skip) }[key]();
  if (found) choose(chart, found, true);
}

const zoomed = (factor) => set(zoom(state, factor, (state.t0 + state.t1) / 2, whole));
const grown = (factor) => { board.taller = Math.min(4, Math.max(0.25, board.taller * factor)); later(); };
const KEYS = {
  "+": () => zoomed(1.5), "=": () => zoomed(1.5), "-": () => zoomed(1 / 1.5), 0: () => set({ t0: 0, t1: whole }),
  Home: () => set(pan(state, -whole, whole)), End: () => set(pan(state, whole, whole)),
  "[": () => grown(0.8), "]": () => grown(1.25),
  "/": () => $("find").focus(), c: () => $("critical").click(), m: () => $("memory").click(),
  Escape: () => { choose(null); $("tip").hidden = true; },
  Enter: () => {
    if (!board.chosen) return;
    const [, a, b] = extent(board.chosen.chart.s, board.chosen);
    set(clamp(a - 5 * (b - a), b + 5 * (b - a), whole));
  },
};

function onKey(chart, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const by = { ArrowLeft: -0.2, ArrowRight: 0.2 }[event.key];
  if (event.shiftKey && by) set(pan(state, by * (state.t1 - state.t0), whole));
  else if (event.key.startsWith("Arrow")) step(chart, event.key);
  else if (event.key in KEYS) KEYS[event.key]();
  else return;
  event.preventDefault();
}

/** Sideways: pan. Up and down: zoom with Ctrl, or where the reader has clicked; else the page scrolls. */
function onWheel(chart, event) {
  const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
  if (!sideways && !event.ctrlKey && !event.metaKey && document.activeElement !== chart.canvas) return;
  event.preventDefault();
  const factor = Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002));
  if (sideways) set(pan(state, event.deltaX / chart.wide * (state.t1 - state.t0), whole));
  else set(zoom(state, factor, under(chart, event).time, whole));
}

function listen(chart) {
  const { canvas, box } = chart, on = (name, act, options) => canvas.addEventListener(name, act, options);
  let from = null, moved = false;
  on("keydown", (event) => onKey(chart, event));
  on("wheel", (event) => onWheel(chart, event), { passive: false });
  on("pointerdown", (event) => {
    if (event.button) return;
    from = { x: event.clientX, y: event.clientY, scroll: box.scrollTop, t0: state.t0, t1: state.t1 };
    moved = false;
    canvas.setPointerCapture(event.pointerId);
  });
  on("pointermove", (event) => {
    if (!from) return hover(chart, rule, event);
    const x = event.clientX - from.x, y = event.clientY - from.y;
    moved ||= Math.abs(x) + Math.abs(y) > 4;
    if (!moved) return;
    $("tip").hidden = true;
    box.scrollTop = from.scroll - y;
    set(pan(from, -x * chart.scale / chart.width * (from.t1 - from.t0), whole));
  });
  on("pointerup", (event) => {
    if (from && !moved) choose(chart, under(chart, event).what);
    from = null;
  });
  on("pointercancel", () => { from = null; });
  on("pointerleave", () => { $("tip").hidden = true; });
  on("dblclick", (event) => set(zoom(state, 4, under(chart, event).time, whole)));
  box.addEventListener("scroll", later);
}

/** Find an op; the same once more: in the next schedule that has it. */
function onFind(event) {
  if (event.key !== "Enter") return;
  const text = event.target.value, { chosen } = board, schedules = charts.map(({ s }) => s);
  const again = chosen?.op !== undefined && opText(chosen.chart.s, chosen.op) === text.trim().toUpperCase();
  const found = search(schedules, text, again ? charts.indexOf(chosen.chart) + 1 : 0);
  if (found) return choose(charts[found[0]], { op: found[1] }, true);
  const example = opText(schedules[0], 0);
  $("about").textContent = `There is no ${text}: write stage, kind and micro-batch, such as ${example}.`;
}

function controls() {
  const link = () => { save(); navigator.clipboard?.writeText(location.href).catch(() => {}); };
  const buttons = { in: KEYS["+"], out: KEYS["-"], fit: KEYS[0], link };
  for (const button of document.querySelectorAll("[data-do]")) button.onclick = buttons[button.dataset.do];
  $("color").onchange = ({ target }) => set({ color: target.value === "kind" ? undefined : target.value });
  $("critical").onchange = ({ target }) => set({ critical: target.checked ? "1" : undefined });
  $("memory").onchange = ({ target }) => set({ memory: target.checked ? undefined : "0" });
  $("find").addEventListener("keydown", onFind);
  $("as-table").addEventListener("toggle", later);
  addEventListener("resize", later);
  addEventListener("scroll", later, { passive: true });
  addEventListener("hashchange", () => { if (location.hash.includes("=")) restore(); });
  const retheme = () => { theme(); later(); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", retheme);
}

/** Show what the link says. */
function restore() {
  for (const name in state) delete state[name];
  Object.assign(state, fromHash(location.hash, whole));
  if (!(state.color in colours)) delete state.color;
  $("critical").checked = Boolean(state.critical);
  $("memory").checked = !state.memory;
  $("color").value = state.color ?? "kind";
  recolour();
  const [which, place = ""] = (state.at ?? "").split(/:(.*)/), chart = charts[which];
  if (!chart) return redraw();
  const [device, time] = place.split("@").map(Number), op = search([chart.s], place);
  choose(chart, place.includes("@") ? at(chart.s, device, time) : op && { op: op[1] });
  redraw();
}

/** On paper the charts are as wide as the page, whole, and light. */
function print(paper) {
  document.documentElement.classList.toggle("paper", paper);
  board.paper = paper ? PAPER : null;
  theme();
  redraw();
}

async function start() {
  for (const [k, data] of sent.entries()) {
    const s = decode(data, views(await inflate(data.data), data.layout));
    charts.push({ s, canvas: $(`canvas-${k}`), box: $(`lanes-${k}`), tone: new Uint8Array(s.n) });
  }
  whole = Math.max(...charts.map(({ s }) => s.makespan)) || 1;
  charts.forEach(listen);
  theme();
  controls();
  restore();
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
  const ready = () => { page.ready = Math.round(performance.now()); };
  requestAnimationFrame(() => setTimeout(ready));
}
start();
