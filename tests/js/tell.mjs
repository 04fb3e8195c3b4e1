// Decode the schedules on standard input as the page does and tell everything that the viewer would say of them.
import { readFileSync } from "node:fs";
import { decode, inflate, views } from "../../pipesched/render/html/viewer/decode.mjs";
import { aboutGap, aboutOp, at, deviceOf, opText, slotEnd, slotStart } from "../../pipesched/render/html/viewer/model.mjs";

const { schedules, rule } = JSON.parse(readFileSync(0, "utf8")), told = [];
for (const data of schedules) {
  const s = decode(data, views(await inflate(data.data), data.layout)), gaps = [], names = (ops) => ops.map((i) => opText(s, i));
  const ops = Array.from({ length: s.n }, (_, i) => {
    const { needs, unblocks } = aboutOp(s, rule, i);
    return { op: opText(s, i), device: deviceOf(s, i), start: slotStart(s, i), end: slotEnd(s, i), meets: s.half[i] === 1 ? s.end[i] : null,
      slack: s.slack[i], during: s.during[i], after: s.after[i], needs: names(needs), unblocks: names(unblocks) };
  });
  for (let d = 0; d < s.devices; d++)
    for (let t = 0; t < s.makespan;) {
      const { op, gap } = at(s, d, t + 2 * s.near) ?? { gap: { end: s.makespan } };
      if (gap?.next !== undefined) gaps.push(aboutGap(s, rule, gap));
      t = gap ? gap.end : slotEnd(s, op);
    }
  told.push({ ops, gaps, path: names([...s.path]) });
}
console.log(JSON.stringify(told));
