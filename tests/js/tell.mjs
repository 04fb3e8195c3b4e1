// Decode the schedules on standard input as the page does and tell everything that the viewer would say of them.
import { readFileSync } from "node:fs";
import { at, beside, decode, extent, inflate, inspect, opText } from "../../pipesched/render/html/viewer/data.mjs";

const told = [];
for (const data of JSON.parse(readFileSync(0, "utf8"))) {
  const s = decode(data, await inflate(data.data)), names = (ops) => ops.map((i) => opText(s, i)), gaps = [], seen = [];
  const ops = Array.from(s.stage, (_, op) => {
    const { device, start, end, before, after, said } = inspect(s, { op });
    return {
      op: opText(s, op), device, start, end, needs: names(before), unblocks: names(after), said,
      meets: s.half[op] === 1 ? s.end[op] : null, slack: s.slack[op], during: s.during[op], after: s.after[op],
      critical: s.critical[op], follows: s.follows[op] ? opText(s, op + s.follows[op]) : null,
      sent: s.sender[op] ? [opText(s, op + s.sender[op]), s.departs[op], s.arrives[op]] : null,
    };
  });
  for (let d = 0; d < s.devices; d++)
    for (let what = at(s, d, 0); what; what = beside(s, what, 1)) {
      if (what.op !== undefined) { seen.push(opText(s, what.op)); continue; }
      const [device, start, end] = extent(s, what);
      if (end - start > s.near) gaps.push({ device, start, end, said: inspect(s, what).said });
    }
  told.push({ ops, gaps, seen });
}
console.log(JSON.stringify(told));
