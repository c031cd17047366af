import { setTimeout as sleep } from "node:timers/promises";
import { singleFlight } from "@rowhouse/concurrency";
import type postgres from "postgres";
import { runStatement } from "./client.ts";

/** How long a ping waits for a pooler whose connections are all busy, in milliseconds. */
const poolerPingMs = 2_000;

/**
 * Returns a function that checks the server and, if there is one, the pooler. Calls during a check share it: health
 * paths are open to everyone.
 */
export function createHealthCheck(
  server: postgres.Sql,
  pooler: postgres.Sql | undefined,
): () => Promise<void> {
  return singleFlight(() => pingBoth(server, pooler));
}

/** A pooler that accepts the statement and lets it wait is busy, not unavailable. */
async function pingBoth(server: postgres.Sql, pooler: postgres.Sql | undefined): Promise<void> {
  const pings: Promise<unknown>[] = [runStatement(server, "select 1")];
  if (pooler !== undefined) {
    const late = new AbortController();
    const isBusy = sleep(poolerPingMs, undefined, { signal: late.signal }).catch(() => undefined);
    const answer = runStatement(pooler, "select 1").finally(() => late.abort());
    pings.push(Promise.race([answer, isBusy]));
  }
  await Promise.all(pings);
}
