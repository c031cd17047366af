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

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let sent: { readonly text: string; readonly parameters: readonly Parameter[] }[] = [];

beforeAll(async () => {
  test = await createTestDatabase();
  // Records the statements of the pool and executes them unchanged.
  client = createClient({
    ...test.database,
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
    create index plays_track on plays (track_id)`);
  await test.database.query("analyze");
  const members = await createRole(test.database, "Members");
  for (const name of ["playlists", "tracks", "links", "plays"]) {
    await expose(test.database, "public", name, "GET");
    const rowFilter = name === "links" ? { rowFilter: { draft: { _eq: false } } } : {};
    const input = { action: "READ", ...rowFilter } as const;
    await grant(test.database, client.snapshots, members, `public/${name}`, input);
  }
  user = await createUser(test.database, "member@example.com", "Members");
  await client.list(user, "public/playlists");
});
afterAll(() => test.drop());

async function planOf(name: string, query: string): Promise<string> {
  sent = [];
  const { status } = await client.list(user, `public/${name}`, query);
  expect(status).toBe(200);
  const { text, parameters } = sent.at(-1) ?? { text: "", parameters: [] };
  return test.database.transaction(async (transaction) => {
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
