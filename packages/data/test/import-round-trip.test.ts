import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, grant } from "./engine.ts";
import { extensions, kinds } from "./every-kind.ts";
import { createExporter } from "./exporter.ts";
import { createImporter, type Imported } from "./importer.ts";

/** Types of which this table has no lists: "bit" and character need a length, and a vector is a list itself. */
const withoutList = ['"bit"', "character", "int2vector", "oidvector"];

let test: TestDatabase;
let user: TestUser;
/** The types with values, except those whose values name objects of the database. */
const names = Object.entries(kinds).flatMap(([kind, values]) =>
  values.length > 0 && !kind.startsWith("reg") ? [kind] : [],
);
const columns = names.map((kind, at) => ({ kind, name: `c${at}`, list: `l${at}` }));

beforeAll(async () => {
  test = await createTestDatabase();
  const { database } = test;
  const { snapshots } = createClient(database);
  const roleId = await createRole(database, "Movers");
  user = await createUser(database, "mover@example.com", "Movers");
  await database.query("create schema extra");
  for (const extension of extensions) {
    await database.query(`create extension ${extension} schema extra cascade`);
  }
  await database.query("create type public.mood as enum ('bad', 'fine', 'Good, so')");
  await database.query("create type public.pair as (a int, b text, c bytea)");
  const typeOf = (kind: string) => (kind === "mood" ? "public.mood" : kind);
  const declared = columns.map(({ kind, name, list }) =>
    withoutList.includes(kind)
      ? `${name} ${typeOf(kind)}`
      : `${name} ${typeOf(kind)}, ${list} ${typeOf(kind)}[]`,
  );
  await database.query(
    `create table public.source (id int primary key, note text, pair public.pair, pairs public.pair[], ${declared.join(", ")})`,
  );
  const depth = Math.max(...Object.values(kinds).map(({ length }) => length));
  await database.query("insert into public.source (id, note) values (1000, null)");
  for (let row = 0; row < depth; row += 1) {
    await database.query(
      `insert into public.source (id, note, pair, pairs) values ($1::text::int, $2::text, row(1, 'a,"b', '\\x00ff'), array[row(null, '=x', null)]::public.pair[])`,
      [
        String(row),
        ["=1+1", "'=1+1", "''-x", "'plain", "", " a\r\n\t", '"', "@x,y"][row % 8] ?? "",
      ],
    );
    for (const { kind, name, list } of columns) {
      const value = kinds[kind]?.[row];
      if (value === undefined) continue;
      const lists = withoutList.includes(kind)
        ? ""
        : `, ${list} = array[$1::text::${typeOf(kind)}, null]`;
      await database.query(
        `update public.source set ${name} = $1::text::${typeOf(kind)}${lists} where id = $2::text::int`,
        [value, String(row)],
      );
    }
  }
  await database.query("create table public.target (like public.source including all)");
  for (const name of ["source", "target"]) {
    await expose(database, "public", name, "GET", "POST");
    await grant(database, snapshots, roleId, `public/${name}`, { action: "READ" });
    await grant(database, snapshots, roleId, `public/${name}`, { action: "CREATE" });
  }
}, 120_000);
afterAll(() => test.drop());

/** The faults with the types of their columns. */
const refusedOf = ({ body }: Imported) =>
  ((body as { readonly errors?: readonly { readonly path: string }[] }).errors ?? []).map(
    ({ path }) => {
      const name = path.split("/").at(-1);
      return [path, columns.find((each) => each.name === name || each.list === name)?.kind];
    },
  );

it.each(["csv", "ndjson"] as const)(
  "an exported %s file with every type is imported without a change",
  async (format) => {
    await test.database.query("truncate public.target");
    const file = await createExporter(test.database)[format](user, "public/source", "");
    if (typeof file !== "string") throw new Error(JSON.stringify(file));
    const answer = await createImporter(test.database)[format](user, "public/target", file);
    expect(refusedOf(answer)).toEqual([]);
    const different: string[] = [];
    for (const name of [
      "note",
      "pair",
      "pairs",
      ...columns.flatMap(({ kind, name, list }) =>
        withoutList.includes(kind) ? [name] : [name, list],
      ),
    ]) {
      const [row] = await test.database.query<{ count: string }>(
        `select count(*)::text as count from public.source s join public.target t using (id) where s.${name}::text is distinct from t.${name}::text`,
      );
      if (row?.count !== "0")
        different.push(
          `${name} ${columns.find((each) => each.name === name || each.list === name)?.kind}`,
        );
    }
    // In NDJSON and within lists, the JSON null is the null of the column or element.
    const isJsonNull = (name: string) => name.endsWith(" jsonb");
    expect(different.filter((name) => !isJsonNull(name))).toEqual([]);
    expect(different.filter(isJsonNull)).toHaveLength(format === "csv" ? 1 : 2);
  },
);
