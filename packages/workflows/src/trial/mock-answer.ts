import { outputOf } from "../effect/carry-out.ts";
import type { EffectAnswer } from "../interpret/wait.ts";
import type { TestOptions } from "../model/test-options.ts";

/**
 * Returns the answer that a test gives to an effect, instead of carrying it out; undefined if it gives none.
 *
 * @param id of the step
 */
export function mockAnswer(options: TestOptions | null, id: string): EffectAnswer | undefined {
  if (options === null || !Object.hasOwn(options.mocks, id)) return undefined;
  try {
    return { ...outputOf(options.mocks[id]), simulated: "MOCK" };
  } catch (error) {
    return { kind: "FAULT", error, simulated: "MOCK" };
  }
}
