import fc from "fast-check";

// Vitest's set-up of each file: what is generated is the same each time, and new with `pnpm fuzz`, where
// ROWHOUSE_FUZZ_SEED plays a failure's cases again.
const { MODE: mode, ROWHOUSE_FUZZ_SEED: wanted } = process.env;
if (mode !== "fuzz" || wanted !== undefined) {
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(wanted ?? 20_240_331) });
}
