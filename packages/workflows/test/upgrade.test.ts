import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { type House, openHouse } from "./house.ts";

// While processes are replaced one by one, those of the build before meet what only the next one knows.

let house: House;
afterEach(() => house.close());

it("a run of a version that only the next build can read waits for a worker of that build", async () => {
  house = await openHouse({ reconcileEveryMs: 200 });
  const { database } = house;
  const { id, slug } = await house.publish([{ id: "end", kind: "finish", result: 1 }]);
  const [version] = await database.query<{ id: string; definition: string }>(
    `select v.id, v.definition::text as definition from system.workflows w
     join system.workflow_versions v on v.id = w.published_version_id where w.id = $1::text::uuid`,
    [id],
  );
  if (version === undefined) throw new Error("no version");
  /** A published version never changes, unless a superuser goes round its guard. */
  const define = (definition: string) =>
    database.transaction(async (transaction) => {
      await transaction.query("set local session_replication_role = replica");
      await transaction.query(
        "update system.workflow_versions set definition = $2::text::json where id = $1::text::uuid",
        [version.id, definition],
      );
    });
  await define(version.definition.replace('"finish"', '"ofTheNextBuild"'));

  // A caller is told to come again.
  await expect(house.call(slug)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  // What a process of the next build has accepted is not failed by a worker of this one.
  const run = randomUUID();
  await database.query(
    `insert into system.workflow_runs (id, workflow_id, version_id, execute_as_user_id, input, accepted_at)
     values ($1::text::uuid, $2::text::uuid, $3::text::uuid, $4::text::uuid, '{}', now() - interval '1 minute')`,
    [run, id, version.id, house.userId],
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
  await expect.poll(() => house.readRun(run)).toMatchObject({ status: "SUCCEEDED", result: 1 });
});
