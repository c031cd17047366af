import { type Database, type Parameter, quoteLiteral } from "@rowhouse/db";
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

const rowFilters: Record<string, object> = {
  links: { draft: { _eq: false } },
  readings: { owner: { _neq: "$USER.id" } },
};

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let sent: { readonly text: string; readonly parameters: readonly Parameter[] }[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  // Records the statements of the pool and executes them unchanged.
  client = createClient({
    ...test.database,
    get service() {
      return this;
    },
    query: (text, parameters = [], options) => {
      sent.push({ text, parameters });
      return test.database.query(text, parameters, options);
    },
  } satisfies Database);
  await test.database.query(`
    create table playlists (id int primary key, name text);
    create table tracks (id int primary key, name text, ms int);
    create table links (playlist_id int references playlists, track_id int references tracks, draft boolean,
      primary key (playlist_id, track_id));
    create table plays (id int primary key, playlist_id int references playlists, track_id int references tracks);
    insert into playlists select n, 'playlist ' || n from generate_series(1, 2000) n;
    insert into tracks select n, 'track ' || n, n from generate_series(1, 2000) n;
    insert into links select n, 1 + (n * 7 + k * 131) % 2000, false from generate_series(1, 2000) n, generate_series(1, 10) k;
    insert into plays select row_number() over (), playlist_id, track_id from links, generate_series(1, 2);
    create index tracks_name on tracks (name);
    create index links_track on links (track_id);
    create index plays_playlist on plays (playlist_id);
    create index plays_track on plays (track_id);
    create table readings (id int primary key, playlist_id int references playlists, owner uuid, at timestamptz, facts jsonb);
    insert into readings select n, n % 2000 + 1, gen_random_uuid(), timestamptz '2025-01-01' + n * interval '1 minute',
      jsonb_build_object('size', n % 100) from generate_series(1, 20000) n;
    create index readings_size on readings (nullif(facts -> 'size', 'null'), id)`);
  await test.database.query("analyze");
  const members = await createRole(test.database, "Members");
  for (const name of ["playlists", "tracks", "links", "plays", "readings"]) {
    await expose(test.database, "public", name, "GET");
    const rowFilter = rowFilters[name];
    const input = { action: "READ", ...(rowFilter && { rowFilter }) } as const;
    await grant(test.database, client.snapshots, members, `public/${name}`, input);
  }
  user = await createUser(test.database, "member@example.com", "Members");
  await client.list(user, "public/playlists");
});
afterAll(() => test.drop());

async function planOf(
  name: string,
  query: string,
  settings: readonly string[] = [],
): Promise<string> {
  sent = [];
  const { status } = await client.list(user, `public/${name}`, query);
  expect(status).toBe(200);
  const { text, parameters } = sent.at(-1) ?? { text: "", parameters: [] };
  return test.database.transaction(async (transaction) => {
    for (const setting of settings) await transaction.query(`set local ${setting}`);
    await transaction.query(`prepare probe as ${text.replace(/^\/\*.*?\*\//, "")}`);
    const values = parameters.map((value) => (value === null ? "null" : quoteLiteral(value)));
    const rows = await transaction.query<{ "QUERY PLAN": string }>(
      `explain (costs off) execute probe(${values.join(", ")})`,
    );
    await transaction.query("deallocate probe");
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
}

const mark = (value: boolean) =>
  test.database.query(
    `update system.resources set junction = ${value} where relation_name = 'plays'`,
  );

describe("a junction with an index on both keys", () => {
  it.each([
    ["playlists", "fields=id,tracks.name&where[id][_eq]=5", /links_pkey/],
    ["tracks", "fields=id,playlists.name&where[id][_eq]=5", /links_track/],
    ["playlists", "fields=id,tracks.count,tracks.sum(ms)&where[id][_eq]=5", /links_pkey/],
    ["playlists", "fields=id&where[tracks][_some][name][_eq]=track%207", /links_track/],
    ["tracks", "fields=id&where[playlists][_some][id][_eq]=7", /links_pkey/],
    ["playlists", "fields=id&where[id][_eq]=7&where[tracks][_count][_gte]=2", /links_pkey/],
  ])("is read by its index: %s?%s", async (name, query, index) => {
    const plan = await planOf(name, query);
    expect(plan).toMatch(index);
    expect(plan).not.toMatch(/Seq Scan on links/);
  });

  it("is read once for an order by a number", async () => {
    const plan = await planOf("playlists", "fields=id&order_by=-tracks.count&limit=5");
    expect(plan.match(/ on links /g)).toHaveLength(1);
    expect(plan).not.toContain("SubPlan");
  });

  it("is read by its index where it may repeat itself", async () => {
    await mark(true);
    try {
      for (const [name, query, index] of [
        ["playlists", "fields=id,tracks_by_plays.name&where[id][_eq]=5", /plays_playlist/],
        ["tracks", "fields=id,playlists_by_plays.count&where[id][_eq]=5", /plays_track/],
        [
          "playlists",
          "fields=id&where[tracks_by_plays][_some][name][_eq]=track%207",
          /plays_track/,
        ],
      ] as const) {
        const plan = await planOf(name, query);
        expect(plan).toMatch(index);
        expect(plan).not.toMatch(/Seq Scan on plays/);
      }
    } finally {
      await mark(false);
    }
  });
});

/** Settings under which PostgreSQL reads a small table in parallel wherever it can. */
const cheapWorkers = [
  "parallel_setup_cost = 0",
  "parallel_tuple_cost = 0",
  "min_parallel_table_scan_size = 0",
];

describe("a statement that reads many rows", () => {
  it.each([
    "aggregate=count,sum(id)",
    "aggregate=count&group_by=playlist.name",
    "limit=0&count=exact&where[at][_part][hour][_eq]=7",
    "fields=id&order_by=-playlist.name&limit=5",
  ])("has parallel workers under a row filter on the reader: %s", async (query) => {
    expect(await planOf("readings", query, cheapWorkers)).toMatch(/Workers Planned/);
  });

  it("compares the numbers of related rows without an index in one pass", async () => {
    const plan = await planOf("playlists", "limit=0&count=exact&where[readings][_count][_gte]=3");
    expect(plan).not.toContain("SubPlan");
    expect(plan).toMatch(/Hash/);
  });

  it.each([
    "fields=name,readings.count,readings.max(at)&order_by=id&limit=10",
    "fields=name,readings.count&order_by=id&limit=10&deep[readings][group_by]=date_part(weekday,at)",
    "fields=name,readings.count&order_by=-name&limit=10&deep[readings][where][id][_gt]=5",
  ])("reads the related rows of a page once without an index, and no others: %s", async (query) => {
    const plan = await planOf("playlists", query);
    expect(plan.match(/Scan on readings /g)).toHaveLength(1);
    expect(plan).toMatch(/CTE p/);
    // The rows of the page are joined to the related rows before these are grouped.
    expect(plan).toMatch(/Aggregate(?:(?!Aggregate).)*Join(?:(?!Aggregate).)*CTE Scan on p/s);
  });

  it("joins the related field that a filter compares with", async () => {
    const query = "limit=0&count=exact&where[id][_gt]=$FIELD.playlist.id";
    expect(await planOf("readings", query)).not.toContain("SubPlan");
  });

  it("takes the order of a value inside a document from an index on it", async () => {
    const plan = await planOf("readings", "fields=id&order_by=facts.size,id&limit=5");
    expect(plan).toMatch(/Index Scan using readings_size/);
    expect(plan).not.toMatch(/Sort/);
  });
});
