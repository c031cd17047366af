// pnpm soak [--minutes 10 --processes 4|7 --callers 2]
import { parseArgs } from "node:util";
import { runSoak } from "./run-soak.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    processes: { type: "string", default: "7" },
    callers: { type: "string", default: "2" },
  },
});
const [minutes, callers] = [Number(values.minutes), Number(values.callers)];
if (!(minutes > 0) || !(callers > 0)) throw new Error("--minutes and --callers must be numbers");
if (values.processes !== "4" && values.processes !== "7") throw new Error("--processes is 4 or 7");

const say = (line: string) => process.stdout.write(`${line}\n`);
const violations = await runSoak({
  processes: values.processes === "4" ? 4 : 7,
  minutes,
  callers,
  say,
});
say(
  violations.length === 0 ? "no error, and memory is constant" : `${violations.length} violations`,
);
for (const violation of violations.slice(0, 100)) say(violation);
if (violations.length > 0) process.exitCode = 1;
