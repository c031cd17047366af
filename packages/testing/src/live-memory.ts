import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/**
 * Bytes that this process's objects and buffers hold once what nobody refers to is collected. What the process has of
 * the system's memory says less: it grows with garbage, for as long as the collector sees no need. Takes some ten
 * milliseconds.
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
