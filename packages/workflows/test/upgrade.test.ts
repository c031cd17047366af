import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

// During a rolling upgrade, processes of the old build meet definitions that only the new build can read.

let environment: TestEnvironment;
afterEach(() => environment.close());

it("a run of a version that only the next build can read waits for a worker of that build", async () => {
  environment = await openTestEnvironment({ reconcileEveryMs: 200 });
  const { database } = environment;
  const { id, slug } = await environment.publish([{ id: "end", kind: "finish", result: 1 }]);
  const [version] = await database.query<{ id: string; definition: string }>(
    `select v.id, v.definition::text as definition from system.workflows w
     join system.workflow_versions v on v.id = w.published_version_id where w.id = $1::text::uuid`,
    [id],
  );
  if (version === undefined) throw new Error("no version");
  /** Changes a published version, which only the owner of the table can do by disabling its trigger. */
  const define = (definition: string) =>
    database.transaction(async (transaction) => {
      const guard = "trigger workflow_versions_immutable";
      await transaction.query(`alter table system.workflow_versions disable ${guard}`);
      await transaction.query(
        "update system.workflow_versions set definition = $2::text::json where id = $1::text::uuid",
        [version.id, definition],
      );
      await transaction.query(`alter table system.workflow_versions enable always ${guard}`);
    });
  await define(version.definition.replace('"finish"', '"ofTheNextBuild"'));

  // A caller receives a retryable error.
  await expect(environment.call(slug)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  // A worker of this build does not fail a run that a process of the next build has accepted.
  const run = randomUUID();
  await database.query(
    `insert into system.workflow_runs (id, workflow_id, version_id, execute_as_user_id, input, accepted_at)
     values ($1::text::uuid, $2::text::uuid, $3::text::uuid, $4::text::uuid, '{}', now() - interval '1 minute')`,
    [run, id, version.id, environment.userId],
  );
  const claims = async () => {
    const [row] = await database.query<{ claims: number }>(
      "select claims from system.workflow_runs where id = $1::text::uuid and finished_at is null",
      [run],
    );
    return row?.claims ?? -1;
  };
  await expect.poll(claims).toBeGreaterThan(2);

  await define(version.definition);
  await expect
    .poll(() => environment.readRun(run))
    .toMatchObject({ status: "SUCCEEDED", result: 1 });
});
