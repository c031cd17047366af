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

/** Every type that a column may have, with some of its values: Postgres' own, and those of its usual extensions. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  '"char"': ["", "a", "\\377"],
  '"bit"': ["1", "0"],
  "bit varying": ["", "1", "10", "011"],
  aclitem: ["=r/pg_monitor", "pg_monitor=rw/pg_monitor"],
  bigint: ["-9223372036854775808", "9007199254740993", "9007199254740992"],
  boolean: ["true", "false"],
  box: ["(1,1),(0,0)", "(2,2),(0,0)"],
  bpchar: ["a", "a  ", "b", ""],
  bytea: ["\\x", "\\x00", "\\x00ff", "\\x61"],
  character: ["a", "b"],
  "character varying": ["", "a", "A", "ä", "zz"],
  cid: ["1", "2"],
  cidr: ["10.0.0.0/8", "::/0", "10.0.0.0/9"],
  circle: ["<(0,0),1>", "<(1,1),2>"],
  date: ["infinity", "-infinity", "0044-03-15 BC", "2020-02-29"],
  datemultirange: ["{}", "{[2020-01-01,2021-01-01)}", "{(,infinity)}"],
  daterange: ["empty", "[2020-01-01,)", "(,2020-01-01)", "[2020-01-01,infinity)"],
  "double precision": ["NaN", "Infinity", "-Infinity", "-0", "0", "0.1", "1e-320"],
  gtsvector: [],
  inet: ["10.0.0.1", "10.0.0.1/8", "::1", "::ffff:1.2.3.4"],
  int2vector: ["1 2", "1", ""],
  int4multirange: ["{}", "{[1,3),[5,7)}", "{(,3)}"],
  int4range: ["empty", "[1,3)", "(,)", "(,3)"],
  int8multirange: ["{}", "{[1,3)}"],
  int8range: ["empty", "[1,9007199254740993)", "[1,9007199254740992)"],
  integer: ["-2147483648", "0", "2147483647"],
  interval: ["1 mon", "30 days", "-1 day +2:00:00", "infinity", "-infinity", "1.000001 s"],
  json: ["1", "{}"],
  jsonb: ["null", "1.10", "1.1", "[]", '{"a": "\\u00e9\\""}', "12345678901234567890.5", '"x"'],
  jsonpath: ["$.a", "$"],
  line: ["{1,2,3}"],
  lseg: ["[(0,0),(1,1)]", "[(0,0),(2,2)]"],
  macaddr: ["08:00:2b:01:02:03", "08:00:2b:01:02:04"],
  macaddr8: ["08:00:2b:01:02:03:04:05", "08:00:2b:01:02:03:04:06"],
  money: ["-1.01", "0", "92233720368547758.07"],
  name: ["", "a", "A", "ä"],
  numeric: ["NaN", "Infinity", "-Infinity", "1.10", "1.1", "12345678901234567890.123456789"],
  nummultirange: ["{}", "{[1.10,2)}", "{[1.1,2.0)}"],
  numrange: ["empty", "[1.10,2)", "[1.1,2.0)", "[NaN,NaN]", "(,)"],
  oid: ["0", "4294967295", "1"],
  oidvector: ["1 2", "1", ""],
  path: ["((0,0),(1,1))", "[(0,0),(2,2)]"],
  pg_brin_bloom_summary: [],
  pg_brin_minmax_multi_summary: [],
  pg_dependencies: [],
  pg_lsn: ["0/0", "FFFFFFFF/FFFFFFFF", "0/A"],
  pg_mcv_list: [],
  pg_ndistinct: [],
  pg_node_tree: [],
  pg_snapshot: ["10:20:10,14", "10:20:"],
  point: ["(0,0)", "(1,1)"],
  polygon: ["((0,0),(1,1),(2,0))"],
  real: ["NaN", "Infinity", "-Infinity", "-0", "0", "0.1", "3.4028235e38", "1e-45"],
  refcursor: ["a", "b"],
  regclass: ["pg_class", "system.users", "0", "4000000000", 'public."Odd.Näme"'],
  regcollation: ['"C"', '"POSIX"', "4000000000"],
  regconfig: ["english", "simple"],
  regdictionary: ["simple", "english_stem"],
  regnamespace: ["system", "pg_catalog", "0"],
  // Some have a name that others have too.
  regoper: ["pg_catalog.||/", "0", "4000000000", "96"],
  regoperator: ["=(integer,integer)", "0", "!!(none,tsquery)"],
  regproc: ["now", "0", "1397", "1398"],
  regprocedure: ["now()", "abs(integer)", "abs(numeric)"],
  regrole: ["pg_monitor", "0"],
  regtype: ["integer", "text[]", "public.mood", "0"],
  smallint: ["-32768", "0", "32767"],
  text: ["", "a", "A", "a b", "ä", "😀", 'a,b"\\'],
  tid: ["(0,1)", "(0,2)", "(4294967295,65535)"],
  "time with time zone": ["00:00:00+02", "24:00:00-12", "02:00:00+04", "22:00:00+00"],
  "time without time zone": ["00:00:00", "24:00:00", "12:00:00.000001"],
  "timestamp with time zone": [
    "infinity",
    "-infinity",
    "2020-02-29 00:00:00.000001+00",
    "0044-03-15 00:00:00+00 BC",
  ],
  "timestamp without time zone": [
    "infinity",
    "-infinity",
    "2020-02-29 00:00:00.000001",
    "0044-03-15 00:00:00 BC",
  ],
  tsmultirange: ["{}", '{["2020-01-01 00:00:00.000001",infinity)}'],
  tsquery: ["'a' & 'b'", "'a'", "!'a' | 'b':*A", "'a' <2> 'b'"],
  tsrange: ["empty", '["2020-01-01 00:00:00.000001",infinity)', "(,)"],
  tstzmultirange: ["{}", '{["2020-01-01 00:00:00.000001+00",infinity)}'],
  tstzrange: ["empty", '["2020-01-01 00:00:00.000001+00",infinity)', "(,)"],
  tsvector: ["", "'a':1 'b':2A", "'a'", "'a' 'b''\\\\c'"],
  txid_snapshot: ["10:20:10,14", "10:20:"],
  uuid: ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
  xid: ["1", "2"],
  xid8: ["1", "18446744073709551615", "0"],
  xml: ["<a/>"],
  // Of extensions, in a schema in which nothing is looked for without its name.
  "extra.citext": ["a", "A", "ä", "Ä", "b"],
  "extra.cube": ["(1,2)", "(0.1)", "(1,2),(3,4)", "()"],
  "extra.earth": ["(6378168,0,0)"],
  "extra.ean13": ["978-0-11-000533-1", "978-0-306-40615-7", "979-0-2306-7118-7"],
  "extra.ghstore": [],
  "extra.gtrgm": [],
  "extra.hstore": ["", '"a"=>"1"', '"a"=>NULL', '"b"=>"\\"x", "c"=>"2"'],
  "extra.intbig_gkey": [],
  "extra.isbn": ["978-0-11-000533-1", "0-306-40615-2"],
  "extra.isbn13": ["978-0-11-000533-1", "978-0-306-40615-7"],
  "extra.ismn": ["979-0-2306-7118-7", "M-3452-4680-5"],
  "extra.ismn13": ["979-0-2306-7118-7"],
  "extra.issn": ["1436-4522", "0317-8471"],
  "extra.issn13": ["977-1436-452-00-8"],
  "extra.lo": ["1", "2"],
  "extra.lquery": ["a.*", "*"],
  "extra.ltree": ["", "a", "a.b", "a_b.c"],
  "extra.ltree_gist": [],
  "extra.ltxtquery": ["a & b", "a"],
  "extra.query_int": ["1&2", "1|2"],
  "extra.seg": ["1.5", "~1.5", "1.50", "1 .. 2", "<3", "1.23456789 .. 9e9", "5(+-)0.3"],
  "extra.upc": ["220356483481"],
  // Of the kinds that somebody makes.
  mood: ["bad", "fine", "Good, so"],
};

const extensions = [
  "citext",
  "cube",
  "earthdistance",
  "hstore",
  "intarray",
  "isn",
  "lo",
  "ltree",
  "pg_trgm",
  "seg",
];

interface Variant {
  readonly name: string;
  /** The type that a column has, of the kind at a place of the list. */
  readonly typeOf: (kind: string, at: number) => string;
  /** Values of it, as SQL, made of a value of the kind. */
  readonly valuesOf: (type: string, values: readonly string[], at: number) => readonly string[];
}

const asArrays = (type: string, items: readonly string[]): string[] => [
  `'{}'::${type}`,
  ...items.flatMap((item, at) => [
    `array[${item}]::${type}`,
    `array[${item}, null, ${items[(at + 1) % items.length]}]::${type}`,
  ]),
];
const asRows = (type: string, items: readonly string[]): string[] => [
  `row(null, null)::${type}`,
  ...items.flatMap((item) => [`row(${item}, null)::${type}`, `row(${item}, 1)::${type}`]),
];
const literals = (type: string, values: readonly string[]): string[] =>
  values.map((value) => `${quoteLiteral(value)}::${type}`);

const variants: readonly Variant[] = [
  { name: "itself", typeOf: (kind) => kind, valuesOf: literals },
  {
    name: "an array of it",
    typeOf: (kind) => `${kind}[]`,
    valuesOf: (type, values) => asArrays(type, literals(type.slice(0, -2), values)),
  },
  { name: "a domain over it", typeOf: (_, at) => `domain_${at}`, valuesOf: literals },
  {
    name: "an array of a domain over it",
    typeOf: (_, at) => `domain_${at}[]`,
    valuesOf: (type, values) => asArrays(type, literals(type.slice(0, -2), values)),
  },
  {
    name: "a domain over an array of it",
    typeOf: (_, at) => `domain_of_array_${at}`,
    valuesOf: (type, values, at) => asArrays(type, literals(Object.keys(kinds)[at] ?? "", values)),
  },
  {
    name: "a composite with it",
    typeOf: (_, at) => `row_${at}`,
    valuesOf: (type, values, at) => asRows(type, literals(Object.keys(kinds)[at] ?? "", values)),
  },
  {
    name: "a domain over a composite with it",
    typeOf: (_, at) => `domain_of_row_${at}`,
    valuesOf: (type, values, at) => asRows(type, literals(Object.keys(kinds)[at] ?? "", values)),
  },
  {
    name: "an array of composites with it",
    typeOf: (_, at) => `row_${at}[]`,
    valuesOf: (type, values, at) =>
      asArrays(type, asRows(`row_${at}`, literals(Object.keys(kinds)[at] ?? "", values))),
  },
];

const rowsInAll = 14;

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
        // Neighbours in the order of the key are no neighbours in the order of the values.
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

it("the list is of every type that there is", async () => {
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

/** Postgres has an order of these, but a text of such a value may stand for another. */
function isUnfaithful(kind: string, variant: string): boolean {
  return kind === "extra.seg" || (/^reg(?:proc|oper)$/.test(kind) && variant.includes("composite"));
}

it("a list whose key has no faithful text has no cursor", async () => {
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

/** The ids of all pages, or the first answer that was no page, with how many came before it. */
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
  throw new Error("The pages do not end");
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

describe("pages in the order of a column give each row once, or the first is refused", () => {
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
          [`present_${index}`, `order_by=-${name},-id`, `${name} desc, id desc`],
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
