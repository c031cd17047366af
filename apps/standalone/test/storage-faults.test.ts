// Tiers: all, long. Starts processes; more of them in a long run.
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  type AppProcess,
  createTestDatabase,
  expose,
  installationSecret,
  isLongRun,
  type S3Server,
  signIn,
  startApp,
  startS3Server,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import { downloadFile, uploadFile } from "./files.ts";

let test: TestDatabase;
let service: AppProcess;
let as: string;

async function start(environment: Readonly<Record<string, string>>): Promise<void> {
  test = await createTestDatabase();
  await expose(test.database, "system", "files", "GET", "POST");
  service = await startApp("standalone", {
    DATABASE_URL: test.url,
    SYSTEM_DATABASE_URL: test.systemUrl ?? "",
    ROWHOUSE_SECRET: installationSecret,
    ROWHOUSE_ADMIN_EMAIL: signIn.email,
    ROWHOUSE_ADMIN_PASSWORD: signIn.password,
    LOG_LEVEL: "silent",
    ...environment,
  });
  as = await createClient(service).signIn(signIn);
}
async function stop(): Promise<void> {
  await service?.stop();
  await test?.drop();
}

/** Uploads bytes that may be rejected. */
const upload = async (bytes: Buffer) => {
  const answer = await fetch(`${service.url}/api/files?name=a.bin`, {
    method: "POST",
    headers: { Authorization: `Bearer ${as}`, "Content-Type": "application/octet-stream" },
    body: bytes,
  });
  const body = (await answer.json()) as { errors?: { code: string; message: string }[] };
  const { code, message } = body.errors?.[0] ?? {};
  return [answer.status, code, message, answer.headers.get("Retry-After")];
};
const rows = async () => {
  const [counted] = await test.database.query<{ files: number; uploads: number }>(
    `select (select count(*)::int from system.files) as files,
       (select count(*)::int from system.uploads where state = 'COMPLETE') as uploads`,
  );
  return counted;
};

describe("a full disk", () => {
  let folder: string;
  let isMounted: boolean;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rowhouse-full-"));
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", folder]);
    isMounted = mounted.status === 0;
    if (isMounted) await start({ FILES_DIR: folder });
  });
  afterAll(async () => {
    if (isMounted) await stop();
    if (isMounted) spawnSync("umount", [folder]);
    await rm(folder, { recursive: true, force: true });
  });

  it("rejects an upload with 503 and leaves neither a row nor bytes; other requests are served", async (context) => {
    if (!isMounted) return context.skip("a file system cannot be mounted here");
    const id = await uploadFile(service, as, "first.txt", "x".repeat(1_000_000));
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await upload(Buffer.alloc(2_000_000, 1))).toEqual([
        503,
        "SERVICE_UNAVAILABLE",
        "The storage of files is full",
        "60",
      ]);
    }
    expect(await readdir(join(folder, ".unfinished"))).toEqual([]);
    expect(await rows()).toEqual({ files: 1, uploads: 0 });
    // The service closes the connection of a body that it has not read, perhaps only when the next request uses it.
    const download = () => downloadFile(service, as, id).catch(() => undefined);
    await expect.poll(download).toEqual([200, "x".repeat(1_000_000)]);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    // What fits is stored.
    await uploadFile(service, as, "small.txt", "small");
  });
});

describe("a full disk of the embedded database", () => {
  it("is named by /readyz and the log, from the first write on that it rejects", async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "rowhouse-full-"));
    const options = "size=400m,mode=0777";
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]);
    if (mounted.status !== 0) return context.skip("a file system cannot be mounted here");
    const app = await startApp("standalone", {
      ROWHOUSE_DATA_DIR: join(folder, "data"),
      ROWHOUSE_ADMIN_EMAIL: signIn.email,
      ROWHOUSE_ADMIN_PASSWORD: signIn.password,
    });
    try {
      for (const size of ["1M", "1k"]) {
        spawnSync("dd", ["if=/dev/zero", `of=${join(folder, size)}`, `bs=${size}`]);
      }
      const named = async () => {
        await createClient(app)
          .signIn(signIn)
          .catch(() => {});
        const answer = await fetch(`${app.url}/readyz`);
        const { errors } = (await answer.json()) as {
          errors?: { details: { checks: Record<string, boolean> } }[];
        };
        return errors?.[0]?.details.checks.disk;
      };
      await expect.poll(named, { timeout: 20_000 }).toBe(false);
      await expect.poll(() => app.output()).toMatch(/"disk":false.*"msg":"Not ready"/);
      for (const size of ["1M", "1k"]) await rm(join(folder, size));
      await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status).toBe(200);
    } finally {
      await app.stop();
      spawnSync("umount", [folder]);
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("a bucket that answers wrongly", () => {
  let store: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  const rejection = (response: ServerResponse) =>
    response
      .writeHead(403, { "Content-Type": "application/xml" })
      .end("<Error><Code>SignatureDoesNotMatch</Code><Message>No.</Message></Error>");
  beforeAll(async () => {
    answer = (_request, response) => rejection(response);
    store = createServer((request, response) => {
      request.resume();
      request.on("end", () => answer(request, response));
    }).listen(0, "127.0.0.1");
    await once(store, "listening");
    const { port } = store.address() as AddressInfo;
    await start({
      LOG_LEVEL: "warn",
      S3_BUCKET: "rowhouse-files",
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: "secret",
    });
  });
  afterAll(async () => {
    await stop();
    store?.close();
    store?.closeAllConnections();
  });

  const away = [
    503,
    "SERVICE_UNAVAILABLE",
    "The storage of files is temporarily unavailable",
    "5",
  ] as const;

  it("names rejected keys in the log from the start on, while callers get 503 and the process is ready", async () => {
    const named = "The object store rejects this service: SignatureDoesNotMatch (status 403): No.";
    await expect.poll(service.output).toContain("The storage of files cannot be used");
    expect(service.output()).toContain(named);
    const logged = service.output().length;
    expect(await upload(Buffer.from("x"))).toEqual(away);
    await expect.poll(() => service.output().slice(logged)).toContain(named);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  it("rejects an upload that a page answers with 200, and leaves no row", async () => {
    answer = (_request, response) =>
      response.writeHead(200, { "Content-Type": "text/html", ETag: '"page"' }).end("<html></html>");
    for (const bytes of ["x", "some bytes"]) expect(await upload(Buffer.from(bytes))).toEqual(away);
    expect(await rows()).toEqual({ files: 0, uploads: 0 });
  });

  it("breaks off a download that has fewer or more bytes than its row, and serves none of another size", async () => {
    const stored = Buffer.alloc(1_000_000, "a");
    const head = (length: number) => ({
      ...{ "Content-Length": length, "Content-Type": "application/octet-stream" },
      ...{ ETag: '"stored"', "Last-Modified": new Date().toUTCString() },
    });
    answer = ({ method }, response) =>
      response
        .writeHead(200, head(method === "PUT" ? 0 : stored.length))
        .end(method === "GET" ? stored : undefined);
    const id = await uploadFile(service, as, "a.txt", String(stored));
    expect((await downloadFile(service, as, id))[0]).toBe(200);
    answer = (_request, response) => {
      response
        .writeHead(200, head(stored.length))
        .write(stored.subarray(0, 500_000), () => response.destroy());
    };
    await expect(downloadFile(service, as, id)).rejects.toThrow();
    for (const length of [999_999, 1_000_001]) {
      answer = (_request, response) =>
        response.writeHead(200, head(length)).end(Buffer.alloc(length));
      expect((await downloadFile(service, as, id))[0]).toBe(503);
    }
  });
});

// It waits for the 20 seconds: a part of `npm run test:long`.
const isLong = isLongRun();

describe.runIf(isLong)("a bucket that is away for 20 seconds", () => {
  let server: S3Server;
  beforeEach(async () => {
    server = await startS3Server();
    await start(server.environment);
  });
  afterEach(async () => {
    await stop();
    await server?.stop();
  });

  it("is 503 with Retry-After for bytes, while rows are served and the process is ready; then all works again", async () => {
    const id = await uploadFile(service, as, "first.txt", "before");
    expect(await downloadFile(service, as, id)).toEqual([200, "before"]);
    await server.pause();
    const until = Date.now() + 20_000;
    do {
      const download = await fetch(`${service.url}/api/files/${id}`, {
        headers: { Authorization: `Bearer ${as}` },
      });
      expect([download.status, download.headers.get("Retry-After")]).toEqual([503, "5"]);
      expect(await upload(Buffer.from("during"))).toEqual([
        503,
        "SERVICE_UNAVAILABLE",
        "The storage of files is temporarily unavailable",
        "5",
      ]);
      const list = await createClient(service).ask("GET", "/api/system/table/files", { as });
      expect([list.status, list.body.data.length]).toEqual([200, 1]);
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      await delay(500);
    } while (Date.now() < until);
    await server.resume();
    expect(await downloadFile(service, as, id)).toEqual([200, "before"]);
    const after = await uploadFile(service, as, "after.txt", "after");
    expect(await downloadFile(service, as, after)).toEqual([200, "after"]);
    expect(await rows()).toEqual({ files: 2, uploads: 0 });
  });
});
