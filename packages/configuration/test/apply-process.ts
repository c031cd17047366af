/**
 * Applies a plan in a process of its own, for tests that kill it. It writes "ready", waits for a line, and writes "begun" in
 * the transaction and "done" after it.
 */
import { once } from "node:events";
import { writeSync } from "node:fs";
import { connectLogins, type Database } from "@rowhouse/db";
import { createVault } from "@rowhouse/vault";
import { type ApplyRequest, applyPlan } from "../src/index.ts";

const {
  DATABASE_URL = "",
  SYSTEM_DATABASE_URL,
  APPLICATION_NAME = "",
  REQUEST = "",
  USER_ID = "",
} = process.env;
// The build that has made the plan.
process.argv[1] = process.env.PROGRAM ?? "";
const database = await connectLogins({
  ...{ url: DATABASE_URL, systemUrl: SYSTEM_DATABASE_URL || undefined },
  ...{ applicationName: APPLICATION_NAME, connectionsMax: 8 },
});
await database.query("select 1");
writeSync(1, "ready\n");
await once(process.stdin, "data");
const watched: Database = {
  ...database,
  stage: (work, options) =>
    database.stage((transaction) => {
      writeSync(1, "begun\n");
      return work(transaction);
    }, options),
};
await applyPlan(watched, JSON.parse(REQUEST) as ApplyRequest, {
  actor: { userId: USER_ID, tokenId: null, address: null, requestId: null },
  hasSession: true,
  services: { vault: createVault(() => "a secret of the tests' own") },
  prove: async () => {},
});
writeSync(1, "done\n");
process.exit(0);
