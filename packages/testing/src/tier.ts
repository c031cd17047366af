/**
 * Which tests a run has, by `ROWHOUSE_TESTS`: `usual` (`npm test`), `all` (`npm run test:all`: what `npm test` leaves out),
 * `ci` (both, each test once), `long` (`npm run test:long`), or `topologies` (`pnpm test:topologies`). A run of
 * single files is like `all`.
 */
export const tierNames = ["usual", "all", "ci", "long", "topologies"] as const;
export type TierName = (typeof tierNames)[number];

/** @throws Error for an unknown name */
export function chosenTier(): TierName | undefined {
  const name = process.env.ROWHOUSE_TESTS ?? "";
  if (name === "") return undefined;
  const tier = tierNames.find((known) => known === name);
  if (tier !== undefined) return tier;
  throw new Error(`ROWHOUSE_TESTS is ${name}; it must be one of ${tierNames.join(", ")}`);
}

/** Returns how many cases of a generated test run: a fifth in `npm test`, two fifths in `.ci/run`, else all. */
export function generatedRuns(all: number): number {
  const tier = chosenTier();
  const fifths = tier === "usual" ? 1 : tier === "ci" ? 2 : 5;
  return Math.ceil((all * fifths) / 5);
}

/** Whether this is `npm run test:long`. */
export function isLongRun(): boolean {
  return chosenTier() === "long";
}
