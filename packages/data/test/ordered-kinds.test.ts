// Tier: long. Needs many rows.
import { quoteLiteral } from "@rowhouse/db";
import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";
import { extensions, kinds, rowsInAll, variants } from "./every-kind.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let roleId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  roleId = await createRole(test.database, "Readers");
  user = await createUser(test.database, "reader@example.com", "Readers");
  const columns = Object.entries(kinds)
    .map(([kind, values], at) => ({ kind, values, at }))
    .filter(({ values }) => values.length > 0);
  const statements = [
    "create schema extra",
    ...extensions.map((name) => `create extension ${name} schema extra`),
    "create type mood as enum ('fine', 'bad', 'Good, so')",
    'create table public."Odd.Näme" (id int)',
    ...columns.flatMap(({ kind, at }) => [
      `create domain domain_${at} as ${kind}`,
      `create domain domain_of_array_${at} as ${kind}[]`,
      `create type row_${at} as (a ${kind}, b int)`,
      `create domain domain_of_row_${at} as row_${at}`,
    ]),
  ];
  await test.database.query(statements.join(";\n"));
  for (const [index, { typeOf, valuesOf }] of variants.entries()) {
    for (const table of [`nullable_${index}`, `present_${index}`]) {
      const isNullable = table.startsWith("nullable");
      const list = columns.map(
        ({ kind, at }) => `c${at} ${typeOf(kind, at)}${isNullable ? "" : " not null"}`,
      );
      const cases = columns.map(({ kind, values, at }) => {
        const all = valuesOf(typeOf(kind, at), values, at);
        const branches = all.map((value, place) => `when ${place} then ${value}`);
        const count = all.length + (isNullable ? 1 : 0);
        // Neighbors in the order of the key are not neighbors in the order of the values.
        return `case (g * 5) % ${count} ${branches.join(" ")} end`;
      });
      await test.database.query(`create table ${table} (id int primary key, ${list.join(", ")})`);
      await test.database.query(
        `insert into ${table} select g, ${cases.join(", ")} from generate_series(1, ${rowsInAll}) g`,
      );
      await expose(test.database, "public", table, "GET");
      await grant(test.database, client.snapshots, roleId, `public/${table}`, { action: "READ" });
    }
  }
}, 240_000);
afterAll(() => test.drop());

it("the list contains every type of PostgreSQL", async () => {
  const rows = await test.database.query<{ name: string }>(
    `select format_type(t.oid, -1) as name from pg_type t
     where t.typtype in ('b', 'e', 'r', 'm', 'd') and not exists (select from pg_type e where e.typarray = t.oid)
       and (t.typnamespace = 'pg_catalog'::regnamespace
         or exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e'))
     order by 1`,
  );
  const names = rows.map(({ name }) => name);
  expect(names.filter((name) => !Object.hasOwn(kinds, name))).toEqual([]);
});

/** Types that PostgreSQL can order, but whose text form does not always identify the value. */
function isUnfaithful(kind: string, variant: string): boolean {
  return kind === "extra.seg" || (/^reg(?:proc|oper)$/.test(kind) && variant.includes("composite"));
}

it("a list whose key has no faithful text form has no cursor", async () => {
  await test.database.query("create table spans (span extra.seg primary key)");
  await test.database.query("insert into spans values ('1.23456789'), ('1.23456780'), ('2')");
  await expose(test.database, "public", "spans", "GET");
  await grant(test.database, client.snapshots, roleId, "public/spans", { action: "READ" });
  const page = await client.list(user, "public/spans", "limit=2");
  expect(page).toEqual({ status: 200, body: { data: [{ span: "1.23457" }, { span: "1.23457" }] } });
  const next = await client.list(user, "public/spans", "limit=2&offset=2");
  expect(next).toEqual({ status: 200, body: { data: [{ span: "2" }] } });
});

interface Page {
  readonly data: { id: number }[];
  readonly meta?: { readonly nextCursor?: string };
}

/** Returns the ids of all pages, or the first error with the number of pages before it. */
async function walk(table: string, query: string): Promise<unknown> {
  const ids: number[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < rowsInAll; pages += 1) {
    const next = cursor === undefined ? "" : `&cursor=${cursor}`;
    const answer = await client.list(user, `public/${table}`, `${query}&limit=5${next}`);
    if (answer.status !== 200) return { pages, answer };
    const { data, meta } = answer.body as Page;
    ids.push(...data.map((row) => row.id));
    cursor = meta?.nextCursor;
    if (cursor === undefined) return ids;
  }
  throw new Error("The last page was not reached");
}

const refusal = (name: string) => ({
  pages: 0,
  answer: {
    status: 400,
    body: {
      errors: [
        { code: "QUERY_INVALID", path: "order_by", message: `Rows cannot be ordered by ${name}` },
      ],
    },
  },
});

describe("pages in the order of a column contain each row once, or the first page is rejected", () => {
  it.each(variants.map(({ name }, index) => ({ name, index })))(
    "$name",
    async ({ name: variant, index }) => {
      const found: Record<string, unknown> = {};
      const wanted: Record<string, unknown> = {};
      for (const [at, [kind, values]] of Object.entries(kinds).entries()) {
        if (values.length === 0) continue;
        const name = `c${at}`;
        for (const [table, query, order] of [
          [`nullable_${index}`, `fields=id&order_by=${name}`, `${name}, id`],
          [
            `nullable_${index}`,
            `fields=id,${name}&order_by=-${name}:nulls_last`,
            `${name} desc nulls last, id`,
          ],
          [`present_${index}`, `fields=id&order_by=${name}`, `${name}, id`],
          [`present_${index}`, `fields=id&order_by=-${name},-id`, `${name} desc, id desc`],
        ] as const) {
          const key = `${kind}: ${table} ${query}`;
          wanted[key] = await test.database
            .query<{ id: number }>(`select id from ${table} order by ${order}`)
            .then((rows) => rows.map(({ id }) => id))
            .catch(() => refusal(name));
          if (isUnfaithful(kind, variant)) wanted[key] = refusal(name);
          found[key] = await walk(table, query).catch((error: unknown) => String(error));
        }
      }
      expect(found).toEqual(wanted);
    },
    240_000,
  );
});

/** Whether the response is known to differ from plain SQL. */
function isOtherwise(kind: string, value: string): boolean {
  // The name of a dropped object is no longer a name; points have no order, and hstore orders by other operators only.
  return (
    (kind === "regclass" && /^(?:-|[0-9]+)$/.test(value)) || /^(?:point|extra\.hstore)$/.test(kind)
  );
}

describe("a filter finds the same rows as plain SQL, or is rejected where SQL fails", () => {
  it.each(variants.map(({ name }, index) => ({ name, index })))(
    "$name",
    async ({ index }) => {
      const found: Record<string, unknown> = {};
      const wanted: Record<string, unknown> = {};
      const table = `nullable_${index}`;
      for (const [at, [kind, values]] of Object.entries(kinds).entries()) {
        const name = `c${at}`;
        const type = variants[index]?.typeOf(kind, at) ?? "";
        if (values.length === 0) continue;
        const isList = /array|\[\]$/.test(type);
        // A filter has money in its plain form.
        const isPlain = kind === "money" && !type.includes("row_");
        const plain = isPlain ? `${name}::numeric${isList ? "[]" : ""}` : name;
        const texts = await test.database.query<{ v: string }>(
          `select distinct ${plain}::text as v from ${table} where ${name} is not null order by 1 limit 2`,
        );
        // PostgreSQL itself has no operator for a domain over an enum.
        const cast = type === `domain_${at}` && kind === "mood" ? "::mood" : "";
        for (const { v } of texts.filter((text) => !isOtherwise(kind, text.v))) {
          for (const [operator, sign] of Object.entries({ _neq: "<>", _lt: "<", _in: "=" })) {
            if (operator === "_in" && isList) continue;
            const key = `${type} (${kind}) ${operator} ${v}`;
            wanted[key] = await test.database
              .transaction(async (transaction) => {
                await transaction.query("set local search_path = public, extra");
                const value = `${quoteLiteral(v)}::${type}${cast}`;
                const rows = await transaction.query<{ id: number }>(
                  `select id from ${table} where ${name}${cast} ${sign} ${value} order by id`,
                );
                return rows.map(({ id }) => id);
              })
              .catch(() => 400);
            const filter = { [name]: { [operator]: operator === "_in" ? [v] : v } };
            const answer = await client.list(
              user,
              `public/${table}`,
              `fields=id&order_by=id&where=${encodeURIComponent(JSON.stringify(filter))}`,
            );
            found[key] =
              answer.status === 200
                ? (answer.body as Page).data.map(({ id }) => id)
                : answer.status;
          }
        }
      }
      expect(found).toEqual(wanted);
    },
    240_000,
  );
});
