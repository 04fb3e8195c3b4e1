// What the page says in words: of what is chosen, under the pointer, in the window. Needs a document.
import { extent, inspect, num, opText } from "./data.mjs";
import { cover } from "./paint.mjs";

const make = (name, textContent) => Object.assign(document.createElement(name), { textContent });

/** Say what is chosen, if anything, with a button for each op that it waits for or that waits for it. */
export function tell(panel, chosen) {
  panel.toggleAttribute("data-chosen", Boolean(chosen));
  if (!chosen) return panel.replaceChildren(panel.dataset.hint);
  const { chart: { s }, before, after, said: [title, ...rest] } = chosen;
  panel.replaceChildren(make("strong", `${s.name}: ${title}`), ` ${rest.join("; ")}. `);
  for (const [word, ops] of [["Needs ", before], ["Unblocks ", after]])
    for (const [k, each] of ops.entries()) {
      const button = make("button", `${opText(s, each)} on device ${s.device[each]}`);
      panel.append(k ? "" : word, Object.assign(button, { value: each }), " ");
    }
}

/** A card above the pointer: what is there, how much of it where ops are thinner than a pixel, and memory. */
export function hover(card, { s, tone, across, scale, time }, view, what, { offsetX, clientX, clientY }) {
  const { device, start, end, said } = inspect(s, what), t0 = time(offsetX);
  const pixel = view.length / across / scale, seen = cover(s, tone, 16, device, { t0, t1: t0 + pixel }, 1);
  const busy = num(100 * seen.shares.reduce((sum, share) => sum + share));
  if (end - start < pixel) said.push(`${seen.to - seen.from} ops in this column of pixels, ${busy} % busy`);
  const [held] = seen.levels, cap = s.cap ? `, of ${num(s.cap[device])} allowed` : "";
  if (held >= 0) said.push(`device ${device} holds ${num(held)} activation${held === 1 ? "" : "s"}${cap}`);
  card.replaceChildren(...said.map((line) => make("div", line)));
  card.style = `left: min(${clientX + 14}px, 100vw - 31rem); bottom: ${innerHeight - clientY + 12}px`;
}

/** Fill a table with what the window shows, for those who do not see it. */
export function list(body, charts, { t0, t1 }, most = 500) {
  body.replaceChildren();
  for (const { s } of charts)
    for (let op = 0; op < s.stage.length && body.rows.length < most; op++) {
      const [device, start, end] = extent(s, { op });
      if (end <= t0 || start >= t1) continue;
      const row = body.insertRow();
      const [, since, until] = extent(s, { op }, s.since, s.until), late = s.total ? [] : [s.slack[op]];
      for (const cell of [s.name, device, opText(s, op), ...[since, until, ...late].map(num)])
        row.insertCell().textContent = cell;
    }
}
