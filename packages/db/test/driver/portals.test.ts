import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import type postgres from "postgres";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectDirectly } from "../../src/client.ts";

// Rows that arrive in portions (PortalSuspended) while other statements share the driver's one connection.

let test: TestDatabase;
let sql: postgres.Sql;
beforeAll(async () => {
  test = await createTestDatabase();
  sql = connectDirectly({ url: test.url, applicationName: "portals", connectionsMax: 1 });
});
afterEach(async () => {
  const marks = ["a", "b", "c"];
  const asked = marks.map((mark) => sql.unsafe("select $1::text as mark", [mark]));
  expect(await Promise.all(asked)).toEqual(marks.map((mark) => [{ mark }]));
});
afterAll(async () => {
  await sql.end({ timeout: 1 });
  await test.drop();
});

const series = "select n from generate_series(1, $1::int) n";
const failing = "select 1 / (n - 4) as n from generate_series(1, $1::int) n";

/** Returns the portions of a statement's rows, and the code of the error that ends it. */
async function portions(
  text: string,
  count: string,
  each: (portion: number) => unknown = () => undefined,
): Promise<unknown[]> {
  const seen: unknown[] = [];
  try {
    await sql.unsafe(text, [count]).cursor(2, (rows) => {
      seen.push(rows.map((row) => row.n));
      return each(seen.length) as undefined;
    });
  } catch (error) {
    seen.push(error instanceof Error && "code" in error ? error.code : String(error));
  }
  return seen;
}

describe("a limited portal", () => {
  it("returns every row once, for any size of the last portion", async () => {
    expect(await portions(series, "5")).toEqual([[1, 2], [3, 4], [5]]);
    expect(await portions(series, "4")).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(await portions(series, "0")).toEqual([]);
  });

  it("ends at an error after any number of portions", async () => {
    expect(await portions(failing, "9")).toEqual([[0, 0], "22012"]);
  });

  it("ends when its reader throws", async () => {
    const thrown = await portions(series, "9", (portion) => {
      if (portion === 2) throw new Error("enough");
    });
    expect(thrown).toEqual([[1, 2], [3, 4], "Error: enough"]);
  });

  it("ends when its reader closes it", async () => {
    expect(await portions(series, "9", () => sql.CLOSE)).toEqual([[1, 2]]);
  });
});

describe("a statement that is canceled", () => {
  it("fails after its first rows and leaves no rows behind", async () => {
    const slow = sql.unsafe(
      "select n, pg_sleep(case n when 9000 then 60 else 0 end) from generate_series(1, 10000) n",
    );
    let rows = 0;
    const outcome = slow
      .forEach(() => {
        rows += 1;
        if (rows === 100) slow.cancel();
      })
      .catch((error: { code: string }) => error.code);
    expect(await outcome).toBe("57014");
    expect(rows).toBeGreaterThan(0);
  });

  it("fails while it collects its rows and leaves no rows behind", async () => {
    const limited =
      "set local statement_timeout = 300; select n, pg_sleep(case n when 9000 then 60 else 0 end) from generate_series(1, 10000) n";
    const outcome = sql.unsafe(limited).catch((error: { code: string }) => error.code);
    expect(await outcome).toBe("57014");
  });
});
