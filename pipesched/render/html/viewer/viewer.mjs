// What the reader does, and what follows from it. Needs a document.
import { at, beside, decode, find, inflate, inspect, opText } from "./data.mjs";
import { draw } from "./draw.mjs";
import { around } from "./paint.mjs";
import { hover, list, tell } from "./say.mjs";

const $ = (id) => document.getElementById(id), page = document.documentElement, tools = $("tools");
const sent = JSON.parse($("timelines-data").textContent), dark = matchMedia("(prefers-color-scheme: dark)");
const charts = [], whole = Math.max(...sent.schedules.map(({ makespan }) => makespan)) || 1;
/** What is shown, beside what the tools say: a window, what is chosen; on paper a `scale` is set. */
const view = { ...around(0, whole, whole), chosen: null, taller: 1, scale: null };
let asked = 0, saving = 0, pointed = null; // the time under the pointer

/** Draw what is in sight, as the tools say. */
function redraw() {
  const { color, theme } = tools.elements;
  const scheme = view.scale ? "light" : theme.value || (dark.matches ? "dark" : "light");
  for (const { name, checked } of tools.querySelectorAll("[type=checkbox]")) view[name] = checked;
  Object.assign(view, { color: color.value, ...sent.colours[color.value], ...sent.schemes[scheme] });
  asked = 0;
  for (const chart of charts) {
    const { top, bottom } = chart.box.getBoundingClientRect();
    if (view.scale || (top < innerHeight + 200 && bottom > -200)) draw(chart, view);
  }
  if ($("as-table").open) list($("as-table").querySelector("tbody"), charts, view);
}
const later = () => { asked ||= requestAnimationFrame(redraw); };

/** Bring the link up to date: what the tools say, the window, and what is chosen. */
function save() {
  const parts = new URLSearchParams(new FormData(tools)), { t0, t1, length, chosen } = view;
  if (length < whole) parts.set("view", [t0, t1]);
  if (chosen) parts.set("at", [charts.indexOf(chosen.chart), chosen.device, chosen.time]);
  history.replaceState(null, "", `#${decodeURIComponent(parts)}`);
}

/** Change what is shown; the link follows when it has come to rest. */
function set(change) {
  Object.assign(view, change);
  later();
  clearTimeout(saving);
  saving = setTimeout(save, 150);
}
const show = (time, length) => set(around(time, length, whole));
const moved = (part) => show(view.middle + part * view.length, view.length);
const zoomed = (by, t = pointed ?? view.middle) => show(t + (view.middle - t) / by, view.length / by);

/** Show what the link says, if it says anything. */
function restore() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const numbers = (name) => parts.get(name)?.split(",").map(Number) ?? [];
  if (!parts.has("color")) return;
  for (const box of tools.querySelectorAll("[type=checkbox]")) box.checked = parts.has(box.name);
  for (const option of document.querySelectorAll("option"))
    option.selected ||= option.value === parts.get(option.parentElement.name);
  const [t0 = 0, t1 = whole] = numbers("view"), [which, device, time] = numbers("at"), chart = charts[which];
  show((t0 + t1) / 2, t1 - t0);
  choose(chart, chart && at(chart.s, device, time));
}

/** Choose an op or idle time, and bring it into sight; nothing clears. */
function choose(chart, what, visible = false) {
  const chosen = what ? { chart, ...inspect(chart.s, what) } : null;
  set({ chosen });
  tell($("about"), chosen);
  if (!visible || !chosen) return;
  const { device, start, end, time } = chosen, { box, pitch } = chart;
  if (start < view.t0 || end > view.t1) show(time, Math.max(view.length, 1.4 * (end - start)));
  box.scrollIntoView({ block: "nearest" });
  box.scrollTop = (device + 0.5) * pitch - box.clientHeight / 2;
}

/** Find the op that is asked for; once more: in the next schedule that has it. */
function seek() {
  const name = tools.elements.find.value.trim().toUpperCase(), { chosen } = view;
  const from = chosen && opText(chosen.chart.s, chosen.op) === name ? charts.indexOf(chosen.chart) + 1 : 0;
  const chart = [...charts.slice(from), ...charts.slice(0, from)].find(({ s }) => find(s, name) >= 0);
  if (chart) choose(chart, { op: find(chart.s, name) }, true);
  else $("about").textContent = `There is no ${name} here: write stage, kind and micro-batch, such as 3F7.`;
}

/** The chart that has the focus, or if nothing has, the one under the pointer. */
const focused = (which = document.activeElement === document.body ? ":hover" : ":focus") =>
  charts.find(({ canvas }) => canvas.matches(which));

/** Go to what is beside what is chosen, or to what another lane does at that time. */
function step(by, lanes = 0) {
  const { chosen } = view, chart = focused();
  if (chosen?.chart !== chart) return choose(chart, at(chart.s, 0, view.t0), true);
  const next = lanes ? at(chart.s, chosen.device + lanes, chosen.time) : beside(chart.s, chosen, by);
  if (next) choose(chart, next, true);
}

const BUTTONS = {
  in: () => zoomed(1.5), out: () => zoomed(1 / 1.5), left: () => moved(-0.2), right: () => moved(0.2),
  before: () => step(-1), after: () => step(1), above: () => step(0, -1), below: () => step(0, 1),
  higher: () => set({ taller: view.taller * 1.25 }), lower: () => set({ taller: view.taller * 0.8 }),
  near: ({ chosen: at } = view) => at && show(at.time, 11 * (at.end - at.start) || view.length / 2),
  fit: () => show(0, whole), clear: () => choose(null),
  link: () => { save(); navigator.clipboard?.writeText(location.href).catch(() => {}); },
};

/** The keys of the tools. */
function onKey(event) {
  const key = event.shiftKey && event.key.startsWith("Arrow") ? `Shift${event.key}` : event.key;
  const tool = tools.querySelector(`[data-keys~="${CSS.escape(key)}"]`);
  if (!tool || !focused() || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (tool.id === "find") tool.focus(); else tool.click();
}

/** Let the pointer choose, move and zoom; a wheel zooms with Ctrl or on a chart with the focus. */
function listen(chart) {
  const { s, canvas, box } = chart, card = $("card");
  let last = null, far = 0; // where the pointer was, and how far it has been dragged
  const there = ({ offsetX, offsetY }) => at(s, chart.device(offsetY), chart.time(offsetX), chart.reach);
  canvas.onpointerdown = (event) => { [last, far] = [event, 0]; canvas.setPointerCapture(event.pointerId); };
  canvas.onpointermove = (event) => {
    const what = event.buttons ? null : there(event);
    [pointed, card.hidden] = [chart.time(event.offsetX), !what];
    if (what) hover(card, chart, view, what, event);
    if (!event.buttons) return;
    const x = last.clientX - event.clientX, y = last.clientY - event.clientY;
    [last, far] = [event, far + Math.abs(x) + Math.abs(y)];
    box.scrollTop += y;
    moved(x / chart.across);
  };
  canvas.onpointerleave = () => { [pointed, card.hidden] = [null, true]; };
  canvas.onclick = (event) => { if (far < 4) choose(chart, there(event)); };
  canvas.ondblclick = () => zoomed(4);
  canvas.onwheel = (event) => {
    const { deltaX: x, deltaY: y, deltaMode } = event, sideways = Math.abs(x) > Math.abs(y);
    if (!sideways && !event.ctrlKey && !event.metaKey && !canvas.matches(":focus")) return;
    event.preventDefault();
    if (sideways) moved(x / chart.across); else zoomed(Math.exp(-y * (deltaMode ? 0.05 : 0.002)));
  };
  box.onscroll = later;
}

/** Unpack the schedules, show what the link says, and listen. */
async function start() {
  for (const [k, one] of sent.schedules.entries())
    charts.push({ s: decode(one, await inflate(one.data)), canvas: $(`canvas-${k}`), box: $(`lanes-${k}`) });
  charts.forEach(listen);
  restore();
  redraw();
  page.oninput = () => set({});
  tools.onsubmit = seek;
  tools.onclick = ({ target }) => BUTTONS[target.name]?.();
  $("about").onclick = ({ target: { value } }) => value && choose(view.chosen.chart, { op: +value }, true);
  document.onkeydown = onKey;
  $("as-table").ontoggle = dark.onchange = window.onresize = window.onscroll = later;
  window.onbeforeprint = window.onafterprint = ({ type }) => {
    view.scale = page.classList.toggle("paper", type === "beforeprint") ? 3 : null;
    redraw();
  };
  window.onhashchange = restore;
  requestAnimationFrame(() => setTimeout(() => { page.dataset.ready = Math.round(performance.now()); }));
}
start();
