// Tier: long. Kills processes.
import {
  type AppProcess,
  createTestDatabase,
  installationSecret,
  signIn,
  startApp,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "./client.ts";

// A test without effects whose process is killed leaves nothing, and is not resumed.
let test: TestDatabase;
let service: AppProcess;
const start = () =>
  startApp("standalone", {
    DATABASE_URL: test.url,
    SYSTEM_DATABASE_URL: test.systemUrl ?? "",
    ROWHOUSE_SECRET: installationSecret,
    ROWHOUSE_ADMIN_EMAIL: signIn.email,
    ROWHOUSE_ADMIN_PASSWORD: signIn.password,
  });
beforeAll(async () => {
  test = await createTestDatabase();
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await test.drop();
});

it("a test without effects whose process is killed leaves no row and no lock, and ends as interrupted", async () => {
  const { database } = test;
  const client = createClient(service);
  const as = await client.signIn(signIn);
  const administer = async (method: string, path: string, data?: unknown, more: object = {}) => {
    const body = data === undefined ? {} : { body: { data, ...more } };
    return (await client.ask(method, `/admin/api${path}`, { as, ...body })).body?.data;
  };
  await database.query("create table public.trip (id int primary key, note text)");
  await database.query("insert into public.trip values (1, 'before')");
  await database.query(`create function public.wait_long() returns trigger language plpgsql as
    $$ begin if new.note = 'slow' then perform pg_sleep(60); end if; return new; end $$`);
  await database.query(
    "create trigger slow before insert on public.trip for each row execute function public.wait_long()",
  );
  const [resource] = await administer("GET", "/resources?schema=public&search=.trip");
  await administer("PATCH", `/resources/${resource.id}`, {
    exposedMethods: ["GET", "POST", "PATCH"],
  });
  const me = (await client.ask("GET", "/api/auth/me", { as })).body.data.id;
  const row = (id: number, note: string) => ({
    ...{ id: note, kind: "createRow", table: "trip", values: { id, note } },
    onError: { steps: [{ id: `${note}Failed`, kind: "setValues", values: {} }] },
  });
  const workflow = await administer("POST", "/workflows", {
    slug: "killed",
    name: "Killed",
    definition: {
      trigger: { kind: "manual", executeAs: me },
      steps: [
        { id: "lock", kind: "updateRows", table: "trip", key: 1, values: { note: "changed" } },
        row(2, "made"),
        row(3, "slow"),
        row(4, "after"),
      ],
    },
  });
  const { run } = await administer(
    "POST",
    `/workflows/${workflow.id}/test`,
    {},
    { effects: "NONE" },
  );
  const steps = async () =>
    (
      await database.query<{ path: string }>(
        "select path from system.workflow_run_steps where run_id = $1::text::uuid order by position",
        [run],
      )
    ).map(({ path }) => path);
  await expect.poll(steps, { timeout: 20_000, interval: 20 }).toEqual(["lock", "made"]);
  await service.stop("SIGKILL");
  await database.query("update public.trip set note = 'mine' where id = 1");

  service = await start();
  const ended = async () => {
    const [found] = await database.query<{ status: string; error: unknown }>(
      "select status, error from system.workflow_runs where id = $1::text::uuid",
      [run],
    );
    return found;
  };
  await expect.poll(ended, { timeout: 60_000, interval: 200 }).toMatchObject({
    ...{ status: "FAILED", error: { code: "TEST_INTERRUPTED", step: null } },
  });
  expect(await steps()).toEqual(["lock", "made"]);
  expect(await database.query("select id, note from public.trip")).toEqual([
    { id: 1, note: "mine" },
  ]);
}, 120_000);
