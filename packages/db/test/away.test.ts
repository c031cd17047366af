// Tier: long. Waits for a server that is away; lost-connection.test.ts is in every run.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createTestDatabase,
  hasPgBouncer,
  type PgBouncerServer,
  startPgBouncer,
  type TestDatabase,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectDatabase, openDatabase, toAppError } from "../src/index.ts";

/** A server that forwards connections, and that can be away. */
async function openForwarder(target: URL) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = new URL(target);
  url.port = String(port);
  url.hostname = "127.0.0.1";
  return {
    url: url.href,
    leave: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await sleep(0);
    },
    comeBack: async () => {
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
  };
}

const places = hasPgBouncer() ? [false, true] : [false];
describe.each(places)("a server that goes away, a pooler: %s", (isPooled) => {
  let test: TestDatabase;
  let pooler: PgBouncerServer | undefined;
  beforeAll(async () => {
    test = await createTestDatabase({ login: "service" });
    if (isPooled) pooler = await startPgBouncer(test.url, 5);
  });
  afterAll(async () => {
    await pooler?.stop();
    await test.drop();
  });

  async function open() {
    const forwarder = await openForwarder(new URL(pooler?.urlOf(test.url) ?? test.url));
    const database = await connectDatabase({
      url: forwarder.url,
      ...(isPooled ? { directUrl: test.url, prepare: false } : {}),
      applicationName: "away",
      connectionsMax: 4,
    });
    await Promise.all(Array.from({ length: 20 }, () => database.query("select pg_sleep(0.05)")));
    return { forwarder, database };
  }
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => "DONE",
      (error: unknown) => toAppError(error).code,
    );

  it("answers every read, and what was not sent, after its return", async () => {
    const { forwarder, database } = await open();
    await test.database.query("create table public.kept (id int)");
    const login = decodeURIComponent(new URL(test.url).username);
    await test.database.query(`grant all on public.kept to "${login}"`);
    const running = codeOf(database.query("select pg_sleep(0.3)", [], { readOnly: true }));
    await sleep(100);
    await forwarder.leave();
    await sleep(100);
    const insert = "insert into public.kept values (1)";
    const outcomes = [running, codeOf(database.transaction((on) => on.query(insert)))];
    for (let count = 0; count < 90; count += 1) {
      outcomes.push(codeOf(database.query("select 1", [], { readOnly: true })));
      await sleep(25);
    }
    outcomes.push(codeOf(database.query(insert)));
    await forwarder.comeBack();
    const found = await Promise.all(outcomes);
    expect(found).toEqual(found.map(() => "DONE"));
    expect(await test.database.query("select from public.kept")).toHaveLength(2);
    await test.database.query("drop table public.kept");
    await database.close();
    await forwarder.leave();
  });

  it("never sends a write again that may have been sent", async () => {
    const { forwarder, database } = await open();
    const write = codeOf(database.query("do $$ begin perform pg_sleep(1); end $$"));
    const inTransaction = codeOf(
      database.transaction(async (on) => {
        await on.query("select 1");
        await on.query("select pg_sleep(1)");
      }),
    );
    await sleep(300);
    await forwarder.leave();
    await forwarder.comeBack();
    expect(await Promise.all([write, inTransaction])).toEqual([
      ...["SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE"],
    ]);
    await database.close();
    await forwarder.leave();
  });

  it("fails at once what comes after five seconds, and what was never there", async () => {
    const { forwarder, database } = await open();
    await forwarder.leave();
    const read = () => codeOf(database.query("select 1", [], { readOnly: true }));
    expect(await read()).toBe("SERVICE_UNAVAILABLE");
    expect(await Promise.race([read(), sleep(2000, "late")])).toBe("SERVICE_UNAVAILABLE");
    const url = forwarder.url;
    const never = openDatabase({ url, applicationName: "never" });
    const first = codeOf(never.query("select 1", [], { readOnly: true }));
    expect(await Promise.race([first, sleep(2000, "late")])).toBe("SERVICE_UNAVAILABLE");
    await forwarder.comeBack();
    expect(await read()).toBe("DONE");
    await Promise.all([database.close(), never.close()]);
    await forwarder.leave();
  });
});
