import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listRuns, purgeHistory, readRun, requireWorkflow } from "../src/index.ts";
import { openTestEnvironment, runsOf, type TestEnvironment } from "./test-environment.ts";

let environment: TestEnvironment;
beforeAll(async () => {
  environment = await openTestEnvironment();
});
afterAll(() => environment.close());

let count = 0;

async function createUser(name: string): Promise<string> {
  count += 1;
  const [user] = await environment.database.query<{ id: string }>(
    "insert into system.users (email, name) values ($1::text, $2::text) returning id",
    [`person-${count}@example.org`, name],
  );
  return user?.id ?? "";
}

const deleteUser = (id: string) =>
  environment.database.query("delete from system.users where id = $1::text::uuid", [id]);

const finish = [{ id: "end", kind: "finish", result: "done" }] as const;
const rest = [{ id: "rest", kind: "delay", seconds: 3600 }, ...finish] as const;

describe("a deleted user", () => {
  it("the history of a deleted user's runs stays, with the name at that time", async () => {
    const executeAs = await createUser("Ada Lovelace");
    const caller = await createUser("");
    const { slug, id } = await environment.publish([...finish], {
      access: "AUTHENTICATED",
      executeAs,
    });
    await environment.allow({ id });
    const { body } = await environment.call(slug, {
      caller: { ...environment.caller, userId: caller },
    });
    const before = await readRun(environment.database, id, body.data.id);
    await deleteUser(executeAs);
    await deleteUser(caller);
    const after = await readRun(environment.database, id, body.data.id);
    expect(after).toEqual(before);
    expect(after).toMatchObject({
      status: "SUCCEEDED",
      result: "done",
      executeAsUserId: executeAs,
      executeAsName: "Ada Lovelace",
      callerUserId: caller,
      callerName: `person-${count}@example.org`,
    });
    const { items } = await listRuns(environment.database, {
      ...runsOf(id),
      executeAsUserId: executeAs,
    });
    expect(items.map((run) => run.executeAsName)).toEqual(["Ada Lovelace"]);
  });

  it("open runs of a deleted user fail: waiting, parked and running ones, and the runs that they wait for", async () => {
    const executeAs = await createUser("Gone");
    const child = await environment.publish([...rest], { executeAs });
    const parent = await environment.publish(
      [{ id: "child", kind: "runWorkflow", workflow: child.slug }, ...finish],
      { executeAs, response: "ASYNCHRONOUS" },
    );
    const resting = await environment.publish([...rest], { executeAs, response: "ASYNCHRONOUS" });
    const runs = [
      (await environment.call(parent.slug)).body.data.run,
      (await environment.call(resting.slug)).body.data.run,
    ];
    await expect
      .poll(() =>
        environment.database.query(
          `select id from system.workflow_runs
           where execute_as_user_id = $1::text::uuid and status = 'RUNNING' and lease_until is null`,
          [executeAs],
        ),
      )
      .toHaveLength(3);
    await deleteUser(executeAs);
    for (const run of runs) {
      expect(await environment.readRun(run)).toMatchObject({
        status: "FAILED",
        error: { code: "EXECUTE_AS_GONE" },
      });
    }
    expect((await listRuns(environment.database, runsOf(child.id))).items).toMatchObject([
      { status: "FAILED", error: { code: "EXECUTE_AS_GONE" }, executeAsName: "Gone" },
    ]);
    expect(environment.failures).toEqual([]);
  });

  it("the worker loses the run of a deleted user, and the writes of its step are rolled back", async () => {
    const executeAs = await createUser("Gone");
    const { slug } = await environment.publish(
      [{ id: "row", kind: "createRow", table: "trip", values: { note: "of nobody" } }, ...finish],
      { executeAs, response: "ASYNCHRONOUS" },
    );
    // The worker waits for the table, and the user is deleted meanwhile.
    const run = await environment.database.transaction(async (transaction) => {
      await transaction.query("lock table public.trip in access exclusive mode");
      const { body } = await environment.call(slug);
      await expect
        .poll(() => environment.readRun(body.data.run))
        .toMatchObject({ status: "RUNNING", fence: "1" });
      await expect
        .poll(() =>
          environment.database.query(
            `select pid from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock' and query like '%trip%'`,
          ),
        )
        .toHaveLength(1);
      await deleteUser(executeAs);
      return body.data.run;
    });
    await expect
      .poll(() => environment.readRun(run))
      .toMatchObject({ status: "FAILED", error: { code: "EXECUTE_AS_GONE" } });
    expect(await environment.countTrips()).toBe(0);
  });

  it("every call of a deleted user's webhook becomes a failed run, and the workflow reports the problem", async () => {
    const executeAs = await createUser("Gone");
    const { slug, id } = await environment.publish([...finish], { executeAs });
    expect((await requireWorkflow(environment.database, id)).problem).toBeNull();
    await deleteUser(executeAs);
    const { status, body } = await environment.call(slug);
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
    expect((await requireWorkflow(environment.database, id)).problem).toBe(
      "The user that it executes as was deleted",
    );
    expect((await listRuns(environment.database, runsOf(id))).items).toMatchObject([
      { status: "FAILED", executeAsUserId: executeAs, executeAsName: "Gone" },
    ]);
  });

  it("a schedule of a deleted or deactivated user reports the problem", async () => {
    const executeAs = await createUser("Gone");
    const { id } = await environment.publish([...finish], {
      kind: "schedule",
      cron: "0 3 * * *",
      executeAs,
    });
    await environment.database.query(
      "update system.users set active = false where id = $1::text::uuid",
      [executeAs],
    );
    expect((await requireWorkflow(environment.database, id)).problem).toBe(
      "The user that it executes as is not active",
    );
    await deleteUser(executeAs);
    expect((await requireWorkflow(environment.database, id)).problem).toBe(
      "The user that it executes as was deleted",
    );
  });

  it("the name of a deleted user is deleted with the last run that mentions it", async () => {
    const executeAs = await createUser("Gone");
    const { slug } = await environment.publish([...finish], { executeAs });
    const { body } = await environment.call(slug);
    await deleteUser(executeAs);
    const named = () =>
      environment.database.query("select name from system.former_users where id = $1::text::uuid", [
        executeAs,
      ]);
    await purgeHistory(environment.database, 30);
    expect(await named()).toEqual([{ name: "Gone" }]);
    await environment.database.query(
      `update system.workflow_runs set accepted_at = accepted_at - interval '31 days'
       where id = $1::text::uuid`,
      [body.data.id],
    );
    await environment.database.query(
      `alter table system.workflow_runs disable trigger workflow_runs_terminal`,
    );
    await environment.database.query(
      `update system.workflow_runs set finished_at = finished_at - interval '31 days'
       where id = $1::text::uuid`,
      [body.data.id],
    );
    await environment.database.query(
      `alter table system.workflow_runs enable trigger workflow_runs_terminal`,
    );
    await purgeHistory(environment.database, 30);
    expect(await named()).toEqual([]);
  });
});
