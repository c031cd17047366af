// Measurement of several sides in turn, and the tables of it.
import { withCpu } from "./cpu.mjs";
import { median, start, untilListens } from "./processes.mjs";

/** The names of the two handwritten handlers. */
export const withChecks = "by hand, with checks";
export const withoutChecks = "by hand";

/** Starts the handwritten handlers; the first one checks what the service checks. */
export async function startHandlers(databaseUrl) {
  const environment = { DATABASE_URL: databaseUrl };
  const checked = await start("./hand-written.mjs", { ...environment, CHECKS: "yes" });
  const unchecked = await start("./hand-written.mjs", environment);
  for (const { url } of [checked, unchecked]) await untilListens(url);
  return [
    { name: withChecks, ...checked },
    { name: withoutChecks, ...unchecked },
  ];
}

/**
 * Measures all sides in alternating rounds, so that a change of the machine's load affects all of them.
 *
 * @param sides their `name`, `pid`, `load(seconds)`, and optionally `before()`, which runs before each load and returns whether
 *   it has changed the side, which then warms up again
 * @param also more values of a side, each by a function of its result and that of the first side in one round
 * @returns the medians of each side, with `ratio` and `ratioOfP99`: the medians of the rate and of the 99th percentile of the
 *   first side, over those of this one, in each round; and `also`, the medians of the other values
 */
export async function compareSides(
  sides,
  { rounds, seconds, postmaster, warmUpRequests = 1, also = {} },
) {
  for (const side of sides) {
    await side.before?.();
    await warmUp(side.load, warmUpRequests);
  }
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const result = {};
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      if (await side.before?.()) await warmUp(side.load, warmUpRequests);
      const run = () => side.load(seconds);
      result[side.name] = await (postmaster === undefined
        ? run()
        : withCpu(side.pid, postmaster, run));
    }
    results.push(result);
  }
  const [first] = sides;
  return sides.map(({ name }) => {
    const over = (pick) => median(results.map((result) => pick(result[name], result[first.name])));
    return {
      name,
      rate: over(({ rate }) => rate),
      p50: over(({ p50 }) => p50),
      p99: over(({ p99 }) => p99),
      ratio: name === first.name ? undefined : over((own, { rate }) => rate / own.rate),
      ratioOfP99: name === first.name ? undefined : over((own, { p99 }) => p99 / own.p99),
      shared: over(({ shared }) => shared?.share ?? 0),
      perStatement: over(({ shared }) => shared?.perStatement ?? 0),
      cpu: ["user", "system", "database"].map((part) => over(({ cpu }) => cpu?.[part] ?? 0)),
      also: Object.fromEntries(Object.entries(also).map(([key, pick]) => [key, over(pick)])),
    };
  });
}

/** Loads a side for two seconds, and again until it has answered so many requests, for about 30 seconds at most. */
async function warmUp(load, requestCount) {
  let answered = 0;
  for (let times = 0; times < 15 && answered < requestCount; times++) {
    answered += (await load(2)).requests;
  }
}

/**
 * Prints a line for each side below the name of what was measured. The ratios are those of the first side to this one; CPU
 * times are those of a request, in µs.
 */
export function printSides(title, results, { hasCpu }) {
  const [first] = results;
  const cells = ["per second", "p50 ms", "p99 ms", `${first.name} :`, "p99"];
  line([title, ...cells, ...(hasCpu ? ["Node user", "Node sys", "PostgreSQL"] : [])]);
  for (const { name, rate, p50, p99, ratio, ratioOfP99, cpu } of results) {
    const numbers = [whole(rate), exact(p50), exact(p99), exact(ratio), exact(ratioOfP99)];
    line([`  ${name}`, ...numbers, ...(hasCpu ? cpu.map(whole) : [])]);
  }
}

/** Prints a line with a name and columns of numbers. */
export function line([name, ...others]) {
  console.log(name.padEnd(26) + others.map((cell) => cell.padStart(11)).join(""));
}

export function whole(value) {
  return value === undefined ? "-" : Math.round(value).toLocaleString("en");
}

export function exact(value) {
  return value === undefined ? "-" : value.toFixed(2);
}
