// Measurement of several sides in turn, and the tables of it.
import { withCpu } from "./cpu.mjs";
import { median } from "./processes.mjs";

/**
 * Measures all sides in alternating rounds, so that a change of the machine's load affects all of them.
 *
 * @param sides their `name`, `pid`, `load(seconds)`, and optionally `before()`, which runs before each load and returns whether
 *   it has changed the side, which then warms up again
 * @param base the name of the side that the others are divided by
 * @returns the medians of each side, with `ratio` and `ratioOfP99`: the medians of the ratios of the rounds
 */
export async function compareSides(
  sides,
  { base, rounds, seconds, postmaster, warmUpRequests = 1 },
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
  return sides.map(({ name }) => {
    const over = (pick) => median(results.map((result) => pick(result[name], result[base])));
    // A request that only the service has is compared with nothing.
    const hasBase = results.every((result) => result[base] !== undefined);
    return {
      name,
      rate: over(({ rate }) => rate),
      p50: over(({ p50 }) => p50),
      p99: over(({ p99 }) => p99),
      ratio: hasBase ? over((own, other) => own.rate / other.rate) : undefined,
      ratioOfP99: hasBase ? over((own, other) => own.p99 / other.p99) : undefined,
      shared: over(({ shared }) => shared?.share ?? 0),
      perStatement: over(({ shared }) => shared?.perStatement ?? 0),
      cpu: ["user", "system", "database"].map((part) => over(({ cpu }) => cpu?.[part] ?? 0)),
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

/** Prints a line for each side below the name of what was measured. */
export function printSides(title, results, { hasCpu }) {
  const cells = ["per second", "p50 ms", "p99 ms", "ratio", "of p99"];
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
