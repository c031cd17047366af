// Tiers: all, long. Starts processes; more of them in a long run.
import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openStorage } from "@rowhouse/files";
import {
  type AppName,
  type AppProcess,
  createTestDatabase,
  createUser,
  expose,
  findFreePort,
  installationSecret,
  isLongRun,
  moveClock,
  startApp,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const uploadsAtOnce = 200;
const day = 86_400;
/** Kills of the processes, in this order, until all uploads have ended. */
const victims = ["gateway", "data-api", "workflow-worker"] as const satisfies readonly AppName[];
type Member = (typeof victims)[number] | "admin-api";

describe.runIf(isLongRun())("200 uploads at once", () => {
  let test: TestDatabase;
  let folder: string;
  let secret: string;
  const processes = new Map<Member, AppProcess>();
  const ports = new Map<Member, string>();

  const environmentOf = (app: Member): Record<string, string> => ({
    ROWHOUSE_SECRET: installationSecret,
    LOG_LEVEL: "silent",
    PORT: ports.get(app) ?? "",
    ...(app === "gateway"
      ? {
          DATA_API_URL: `http://127.0.0.1:${ports.get("data-api")}`,
          ADMIN_API_URL: `http://127.0.0.1:${ports.get("admin-api")}`,
        }
      : { DATABASE_URL: test.url, FILES_DIR: folder }),
  });
  const start = async (app: Member) => {
    processes.set(app, await startApp(app, environmentOf(app)));
  };
  const kill = async (app: Member) => {
    await processes.get(app)?.stop("SIGKILL");
  };

  beforeAll(async () => {
    test = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), "rowhouse-files-"));
    for (const app of [...victims, "admin-api"] as const) {
      ports.set(app, String(await findFreePort()));
    }
    await expose(test.database, "system", "files", "GET", "POST");
    secret = (await createUser(test.database, "ada@example.com", "Administrators")).secret;
    await test.database.query(
      `insert into system.settings (key, value) values ('files.max_uploads_at_once', '${uploadsAtOnce}')`,
    );
    await Promise.all(
      (["data-api", "admin-api", "workflow-worker", "gateway"] as const).map(start),
    );
  });
  afterAll(async () => {
    await Promise.all([...processes.values()].map((app) => app.stop()));
    await test.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const urlOf = (path: string) => `http://127.0.0.1:${ports.get("gateway")}${path}`;
  const headers = () => ({ Authorization: `Bearer ${secret}` });
  const textOf = (index: number) => `${index} `.repeat(50_000);
  /** Sends a file slowly; undefined if it failed. */
  const uploadOnce = async (index: number): Promise<string | undefined> => {
    const bytes = Buffer.from(textOf(index));
    async function* slowly() {
      for (let at = 0; at < bytes.length; at += 32_768) {
        yield bytes.subarray(at, at + 32_768);
        await delay(100);
      }
    }
    try {
      const answer = await fetch(urlOf(`/api/files?name=${index}.txt`), {
        method: "POST",
        headers: { ...headers(), "Content-Type": "text/plain" },
        body: ReadableStream.from(slowly()),
        duplex: "half",
      } as RequestInit);
      const body = (await answer.json()) as { data?: { id: string } };
      return answer.status === 201 ? body.data?.id : undefined;
    } catch {
      return undefined;
    }
  };
  const upload = async (index: number): Promise<string> => {
    for (;;) {
      const id = await uploadOnce(index);
      if (id !== undefined) return id;
      await delay(500);
    }
  };

  it("each file that was confirmed is whole, and in the end no row lacks an object and no object a row", async () => {
    const uploads = Promise.all(Array.from({ length: uploadsAtOnce }, (_, index) => upload(index)));
    let isOver = false;
    const over = uploads.finally(() => {
      isOver = true;
    });
    let kills = 0;
    for (const app of [...victims, ...victims]) {
      if (isOver) break;
      await delay(700);
      await kill(app);
      kills += 1;
      await start(app);
    }
    const ids = await over;
    expect(kills).toBeGreaterThanOrEqual(3);
    for (const [index, id] of ids.entries()) {
      const answer = await fetch(urlOf(`/api/files/${id}`), { headers: headers() });
      expect([answer.status, (await answer.text()) === textOf(index)]).toEqual([200, true]);
    }

    // Two days later a worker has swept what the kills left.
    await kill("workflow-worker");
    await age(folder, Date.now() / 1000 - 2 * day);
    await moveClock(test.database, 2 * day);
    await test.database.query("update system.sessions set expires_at = now() + interval '9 days'");
    await start("workflow-worker");
    const storage = openStorage({ kind: "DIRECTORY", path: folder });
    const stored = async () => {
      const keys: string[] = [];
      for await (const { key } of storage.list("")) keys.push(key);
      return keys;
    };
    const files = await test.database.query<{
      key: string;
      bytes: number;
      sha256: string;
      state: string;
    }>(
      "select storage_key as key, bytes::float8 as bytes, sha256, state from system.files order by storage_key",
    );
    expect(files.length).toBeGreaterThanOrEqual(uploadsAtOnce);
    await expect
      .poll(stored, { timeout: 100_000, interval: 1000 })
      .toEqual(files.map(({ key }) => key));
    const left = async () => [
      ...(await readdir(join(folder, ".unfinished"))),
      ...(await test.database.query("select from system.uploads")),
    ];
    // Each sweep has a turn of its own.
    await expect.poll(left, { timeout: 100_000, interval: 1000 }).toEqual([]);
    for (const { key, bytes, sha256, state } of files) {
      const hash = createHash("sha256");
      for await (const chunk of await storage.get(key, bytes)) hash.update(chunk);
      expect([state, hash.digest("hex")]).toEqual(["READY", sha256]);
    }
  }, 600_000);
});

/** Sets the time of all files of a folder. */
async function age(folder: string, seconds: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), seconds, seconds);
  }
}
