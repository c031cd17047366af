import { createRole, createTestDatabase, createUser, expose } from "@rowhouse/testing";
import { expect, it, onTestFinished } from "vitest";
import { createClient, grant } from "./engine.ts";

it("rows that one request changes stand in the order of their key, whatever it is called", async () => {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  const client = createClient(test.database);
  const roleId = await createRole(test.database, "Members");
  const user = await createUser(test.database, "member@example.com", "Members");
  await test.database.query(
    "create table notes (data int, k0 text, unfit int, primary key (data, k0))",
  );
  await test.database.query(
    "insert into notes values (3, 'a', 0), (1, 'b', 0), (2, 'a', 0), (1, 'a', 0)",
  );
  await expose(test.database, "public", "notes", "GET", "PATCH", "DELETE");
  for (const action of ["READ", "UPDATE", "DELETE"] as const) {
    await grant(test.database, client.snapshots, roleId, "public/notes", { action });
  }
  const query = "where[data][_lte]=3&max_affected=9";
  const keys = ({ body }: { readonly body: unknown }) =>
    (body as { data: { data: number; k0: string }[] }).data.map(({ data, k0 }) => `${data}${k0}`);
  const changed = await client.updateMany(user, "public/notes", query, { unfit: 7 });
  expect(keys(changed)).toEqual(["1a", "1b", "2a", "3a"]);
  const removed = await client.removeMany(user, "public/notes", query, { representation: true });
  expect(keys(removed)).toEqual(["1a", "1b", "2a", "3a"]);
});
