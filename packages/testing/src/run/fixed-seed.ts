import fc from "fast-check";

// Vitest's set-up of each file: generated cases are the same in each run. `pnpm fuzz` generates new ones;
// ROWHOUSE_FUZZ_SEED repeats the cases of a failure.
const { MODE: mode, ROWHOUSE_FUZZ_SEED: wanted } = process.env;
if (mode !== "fuzz" || wanted !== undefined) {
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted ?? 20_240_331) });
}
