import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tryWrite } from "../src/health-check.ts";
import { openDatabase } from "../src/index.ts";
import { asItIs, openWire } from "./driver/wire.ts";

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ login: "owner" });
});
afterAll(() => test.drop());

it("a health check succeeds at once while statements occupy the whole pool", async () => {
  const database = openDatabase({ url: test.url, applicationName: "ping", connectionsMax: 1 });
  try {
    let ended = false;
    const slow = database.query("select pg_sleep(1.5)").then(() => {
      ended = true;
    });
    const found = await Promise.all([database.ping(), database.health(), database.health()]);
    expect(found).toEqual([undefined, { database: true }, { database: true }]);
    expect(ended).toBe(false);
    await slow;
  } finally {
    await database.close();
  }
});

it("a health check fails while PostgreSQL is unavailable, and the next one tries again", async () => {
  const database = openDatabase({
    url: "postgres://nobody@127.0.0.1:1/nothing",
    applicationName: "ping",
  });
  try {
    await expect(database.ping()).rejects.toMatchObject({ code: "ECONNREFUSED" });
    expect(await database.health()).toEqual({ database: false });
    expect(await database.health()).toEqual({ database: false });
  } finally {
    await database.close();
  }
});

it("a server that accepts statements and answers none is unavailable", async () => {
  const wire = await openWire(test.url);
  const database = openDatabase({ url: wire.url, applicationName: "ping" });
  try {
    expect(await database.health()).toEqual({ database: true });
    wire.relay = () => [];
    expect(await database.health()).toEqual({ database: false });
    expect(await database.health()).toEqual({ database: false });
  } finally {
    wire.relay = asItIs;
    await wire.close();
    await database.close();
  }
});

it("writes that fail in a row are reported, with reads that succeed in between, until they succeed", async () => {
  const name = new URL(test.url).pathname.slice(1);
  await test.database.query("create table public.kept (id int)");
  const database = openDatabase({ url: test.url, applicationName: "ping" });
  const write = () => database.query("insert into public.kept values (1)");
  try {
    await test.database.query(`alter database ${name} set default_transaction_read_only = on`);
    database.renew();
    for (let count = 1; count <= 3; count += 1) {
      await expect(write()).rejects.toThrow("read-only transaction");
      await database.query("select 1");
      expect(await database.health()).toEqual({
        database: true,
        ...(count < 3 ? {} : { writes: false }),
      });
    }
    await test.database.query(`alter database ${name} reset all`);
    database.renew();
    expect(await database.health()).toEqual({ database: true });
    await write();
  } finally {
    await database.close();
  }
});

it("the trial of writes succeeds with the service's own login, so that failures end", async () => {
  const separate = await createTestDatabase({ login: "service" });
  try {
    await tryWrite(separate.service);
  } finally {
    await separate.drop();
  }
});

it("rejected writes of callers do not count", async () => {
  await test.database.query("create table public.checked (id int check (id > 0))");
  const database = openDatabase({ url: test.url, applicationName: "ping" });
  try {
    for (let count = 0; count < 5; count += 1) {
      await expect(database.query("insert into public.checked values (-1)")).rejects.toThrow();
      await expect(
        database.transaction((transaction) => transaction.query("insert into nowhere values (1)")),
      ).rejects.toThrow();
    }
    expect(await database.health()).toEqual({ database: true });
  } finally {
    await database.close();
  }
});
