import { createTestDatabase } from "@rowhouse/testing";
import { expect, it, onTestFinished } from "vitest";
import { type Transaction, toAppError } from "../src/index.ts";

async function open() {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  await test.database.query("create table public.written (note text)");
  const write = (transaction: Transaction, note: string) =>
    transaction.query("insert into public.written values ($1::text)", [note]);
  const written = async () => {
    const rows = await test.database.query<{ note: string }>("select note from public.written");
    return rows.map(({ note }) => note);
  };
  return { ...test, write, written };
}

// The driver names the first one of a transaction s0. PostgreSQL compares a row version with each savepoint that is open: after 3,000 of them a statement took 100 times as long.
it.each(["succeeded", "failed"])("a savepoint whose work has %s is no longer open", async (end) => {
  const { database, write } = await open();
  const releasing = database.transaction(async (transaction) => {
    const work = transaction.savepoint(async (part) => {
      await write(part, "inside");
      if (end === "failed") throw new Error("undone");
    });
    await work.catch(() => {});
    await transaction.query("release savepoint s0");
  });
  await expect(releasing).rejects.toMatchObject({ code: "3B001" });
});

it("a savepoint leaves no prepared statement on its connection", async () => {
  const { database, write } = await open();
  await database.transaction(async (transaction) => {
    await transaction.savepoint(async (part) => void (await write(part, "inside")));
    const failed = transaction.savepoint(() => Promise.reject(new Error("undone")));
    await failed.catch(() => {});
    const [prepared] = await transaction.query<{ texts: string[] }>(
      "select coalesce(json_agg(statement), '[]') as texts from pg_prepared_statements where statement ~* 'savepoint|rollback|release'",
    );
    expect(prepared?.texts).toEqual([]);
  });
});

it("a failed savepoint undoes its own writes and those of the savepoints in it, and no others", async () => {
  const { database, write, written } = await open();
  await database.transaction(async (transaction) => {
    await write(transaction, "first");
    const failed = transaction.savepoint(async (part) => {
      await part.savepoint(async (inner) => void (await write(inner, "inner")));
      await write(part, "outer");
      throw new Error("undone");
    });
    await expect(failed).rejects.toThrow("undone");
    await transaction.savepoint(async (part) => void (await write(part, "second")));
  });
  expect(await written()).toEqual(["first", "second"]);
});

it("a savepoint whose connection ends reports that, and the transaction writes nothing", async () => {
  const { database, write, written } = await open();
  const lost = database.transaction(async (transaction) => {
    await write(transaction, "first");
    await transaction.savepoint(async (part) => {
      await part.query("select pg_terminate_backend(pg_backend_pid())");
    });
  });
  await expect(
    lost.catch((error: unknown) => Promise.reject(toAppError(error))),
  ).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
  });
  expect(await written()).toEqual([]);
});
