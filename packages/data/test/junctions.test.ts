import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOfReading, type Reading, visibleResources } from "../src/index.ts";
import { createClient, grant } from "./engine.ts";
import { createExporter, readCsv } from "./exporter.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let member: TestUser;
let clerk: TestUser;

const tables = {
  artists: {},
  playlists: {},
  tracks: { rowFilter: { hidden: { _eq: false } }, fields: ["id", "name", "ms", "artist_id"] },
  playlist_track: { rowFilter: { draft: { _eq: false } } },
  parts: {},
  assemblies: {},
  albums: {},
  album_track: {},
  students: {},
  courses: {},
  enrollments: {},
  depots: {},
  routes: {},
  "depot.routes": {},
};

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  await test.database.query(`
    create table artists (id int primary key, name text);
    create table albums (id int primary key, title text);
    create table tracks (id int primary key, name text, ms int, artist_id int references artists,
      album_id int references albums, hidden boolean not null default false);
    create table playlists (id int primary key, name text);
    create table playlist_track (playlist_id int references playlists, track_id int references tracks,
      draft boolean not null default false, added_by int, primary key (playlist_id, track_id));
    create table album_track (album_id int references albums, track_id int references tracks,
      primary key (track_id, album_id));
    create table parts (id int primary key, name text);
    create table assemblies (parent_id int references parts, child_id int references parts,
      primary key (parent_id, child_id));
    create table students (id int primary key, name text);
    create table courses (id int primary key, name text, credits int);
    create table enrollments (id int primary key, student_id int references students, course_id int references courses, term text);
    create table depots (tenant int, id int, city text, primary key (tenant, id));
    create table routes (tenant int, id int, km int, primary key (tenant, id));
    create table "depot.routes" (tenant int, depot int, route int,
      foreign key (tenant, depot) references depots, foreign key (tenant, route) references routes,
      primary key (tenant, depot, route));
    insert into artists values (1, 'Ann'), (2, 'Bob');
    insert into albums values (1, 'First'), (2, 'Second');
    insert into tracks values (1, 'one', 100, 1, 1), (2, 'two', 200, 1, 2), (3, 'three', 300, 2, null),
      (5, 'five', 500, null, null);
    insert into tracks values (4, 'hidden', 400, 2, null, true);
    insert into playlists values (1, 'Rock'), (2, 'Jazz'), (3, 'Empty'), (4, 'Drafts');
    insert into playlist_track values (1, 1), (1, 2), (1, 4), (2, 2), (2, 3), (4, 4);
    insert into playlist_track values (4, 3, true);
    insert into album_track values (1, 5), (2, 5);
    insert into parts values (1, 'car'), (2, 'wheel'), (3, 'screw');
    insert into assemblies values (1, 2), (1, 3), (2, 3);
    insert into students values (1, 'Sue'), (2, 'Tom'), (3, 'Uma');
    insert into courses values (1, 'Maths', 5), (2, 'Music', 3);
    insert into enrollments values (1, 1, 1, 'spring'), (2, 1, 1, 'autumn'), (3, 1, 2, 'spring'), (4, 2, 1, 'spring'), (5, 3, null, 'spring');
    insert into depots values (1, 1, 'Oslo'), (2, 1, 'Rome');
    insert into routes values (1, 1, 10), (1, 2, 20), (2, 1, 30);
    insert into "depot.routes" values (1, 1, 1), (1, 1, 2), (2, 1, 1)`);
  const members = await createRole(test.database, "Members");
  const clerks = await createRole(test.database, "Clerks");
  for (const [name, input] of Object.entries(tables)) {
    await expose(test.database, "public", name, "GET", "POST", "PATCH", "DELETE");
    const allow = (role: string) =>
      grant(test.database, client.snapshots, role, `public/${name}`, { action: "READ", ...input });
    await allow(members);
    if (!["playlist_track", "enrollments"].includes(name)) await allow(clerks);
  }
  member = await createUser(test.database, "member@example.com", "Members");
  clerk = await createUser(test.database, "clerk@example.com", "Clerks");
});
afterAll(() => test.drop());

const data = async (name: string, query: string, user = member): Promise<unknown> => {
  const answer = await client.list(
    user,
    `public/${name}`,
    query.replace(/[{}"[\]]/g, encodeURIComponent),
  );
  return answer.status === 200 ? (answer.body as { data: unknown }).data : answer.body;
};
const ids = async (name: string, query: string, user = member): Promise<unknown> => {
  const rows = await data(name, `fields=id&${query}`, user);
  return Array.isArray(rows) ? rows.map((row: { id: number }) => row.id).join() : rows;
};

const roleIdOf = async (name: string): Promise<string> => {
  const [row] = await test.database.query<{ id: string }>(
    "select id from system.roles where name = $1::text",
    [name],
  );
  return row?.id ?? "";
};
let people = 0;
/** Creates a user with a role of their own, which may read these tables. */
const person = async (
  grants: Readonly<Record<string, { readonly fields?: string[]; readonly rowFilter?: unknown }>>,
): Promise<{ readonly user: TestUser; readonly role: string }> => {
  people += 1;
  const role = await createRole(test.database, `Role ${people}`);
  for (const [name, input] of Object.entries(grants)) {
    await grant(test.database, client.snapshots, role, `public/${name}`, {
      action: "READ",
      ...input,
    });
  }
  return {
    user: await createUser(test.database, `user-${people}@example.com`, `Role ${people}`),
    role,
  };
};
const csvOf = async (exporter: ReturnType<typeof createExporter>, query: string) => {
  const text = await exporter.csv(member, "public/playlists", query);
  if (typeof text !== "string") throw new Error(JSON.stringify(text));
  return text;
};
const list = async (name: string, where: unknown, user = member): Promise<unknown> =>
  ids(name, `order_by=id&where=${JSON.stringify(where)}`, user);
const unknown = { errors: [{ code: "FIELD_UNKNOWN" }] };

describe("a table whose key is made of two foreign keys", () => {
  it("relates the rows of its two tables, under both row filters", async () => {
    expect(await data("playlists", "fields=name,tracks.name")).toEqual([
      { name: "Rock", tracks: [{ name: "one" }, { name: "two" }] },
      { name: "Jazz", tracks: [{ name: "two" }, { name: "three" }] },
      { name: "Empty", tracks: [] },
      { name: "Drafts", tracks: [] },
    ]);
    expect(await data("tracks", "fields=id,playlists.name")).toEqual([
      { id: 1, playlists: [{ name: "Rock" }] },
      { id: 2, playlists: [{ name: "Rock" }, { name: "Jazz" }] },
      { id: 3, playlists: [{ name: "Jazz" }] },
      { id: 5, playlists: [] },
    ]);
    expect(await data("playlists", "fields=id,tracks&where[id][_eq]=2")).toEqual([
      {
        id: 2,
        tracks: [
          { id: 2, name: "two", ms: 200, artist_id: 1 },
          { id: 3, name: "three", ms: 300, artist_id: 2 },
        ],
      },
    ]);
  });

  it("is a step of one row as well, and of a write's response", async () => {
    expect((await client.read(member, "public/playlists", "2", "fields=tracks.id")).body).toEqual({
      data: { tracks: [{ id: 2 }, { id: 3 }] },
    });
    const { body } = await client.read(member, "public/playlists", "2", "fields=playlist_track");
    expect(body).toMatchObject({ data: { playlist_track: [{ track_id: 2 }, { track_id: 3 }] } });
  });

  it("deep selects among the related rows", async () => {
    expect(
      await data(
        "playlists",
        "fields=tracks.id&where[id][_in]=1,2&deep[tracks][where][artist.name][_eq]=Ann&deep[tracks][order_by]=-ms&deep[tracks][limit]=1",
      ),
    ).toEqual([{ tracks: [{ id: 2 }] }, { tracks: [{ id: 2 }] }]);
    expect(
      await data("playlists", "fields=tracks.artist.name,tracks.playlists.id&where[id][_eq]=1"),
    ).toEqual([
      {
        tracks: [
          { artist: { name: "Ann" }, playlists: [{ id: 1 }] },
          { artist: { name: "Ann" }, playlists: [{ id: 1 }, { id: 2 }] },
        ],
      },
    ]);
  });

  it("counts as one of the relations that a path may cross", async () => {
    const deepest = "fields=tracks.playlists.tracks.id&where[id][_eq]=3";
    expect(await data("playlists", deepest)).toEqual([{ tracks: [] }]);
    expect(await data("playlists", "fields=tracks.playlists.tracks.playlists.id")).toMatchObject({
      errors: [{ code: "QUERY_INVALID", message: "A path crosses at most 3 relations" }],
    });
  });

  it("without a limit, data.max_related_rows applies and meta.more names the relation", async () => {
    const value = "insert into system.settings (key, value) values ('data.max_related_rows', '1')";
    await test.database.query(value);
    try {
      const { body } = await client.list(member, "public/playlists", "fields=tracks.id&limit=1");
      expect(body).toMatchObject({ data: [{ tracks: [{ id: 1 }] }], meta: { more: ["tracks"] } });
    } finally {
      await test.database.query("delete from system.settings where key = 'data.max_related_rows'");
    }
  });

  it.each([
    [{ tracks: { _some: { name: { _eq: "two" } } } }, "1,2"],
    [{ "tracks.name": { _eq: "three" } }, "2"],
    [{ tracks: { name: { _eq: "three" } } }, "2"],
    [{ _not: { "tracks.name": { _eq: "three" } } }, "1,3,4"],
    [{ tracks: { _none: { name: { _eq: "one" } } } }, "2,3,4"],
    [{ tracks: { _every: { ms: { _gte: 200 } } } }, "2,3,4"],
    [{ tracks: { _count: { _gte: 2 } } }, "1,2"],
    [{ tracks: { _count: { _eq: 0 } } }, "3,4"],
    [{ tracks: { _count: { _gte: 1, _where: { ms: { _gt: 200 } } } } }, "2"],
    [{ tracks: { _some: { "artist.name": { _eq: "Bob" } } } }, "2"],
    [{ "tracks.artist": { _some: { name: { _eq: "Bob" } } } }, "2"],
    [
      { tracks: { _some: { artist_id: { _eq: "$FIELD.artist.id" }, ms: { _gt: "$FIELD.id" } } } },
      "1,2",
    ],
    [{ tracks: { _some: { id: { _eq: "$FIELD.artist_id" } } } }, "1"],
    [{ tracks: { _some: { playlists: { _some: { name: { _eq: "Jazz" } } } } } }, "1,2"],
    [{ "tracks.playlists": { _count: { _gte: 3 } } }, "1,2"],
    [{ tracks: { _some: { name: { _eq: "hidden" } } } }, ""],
  ])("a filter of playlists takes it: %j", async (where, expected) => {
    expect(await list("playlists", where)).toBe(expected);
  });

  it("takes brackets", async () => {
    expect(await ids("playlists", "where[tracks][_some][name][_eq]=two&count=exact")).toBe("1,2");
    expect(await ids("playlists", "where[tracks][_count][_gte]=2")).toBe("1,2");
  });

  it("has numbers, which order lists as well", async () => {
    const numbers = "tracks.count,tracks.sum(ms),tracks.max(artist.name)";
    const query = `fields=id,${numbers}&order_by=-tracks.count,-tracks.sum(ms)`;
    expect(await data("playlists", query)).toEqual([
      { id: 2, tracks: { count: 2, sum_ms: "500", "max_artist.name": "Bob" } },
      { id: 1, tracks: { count: 2, sum_ms: "300", "max_artist.name": "Ann" } },
      { id: 3, tracks: { count: 0, sum_ms: null, "max_artist.name": null } },
      { id: 4, tracks: { count: 0, sum_ms: null, "max_artist.name": null } },
    ]);
    expect(
      await data("playlists", "fields=tracks.count&limit=1&deep[tracks][where][name][_eq]=one"),
    ).toEqual([{ tracks: { count: 1 } }]);
    expect(await data("playlists", "fields=tracks.artist.count&limit=2")).toMatchObject({
      errors: [{ code: "QUERY_INVALID" }],
    });
  });

  it("continues an order by its numbers from page to page", async () => {
    const all = await ids("tracks", "order_by=-playlists.count,id");
    expect(all).toBe("2,1,3,5");
    const found: number[] = [];
    let cursor = "";
    for (let page = 0; page < 5; page += 1) {
      const query = `fields=id&limit=1&order_by=-playlists.count,id${cursor}`;
      const { body } = await client.list(member, "public/tracks", query);
      const { data: rows, meta } = body as {
        data: { id: number }[];
        meta?: { nextCursor?: string };
      };
      found.push(...rows.map(({ id }) => id));
      if (meta?.nextCursor === undefined) break;
      cursor = `&cursor=${meta.nextCursor}`;
    }
    expect(found.join()).toBe(all);
  });

  it("is a column of an export", async () => {
    const exporter = createExporter(test.database);
    const query = "fields=name,tracks.id,tracks.artist.name&where[id][_eq]=2";
    const [head, [name, tracks] = []] = readCsv(await csvOf(exporter, query));
    expect([head, name, JSON.parse(tracks ?? "")]).toEqual([
      ["name", "tracks"],
      "Jazz",
      [
        { id: 2, artist: { name: "Ann" } },
        { id: 3, artist: { name: "Bob" } },
      ],
    ]);
    expect(readCsv(await csvOf(exporter, "fields=id,tracks.count,tracks.sum(ms)"))).toEqual([
      ["id", "tracks.count", "tracks.sum_ms"],
      ...[
        ["1", "2", "300"],
        ["2", "2", "500"],
        ["3", "0", null],
        ["4", "0", null],
      ],
    ]);
  });

  it("is a step of a stored reading", async () => {
    const snapshot = await client.snapshots.fresh();
    const relation = snapshot.catalogue.relationByName("public", "playlists");
    if (relation === undefined) throw new Error("no playlists");
    const reading: Reading = {
      ...{ kind: "LIST", fields: ["name", "tracks.name"], orderBy: [], limit: null },
      where: { tracks: { _some: { name: { _eq: "two" } } } },
    };
    expect(faultsOfReading(reading, relation, snapshot, "/data")).toEqual([]);
  });

  it("requests that arrive together get the answers that each gets alone", async () => {
    const many = createClient(test.database, { copies: 5 });
    const query = "fields=id,tracks.name,tracks.playlists.id&where[tracks][_some][ms][_gt]=250";
    expect((await many.list(member, "public/playlists", query)).body).toEqual(
      (await client.list(member, "public/playlists", query)).body,
    );
  });

  it("may refer to a partitioned table, whose partitions are no further targets", async () => {
    await test.database.query(`
      create table songs (id int primary key, name text) partition by range (id);
      create table songs_1 partition of songs for values from (0) to (100);
      create table songs_2 partition of songs for values from (100) to (200);
      create table playlist_song (playlist_id int references playlists, song_id int references songs, primary key (playlist_id, song_id));
      insert into songs values (1, 'one'), (150, 'many');
      insert into playlist_song values (1, 1), (1, 150)`);
    const members = await roleIdOf("Members");
    for (const name of ["songs", "playlist_song"]) {
      await expose(test.database, "public", name, "GET");
      await grant(test.database, client.snapshots, members, `public/${name}`, { action: "READ" });
    }
    expect(await data("playlists", "fields=songs.name&limit=1")).toEqual([
      { songs: [{ name: "one" }, { name: "many" }] },
    ]);
    expect(await data("playlist_song", "fields=song.name&order_by=song_id")).toEqual([
      { song: { name: "one" } },
      { song: { name: "many" } },
    ]);
    await test.database.query("drop table playlist_song, songs");
  });

  it("a key of several columns may share one of them with the other key", async () => {
    expect(await data("depots", "fields=city,routes.km")).toEqual([
      { city: "Oslo", routes: [{ km: 10 }, { km: 20 }] },
      { city: "Rome", routes: [{ km: 30 }] },
    ]);
    expect(
      await data("routes", "fields=km,depots.city&order_by=-depots.count,-km&limit=1"),
    ).toEqual([{ km: 30, depots: [{ city: "Rome" }] }]);
    expect(await data("depots", 'fields=city,"depot.routes".route&limit=1')).toMatchObject([
      { "depot.routes": [{ route: 1 }, { route: 2 }] },
    ]);
  });
});

describe("the name of a junction's relation", () => {
  it("never changes the name of a foreign key's relation", async () => {
    expect(
      await data("albums", "fields=title,tracks.id,tracks_by_album_track.id&where[id][_eq]=2"),
    ).toEqual([{ title: "Second", tracks: [{ id: 2 }], tracks_by_album_track: [{ id: 5 }] }]);
    expect(await data("tracks", "fields=album.title,albums.title&where[id][_eq]=5")).toEqual([
      { album: null, albums: [{ title: "First" }, { title: "Second" }] },
    ]);
  });

  it("of a table with itself says the direction", async () => {
    expect(
      await data(
        "parts",
        "fields=name,parts_by_assemblies_child.name,parts_by_assemblies_parent.name&where[id][_eq]=2",
      ),
    ).toEqual([
      {
        name: "wheel",
        parts_by_assemblies_child: [{ name: "screw" }],
        parts_by_assemblies_parent: [{ name: "car" }],
      },
    ]);
    expect(await data("parts", "fields=parts.name")).toMatchObject({
      errors: [
        {
          code: "QUERY_INVALID",
          message:
            "parts is ambiguous; choose one of parts_by_assemblies_child, parts_by_assemblies_parent",
        },
      ],
    });
    const where = { parts_by_assemblies_child: { _some: { name: { _eq: "screw" } } } };
    expect(await list("parts", where)).toBe("1,2");
    expect(await ids("parts", "order_by=-parts_by_assemblies_parent.count")).toBe("3,2,1");
  });

  it("if several junctions lead to a table, the bare name lists those that the caller may see", async () => {
    await test.database.query(`
      create table favorites (playlist_id int references playlists, track_id int references tracks, primary key (track_id, playlist_id));
      insert into favorites values (3, 5)`);
    try {
      expect(await data("playlists", "fields=tracks.id")).toMatchObject({
        errors: [{ message: "tracks is ambiguous; choose one of tracks_by_playlist_track" }],
      });
      await expose(test.database, "public", "favorites", "GET");
      const members = await roleIdOf("Members");
      await grant(test.database, client.snapshots, members, "public/favorites", { action: "READ" });
      expect(await data("playlists", "fields=tracks.id")).toMatchObject({
        errors: [
          {
            message:
              "tracks is ambiguous; choose one of tracks_by_favorites, tracks_by_playlist_track",
          },
        ],
      });
      const query = "fields=tracks_by_favorites.id,tracks_by_playlist_track.id&where[id][_eq]=3";
      expect(await data("playlists", query)).toEqual([
        { tracks_by_favorites: [{ id: 5 }], tracks_by_playlist_track: [] },
      ]);
      expect(await data("playlists", "fields=tracks.id", clerk)).toMatchObject(unknown);
    } finally {
      await test.database.query("drop table favorites");
    }
    expect(await data("playlists", "fields=tracks.id&limit=1")).toEqual([
      { tracks: [{ id: 1 }, { id: 2 }] },
    ]);
  });

  it("gives way to a column and to a foreign key that arrive later", async () => {
    await test.database.query("alter table playlists add column tracks int");
    try {
      expect(await data("playlists", "fields=tracks,tracks_by_playlist_track.id&limit=1")).toEqual([
        { tracks: null, tracks_by_playlist_track: [{ id: 1 }, { id: 2 }] },
      ]);
    } finally {
      await test.database.query("alter table playlists drop column tracks");
    }
    await test.database.query("alter table tracks add column playlist_id int references playlists");
    try {
      expect(
        await data("playlists", "fields=tracks.id,tracks_by_playlist_track.id&limit=1"),
      ).toEqual([{ tracks: [], tracks_by_playlist_track: [{ id: 1 }, { id: 2 }] }]);
    } finally {
      await test.database.query("alter table tracks drop column playlist_id");
    }
  });
});

describe("the rights on a junction", () => {
  it.each([
    ["fields=RELATION.name"],
    ["fields=RELATION"],
    ["fields=RELATION.count"],
    ["order_by=RELATION.count"],
    ["where[RELATION][_some][name][_eq]=x"],
    ["where[RELATION][_count][_gt]=0"],
    ["where[RELATION.name][_eq]=x"],
    ["fields=id&deep[RELATION][limit]=1"],
    ["aggregate=max(RELATION.ms)"],
    ["group_by=RELATION.name&aggregate=count"],
  ])("without READ on it, %s has the answer of a missing relation", async (query) => {
    const [hidden, missing] = await Promise.all(
      ["tracks", "nothing"].map((name) =>
        client.list(clerk, "public/playlists", query.replace("RELATION", name)),
      ),
    );
    expect(hidden?.status).toBe(400);
    const renamed = JSON.stringify(hidden).replaceAll("tracks", "nothing");
    expect(JSON.parse(renamed)).toEqual(missing);
  });

  it("its READ grant needs no key column: a related row reveals the value of the foreign key", async () => {
    const reader = await person({
      playlists: {},
      tracks: {},
      playlist_track: { fields: ["added_by"] },
    });
    expect(await data("playlists", "fields=tracks.id&limit=1", reader.user)).toEqual([
      { tracks: [{ id: 1 }, { id: 2 }, { id: 4 }] },
    ]);
  });

  it("a revoked grant, a hidden junction and a dropped foreign key apply to the next request", async () => {
    const reader = await person({ playlists: {}, tracks: {}, playlist_track: {} });
    const ask = () => data("playlists", "fields=tracks.id&where[id][_eq]=2", reader.user);
    const shown = [{ tracks: [{ id: 2 }, { id: 3 }] }];
    expect(await ask()).toEqual(shown);
    await test.database.query(
      "delete from system.grants where role_id = $1::text::uuid and resource_id = (select id from system.resources where relation_name = 'playlist_track')",
      [reader.role],
    );
    expect(await ask()).toMatchObject(unknown);
    await grant(test.database, client.snapshots, reader.role, "public/playlist_track", {
      action: "READ",
    });
    expect(await ask()).toEqual(shown);
    await expose(test.database, "public", "playlist_track", "POST");
    expect(await ask()).toMatchObject(unknown);
    await expose(test.database, "public", "playlist_track", "GET");
    expect(await ask()).toEqual(shown);
    await test.database.query(
      "alter table playlist_track drop constraint playlist_track_track_id_fkey",
    );
    expect(await ask()).toMatchObject(unknown);
    await test.database.query(
      "alter table playlist_track add foreign key (track_id) references tracks",
    );
    expect(await ask()).toEqual(shown);
    await test.database.query("alter table playlist_track drop constraint playlist_track_pkey");
    expect(await ask()).toMatchObject(unknown);
    await test.database.query("alter table playlist_track add primary key (playlist_id, track_id)");
    expect(await ask()).toEqual(shown);
  });

  it("visible resources list it with its inverse, without columns", async () => {
    const snapshot = await client.snapshots.fresh();
    const relationsOf = (name: string, roleIds: readonly string[]) =>
      visibleResources(snapshot, { roleIds })
        .find(({ relation }) => relation.schema === "public" && relation.name === name)
        ?.relations.map(({ target, junction, ...rest }) => ({
          ...rest,
          target: target.name,
          junction: junction?.name ?? null,
        }));
    const [members = "", clerks = ""] = await Promise.all(["Members", "Clerks"].map(roleIdOf));
    expect(relationsOf("playlists", [members])).toEqual([
      {
        ...{ name: "playlist_track", kind: "MANY", foreignKey: "TARGET", target: "playlist_track" },
        ...{ junction: null, columns: [{ from: "id", to: "playlist_id" }], inverse: "playlist" },
        part: true,
      },
      {
        ...{ name: "tracks", kind: "MANY", foreignKey: "JUNCTION", target: "tracks" },
        ...{ junction: "playlist_track", columns: null, inverse: "playlists" },
        part: false,
      },
    ]);
    expect(relationsOf("playlists", [clerks])).toEqual([]);
    const parts = relationsOf("parts", [members])?.filter(({ junction }) => junction !== null);
    expect(parts).toMatchObject([
      { name: "parts_by_assemblies_child", inverse: "parts_by_assemblies_parent" },
      { name: "parts_by_assemblies_parent", inverse: "parts_by_assemblies_child" },
    ]);
  });
});

describe("a table that an administrator has marked as a junction", () => {
  const mark = (value: boolean) =>
    test.database.query(
      `update system.resources set junction = ${value} where relation_name = 'enrollments'`,
    );

  it("relates rows from the next request on, each row once", async () => {
    expect(await data("students", "fields=courses.name")).toMatchObject(unknown);
    await mark(true);
    expect(await data("students", "fields=name,courses.name")).toEqual([
      { name: "Sue", courses: [{ name: "Maths" }, { name: "Music" }] },
      { name: "Tom", courses: [{ name: "Maths" }] },
      { name: "Uma", courses: [] },
    ]);
    expect(await data("courses", "fields=name,students.count,students.max(name)")).toEqual([
      { name: "Maths", students: { count: 2, max_name: "Tom" } },
      { name: "Music", students: { count: 1, max_name: "Sue" } },
    ]);
    const ordered = "fields=name,courses.sum(credits)&order_by=-courses.sum(credits):nulls_last,id";
    expect(await data("students", ordered)).toEqual([
      { name: "Sue", courses: { sum_credits: "8" } },
      { name: "Tom", courses: { sum_credits: "5" } },
      { name: "Uma", courses: { sum_credits: null } },
    ]);
    expect(await ids("students", "order_by=-courses.count,id")).toBe("1,2,3");
    expect(await list("students", { courses: { _count: { _eq: 2 } } })).toBe("1");
    expect(await list("students", { courses: { _count: { _gt: 2 } } })).toBe("");
    expect(await list("students", { courses: { _some: { credits: { _lt: 4 } } } })).toBe("1");
    expect(await list("students", { courses: { _none: {} } })).toBe("3");
    expect(await list("students", { "courses.students": { _count: { _gte: 3 } } })).toBe("1");
    expect(await data("students", "fields=courses.name", clerk)).toMatchObject(unknown);
  });

  it("under the junction's row filter", async () => {
    const reader = await person({
      students: {},
      courses: {},
      enrollments: { rowFilter: { term: { _eq: "autumn" } } },
    });
    expect(
      await data("students", "fields=courses.name&order_by=-courses.count&limit=2", reader.user),
    ).toEqual([{ courses: [{ name: "Maths" }] }, { courses: [] }]);
  });

  it("is none while it has another number of foreign keys, and after its mark is removed", async () => {
    await test.database.query("alter table enrollments add column tutor int references students");
    expect(await data("students", "fields=courses.name")).toMatchObject(unknown);
    await test.database.query("alter table enrollments drop column tutor");
    expect(await data("students", "fields=courses.name&limit=1")).toMatchObject([{ courses: {} }]);
    await mark(false);
    expect(await data("students", "fields=courses.name")).toMatchObject(unknown);
  });
});

describe("a grant whose filter names a junction's relation", () => {
  it.each([
    [{ tracks: { _some: { name: { _eq: "three" } } } }, "2,4"],
    [{ "tracks.name": { _eq: "hidden" } }, "1,4"],
    [{ tracks: { _count: { _gte: 3 } } }, "1"],
    [{ tracks: { _every: { "artist.name": { _eq: "Bob" } } } }, "3,4"],
    [{ tracks: { _some: { playlists: { _some: { name: { _eq: "Drafts" } } } } } }, "1,2,4"],
    [{ "tracks.playlists": { _count: { _gte: 5 } } }, "1"],
  ])("counts every row of it: %j", async (rowFilter, expected) => {
    const { user } = await person({ playlists: { rowFilter } });
    expect(await ids("playlists", "order_by=id", user)).toBe(expected);
  });

  it("checks the rows that its reader writes", async () => {
    const rowFilter = { tracks: { _some: { name: { _eq: "three" } } } };
    const { user, role } = await person({ playlists: { rowFilter } });
    await grant(test.database, client.snapshots, role, "public/playlists", {
      action: "UPDATE",
      rowFilter,
    });
    const update = (id: string) => client.update(user, "public/playlists", id, { name: "New" });
    expect((await update("1")).status).toBe(404);
    expect((await update("4")).status).toBe(200);
    await test.database.query("update playlists set name = 'Drafts' where id = 4");
  });

  it("keeps its meaning after renames of the junction, and ends with a foreign key of it", async () => {
    await test.database.query(`
      create table tags (id int primary key, word text);
      create table tagged (tag_id int references tags, playlist_id int references playlists, primary key (tag_id, playlist_id));
      insert into tags values (1, 'loud');
      insert into tagged values (1, 2)`);
    const { user } = await person({
      playlists: { rowFilter: { tags: { _some: { word: { _eq: "loud" } } } } },
    });
    const seen = () => ids("playlists", "order_by=id", user);
    expect(await seen()).toBe("2");
    await test.database.query("alter table tagged rename to tagging");
    await test.database.query("alter table tagging rename column tag_id to label_id");
    expect(await seen()).toBe("2");
    // Another junction takes the name; the grant was not made for it.
    await test.database.query(`
      alter table tagging drop constraint tagged_tag_id_fkey;
      create table suggested (tag_id int references tags, playlist_id int references playlists, primary key (tag_id, playlist_id));
      insert into suggested values (1, 3)`);
    expect(await seen()).toMatchObject({ errors: [{ code: "NOT_FOUND" }] });
    await test.database.query("drop table suggested");
    expect(await seen()).toMatchObject({ errors: [{ code: "NOT_FOUND" }] });
    await test.database.query("alter table tagging add foreign key (label_id) references tags");
    expect(await seen()).toBe("2");
    await test.database.query(`
      drop table tagging;
      create table suggested (tag_id int references tags, playlist_id int references playlists, primary key (tag_id, playlist_id))`);
    expect(await seen()).toMatchObject({ errors: [{ code: "NOT_FOUND" }] });
    await test.database.query("drop table suggested, tags");
  });

  it("ends when a foreign key takes the name", async () => {
    const { user } = await person({
      playlists: { rowFilter: { tracks: { _count: { _gte: 1 } } } },
    });
    const seen = () => ids("playlists", "order_by=id", user);
    expect(await seen()).toBe("1,2,4");
    await test.database.query("alter table tracks add column playlist_id int references playlists");
    try {
      expect(await seen()).toMatchObject({ errors: [{ code: "NOT_FOUND" }] });
    } finally {
      await test.database.query("alter table tracks drop column playlist_id");
    }
    expect(await seen()).toBe("1,2,4");
  });

  it("counts each row of a marked junction once, and ends with the mark", async () => {
    const mark = (value: boolean) =>
      test.database.query(
        `update system.resources set junction = ${value} where relation_name = 'enrollments'`,
      );
    await mark(true);
    const { user } = await person({ students: { rowFilter: { courses: { _count: { _eq: 2 } } } } });
    expect(await ids("students", "", user)).toBe("1");
    await mark(false);
    expect(await ids("students", "", user)).toMatchObject({ errors: [{ code: "NOT_FOUND" }] });
  });
});
