// Tier: all. One of the slowest.
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";
import { createImporter } from "./importer.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let importer: ReturnType<typeof createImporter>;
let user: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  importer = createImporter(test.database);
  const roleId = await createRole(test.database, "Owners");
  user = await createUser(test.database, "owner@example.com", "Owners");
  await test.database.query(`
    create table public.places (id int primary key);
    create table public.items (
      id int primary key, owner text, code text unique, secret text unique, place int references public.places,
      state text, twice int generated always as (id * 2) stored, number int generated always as identity)`);
  for (const name of ["items", "places"])
    await expose(test.database, "public", name, "GET", "POST", "PATCH");
  const mine = { owner: { _eq: "me" } };
  const on = (input: Parameters<typeof grant>[4]) =>
    grant(test.database, client.snapshots, roleId, "public/items", input);
  await on({ action: "READ", fields: ["id", "code"], rowFilter: mine });
  await on({
    action: "CREATE",
    fields: ["id", "code", "place", "state"],
    presets: { owner: "me" },
    check: { state: { _neq: "closed" } },
  });
  await on({ action: "UPDATE", fields: ["code", "state"], rowFilter: mine });
});
afterAll(() => test.drop());
beforeEach(async () => {
  await test.database.query("truncate public.places cascade");
  await test.database.query("insert into public.places values (1)");
  await test.database.query(
    "insert into public.items (id, owner, code, secret) values (1, 'me', 'a', 's1'), (2, 'other', 'b', 's2')",
  );
});

const stored = () =>
  test.database.query("select id, owner, code, secret, state from public.items order by id");

/** The code, the message and the field of each fault, without the place in a body or file. */
const faultsOf = (body: unknown) =>
  (
    (body as { errors?: { code: string; message: string; path?: string; details?: object }[] })
      .errors ?? []
  ).map(({ code, message, path = "", details = {} }) => {
    const { line: _, column: __, ...rest } = details as Record<string, unknown>;
    return { code, message, path: path.replace(/^\/data/, ""), rest };
  });

it.each([
  ["a key that a hidden row has", "", { id: 2 }],
  ["a unique value that a hidden row has", "", { id: 9, code: "b" }],
  ["a reference to a row that does not exist", "", { id: 9, place: 99 }],
  ["a row that the check refuses", "", { id: 9, state: "closed" }],
  ["a merge onto a hidden row", "on_conflict=id&resolution=merge", { id: 2, code: "x" }],
  [
    "a merge onto a missing row that the check refuses",
    "on_conflict=id&resolution=merge",
    { id: 9, state: "closed" },
  ],
  [
    "a merge of a field without the right to change it",
    "on_conflict=id&resolution=merge",
    { id: 1, place: 1 },
  ],
  [
    "an ignored conflict with a hidden row",
    "on_conflict=id&resolution=ignore",
    { id: 2, code: "x" },
  ],
  ["a preset column", "", { id: 9, owner: "other" }],
  ["a hidden column", "", { id: 9, secret: "s2" }],
  ["a missing column", "", { id: 9, nope: "s2" }],
  ["a generated column", "", { id: 9, twice: 1 }],
  ["an identity column", "", { id: 9, number: 1 }],
  ["an impossible value", "", { id: "x" }],
])(
  "%s gets the faults of a create of a list, dry or not, in every format",
  async (_, query, sent) => {
    const row = { state: "open", ...sent };
    const before = await stored();
    const created = await client.create(user, "public/items", [row], query);
    await test.database.query("delete from public.items where id = 9");
    const expected = { status: created.status, faults: faultsOf(created.body) };
    const csv = `${Object.keys(row).join()}\n${Object.values(row).join()}\n`;
    for (const dry of ["", "dry_run=true"]) {
      const options = { query: [query, dry].filter((part) => part !== "").join("&") };
      for (const answer of [
        await importer.csv(user, "public/items", csv, options),
        await importer.ndjson(user, "public/items", JSON.stringify(row), options),
      ]) {
        const faults = faultsOf(answer.body).map((fault) =>
          // A fault of the header has no row.
          ({ ...fault, path: fault.path.replace(/^\/0(?=\/|$)/, "") }),
        );
        expect({ status: answer.status === 200 ? 201 : answer.status, faults }).toEqual({
          ...expected,
          faults: expected.faults.map((fault) => ({
            ...fault,
            path: fault.path.replace(/^\/0(?=\/|$)/, ""),
          })),
        });
      }
    }
    expect(await stored()).toEqual(before);
  },
);

it("merges only rows within the row filter, and presets the owner of new ones", async () => {
  const query = "on_conflict=id&resolution=merge";
  const file = "id,code,state\n1,x,open\n9,y,open\n";
  expect(await importer.csv(user, "public/items", file, { query })).toMatchObject({
    body: { data: { inserted: 1, updated: 1, skipped: 0 } },
  });
  expect(await stored()).toMatchObject([
    { id: 1, owner: "me", code: "x" },
    { id: 2, owner: "other", code: "b" },
    { id: 9, owner: "me", code: "y" },
  ]);
});

it("records each refused change of a system table, whichever route and rows it has", async () => {
  const roleId = await createRole(test.database, "Helpers");
  const helper = await createUser(test.database, "helper@example.com", "Helpers");
  await expose(test.database, "system", "role_members", "GET", "POST");
  await grant(test.database, client.snapshots, roleId, "system/role_members", { action: "CREATE" });
  await test.database.query(`
    create function public.refuse_member() returns trigger language plpgsql as $$
      begin
        if new.user_id = '${helper.id}' then raise exception using errcode = 'RH409', message = 'No member'; end if;
        return new;
      end $$;
    create trigger refuse_member before insert on system.role_members
      for each row execute function public.refuse_member()`);
  const [row] = await test.database.query<{ role_id: string; user_id: string }>(
    `select r.id as role_id, u.id as user_id from system.roles r, system.users u
     where r.name = 'Helpers' and u.email = 'helper@example.com'`,
  );
  const { role_id, user_id } = row ?? { role_id: "", user_id: "" };
  const refused = `${role_id},${user_id}\n`;
  const incomplete = Array.from({ length: 20 }, () => ({ role_id }));
  const name = "system/role_members";
  const tries = [
    () => client.create(helper, name, row),
    () => client.create(helper, name, [row]),
    () => client.create(helper, name, [{ role_id: "x", user_id }, row]),
    () => importer.csv(helper, name, `role_id,user_id\n${refused}`),
    () => importer.csv(helper, name, `role_id,user_id\n${refused}`, { query: "dry_run=true" }),
    () => importer.csv(helper, name, `role_id,user_id\nx,${user_id}\n${refused}`),
    () => importer.ndjson(helper, name, JSON.stringify(row)),
    // The response reports other faults only.
    () => importer.csv(helper, name, `role_id,user_id\n${"x,x\n".repeat(100)}${refused}`),
    () => importer.csv(helper, name, `role_id,user_id\n${`${role_id},\n`.repeat(100)}${refused}`),
    () => client.create(helper, name, [{ role_id, user_id: user.id }, ...incomplete, row]),
  ];
  const statuses: number[] = [];
  const recorded: number[] = [];
  for (const attempt of tries) {
    const before = await failures();
    statuses.push((await attempt()).status);
    recorded.push((await failures()) - before);
  }
  expect(statuses).toEqual([409, 409, 400, 409, 409, 400, 409, 400, 400, 400]);
  // The third has an impossible value, so PostgreSQL never tries it.
  expect(recorded).toEqual([1, 1, 0, 1, 1, 1, 1, 1, 1, 1]);
});

const failures = async () => {
  const rows = await test.database.query<{ count: string }>(
    "select count(*)::text as count from system.audit_log where action = 'role_member.create' and outcome = 'FAILED'",
  );
  return Number(rows[0]?.count);
};
