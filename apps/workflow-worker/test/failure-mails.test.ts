// Tier: long. Starts processes.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccountMails } from "@rowhouse/accounts";
import { createSnapshotStore, openDatabase } from "@rowhouse/db";
import { openStorage } from "@rowhouse/files";
import { createLogger } from "@rowhouse/service";
import {
  createTestDatabase,
  createUser,
  moveClock,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import {
  addWatcher,
  createWorkflow,
  openWorkflowConnections,
  publishWorkflow,
  removeWatcher,
} from "@rowhouse/workflows";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectionsFor, createWorker } from "../src/index.ts";

const actor = { userId: null, tokenId: null, address: null, requestId: null };
const minute = 60;
const vault = createVault(() => "tests");
let test: TestDatabase;
let folder: string;
let ada: TestUser;
let grace: TestUser;
let orders: string;
let invoices: string;
/** Seconds that the clock of the database is ahead. */
let ahead = 0;
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "rowhouse-failures-"));
  ada = await createUser(test.database, "ada@example.com", "Administrators");
  grace = await createUser(test.database, "grace@example.com", "Administrators");
  await test.database.query("update system.users set language = 'de' where id = $1::uuid", [
    grace.id,
  ]);
  const create = async (slug: string) => {
    const definition = {
      trigger: { kind: "manual", executeAs: ada.id },
      steps: [{ id: "end", kind: "finish", result: "{{start.data.secret}}" }],
    };
    const { id } = await createWorkflow(test.database, { slug, name: slug, definition }, actor);
    await publishWorkflow({ database: test.database, vault }, id, actor);
    return id;
  };
  orders = await create("orders");
  invoices = await create("invoices");
  await addWatcher(test.database, orders, ada.id, actor);
  await addWatcher(test.database, invoices, ada.id, actor);
  await addWatcher(test.database, orders, grace.id, actor);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(async () => {
  await test.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Ends a run, as the journal does. */
async function endRun(workflow: string, status: string, origin = "MANUAL"): Promise<string> {
  const [run] = await test.database.query<{ id: string }>(
    `insert into system.workflow_runs (workflow_id, version_id, execute_as_user_id, input, status, origin)
     select id, published_version_id, $2::uuid, '{"secret":"s3cret"}', 'RUNNING', $3::text
     from system.workflows where id = $1::uuid returning id`,
    [workflow, ada.id, origin],
  );
  await test.database.query(
    `update system.workflow_runs set status = $2::text, finished_at = clock_timestamp(),
       error = case when $2::text = 'FAILED' then '{"code":"HTTP_STATUS","message":"s3cret","step":"end"}'::json end
     where id = $1::uuid`,
    [run?.id ?? "", status],
  );
  return run?.id ?? "";
}

/** Starts a worker with its own connections, and a folder for its mails. */
async function startWorker(): Promise<void> {
  const logger = createLogger("test", "silent");
  const pool = openDatabase({
    url: test.url,
    applicationName: "worker",
    connectionsMax: connectionsFor(2),
  });
  const snapshots = createSnapshotStore(pool);
  const connections = await openWorkflowConnections({
    ...{ database: pool, databaseUrl: test.sessionUrl, redisUrl: undefined, vault },
    report: () => {},
  });
  const mails = openAccountMails(
    { database: pool, snapshots, vault },
    {
      MAIL_FROM: "service@example.com",
      ROWHOUSE_DATA_DIR: folder,
      PUBLIC_URL: "https://rows.example.com/",
    },
    logger,
  );
  const worker = createWorker({
    ...{ logger, database: pool, snapshots, connections, mails, concurrency: 2 },
    chromium: { CHROMIUM_SANDBOX: "on" },
    storage: openStorage({ kind: "DIRECTORY", path: folder }),
  });
  ends.push(async () => {
    await worker.close();
    await mails.idle();
    await mails.close();
    await connections.close();
    await pool.close();
  });
}

/** Starts workers that each look for failures once, and returns the mails that they send. */
async function mailsOf(workers: number): Promise<string[]> {
  const before = new Set(await mailFiles());
  await Promise.all(Array.from({ length: workers }, startWorker));
  await expect.poll(async () => (await waiting()).failures, { timeout: 25_000 }).toBe(0);
  for (const end of ends.splice(0).reverse()) await end();
  const names = (await mailFiles()).filter((name) => !before.has(name));
  const texts = await Promise.all(
    names.map((name) => readFile(join(folder, "mails", name), "utf8")),
  );
  return texts.map((text) => text.replaceAll("=\r\n", "").replaceAll("=3D", "=")).sort();
}

async function mailFiles(): Promise<string[]> {
  const names = await readdir(join(folder, "mails")).catch(() => []);
  return names.filter((name) => name.endsWith(".eml"));
}

/** Removes an administrator, as another one. */
async function removeAdministrator({ id }: TestUser): Promise<void> {
  await test.database.transaction(async (transaction) => {
    await transaction.query("select system.act_as($1::uuid)", [ada.id]);
    await transaction.query("delete from system.role_members where user_id = $1::uuid", [id]);
  });
}

/** Failures that can be mailed now. */
async function waiting(): Promise<{ failures: number }> {
  const [row] = await test.database.query<{ failures: number }>(
    `select count(*)::integer as failures from system.workflow_failures f
     left join system.workflow_digests d on d.user_id = f.user_id
     where d.mailed_at is null or d.mailed_at <= system.clock() - interval '15 minutes'`,
  );
  return { failures: row?.failures ?? 0 };
}

async function passMinutes(minutes: number): Promise<void> {
  ahead += minutes * minute;
  await moveClock(test.database, ahead);
}

const recipients = (mails: readonly string[]) =>
  mails.map((mail) => /^To: <?([^>\r]*)/m.exec(mail)?.[1]);

describe("mails about failed runs", () => {
  it("report the first failure at once, one mail for each watcher, by two workers", async () => {
    const run = await endRun(orders, "FAILED");
    const mails = await mailsOf(2);
    expect(recipients(mails).sort()).toEqual(["ada@example.com", "grace@example.com"]);
    const [english = "", german = ""] = mails.sort(
      (a, b) => a.indexOf("Hallo") - b.indexOf("Hallo"),
    );
    expect(english).toContain("Subject: A workflow run failed");
    expect(english).toContain("orders: 1 (HTTP_STATUS), ");
    expect(english).toContain(`https://rows.example.com/admin/workflows/${orders}/runs/${run}`);
    expect(german).toContain("Ein Workflow-Lauf ist fehlgeschlagen");
    expect(mails.join("")).not.toContain("s3cret");
  });

  it("report later failures in one digest after the interval", async () => {
    for (let count = 0; count < 5; count += 1) await endRun(orders, "FAILED");
    const last = await endRun(invoices, "FAILED");
    expect(await mailsOf(1)).toEqual([]);
    await passMinutes(14);
    expect(await mailsOf(1)).toEqual([]);
    await passMinutes(2);
    const mails = await mailsOf(2);
    expect(recipients(mails).sort()).toEqual(["ada@example.com", "grace@example.com"]);
    const digest = mails.find((mail) => mail.includes("To: ada@example.com")) ?? "";
    expect(digest).toContain("Subject: 6 workflow runs failed");
    expect(digest).toContain("orders: 5 (HTTP_STATUS), ");
    expect(digest).toContain("invoices: 1 (HTTP_STATUS), ");
    expect(digest).toContain(`/runs/${last}`);
  });

  it("do not report tests, cancellations and successes", async () => {
    await passMinutes(16);
    await endRun(orders, "FAILED", "TEST");
    await endRun(orders, "CANCELLED");
    await endRun(orders, "SUCCEEDED");
    const rows = await test.database.query("select from system.workflow_failures");
    expect(rows).toHaveLength(0);
    expect(await mailsOf(1)).toEqual([]);
  });

  it("reach no one who is an administrator no longer, or who ended the watch", async () => {
    await passMinutes(16);
    await endRun(orders, "FAILED");
    await removeWatcher(test.database, orders, ada.id, actor);
    await removeAdministrator(grace);
    expect(await mailsOf(2)).toEqual([]);
    expect(await test.database.query("select from system.workflow_failures")).toEqual([]);
  });

  it("are dropped if the person loses the right while they wait in the outbox", async () => {
    const late = await createUser(test.database, "late@example.com", "Administrators");
    await addWatcher(test.database, orders, late.id, actor);
    await endRun(orders, "FAILED");
    // Holds the row that a delivery claims, until the person has lost the right.
    await test.database.query(
      `create function public.delay_mail() returns trigger language plpgsql as
       $$ begin new.due_at := new.due_at + interval '1 hour'; return new; end $$`,
    );
    await test.database.query(
      "create trigger delay before insert on system.mails for each row execute function public.delay_mail()",
    );
    expect(await mailsOf(1)).toEqual([]);
    const held = await test.database.query("select from system.mails");
    expect(held).toHaveLength(1);
    // While it waits, further failures wait with it: a newer mail would replace it.
    await passMinutes(16);
    await endRun(orders, "FAILED");
    // The same pass drops the failure of a watcher who is an administrator no longer.
    const failing = () =>
      test.database.query(
        "select user_id::text as id from system.workflow_failures order by user_id = $1::uuid",
        [late.id],
      );
    expect(await failing()).toEqual([{ id: grace.id }, { id: late.id }]);
    await startWorker();
    await expect.poll(failing).toEqual([{ id: late.id }]);
    for (const end of ends.splice(0).reverse()) await end();
    await removeAdministrator(late);
    await passMinutes(60);
    expect(await mailsOf(1)).toEqual([]);
    expect(await test.database.query("select from system.mails")).toEqual([]);
  });
});
