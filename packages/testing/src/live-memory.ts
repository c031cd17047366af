import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/**
 * Returns the bytes that objects and buffers of this process occupy after a garbage collection. The process's system
 * memory is less precise: it grows with garbage until the collector runs. Takes some ten milliseconds.
 */
export function liveBytes(): number {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
