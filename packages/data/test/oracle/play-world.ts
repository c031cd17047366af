import type { Request, World } from "./model.ts";
import { isRead, playOne } from "./play-request.ts";
import { type Case, shrinkCase } from "./shrink-case.ts";
import { TestEnvironment } from "./test-environment.ts";

const shrinkMs = 40_000;
/** Reads that are sent at the same time. */
const readsAtOnce = 4;

/**
 * Plays requests in a world of their own; returns the number of compared answers.
 *
 * @param copies how often each read is sent
 */
export async function playWorld(
  world: World,
  requests: readonly Request[],
  copies?: number,
): Promise<number> {
  const environment = await TestEnvironment.open(world, copies);
  let compared = 0;
  const playAll = async (queue: Request[]): Promise<void> => {
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
      const result = await tryOne(environment, world, request);
      if (typeof result === "number") compared += result;
      else {
        queue.length = 0;
        throw await explain({ world, request }, result);
      }
    }
  };
  try {
    // Reads do not change the rows.
    const reads = requests.filter(isRead);
    await Promise.all(Array.from({ length: readsAtOnce }, () => playAll(reads)));
    await playAll(requests.filter((request) => !isRead(request)));
  } finally {
    await environment.close();
  }
  return compared;
}

/** Returns the number of compared answers, or the failure. */
async function tryOne(
  environment: TestEnvironment,
  world: World,
  request: Request,
): Promise<number | Error> {
  try {
    return await playOne(environment, world, request);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Returns the failure of the smallest case that fails in the same way. */
async function explain(first: Case, failure: Error): Promise<Error> {
  let last = failure;
  const fails = async ({ world, request }: Case): Promise<boolean> => {
    // The shrinker may produce a world that PostgreSQL rejects; it is not a case.
    const environment = await TestEnvironment.open(world).catch(() => undefined);
    if (environment === undefined) return false;
    try {
      const error = await tryOne(environment, world, request);
      if (typeof error === "number") return false;
      last = error;
      return true;
    } finally {
      await environment.close();
    }
  };
  await shrinkCase(first, fails, Date.now() + shrinkMs);
  return last;
}
