// Tiers: usual, all, topologies. The other tiers also run it on several processes.
import { type Database, openDatabase } from "@rowhouse/db";
import {
  chinookTables,
  loadChinook,
  signIn,
  startTestEnvironment,
  type TestEnvironment,
  topologyNames,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, type Client, createClient } from "./client.ts";

// A public database: the Chinook sample, a music shop. Another SQL client loads it into the running service; everything
// else uses HTTP, and the responses equal the results of SQL.
const clerk = { email: "clerk@example.com", password: "another horse battery staple" };

describe.each(topologyNames("one", "four"))("the Chinook sample in %s", (kind) => {
  let environment: TestEnvironment;
  let database: Database;
  let client: Client;
  let admin = "";
  let canadian = "";
  const resources = new Map<string, string>();

  const administer = (method: string, path: string, data?: unknown): Promise<Answer> =>
    client.ask(method, `/admin/api${path}`, {
      as: admin,
      ...(data === undefined ? {} : { body: { data } }),
    });
  const get = (as: string, path: string): Promise<Answer> =>
    client.ask("GET", `/api/public/table/${path}`, { as });
  const rows = async (as: string, path: string) => {
    const answer = await get(as, path);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data;
  };
  const count = async (as: string, path: string): Promise<number> =>
    (await get(as, `${path}${path.includes("?") ? "&" : "?"}count=exact&limit=0`)).body.meta.count;
  /** Returns the result of SQL as JSON. */
  const sql = async (query: string) => {
    const [row] = await database.query<{ rows: unknown }>(
      `select coalesce(json_agg(q), '[]') as rows from (${query}) q`,
    );
    return row?.rows;
  };
  const faults = (answer: Answer) => [
    answer.status,
    answer.body.errors.map((fault: { code: string }) => fault.code),
  ];

  beforeAll(async () => {
    environment = await startTestEnvironment({ kind });
    database = openDatabase({
      url: environment.test.ownerUrl,
      applicationName: "another-client",
      connectionsMax: 1,
    });
    client = createClient(environment);
    admin = await client.signIn(signIn);
  });
  afterAll(async () => {
    await database.close();
    await environment.stop();
  });

  test("shows its eleven tables as hidden resources, without a restart", async () => {
    const list = () => administer("GET", "/resources?schema=public");
    expect((await list()).body.data).toEqual([]);
    await loadChinook(database);
    const found: { id: string; name: string; kind: string; exposedMethods: string[] }[] = (
      await list()
    ).body.data;
    expect(found.map(({ name }) => name)).toEqual([...chinookTables]);
    for (const { id, name, kind, exposedMethods } of found) {
      expect([kind, exposedMethods]).toEqual(["TABLE", []]);
      expect(faults(await get(admin, name))).toEqual([404, ["NOT_FOUND"]]);
      resources.set(name, id);
    }
  });

  test("lets a clerk for Canada list albums and Canada's invoices once exposed and granted", async () => {
    for (const [name, id] of resources) {
      const exposedMethods = name === "artist" || name === "album" ? ["GET", "POST"] : ["GET"];
      expect((await administer("PATCH", `/resources/${id}`, { exposedMethods })).status).toBe(200);
    }
    const role = (await administer("POST", "/roles", { name: "Canada" })).body.data.id;
    const user = (await administer("POST", "/users", clerk)).body.data.id;
    expect((await administer("POST", `/roles/${role}/members`, { userId: user })).status).toBe(201);
    const grant = async (name: string, terms: object = {}) => {
      const resourceId = resources.get(name);
      const grant = { roleId: role, resourceId, action: "READ", ...terms };
      expect((await administer("POST", "/grants", grant)).status).toBe(201);
    };
    for (const name of ["album", "artist", "track", "genre", "invoice_line"]) await grant(name);
    await grant("invoice", { rowFilter: { billing_country: { _eq: "Canada" } } });
    await grant("customer", {
      fields: ["customer_id", "first_name", "country"],
      rowFilter: { country: { _eq: "Canada" } },
    });
    canadian = await client.signIn(clerk);

    const albums = "album?fields=album_id,title,artist_id&order_by=album_id&limit=1000";
    expect(await rows(canadian, albums)).toEqual(
      await sql("select album_id, title, artist_id from album order by album_id"),
    );
    expect(await rows(canadian, "invoice?fields=invoice_id,total&order_by=invoice_id&limit=1000"))
      // Exact: the digits of the database, including trailing zeros.
      .toEqual(
        await sql(
          "select invoice_id, total::text from invoice where billing_country = 'Canada' order by invoice_id",
        ),
      );
    expect((await rows(canadian, "invoice/4?fields=total")).total).toBe("8.91");
  });

  test("hides employees and foreign invoices from the clerk like missing resources", async () => {
    const same = async (path: string, missing: string) => {
      const [answer, other] = [await get(canadian, path), await get(canadian, missing)];
      expect(faults(answer)).toEqual([404, ["NOT_FOUND"]]);
      expect(answer.body.errors).toEqual(other.body.errors);
    };
    await same("employee", "employees");
    await same("employee/1", "employees/1");
    await same("invoice/1", "invoice/999999");
    expect(await count(canadian, "invoice?where[billing_country][_eq]=USA")).toBe(0);
    for (const field of ["support_rep.last_name", "email", "employee.last_name"]) {
      const answer = await get(canadian, `customer?fields=${field}`);
      expect(answer.body.errors).toEqual([
        {
          ...{ code: "FIELD_UNKNOWN", message: `Unknown field ${field}`, path: "fields" },
          details: { field },
        },
      ]);
    }
    const filtered = await get(canadian, "customer?where[email][_starts_with]=a");
    const unknown = await get(canadian, "customer?where[nothing][_starts_with]=a");
    expect(faults(filtered)).toEqual(faults(unknown));
    expect(faults(filtered)).toEqual([400, ["FIELD_UNKNOWN"]]);
  });

  test("limits relations to the row filter of their target", async () => {
    expect(
      await rows(canadian, "album?fields=title,artist.name&where[artist.name][_eq]=Accept"),
    ).toEqual([
      { title: "Balls to the Wall", artist: { name: "Accept" } },
      { title: "Restless and Wild", artist: { name: "Accept" } },
    ]);
    expect(
      await rows(
        canadian,
        "invoice?fields=invoice_id,customer.first_name,invoice_line.unit_price,invoice_line.track.name" +
          "&where[invoice_id][_eq]=4&deep[invoice_line][limit]=2&deep[invoice_line][order_by]=invoice_line_id",
      ),
    ).toEqual([
      {
        invoice_id: 4,
        customer: { first_name: "Mark" },
        invoice_line: [
          { unit_price: "0.99", track: { name: "Right Through You" } },
          { unit_price: "0.99", track: { name: "Not The Doctor" } },
        ],
      },
    ]);
    // A line of another country's invoice is visible, the invoice is not.
    const [line] = await rows(
      canadian,
      "invoice_line?fields=invoice.total&where[invoice_id][_eq]=1",
    );
    expect(line).toEqual({ invoice: null });
    expect(await count(canadian, "invoice_line?where[invoice.billing_country][_eq]=Germany")).toBe(
      0,
    );
  });

  test.each([
    [
      "customers outside the USA",
      "customer?where[country][_neq]=USA&fields=customer_id,first_name,last_name,country&order_by=customer_id",
      "select customer_id, first_name, last_name, country from customer where country <> 'USA' order by 1",
    ],
    [
      "invoices of customers in Brazil",
      "invoice?where[customer.country][_eq]=Brazil&fields=invoice_id,invoice_date,total&order_by=invoice_id",
      `select invoice_id, invoice_date, total::text from invoice join customer using (customer_id)
       where country = 'Brazil' order by 1`,
    ],
    [
      "employees who sell",
      "employee?where[title][_contains]=Sales%20Support&fields=first_name,last_name&order_by=employee_id",
      "select first_name, last_name from employee where title like '%Sales Support%' order by employee_id",
    ],
    [
      "invoices with the employee who looks after the customer",
      "invoice?fields=invoice_id,customer.support_rep.last_name&order_by=invoice_id&limit=1000",
      `select invoice_id, json_build_object('support_rep', json_build_object('last_name', e.last_name)) as customer
       from invoice join customer c using (customer_id) join employee e on e.employee_id = c.support_rep_id order by 1`,
    ],
    [
      "invoices of 2021 and of 2025, the dearest first",
      "invoice?where[_or][0][invoice_date][_between]=2021-01-01,2021-12-31&where[_or][1][invoice_date][_gte]=2025-01-01" +
        "&fields=invoice_id,total&order_by=-total,invoice_id&limit=1000",
      `select invoice_id, total::text from invoice
       where extract(year from invoice_date) in (2021, 2025) order by invoice.total desc, invoice_id`,
    ],
    [
      "the lines of invoice 37 with track, album and artist",
      "invoice_line?where[invoice_id][_eq]=37&fields=track.name,track.album.artist.name&order_by=invoice_line_id",
      `select json_build_object('name', t.name, 'album', json_build_object('artist', json_build_object('name', a.name))) as track
       from invoice_line l join track t using (track_id) join album using (album_id) join artist a using (artist_id)
       where invoice_id = 37 order by invoice_line_id`,
    ],
    [
      "tracks with album, media type and genre",
      "track?fields=name,album.title,media_type.name,genre.name&order_by=track_id&limit=1000&offset=3000",
      `select t.name, json_build_object('title', title) as album, json_build_object('name', m.name) as media_type,
         json_build_object('name', g.name) as genre
       from track t left join album using (album_id) join media_type m using (media_type_id)
       left join genre g using (genre_id) order by track_id offset 3000`,
    ],
    [
      "tracks that were never sold",
      "track?where[invoice_line][_none][quantity][_gt]=0&fields=track_id,name&order_by=track_id&limit=1000",
      `select track_id, name from track t
       where not exists (select from invoice_line l where l.track_id = t.track_id) order by 1 limit 1000`,
    ],
    [
      "customers who bought jazz",
      "customer?where[invoice][_some][invoice_line][_some][track.genre.name][_eq]=Jazz&fields=customer_id&order_by=customer_id",
      `select distinct customer_id from invoice join invoice_line using (invoice_id) join track using (track_id)
       join genre using (genre_id) where genre.name = 'Jazz' order by 1`,
    ],
    [
      "artists without an album",
      "artist?where[album][_none][album_id][_nnull]=true&fields=name&order_by=artist_id&limit=1000",
      "select name from artist where artist_id not in (select artist_id from album) order by artist_id",
    ],
    [
      "who reports to whom, both ways",
      "employee?fields=last_name,reports_to.last_name,employee.last_name&deep[employee][order_by]=last_name&order_by=employee_id",
      `select e.last_name, (select row_to_json(x) from (select b.last_name) x where b.last_name is not null) as reports_to,
         (select coalesce(json_agg(json_build_object('last_name', r.last_name) order by r.last_name), '[]')
          from employee r where r.reports_to = e.employee_id) as employee
       from employee e left join employee b on b.employee_id = e.reports_to order by e.employee_id`,
    ],
    [
      "the ten customers who spent most",
      "invoice?aggregate=sum(total)&group_by=customer_id&order_by=-sum_total,customer_id&limit=10",
      `select customer_id, sum(total)::text as sum_total from invoice group by 1
       order by sum(total) desc, 1 limit 10`,
    ],
    [
      "the revenue of each country",
      "invoice?aggregate=count,sum(total),avg(total)&group_by=billing_country&order_by=billing_country",
      `select billing_country, count(*), sum(total)::text as sum_total, avg(total)::text as avg_total
       from invoice group by 1 order by 1`,
    ],
    [
      "the revenue of each month",
      "invoice?aggregate=sum(total)&group_by=date_trunc(month,invoice_date)&order_by=invoice_date_month",
      `select date_trunc('month', invoice_date) as invoice_date_month, sum(total)::text as sum_total
       from invoice group by 1 order by 1`,
    ],
    [
      "the sales of each agent",
      "invoice?aggregate=sum(total)&group_by=customer.support_rep.last_name&having[sum_total][_gt]=700&order_by=-sum_total",
      `select e.last_name as "customer.support_rep.last_name", sum(total)::text as sum_total
       from invoice join customer c using (customer_id) join employee e on e.employee_id = c.support_rep_id
       group by e.employee_id, e.last_name having sum(total) > 700 order by sum(total) desc`,
    ],
    [
      "the longest tracks of a playlist",
      "playlist_track?where[playlist.name][_eq]=Grunge&fields=track.name&order_by=-track.milliseconds&limit=5",
      `select json_build_object('name', t.name) as track from playlist_track join playlist p using (playlist_id)
       join track t using (track_id) where p.name = 'Grunge' order by milliseconds desc limit 5`,
    ],
  ])(
    "returns to an administrator's request for %s the result of SQL",
    async (_question, path, query) => {
      const answer = await rows(admin, path.includes("limit=") ? path : `${path}&limit=1000`);
      expect(answer).toEqual(await sql(query));
      expect(answer.length).toBeGreaterThan(0);
    },
  );

  test("reads a row of a composite key by both its values", async () => {
    expect(await rows(admin, "playlist_track/1,3402?fields=playlist.name,track.name")).toEqual({
      playlist: { name: "Music" },
      track: { name: 'Band Members Discuss Tracks from "Revelations"' },
    });
    expect((await get(admin, "playlist_track/1,1,1")).status).toBe(404);
    expect((await get(admin, "playlist_track/1")).status).toBe(404);
  });

  test("reports a violated constraint with an error of the contract", async () => {
    const create = (table: string, data: object) =>
      client.ask("POST", `/api/public/table/${table}`, { as: admin, body: { data } });
    const long = await create("album", { title: "x".repeat(161), artist_id: 1 });
    expect(faults(long)).toEqual([400, ["VALUE_INVALID"]]);
    const orphan = await create("album", { title: "x", artist_id: 99_999 });
    expect(faults(orphan)).toEqual([409, ["FOREIGN_KEY_VIOLATION"]]);
    expect(JSON.stringify(orphan.body)).not.toContain("album_artist_id_fkey");
    const untitled = await create("album", { artist_id: 1 });
    expect(untitled.body.errors).toMatchObject([{ code: "REQUIRED_FIELD", path: "/data/title" }]);
    const numbered = await create("artist", { artist_id: 1, name: "x" });
    expect(faults(numbered)).toEqual([400, ["FIELD_UNKNOWN"]]);
    const created = await create("artist", { name: "Łukasz 'The \"Quoted\"' 音楽" });
    expect(created.status).toBe(201);
    expect(await rows(admin, `artist/${created.body.data.artist_id}`)).toEqual(created.body.data);
  });
});
