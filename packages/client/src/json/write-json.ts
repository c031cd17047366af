import { exactDigits } from "./exact-number.ts";
import { randomId } from "./random-id.ts";

/**
 * Formats JSON with the digits of each `ExactNumber`, also of one that was stringified and parsed by another library, and of
 * each `bigint`.
 *
 * @throws TypeError for a number that JSON does not have (NaN, infinities) and for a cyclic value
 */
export function writeJson(value: unknown): string {
  const mark = randomId();
  let isMarked = false;
  function replace(this: Readonly<Record<string, unknown>>, key: string, given: unknown): unknown {
    const own = this[key];
    const digits = typeof own === "bigint" ? own : exactDigits(given);
    if (digits !== undefined) {
      isMarked = true;
      return `${mark}${digits}`;
    }
    if (typeof given === "number" && !Number.isFinite(given)) {
      throw new TypeError(`JSON has no ${given}; send it as a text`);
    }
    return given;
  }
  const text = JSON.stringify(value, replace);
  return isMarked ? text.replaceAll(new RegExp(`"${mark}([^"]*)"`, "g"), "$1") : text;
}
