import { LRUCache } from "lru-cache";
import type { RequestLimits } from "./parse-parts.ts";

/** Maximum number of remembered values under the same limits. */
const rememberedMax = 1000;

/**
 * What was parsed, by its key and the limits it was parsed under. Each version of the settings has limits of its own, so a
 * changed limit applies to every later request.
 */
export class LimitedMemory<Value extends object> {
  readonly #values = new WeakMap<RequestLimits, LRUCache<string, Value>>();

  get(limits: RequestLimits, key: string): Value | undefined {
    return this.#values.get(limits)?.get(key);
  }

  set(limits: RequestLimits, key: string, value: Value): void {
    let known = this.#values.get(limits);
    if (known === undefined) {
      known = new LRUCache({ max: rememberedMax });
      this.#values.set(limits, known);
    }
    known.set(key, value);
  }
}
