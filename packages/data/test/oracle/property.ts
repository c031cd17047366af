import { randomInt } from "node:crypto";
import fc from "fast-check";

// `pnpm fuzz` runs vitest in a mode of that name.
const fuzzSeconds = Number(
  process.env.ROWHOUSE_FUZZ_SECONDS ?? (process.env.MODE === "fuzz" ? 600 : 0),
);
/** Whether this run generates new cases. */
export const isFuzzing = fuzzSeconds > 0;

/** How often a long run prints its progress. */
const progressSeconds = 60;

/** Time limit of one fuzz test. */
export const fuzzTimeoutMs = fuzzSeconds * 1000 + 240_000;

/**
 * Checks a property on generated cases: a fixed number from a fixed seed, or, with `pnpm fuzz`, as many from a new
 * seed as fit into ROWHOUSE_FUZZ_SECONDS. A failure prints ROWHOUSE_FUZZ_SEED and ROWHOUSE_FUZZ_PATH, which replay its
 * case.
 *
 * @param check returns the number of answers that it compared; it shrinks a failing case itself
 */
export async function checkProperty<Case>(
  cases: fc.Arbitrary<Case>,
  runs: number,
  check: (it: Case) => Promise<number>,
): Promise<void> {
  const { ROWHOUSE_FUZZ_PATH: path } = process.env;
  const { seed = randomInt(2 ** 31) } = fc.readConfigureGlobal() ?? {};
  const started = Date.now();
  let compared = 0;
  const seconds = (): number => Math.round((Date.now() - started) / 1000);
  let told = 0;
  const property = fc.asyncProperty(cases, async (it) => {
    compared += await check(it);
    if (!isFuzzing || seconds() < told + progressSeconds) return;
    told = seconds();
    console.info(`${compared} comparisons so far, ${told} s, seed ${seed}`);
  });
  const outcome = await fc.check(property, {
    seed,
    endOnFailure: true,
    ...(path === undefined ? {} : { path }),
    numRuns: isFuzzing ? 1_000_000 : runs,
    ...(isFuzzing ? { interruptAfterTimeLimit: fuzzSeconds * 1000 } : {}),
  });
  console.info(`${compared} comparisons in ${outcome.numRuns} cases, ${seconds()} s, seed ${seed}`);
  if (outcome.counterexamplePath === null) return;
  const cause = outcome.errorInstance;
  const words = cause instanceof Error ? cause.stack : String(cause);
  throw new Error(
    `ROWHOUSE_FUZZ_SEED=${seed} ROWHOUSE_FUZZ_PATH=${outcome.counterexamplePath}\n${words}`,
  );
}
