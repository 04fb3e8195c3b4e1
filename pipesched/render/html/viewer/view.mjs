// The window on the time axis: zoom, pan, ticks, and the link that restores it. Pure.

/** A window of at least a billionth of the whole, inside 0..whole. */
export function clamp(t0, t1, whole) {
  const length = Math.min(Math.max(t1 - t0, whole * 1e-9), whole);
  const from = Math.min(Math.max(t0, 0), whole - length);
  return { t0: from, t1: from + length };
}

/** The window after zooming by a factor (above 1: in) around a time that stays where it is. */
export function zoom(view, factor, time, whole) {
  const { t0, t1 } = view;
  return clamp(time - (time - t0) / factor, time + (t1 - time) / factor, whole);
}

export const pan = (view, by, whole) => clamp(view.t0 + by, view.t1 + by, whole);

/** The least pan that brings from..to into the window, with room around it. */
export function reveal(view, from, to, whole) {
  const length = view.t1 - view.t0;
  if (to - from > length) return clamp(from - (to - from) * 0.2, to + (to - from) * 0.2, whole);
  if (from >= view.t0 && to <= view.t1) return view;
  return clamp((from + to - length) / 2, (from + to + length) / 2, whole);
}

/** Round times in the window, at most one per `apart` pixels. */
export function ticks(view, width, apart = 70) {
  const least = (view.t1 - view.t0) * apart / width, power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((part) => part * power).find((each) => each >= least * 0.999999);
  const found = [];
  for (let k = Math.ceil(view.t0 / step - 1e-9); k * step <= view.t1 * (1 + 1e-12); k++) found.push(k * step);
  return found;
}

/** Height of a lane and of the memory strip under it, so that many devices still fit. */
export function laneSizes(devices, withMemory, taller = 1) {
  const pitch = Math.min(Math.max(Math.floor(704 / devices * taller), 8), 48 * taller, 120);
  const gap = pitch >= 14 ? 4 : 1, strip = withMemory ? Math.max(3, Math.min(Math.round(pitch * 0.26), 14)) : 0;
  return { pitch: withMemory ? pitch : Math.min(pitch, 36 * taller), strip, gap,
    lane: (withMemory ? pitch : Math.min(pitch, 36 * taller)) - strip - gap };
}

const DIGITS = 9;

/** The state of the viewer as the part of a link after #; what is as it starts is left out. */
export function toHash(state, whole) {
  const parts = new URLSearchParams();
  if (state.t0 > 0 || state.t1 < whole)
    parts.set("view", [state.t0, state.t1].map((t) => Number(t.toPrecision(DIGITS))).join(","));
  for (const name of ["at", "color", "critical", "memory"]) if (state[name]) parts.set(name, state[name]);
  return parts.toString().replace(/%2C/g, ",").replace(/%40/g, "@");
}

export function fromHash(hash, whole) {
  const parts = new URLSearchParams(hash.replace(/^#/, "")), state = {};
  for (const name of ["at", "color", "critical", "memory"]) if (parts.has(name)) state[name] = parts.get(name);
  const [t0, t1] = (parts.get("view") ?? "").split(",").map(Number);
  return t1 > t0 ? { ...state, ...clamp(t0, t1, whole) } : { ...state, t0: 0, t1: whole };
}
