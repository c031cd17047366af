import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listRuns, purgeHistory, readRun, requireWorkflow } from "../src/index.ts";
import { type House, openHouse, runsOf } from "./house.ts";

let house: House;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

let count = 0;

async function createUser(name: string): Promise<string> {
  count += 1;
  const [user] = await house.database.query<{ id: string }>(
    "insert into system.users (email, name) values ($1::text, $2::text) returning id",
    [`person-${count}@example.org`, name],
  );
  return user?.id ?? "";
}

const deleteUser = (id: string) =>
  house.database.query("delete from system.users where id = $1::text::uuid", [id]);

const finish = [{ id: "end", kind: "finish", result: "done" }] as const;
const rest = [{ id: "rest", kind: "delay", seconds: 3600 }, ...finish] as const;

describe("a user who is deleted", () => {
  it("leaves the history of their runs, with the name as it was", async () => {
    const executeAs = await createUser("Ada Lovelace");
    const caller = await createUser("");
    const { slug, id } = await house.publish([...finish], { access: "AUTHENTICATED", executeAs });
    await house.allow({ id });
    const { body } = await house.call(slug, { caller: { ...house.caller, userId: caller } });
    const before = await readRun(house.database, id, body.data.id);
    await deleteUser(executeAs);
    await deleteUser(caller);
    const after = await readRun(house.database, id, body.data.id);
    expect(after).toEqual(before);
    expect(after).toMatchObject({
      status: "SUCCEEDED",
      result: "done",
      executeAsUserId: executeAs,
      executeAsName: "Ada Lovelace",
      callerUserId: caller,
      callerName: `person-${count}@example.org`,
    });
    const { items } = await listRuns(house.database, {
      ...runsOf(id),
      executeAsUserId: executeAs,
    });
    expect(items.map((run) => run.executeAsName)).toEqual(["Ada Lovelace"]);
  });

  it("ends their runs in progress as failed: those that rest, wait or run, and what these wait for", async () => {
    const executeAs = await createUser("Gone");
    const child = await house.publish([...rest], { executeAs });
    const parent = await house.publish(
      [{ id: "child", kind: "runWorkflow", workflow: child.slug }, ...finish],
      { executeAs, response: "ASYNCHRONOUS" },
    );
    const resting = await house.publish([...rest], { executeAs, response: "ASYNCHRONOUS" });
    const runs = [
      (await house.call(parent.slug)).body.data.run,
      (await house.call(resting.slug)).body.data.run,
    ];
    await expect
      .poll(() =>
        house.database.query(
          `select id from system.workflow_runs
           where execute_as_user_id = $1::text::uuid and status = 'RUNNING' and lease_until is null`,
          [executeAs],
        ),
      )
      .toHaveLength(3);
    await deleteUser(executeAs);
    for (const run of runs) {
      expect(await house.readRun(run)).toMatchObject({
        status: "FAILED",
        error: { code: "EXECUTE_AS_GONE" },
      });
    }
    expect((await listRuns(house.database, runsOf(child.id))).items).toMatchObject([
      { status: "FAILED", error: { code: "EXECUTE_AS_GONE" }, executeAsName: "Gone" },
    ]);
    expect(house.failures).toEqual([]);
  });

  it("takes a run from the worker that is at it: what the step wrote is undone", async () => {
    const executeAs = await createUser("Gone");
    const { slug } = await house.publish(
      [{ id: "row", kind: "createRow", table: "trip", values: { note: "of nobody" } }, ...finish],
      { executeAs, response: "ASYNCHRONOUS" },
    );
    // The worker waits for the table, and the user is deleted meanwhile.
    const run = await house.database.transaction(async (transaction) => {
      await transaction.query("lock table public.trip in access exclusive mode");
      const { body } = await house.call(slug);
      await expect
        .poll(() => house.readRun(body.data.run))
        .toMatchObject({ status: "RUNNING", fence: "1" });
      await expect
        .poll(() =>
          house.database.query(
            `select pid from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock' and query like '%trip%'`,
          ),
        )
        .toHaveLength(1);
      await deleteUser(executeAs);
      return body.data.run;
    });
    await expect
      .poll(() => house.readRun(run))
      .toMatchObject({ status: "FAILED", error: { code: "EXECUTE_AS_GONE" } });
    expect(await house.countTrips()).toBe(0);
  });

  it("makes every call of a webhook a failed run, and the workflow says so", async () => {
    const executeAs = await createUser("Gone");
    const { slug, id } = await house.publish([...finish], { executeAs });
    expect((await requireWorkflow(house.database, id)).problem).toBeNull();
    await deleteUser(executeAs);
    const { status, body } = await house.call(slug);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      status: "FAILED",
      result: null,
      error: {
        code: "EXECUTE_AS_GONE",
        message: "The user that this run executes as was deleted",
        step: null,
      },
    });
    expect((await requireWorkflow(house.database, id)).problem).toBe(
      "The user that it executes as was deleted",
    );
    expect((await listRuns(house.database, runsOf(id))).items).toMatchObject([
      { status: "FAILED", executeAsUserId: executeAs, executeAsName: "Gone" },
    ]);
  });

  it("is named as a problem of their schedules too, and so is one who was deactivated", async () => {
    const executeAs = await createUser("Gone");
    const { id } = await house.publish([...finish], {
      kind: "schedule",
      cron: "0 3 * * *",
      executeAs,
    });
    await house.database.query("update system.users set active = false where id = $1::text::uuid", [
      executeAs,
    ]);
    expect((await requireWorkflow(house.database, id)).problem).toBe(
      "The user that it executes as is not active",
    );
    await deleteUser(executeAs);
    expect((await requireWorkflow(house.database, id)).problem).toBe(
      "The user that it executes as was deleted",
    );
  });

  it("is forgotten with the last run that names them", async () => {
    const executeAs = await createUser("Gone");
    const { slug } = await house.publish([...finish], { executeAs });
    const { body } = await house.call(slug);
    await deleteUser(executeAs);
    const named = () =>
      house.database.query("select name from system.former_users where id = $1::text::uuid", [
        executeAs,
      ]);
    await purgeHistory(house.database, 30);
    expect(await named()).toEqual([{ name: "Gone" }]);
    await house.database.query(
      `update system.workflow_runs set accepted_at = accepted_at - interval '31 days'
       where id = $1::text::uuid`,
      [body.data.id],
    );
    await house.database.query(
      `alter table system.workflow_runs disable trigger workflow_runs_terminal`,
    );
    await house.database.query(
      `update system.workflow_runs set finished_at = finished_at - interval '31 days'
       where id = $1::text::uuid`,
      [body.data.id],
    );
    await house.database.query(
      `alter table system.workflow_runs enable trigger workflow_runs_terminal`,
    );
    await purgeHistory(house.database, 30);
    expect(await named()).toEqual([]);
  });
});
