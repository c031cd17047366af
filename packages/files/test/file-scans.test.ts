import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, createServer, type Socket, type Server as SocketServer } from "node:net";
import { buffer, text } from "node:stream/consumers";
import {
  type Clamd,
  clamdStreamBytesMax,
  createTestDatabase,
  eicar,
  hasClamd,
  startClamd,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SendToHook, startFileScans } from "../src/index.ts";
import { storeFile } from "./stored-file.ts";
import { openWatchedStorage, type WatchedStorage } from "./watched-storage.ts";

let test: TestDatabase;
let watched: WatchedStorage;
let url: string | null;
let faults: string[];
const ends: (() => Promise<unknown> | unknown)[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
beforeEach(async () => {
  watched = await openWatchedStorage();
  faults = [];
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
  await watched.close();
  await test.database.query("delete from system.files");
});

const send: SendToHook = async ({ url: to, content, bytes, headers, signal }) => {
  const body = await buffer(content);
  const sized = { ...headers, "content-length": String(bytes) };
  const response = await fetch(to, {
    method: "POST",
    headers: sized,
    body: new Uint8Array(body),
    signal,
  });
  return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
};

function startScans() {
  const scans = startFileScans({
    database: test.service,
    storage: watched.storage,
    scanUrl: async () => url,
    send,
    report: (error) => faults.push(causeOf(error)),
    pauseMs: 20,
  });
  const close = () => scans.close();
  ends.push(close);
  return close;
}

function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}

const quarantine = (content: Uint8Array | string) =>
  storeFile({ database: test.database, storage: watched.storage }, Buffer.from(content), "a", true);

interface ScanState {
  readonly state: string;
  readonly finding: string | null;
  readonly isFinished: boolean;
  readonly attempts: number;
  readonly seconds: number;
}

async function stateOf({ id }: { readonly id: string }): Promise<ScanState | undefined> {
  const [row] = await test.database.query<ScanState>(
    `select f.state, s.finding, s.finished_at is not null as "isFinished", s.attempts,
       extract(epoch from s.next_at - now())::integer as seconds
     from system.files f join system.file_scans s on s.file_id = f.id where f.id = $1::uuid`,
    [id],
  );
  return row;
}

const eventually = { timeout: 10_000, interval: 20 };

async function listen(server: Server | SocketServer): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function startHook(listener: RequestListener): Promise<void> {
  const server = createHttpServer(listener);
  url = `http://127.0.0.1:${await listen(server)}/scan`;
}

/** A server that speaks the protocol of clamd as far as a fault of it requires. */
async function startBrokenClamd(answer: (socket: Socket) => void): Promise<void> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    answer(socket);
  });
  url = `clamd://127.0.0.1:${await listen(server)}`;
}

describe("a scan by an HTTP hook", () => {
  it("releases a file that the hook calls clean, after the hook received all bytes", async () => {
    const received: string[] = [];
    await startHook((request, response) => {
      text(request).then((body) => {
        received.push(`${request.method} ${request.headers["content-length"]} ${body}`);
        response.end('{"clean": true}');
      });
    });
    const file = await quarantine("hello");
    startScans();
    await expect.poll(() => stateOf(file), eventually).toMatchObject({ state: "READY" });
    expect(await stateOf(file)).toMatchObject({ finding: null, isFinished: true, attempts: 1 });
    expect(received).toEqual(["POST 5 hello"]);
  });

  it("keeps a file in quarantine with the finding, and records it for administrators", async () => {
    await startHook((_request, response) => response.end('{"clean":false,"finding":"Worm.A"}'));
    const file = await quarantine("worm");
    startScans();
    await expect.poll(() => stateOf(file), eventually).toMatchObject({ isFinished: true });
    expect(await stateOf(file)).toMatchObject({ state: "QUARANTINED", finding: "Worm.A" });
    const entries = await test.database.query(
      "select action, target_kind, actor_user_id from system.audit_log where target_id = $1::text",
      [file.id],
    );
    expect(entries).toEqual([
      { action: "file.quarantine", target_kind: "file", actor_user_id: null },
    ]);
    expect(faults).toEqual([]);
  });

  it.each([
    ["an error", 500, '{"clean": true}'],
    ["a redirect", 302, '{"clean": true}'],
    ["an empty response", 204, ""],
    ["a page", 200, "<html>"],
    ["a text instead of a boolean", 200, '{"clean": "true"}'],
    ["another object", 200, "{}"],
  ])("releases nothing after %s, and repeats the scan later", async (_case, status, body) => {
    await startHook((_request, response) => response.writeHead(status).end(body));
    const file = await quarantine("hello");
    startScans();
    await expect.poll(() => faults.length, eventually).toBe(1);
    const state = await stateOf(file);
    expect(state).toMatchObject({ state: "QUARANTINED", isFinished: false, finding: null });
    expect(state?.seconds).toBeLessThanOrEqual(2);
  });

  it("repeats a scan until the hook answers, with growing pauses up to an hour", async () => {
    let calls = 0;
    await startHook((_request, response) => {
      calls += 1;
      if (calls === 1) response.destroy();
      else response.end('{"clean": true}');
    });
    const file = await quarantine("hello");
    await test.database.query(
      "update system.file_scans set attempts = 30 where file_id = $1::uuid",
      [file.id],
    );
    startScans();
    await expect.poll(() => faults.length, eventually).toBe(1);
    expect((await stateOf(file))?.seconds).toBeGreaterThan(3500);
    await test.database.query("update system.file_scans set next_at = now()");
    await expect.poll(() => stateOf(file), eventually).toMatchObject({ state: "READY" });
  });

  it("scans a file once, however many workers there are", async () => {
    const bodies: string[] = [];
    await startHook((request, response) => {
      text(request).then((body) => {
        bodies.push(body);
        response.end('{"clean": true}');
      });
    });
    const names = Array.from({ length: 20 }, (_, index) => `file ${index}`);
    const stored = await Promise.all(names.map(quarantine));
    startScans();
    startScans();
    for (const file of stored) {
      await expect.poll(() => stateOf(file), eventually).toMatchObject({ state: "READY" });
    }
    expect(bodies.sort()).toEqual(names.sort());
  });

  it("does not release a new version by the verdict on the former one", async () => {
    const file = await quarantine("former");
    await startHook((_request, response) => {
      test.database
        .query("update system.files set sha256 = 'new' where id = $1::uuid", [file.id])
        .then(() => response.end('{"clean": true}'));
    });
    const close = startScans();
    await expect.poll(async () => (await stateOf(file))?.attempts, eventually).toBe(1);
    await close();
    expect(await stateOf(file)).toMatchObject({ state: "QUARANTINED", isFinished: false });
  });

  it("leaves the scan to another worker at once when its process stops", async () => {
    let isCalled = false;
    await startHook(() => {
      isCalled = true;
    });
    const file = await quarantine("hello");
    const close = startScans();
    await expect.poll(() => isCalled, eventually).toBe(true);
    await close();
    expect(faults).toEqual([]);
    expect((await stateOf(file))?.seconds).toBeLessThanOrEqual(0);
  });

  it("releases nothing without a scanner", async () => {
    url = null;
    const file = await quarantine("hello");
    const close = startScans();
    await close();
    expect(await stateOf(file)).toMatchObject({ state: "QUARANTINED", attempts: 0 });
  });
});

describe("a scan by a faulty clamd", () => {
  it.each([
    ["closes the connection", (socket: Socket) => socket.end()],
    ["resets the connection", (socket: Socket) => socket.resetAndDestroy()],
    ["replies with an error", (socket: Socket) => socket.end("INSTREAM: ERROR\0")],
    ["sends too much", (socket: Socket) => socket.end("x".repeat(100_000))],
    ["replies before it has all bytes", (socket: Socket) => socket.end("stream: OK")],
  ])("has no verdict if the daemon %s", async (_case, answer) => {
    await startBrokenClamd(answer);
    const file = await quarantine(Buffer.alloc(8_000_000, "a"));
    startScans();
    await expect.poll(() => faults.length, eventually).toBeGreaterThan(0);
    expect(await stateOf(file)).toMatchObject({ state: "QUARANTINED", isFinished: false });
  });

  it("has no verdict if no daemon listens", async () => {
    url = "clamd://127.0.0.1:1";
    const file = await quarantine("hello");
    startScans();
    await expect.poll(() => faults, eventually).toEqual(["connect ECONNREFUSED 127.0.0.1:1"]);
    expect(await stateOf(file)).toMatchObject({ state: "QUARANTINED", isFinished: false });
  });
});

describe.skipIf(!hasClamd())("a scan by clamd", () => {
  let clamd: Clamd;
  beforeAll(async () => {
    clamd = await startClamd();
  });
  afterAll(() => clamd.stop());
  beforeEach(() => {
    url = clamd.url;
  });

  it("releases clean files of any size below the limit of the daemon", async () => {
    const files = [
      await quarantine("hello"),
      await quarantine(""),
      await quarantine(Buffer.alloc(clamdStreamBytesMax - 1, "abc")),
    ];
    startScans();
    for (const file of files) {
      await expect.poll(() => stateOf(file), eventually).toMatchObject({ state: "READY" });
    }
  });

  it("keeps a threat in quarantine", async () => {
    const file = await quarantine(eicar);
    startScans();
    await expect.poll(() => stateOf(file), eventually).toMatchObject({ isFinished: true });
    expect(await stateOf(file)).toMatchObject({
      state: "QUARANTINED",
      finding: "Eicar-Test-Signature.UNOFFICIAL",
    });
  });

  it("keeps a file in quarantine that is larger than the daemon accepts", async () => {
    const file = await quarantine(Buffer.alloc(clamdStreamBytesMax * 4, "abc"));
    startScans();
    await expect.poll(() => faults.length, eventually).toBe(1);
    expect(await stateOf(file)).toMatchObject({ state: "QUARANTINED", isFinished: false });
  });
});
