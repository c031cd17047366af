// Tier: long. Waits for the timers of a hundred calls; outgoing.test.ts is in every run.
import { tmpdir } from "node:os";
import { createMailer } from "@rowhouse/accounts";
import { openDatabase, toAppError } from "@rowhouse/db";
import { openStorage } from "@rowhouse/files";
import { openRateLimits } from "@rowhouse/limits";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { createGuardedFetch, sendRequest } from "@rowhouse/workflows";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  closesAtOnce,
  drips,
  type Misbehavior,
  onceAsked,
  resetsAtOnce,
  silent,
  startFreezableProxy,
  startMisbehaving,
  stopsAfter,
} from "./misbehaving-server.ts";

// Every call that a process makes to another server ends by a timer of its own, however the server misbehaves. A call that
// does not end fails its test by the timeout of the test.

const timeoutMs = 400;
const rules = { allowed: ["127.0.0.1"], public: null };

const anyProtocol: Readonly<Record<string, Misbehavior>> = {
  "says nothing": silent,
  "closes at once": closesAtOnce,
  "resets the connection": resetsAtOnce,
};

const http: Readonly<Record<string, Misbehavior>> = {
  ...anyProtocol,
  "switches protocols": onceAsked(
    stopsAfter("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
  ),
  "switches protocols and closes": onceAsked((socket) =>
    socket.end("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
  ),
  "closes after the request": onceAsked(closesAtOnce),
  "resets after the request": onceAsked(resetsAtOnce),
  "stops in the head": onceAsked(stopsAfter("HTTP/1.1 200 OK\r\nContent-Ty")),
  "drips the head": onceAsked(drips("HTTP/1.1 200 OK\r\nX-Long: ", "x")),
  "repeats 100 Continue": onceAsked(drips("", "HTTP/1.1 100 Continue\r\n\r\n")),
  "repeats 103 Early Hints": onceAsked(drips("", "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")),
  "sends no HTTP": onceAsked(stopsAfter("220 mail.example ESMTP\r\n")),
};

const httpBody: Readonly<Record<string, Misbehavior>> = {
  "stops in the body": onceAsked(stopsAfter("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx")),
  "drips the body": onceAsked(drips("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", "x")),
  "drips chunks": onceAsked(
    drips("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"),
  ),
  "stops in compressed bytes": onceAsked(
    stopsAfter("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n\x1f"),
  ),
};

const smtp: Readonly<Record<string, Misbehavior>> = {
  ...anyProtocol,
  "drips the greeting": drips("220", "-wait\r\n220"),
  "stops after the greeting": stopsAfter("220 mail.example ESMTP\r\n"),
  "continues a response forever": (socket) => {
    socket.write("220 mail.example ESMTP\r\n");
    socket.once("data", () => drips("250-mail.example\r\n", "250-MORE\r\n")(socket));
  },
  "stops after the data": (socket) => {
    socket.write("220 mail.example ESMTP\r\n");
    let isContent = false;
    socket.on("data", (bytes) => {
      if (isContent) return;
      isContent = String(bytes).startsWith("DATA");
      socket.write(isContent ? "354 go on\r\n" : "250 mail.example\r\n");
    });
  },
};

const redis: Readonly<Record<string, Misbehavior>> = {
  ...anyProtocol,
  "sends no RESP": onceAsked(stopsAfter("HTTP/1.1 400 Bad Request\r\n\r\n")),
  "drips an answer": onceAsked(drips("$100000\r\n", "x")),
};

const postgres: Readonly<Record<string, Misbehavior>> = {
  ...anyProtocol,
  "sends no messages of PostgreSQL": onceAsked(stopsAfter("HTTP/1.1 400 Bad Request\r\n\r\n")),
  "asks for nothing": onceAsked(stopsAfter("R")),
};

const scan = (port: number) =>
  sendRequest(
    { ...request(port), method: "POST", body: new Uint8Array(100_000), redirectsMax: 0 },
    rules,
  );
const request = (port: number) => ({
  method: "GET",
  url: `http://127.0.0.1:${port}/`,
  headers: {},
  body: undefined,
  timeoutMs,
  responseBytesMax: 1_000_000,
});

const storageAt = (port: number) =>
  openStorage({
    kind: "S3",
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    bucket: "b",
    credentials: { accessKeyId: "a", secretAccessKey: "b" },
    forcePathStyle: true,
    attemptTimeoutMs: 150,
  });
const key = "objects/00000000-0000-4000-8000-000000000000";

async function inLimits(port: number): Promise<void> {
  const limits = openRateLimits({
    database: undefined,
    redisUrl: `redis://127.0.0.1:${port}`,
    report: () => {},
  });
  try {
    await limits
      .limit({ name: "n", callsPerMinute: 5, withoutCounters: "REFUSE" })
      .check("192.0.2.1");
  } finally {
    await limits.close();
  }
}

async function inDatabase(port: number): Promise<void> {
  const database = openDatabase({
    url: `postgres://u:p@127.0.0.1:${port}/d`,
    applicationName: "misbehaving",
    connectTimeoutMs: 1000,
  });
  try {
    await database.query("select 1");
  } finally {
    await database.close();
  }
}

interface OutgoingCall {
  /** The timer that ends it. */
  readonly timer: string;
  readonly call: (port: number) => Promise<unknown>;
  readonly servers: Readonly<Record<string, Misbehavior>>;
}

const calls: Readonly<Record<string, OutgoingCall>> = {
  "a request of a step": {
    timer: "timeoutMs of the step",
    call: (port) => sendRequest(request(port), rules),
    servers: { ...http, ...httpBody },
  },
  "a request to a provider, or for the document of an OAuth client": {
    timer: "timeoutMs of createGuardedFetch",
    call: (port) =>
      createGuardedFetch({ rules: () => rules, timeoutMs, responseBytesMax: 1_000_000 })(
        `http://127.0.0.1:${port}/`,
        { method: "GET", headers: {} },
      ),
    servers: { ...http, ...httpBody },
  },
  "a scan by a hook": { timer: "timeoutMs of the scan", call: scan, servers: http },
  "the head of a stored object": {
    timer: "requestTimeout of the S3 client, for each of three attempts",
    call: (port) => storageAt(port).head(key),
    servers: http,
  },
  "the start of a download": {
    timer: "requestTimeout of the S3 client, for each of three attempts",
    call: (port) => storageAt(port).get(key, 1),
    servers: http,
  },
  "an upload": {
    timer: "requestTimeout of the S3 client, for each of three attempts",
    call: (port) =>
      storageAt(port).put(
        key,
        (async function* () {
          yield Buffer.from("x");
        })(),
      ),
    servers: http,
  },
  "a mail": {
    timer: "sendMs of the mailer",
    call: (port) =>
      createMailer({
        smtpUrl: `smtp://127.0.0.1:${port}`,
        folder: tmpdir(),
        from: "a@example.com",
        onFile: () => {},
        sendMs: timeoutMs,
      }).send({ to: "b@example.com", subject: "s", text: "t", html: null }),
    servers: smtp,
  },
  "a count in Redis": { timer: "commandTimeout", call: inLimits, servers: redis },
  "a connection to PostgreSQL": {
    timer: "connect_timeout",
    call: inDatabase,
    servers: postgres,
  },
};

const rows = Object.entries(calls).flatMap(([name, { timer, call, servers }]) =>
  Object.entries(servers).map(([server, misbehave]) => ({ name, timer, server, call, misbehave })),
);

describe("an outgoing call", () => {
  it.concurrent.each(rows)("$name ends by $timer if the server $server", async (row) => {
    const server = await startMisbehaving(row.misbehave);
    try {
      await expect(row.call(server.port)).rejects.toThrow();
    } finally {
      await server.close();
    }
  });

  it("a request whose name no server resolves ends by the timeout of the step", async () => {
    const unanswered = () => new Promise<never>(() => {});
    const asked = sendRequest(
      { ...request(80), url: "http://name.example/" },
      { allowed: [], public: null },
      undefined,
      unanswered,
    );
    await expect(asked).rejects.toMatchObject({ code: "HTTP_TIMEOUT" });
  });

  it("a request ends with the signal of its run, whatever its server does", async () => {
    for (const misbehave of [silent, ...Object.values(httpBody)]) {
      const server = await startMisbehaving(misbehave);
      const stop = new AbortController();
      const sent = sendRequest({ ...request(server.port), timeoutMs: 60_000 }, rules, stop.signal);
      setTimeout(() => stop.abort(), 50);
      await expect(sent).rejects.toMatchObject({ code: "HTTP_FAILED" });
      await server.close();
    }
  });
});

describe("a statement on a connection that has become silent", () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  const openFrozen = async () => {
    const proxy = await startFreezableProxy(Number(new URL(test.url).port));
    const url = new URL(test.url);
    url.hostname = "127.0.0.1";
    url.port = String(proxy.port);
    const database = openDatabase({
      url: url.href,
      applicationName: "silent",
      connectionsMax: 2,
      connectTimeoutMs: 1000,
      statementTimeoutMs: timeoutMs,
      silenceMs: timeoutMs,
    });
    onTestFinished(async () => {
      await proxy.close();
      await database.close();
    });
    await database.query("select 1");
    return { proxy, database };
  };
  const outage = { code: "SERVICE_UNAVAILABLE" };

  it("fails, in a transaction as well, and the next one succeeds once the server answers", async () => {
    const { proxy, database } = await openFrozen();
    const inTransaction = database.transaction(async (transaction) => {
      await transaction.query("select 1");
      proxy.freeze();
      await transaction.query("select 2");
    });
    await expect(inTransaction.catch(toAppError)).resolves.toMatchObject(outage);
    await expect(database.query("select 3").catch(toAppError)).resolves.toMatchObject(outage);
    proxy.thaw();
    await expect.poll(() => database.query("select 1 as n").catch(() => [])).toEqual([{ n: 1 }]);
    await expect
      .poll(() => database.health(), { timeout: 10_000 })
      .toMatchObject({ database: true });
  });

  it("continues if the server still executes it", async () => {
    const { database } = await openFrozen();
    const slow = database.transaction(async (transaction) => {
      await transaction.query("set local statement_timeout = 0");
      return transaction.query<{ n: number }>("select 1 as n from pg_sleep(3)");
    });
    await expect(slow).resolves.toEqual([{ n: 1 }]);
  });
});
