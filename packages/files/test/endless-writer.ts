import { setTimeout as delay } from "node:timers/promises";
import { createStorageKey, openStorage } from "../src/index.ts";

/** Writes an object without an end into the folder of the first argument. */
const [, , path = ""] = process.argv;
async function* endless() {
  for (;;) {
    yield Buffer.alloc(1_048_576);
    await delay(10);
  }
}
await openStorage({ kind: "DIRECTORY", path }).put(createStorageKey(), endless());
