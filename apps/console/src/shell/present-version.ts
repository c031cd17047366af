import { RowhouseError } from "@rowhouse/client";

const attemptsMax = 3;

/**
 * Runs work that reads a record, compares it, and writes it with the tag that it has read. If another person changes the
 * record in between, the work runs again.
 */
export async function onPresentVersion<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isOutdated = error instanceof RowhouseError && error.status === 412;
      if (!isOutdated || attempt === attemptsMax) throw error;
    }
  }
}
