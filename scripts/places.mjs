import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** What the commands remember of this checkout: digests of their inputs, logs, and durations of tests. */
export const stateFolder = join(root, "node_modules/.rowhouse");
