// Tier: long. Kills processes.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

// A step that makes a file stores the bytes, and then writes row and journal in one transaction.
let test: TestDatabase;
let folder: string;
let service: AppProcess;
const start = () =>
  startApp("standalone", {
    DATABASE_URL: test.url,
    SYSTEM_DATABASE_URL: test.systemUrl ?? "",
    FILES_DIR: folder,
    ROWHOUSE_SECRET: installationSecret,
    ROWHOUSE_ADMIN_EMAIL: signIn.email,
    ROWHOUSE_ADMIN_PASSWORD: signIn.password,
  });
beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "rowhouse-files-"));
  service = await start();
});
afterAll(async () => {
  await service.stop();
  await test.drop();
  await rm(folder, { recursive: true, force: true });
});

it("a step whose process is killed between bytes and journal makes one file", async () => {
  const { database } = test;
  const client = createClient(service);
  const as = await client.signIn(signIn);
  const administer = async (method: string, path: string, data?: unknown) => {
    const body = data === undefined ? {} : { body: { data } };
    return (await client.ask(method, `/admin/api${path}`, { as, ...body })).body?.data;
  };
  const [files] = await administer("GET", "/resources?schema=system&search=.files");
  await administer("PATCH", `/resources/${files.id}`, { exposedMethods: ["GET", "POST"] });
  const executeAs = (await client.ask("GET", "/api/auth/me", { as })).body.data.id;
  const workflow = await administer("POST", "/workflows", {
    slug: "killed",
    name: "Killed",
    definition: {
      trigger: { kind: "manual", executeAs },
      steps: [
        { id: "file", kind: "storeFile", name: "killed.txt", content: "once" },
        { id: "end", kind: "finish", result: "{{steps.file.id}}" },
      ],
    },
  });
  await administer("POST", `/workflows/${workflow.id}/publish`);
  await administer("POST", `/workflows/${workflow.id}/enable`);

  const complete = () =>
    database.query<{ id: string }>("select id from system.uploads where state = 'COMPLETE'");
  let run = { run: "" };
  await database.transaction(async (holder) => {
    await holder.query("lock table system.files in share mode");
    run = await administer("POST", `/workflows/${workflow.id}/runs`, {});
    await expect.poll(complete, { timeout: 30_000 }).toHaveLength(1);
    await service.stop("SIGKILL");
  });
  const [abandoned] = await complete();

  service = await start();
  const ended = async () => {
    const [row] = await database.query<{ status: string; result: unknown }>(
      "select status, result from system.workflow_runs where id = $1::text::uuid",
      [run.run],
    );
    return row;
  };
  await expect
    .poll(ended, { timeout: 60_000, interval: 200 })
    .toMatchObject({ status: "SUCCEEDED" });
  const stored = await database.query("select id, name from system.files");
  expect(stored).toEqual([{ id: (await ended())?.result, name: "killed.txt" }]);
  // No row takes the first upload: it expires, and its object is removed.
  expect(await complete()).toEqual([abandoned]);
});
