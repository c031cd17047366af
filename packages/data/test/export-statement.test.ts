import type { Parameter } from "@rowhouse/db";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { grant } from "./engine.ts";
import { createExporter } from "./exporter.ts";

let test: TestDatabase;
let exporter: ReturnType<typeof createExporter>;
let user: TestUser;
let sent: { readonly text: string; readonly parameters: readonly Parameter[] }[];

beforeAll(async () => {
  test = await createTestDatabase();
  exporter = createExporter({
    ...test.database,
    get service() {
      return this;
    },
    stream: (text, parameters, options) => {
      sent.push({ text, parameters });
      return test.database.stream(text, parameters, options);
    },
  });
  const roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  await test.database.query(`
    create table public.people (id int primary key, name text);
    create table public.notes (id int primary key, owner uuid, author_id int references public.people (id), body text, at timestamptz);
    create index notes_owner on public.notes (owner, id);
    insert into public.people select n, 'person ' || n from generate_series(1, 100) n;
    insert into public.notes select n, case when n % 500 = 0 then '${user.id}'::uuid else gen_random_uuid() end, n % 100 + 1, 'note ' || n, now()
      from generate_series(1, 20000) n;
    create table public.loose (a int);
    insert into public.loose values (1)`);
  await test.database.query("analyze public.notes");
  await test.database.query("analyze public.people");
  for (const name of ["people", "notes", "loose"]) {
    await expose(test.database, "public", name, "GET");
    const rowFilter = name === "notes" ? { owner: { _eq: "$USER.id" } } : null;
    await grant(test.database, exporter.snapshots, roleId, `public/${name}`, {
      action: "READ",
      rowFilter,
    });
  }
  // The first statement is not a repeated one, whose proof is longer.
  await exporter.snapshots.fresh();
});
afterAll(() => test.drop());

const statementOf = async (format: "csv" | "ndjson", name: string, query: string) => {
  sent = [];
  expect(typeof (await exporter[format](user, `public/${name}`, query))).toBe("string");
  const statement = sent.at(-1);
  if (statement === undefined) throw new Error("no statement");
  return statement;
};
const planOf = async (format: "csv" | "ndjson", name: string, query: string): Promise<string> => {
  const { text, parameters } = await statementOf(format, name, query);
  const rows = await test.database.query<{ "QUERY PLAN": string }>(
    `explain (analyze, costs off, timing off) ${text}`,
    parameters,
  );
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
};

describe("the statement of an export", () => {
  it("an export's statement has the plan of the list, apart from the gate", async () => {
    const query = "fields=id,author.name,at&where[body][_contains]=7&order_by=-at&limit=5&offset=1";
    expect((await statementOf("csv", "notes", query)).text).toMatchInlineSnapshot(`
      "select gate.ok::text, d.*
      from (select e.proof, c.version, (e.proof = $3::text and c.version = $4::text) as ok, c."$USER.id"
        from (select pg_catalog.sum(value)::text as proof from system.epoch) e
        left join (
          select u.version::text as version, u."id" as "$USER.id"
          from system.sessions s join system.users u on u.id = s.user_id
          where s.digest = $5::bytea and s.expires_at > system.clock() and u.active and not u.is_system
        ) c on true offset 0) gate left join lateral (
        select 'true' as present, t."id"::text as v0, t1_row.c0 as v1, (pg_catalog.to_json(t."at") #>> '{}'::text[]) as v2 from "public"."notes" t left join lateral (select t1."name"::text as c0 from "public"."people" t1 where t1."id" = t."author_id") t1_row on true where gate.ok and (t."owner" = gate."$USER.id") and (t."body" like $1::text) order by t."at" desc, t."id" limit 5 offset $2::bigint
      ) d on true"
    `);
    expect((await statementOf("ndjson", "notes", query)).text).toMatchInlineSnapshot(`
      "select gate.ok::text, d.*
      from (select e.proof, c.version, (e.proof = $3::text and c.version = $4::text) as ok, c."$USER.id"
        from (select pg_catalog.sum(value)::text as proof from system.epoch) e
        left join (
          select u.version::text as version, u."id" as "$USER.id"
          from system.sessions s join system.users u on u.id = s.user_id
          where s.digest = $5::bytea and s.expires_at > system.clock() and u.active and not u.is_system
        ) c on true offset 0) gate left join lateral (
        select 'true' as present, pg_catalog.row_to_json(r.*)::text as v0 from (select t."id" as "id", t."at" as "at", (select pg_catalog.row_to_json(r.*) from (select t1."name" as "name" from "public"."people" t1 where t1."id" = t."author_id") r) as "author" from "public"."notes" t where gate.ok and (t."owner" = gate."$USER.id") and (t."body" like $1::text) order by t."at" desc, t."id" limit 5 offset $2::bigint) r
      ) d on true"
    `);
    expect(
      (await statementOf("csv", "notes", "aggregate=count,max(at)&group_by=author_id")).text,
    ).toMatchInlineSnapshot(`
      "select gate.ok::text, d.*
      from (select e.proof, c.version, (e.proof = $1::text and c.version = $2::text) as ok, c."$USER.id"
        from (select pg_catalog.sum(value)::text as proof from system.epoch) e
        left join (
          select u.version::text as version, u."id" as "$USER.id"
          from system.sessions s join system.users u on u.id = s.user_id
          where s.digest = $3::bytea and s.expires_at > system.clock() and u.active and not u.is_system
        ) c on true offset 0) gate left join lateral (
        select 'true' as present, t."author_id"::text as v0, pg_catalog.count(*)::text as v1, (pg_catalog.to_json(pg_catalog.max(t."at")) #>> '{}'::text[]) as v2 from "public"."notes" t where gate.ok and (t."owner" = gate."$USER.id") group by t."author_id" order by t."author_id" offset 0
      ) d on true"
    `);
  });

  it("an export uses the indexes that fit its row filter and order", async () => {
    for (const format of ["csv", "ndjson"] as const) {
      const plan = await planOf(format, "notes", "order_by=id");
      expect(plan).toContain("notes_owner");
      expect(plan).not.toContain("Seq Scan on notes");
      const page = await planOf(format, "people", "order_by=id&limit=3");
      expect(page).toContain("people_pkey");
    }
  });

  it("an export reads no row if its gate is closed", async () => {
    for (const [name, query] of [
      ["notes", "order_by=body"],
      ["notes", "aggregate=count&group_by=author_id"],
      ["people", ""],
      ["loose", ""],
    ] as const) {
      const { text, parameters } = await statementOf("csv", name, query);
      const stale = [...parameters];
      stale[stale.length - 3] = "an outdated proof";
      const rows = await test.database.query<{ "QUERY PLAN": string }>(
        `explain (analyze, costs off, timing off) ${text}`,
        stale,
      );
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      expect(plan).toMatch(new RegExp(`Scan.* on ${name} .*\\(never executed\\)`));
    }
  });
});
