// What the page says: of what is chosen, under the pointer, in the window. Needs a page.
import { board, charts, state, under } from "./draw.mjs";
import { describe, deviceOf, extent, firstWhere, num, opText, slotEnd, slotStart } from "./model.mjs";
import { cover, levels } from "./paint.mjs";

export const $ = (id) => document.getElementById(id);
const make = (name, textContent) => Object.assign(document.createElement(name), { textContent });

/** Say what is chosen, with a button for each op that it needs and unblocks; `follow` is called with an op. */
export function tell(follow) {
  const { chosen } = board, about = $("about");
  about.toggleAttribute("data-chosen", Boolean(chosen));
  if (!chosen) return about.replaceChildren(about.dataset.hint);
  const { chart: { s }, about: { title, lines, needs, unblocks = [] } } = chosen;
  const links = (word, ops) => ops.flatMap((op, k) => {
    const button = make("button", `${opText(s, op)} on device ${deviceOf(s, op)}`);
    button.onclick = () => follow(op);
    return [k ? " " : ` ${word} `, button];
  });
  const name = charts.length > 1 ? `${s.name}: ` : "";
  about.replaceChildren(make("strong", name + title), ` ${lines.join("; ")}.`,
    ...links("Needs", needs), ...links("Unblocks", unblocks));
}

/** A card beside the pointer: what is there, and how much of it where ops are thinner than a pixel. */
export function hover(chart, rule, event) {
  const tip = $("tip"), { what, time, device } = under(chart, event), { s } = chart;
  tip.hidden = !what;
  if (!what) return;
  const column = (state.t1 - state.t0) / chart.width, { title, lines } = describe(s, rule, what);
  const [, start, end] = extent(s, what), said = [title, ...lines];
  if (end - start < column * chart.scale) {
    const { into, from, to } = cover(s, chart.tone, 256, device, { t0: time, t1: time + column }, 1);
    const busy = num(100 * Math.min(1, into.reduce((a, b) => a + b)));
    said.push(`${to - from} ops in this column of pixels, ${busy} % busy`);
  }
  const held = levels(s, device, { t0: time, t1: time + column / 2 }, 1)[0];
  said.push(`device ${device} holds ${num(held)} activations${s.cap ? `, of ${num(s.cap[device])} allowed` : ""}`);
  tip.replaceChildren(...said.map((line) => make("div", line)));
  const below = event.clientY + 18, fits = below + tip.offsetHeight < innerHeight;
  tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
  tip.style.top = `${fits ? below : event.clientY - tip.offsetHeight - 10}px`;
}

/** What the window shows as a table, for those who do not see it. */
export function fillTable(table, most = 500) {
  const rows = [];
  for (const { s } of charts)
    for (let d = 0; d < s.devices && rows.length < most; d++) {
      const stop = s.first[d + 1], from = firstWhere(s.first[d], stop, (i) => s.end[i] > state.t0);
      for (let i = from; i < stop && s.start[i] < state.t1 && rows.length < most; i++)
        rows.push([s.name, d, opText(s, i), ...[slotStart(s, i), slotEnd(s, i), s.slack[i]].map(num)]);
    }
  table.querySelector("tbody").replaceChildren(...rows.map((cells) => {
    const row = document.createElement("tr");
    row.append(...cells.map((cell) => make("td", cell)));
    return row;
  }));
  table.querySelector("output").textContent = rows.length < most ? "" : `The first ${most}: zoom in to see others.`;
}

/** What the colours mean. */
export function legend(fills, words, note) {
  const entries = words.map((word, k) => {
    const entry = document.createElement("span"), swatch = document.createElement("i");
    swatch.style.background = fills[k];
    entry.append(swatch, word ?? "");
    return word && entry;
  });
  $("legend").replaceChildren(...entries.filter(Boolean), ...(note ? [note] : []));
}
