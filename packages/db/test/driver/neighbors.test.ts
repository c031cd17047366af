import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import type postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectDirectly } from "../../src/client.ts";
import { asItIs, openWire, type Wire } from "./wire.ts";

// The patched driver (patches/postgres@3.4.9.patch), with several statements in one connection's pipeline.

let test: TestDatabase;
let wire: Wire;
beforeAll(async () => {
  test = await createTestDatabase();
  wire = await openWire(test.url);
  await test.database.query("create table public.written (note text)");
});
afterEach(async () => {
  wire.relay = asItIs;
  await test.database.query("truncate public.written");
});
afterAll(async () => {
  await wire.close();
  await test.drop();
});

/** Runs `work` on its own pool. */
async function withPool(
  connectionsMax: number,
  work: (sql: postgres.Sql) => Promise<void>,
): Promise<void> {
  const sql = connectDirectly({ url: wire.url, applicationName: "neighbors", connectionsMax });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

const failing = "select n, 1 / (n - 3) as part from generate_series(1, 5) n";
const marked = (mark: string) => [{ mark }];
const send = (sql: postgres.Sql | postgres.TransactionSql, mark: string, prepare = true) =>
  sql.unsafe("select $1::text as mark", [mark], { prepare }).execute();
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string; message: string }) => error.code ?? error.message,
  );

describe("statements one after the other", () => {
  it("use the connection that was in use last, so that its process has warm caches", () =>
    withPool(4, async (sql) => {
      const backend = async () => (await sql.unsafe("select pg_backend_pid() as pid"))[0]?.pid;
      const all = await Promise.all(Array.from({ length: 4 }, backend));
      expect(new Set(all).size).toBe(4);
      const used = new Set<unknown>();
      for (let count = 0; count < 8; count += 1) used.add(await backend());
      expect(used.size).toBe(1);
    }));
});

describe("statements in one pipeline", () => {
  it("receive their own results in any order of failures and preparations", () =>
    withPool(1, async (sql) => {
      for (let round = 0; round < 20; round += 1) {
        const asked = Array.from({ length: 40 }, (_, index) => {
          const mark = `${round}.${index}`;
          return (index * 7 + round) % 3 === 0
            ? codeOf(sql.unsafe(failing, [], { prepare: index % 2 === 0 }))
            : send(sql, mark, index % 2 === 0).then((rows) => rows[0]?.mark);
        });
        const expected = asked.map((_, index) =>
          (index * 7 + round) % 3 === 0 ? "22012" : `${round}.${index}`,
        );
        expect(await Promise.all(asked)).toEqual(expected);
      }
    }));

  it("receive their own results when a prepared statement is prepared again", () =>
    withPool(1, async (sql) => {
      await test.database.query("create table public.shape (a integer)");
      await test.database.query("insert into public.shape values (1)");
      const text = "select shape.*, $1::text as mark from public.shape";
      const read = (mark: string) => sql.unsafe(text, [mark], { prepare: true }).execute();
      expect(await read("first")).toEqual([{ a: 1, mark: "first" }]);
      await test.database.query("alter table public.shape alter a type text, add b text");
      const asked = [send(sql, "w"), read("x"), send(sql, "y"), read("z")];
      const late = asked[0]?.then(() => Promise.all([send(sql, "s"), send(sql, "t", false)]));
      expect(await Promise.all(asked)).toEqual([
        marked("w"),
        [{ a: "1", b: null, mark: "x" }],
        marked("y"),
        [{ a: "1", b: null, mark: "z" }],
      ]);
      expect(await late).toEqual([marked("s"), marked("t")]);
    }));

  it("receive their own results when one of them is canceled before its turn", () =>
    withPool(1, async (sql) => {
      await send(sql, "open");
      const slow = sql.unsafe("select pg_sleep(0.3)::text as mark").execute();
      const canceled = sql.unsafe("select pg_sleep(60)::text as mark").execute();
      const others = ["c", "d", "e"].map((mark) =>
        sql.unsafe(`select '${mark}' as mark`).execute(),
      );
      const outcome = codeOf(canceled);
      await Promise.resolve();
      await Promise.resolve();
      canceled.cancel();
      expect(await slow).toEqual(marked(""));
      expect(await outcome).toBe("57014");
      expect(await Promise.all(others)).toEqual([marked("c"), marked("d"), marked("e")]);
    }));

  it("receive their own results when one of them cannot be sent", () =>
    withPool(1, async (sql) => {
      await send(sql, "open");
      const tooMany = new Array<string>(65_534).fill("1");
      const missing = [undefined] as unknown as string[];
      const asked = [
        send(sql, "a").then((rows) => rows[0]?.mark),
        codeOf(sql.unsafe("select $1::text", missing).execute()),
        send(sql, "b").then((rows) => rows[0]?.mark),
        codeOf(sql.unsafe("select $1::text", tooMany).execute()),
        send(sql, "c", false).then((rows) => rows[0]?.mark),
      ];
      const expected = ["a", "UNDEFINED_VALUE", "b", "MAX_PARAMETERS_EXCEEDED", "c"];
      expect(await Promise.all(asked)).toEqual(expected);
      expect(await codeOf(sql.unsafe("select $1::text", missing))).toBe("UNDEFINED_VALUE");
      expect(await send(sql, "d")).toEqual(marked("d"));
    }));
});

describe("a transaction", () => {
  it("has its own connection regardless of the statements in the pipelines", () =>
    withPool(2, async (sql) => {
      await Promise.all([send(sql, "open"), send(sql, "open")]);
      for (let before = 195; before <= 205; before += 1) {
        const others = Array.from({ length: before }, (_, n) =>
          sql.unsafe(`select ${n}`).execute(),
        );
        const whole = sql.begin((tx) => tx.unsafe("insert into public.written values ('inside')"));
        await Promise.all([...others, whole]);
        await Promise.all(
          [1, 2].map(() => sql.unsafe("insert into public.written values ('out')")),
        );
      }
      const rows = await test.database.query("select note from public.written");
      expect(rows).toHaveLength(33);
    }));

  it("continues after an error that followed rows in one of its savepoints", () =>
    withPool(1, async (sql) => {
      const answers = await sql.begin(async (tx) => {
        const inner = await codeOf(tx.savepoint((part) => part.unsafe(failing)));
        return [inner, await send(tx, "own")];
      });
      expect(answers).toEqual(["22012", marked("own")]);
      expect(await send(sql, "next")).toEqual(marked("next"));
    }));
});

describe("a connection that opens", () => {
  it("takes the next statement when its first statement is canceled", () =>
    withPool(1, async (sql) => {
      const canceled = send(sql, "canceled");
      const outcome = codeOf(canceled);
      wire.relay = ({ bytes, index }) => {
        if (index === 1) canceled.cancel();
        return [bytes];
      };
      expect(await outcome).toBe("57014");
      expect(await send(sql, "next")).toEqual(marked("next"));
    }));

  it.each([1, 2, 5])(
    "fails its statement when the server closes it after %i messages",
    (messages) =>
      withPool(1, async (sql) => {
        wire.relay = ({ bytes, index }) => (index > messages ? "cut" : [bytes]);
        expect(await codeOf(send(sql, "lost"))).toBe("CONNECTION_CLOSED");
        wire.relay = asItIs;
        expect(await send(sql, "next")).toEqual(marked("next"));
      }),
  );
});

describe("a COPY", () => {
  const openCopy = (sql: postgres.Sql) =>
    sql.unsafe("copy public.written from stdin (format csv)").writable();

  it("fails when the server refuses its rows, and its connection is used again", () =>
    withPool(1, async (sql) => {
      const target = await openCopy(sql);
      expect(await codeOf(pipeline(Readable.from(["one,two\n"]), target))).toBe("22P04");
      expect(await send(sql, "after")).toEqual(marked("after"));
    }));

  it.each(["while it writes", "at its end"])("fails when its connection ends %s", (when) =>
    withPool(1, async (sql) => {
      await send(sql, "open");
      const target = await openCopy(sql);
      const ended = codeOf(finished(target));
      await new Promise((resolve) => target.write("one\n", resolve));
      if (when === "at its end") target.end();
      await test.database.query(
        "select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'neighbors' and datname = current_database()",
      );
      const outcome = await ended;
      expect(["57P01", "CONNECTION_CLOSED", "ECONNRESET", "done"]).toContain(outcome);
      // A COPY that was done in time does not tell that its connection ends: a statement may still be sent there.
      if (outcome === "done") await send(sql, "between").catch(() => {});
      expect(await send(sql, "after")).toEqual(marked("after"));
    }),
  );
});
