import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultsOfReading } from "../src/reading/faults-of-reading.ts";
import type { ListReading } from "../src/reading/reading.ts";
import { createClient, grant } from "./engine.ts";
import { createExporter } from "./exporter.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let guest: TestUser;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database, { copies: 2 });
  const readers = await createRole(test.database, "Readers");
  const guests = await createRole(test.database, "Guests");
  const late = await createRole(test.database, "Late guests");
  user = await createUser(test.database, "reader@example.com", "Readers");
  guest = await createUser(test.database, "guest@example.com", "Guests", "Late guests");
  await test.database.query(`
    create table public.authors (id int primary key, name text, life text, open boolean);
    create table public.books (id int primary key, title text, words tsvector generated always as (to_tsvector('english', title)) stored,
      doc json, author_id int references public.authors (id), open boolean not null default true, secret text);
    create table public.rated (id int primary key, title text, _rank int);
    insert into public.authors values (1, 'Ann', 'sea sea sea', true), (2, 'Bob', 'the sea', true), (3, 'Eve', 'sea sea', false);
    insert into public.books (id, title, doc, author_id, open, secret)
      select g, rpad('', 4 * (g % 7 + 1), 'sea ') || repeat('land ', g % 5) || 'ship',
      format('{"note": "%s tide"}', rpad('', g % 4 * 4, 'sea '))::json, nullif(g % 4, 0), true, 'sea' from generate_series(1, 90) g;
    insert into public.books (id, title, author_id, open) values (100, null, null, true), (101, 'sea sea sea sea sea sea', 1, false);
    insert into public.rated values (1, 'sea', 5), (2, 'sea sea', 9)`);
  // PostgreSQL fails to read so many different words. A join decides that no caller may see the row.
  await test.database.query(`
    create table public.long (id int primary key, body text, author_id int references public.authors (id));
    insert into public.long values (1, 'sea', 1), (2, 'sea sea', 1),
      (3, (select string_agg('sea' || g, ' ') from generate_series(1, 250000) g), 3)`);
  for (const name of ["authors", "books", "rated", "long"]) {
    await expose(test.database, "public", name, "GET");
  }
  const open = { rowFilter: { open: { _eq: true } } };
  const allow = (role: string, name: string, input: object = {}) =>
    grant(test.database, client.snapshots, role, `public/${name}`, { action: "READ", ...input });
  for (const name of ["authors", "books", "rated"]) await allow(readers, name);
  await allow(guests, "authors", open);
  await allow(guests, "long", { rowFilter: { "author.open": { _eq: true } } });
  await allow(guests, "rated", { fields: ["id", "title"] });
  await allow(guests, "books", { ...open, fields: ["id", "author_id", "doc"] });
  await allow(late, "books", {
    rowFilter: { _and: [{ id: { _gt: 80 } }, open.rowFilter] },
    fields: ["id", "title", "words"],
  });
});
afterAll(() => test.drop());

interface Asked {
  readonly ids: string;
  readonly cursor: string | undefined;
}

const ask = async (who: TestUser, name: string, query: string): Promise<Asked | string> => {
  const { status, body } = await client.list(who, `public/${name}`, query);
  if (status === 200) {
    const { data, meta } = body as { data: { id: number }[]; meta?: { nextCursor?: string } };
    return { ids: data.map(({ id }) => id).join(), cursor: meta?.nextCursor };
  }
  const [fault] = (body as { errors: { code: string; path: string; message: string }[] }).errors;
  return `${status} ${fault?.code} ${fault?.path}: ${fault?.message}`;
};
const queryOf = (where: unknown, order: string, rest = "") =>
  `fields=id&order_by=${encodeURIComponent(order)}&where=${encodeURIComponent(JSON.stringify(where))}${rest}`;
const ids = async (where: unknown, order: string, who = user, name = "books") => {
  const answer = await ask(who, name, queryOf(where, order, "&limit=1000"));
  return typeof answer === "string" ? answer : answer.ids;
};
const sql = async (text: string): Promise<string> =>
  (await test.database.query<{ id: number }>(text)).map(({ id }) => id).join();
/** Follows the cursors of a list. */
const pages = async (where: unknown, order: string, who: TestUser, name: string) => {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const rest = `&limit=7${cursor === undefined ? "" : `&cursor=${cursor}`}`;
    const answer = await ask(who, name, queryOf(where, order, rest));
    if (typeof answer === "string") return answer;
    found.push(...(answer.ids === "" ? [] : [answer.ids]));
    cursor = answer.cursor;
  } while (cursor !== undefined);
  return found.join();
};
const sea = { _search: { text: "sea or ship", config: "english" } };
const query = "websearch_to_tsquery('english', 'sea or ship')";

const unknown = "400 FIELD_UNKNOWN order_by: Unknown field _rank";

describe("order_by=_rank", () => {
  it("is the order of ts_rank of the words and the query of the search", async () => {
    const rank = `ts_rank(to_tsvector('english', title), ${query})`;
    const from = "select id from public.books where title is not null order by";
    const best = await sql(`${from} ${rank} desc, id`);
    expect(await ids({ title: sea }, "-_rank")).toBe(best);
    expect(best).not.toBe(await sql(`${from} id`));
    expect(await ids({ title: sea }, "_rank,-id")).toBe(await sql(`${from} ${rank}, id desc`));
    expect(await ids({ words: sea }, "-_rank")).toBe(
      await sql(`${from} ts_rank(words, ${query}) desc, id`),
    );
    const plain = "ts_rank(to_tsvector(title), websearch_to_tsquery('sea'))";
    expect(await ids({ title: { _search: "sea" } }, "-_rank")).toBe(
      await sql(`${from} ${plain} desc, id`),
    );
    const prefix = { _search: { text: "se lan", config: "simple", mode: "prefix" } };
    expect(await ids({ title: prefix }, "-_rank")).toBe(
      await sql(`select id from public.books where title ~ 'land'
        order by ts_rank(to_tsvector('simple', title), to_tsquery('simple', 'se:* & lan:*')) desc, id`),
    );
  });

  it("of a field of a row that the row refers to", async () => {
    const rank = "ts_rank(to_tsvector('english', a.life), websearch_to_tsquery('english', 'sea'))";
    const where = { "author.life": { _search: { text: "sea", config: "english" } } };
    const from = "select b.id from public.books b join public.authors a on a.id = b.author_id";
    expect(await ids(where, "-_rank,id")).toBe(await sql(`${from} order by ${rank} desc, b.id`));
    expect(await pages(where, "-_rank", guest, "books")).toBe(
      await sql(`${from} where a.open and b.open order by ${rank} desc, b.id`),
    );
  });

  it("of a text in a document, in pages", async () => {
    const where = { doc: { _path: { note: { _search: { text: "sea tide", config: "simple" } } } } };
    const words = "to_tsvector('simple', doc->>'note')";
    const all = await sql(`select id from public.books where doc->>'note' ~ 'sea' and open
      order by ts_rank(${words}, websearch_to_tsquery('simple', 'sea tide')) desc, id`);
    expect(await pages(where, "-_rank", guest, "books")).toBe(all);
  });

  it("a row that another condition selects has the rank null if it has no text", async () => {
    const where = { _or: [{ title: sea }, { id: { _eq: 100 } }] };
    const rank = `ts_rank(to_tsvector('english', title), ${query})`;
    for (const [order, by] of [
      ["-_rank", `${rank} desc`],
      ["-_rank:nulls_last", `${rank} desc nulls last`],
      ["_rank:nulls_first", `${rank} nulls first`],
    ] as const) {
      const all = await sql(`select id from public.books order by ${by}, id`);
      expect(await ids(where, order)).toBe(all);
      expect(await pages(where, order, user, "books")).toBe(all);
    }
  });

  it("pages contain each row once, in both directions", async () => {
    for (const order of ["-_rank", "_rank", "-_rank,-id", "author.name,-_rank"]) {
      const all = await ids({ title: sea }, order);
      expect(await pages({ title: sea }, order, user, "books")).toBe(all);
      expect(all.split(",")).toHaveLength(91);
    }
    const first = await ask(user, "books", queryOf({ title: sea }, "-_rank", "&limit=3"));
    const cursor = typeof first === "string" ? "" : first.cursor;
    const other = { title: { _search: { text: "sea", config: "english" } } };
    for (const [where, order] of [
      [other, "-_rank"],
      [{ title: sea }, "_rank"],
    ] as const) {
      expect(
        await ask(user, "books", queryOf(where, order, `&limit=3&cursor=${cursor}`)),
      ).toContain("400 QUERY_INVALID cursor: This is not a cursor of this query");
    }
  });

  it("is null in rows in which the field is hidden", async () => {
    const where = { _or: [{ title: sea }, { id: { _gt: 60 } }] };
    const rank = `case when id > 80 then ts_rank(to_tsvector('english', title), ${query}) end`;
    const expected = await sql(
      `select id from public.books where open and id > 60 order by ${rank} desc, id`,
    );
    expect(await ids(where, "-_rank", guest)).toBe(expected);
    expect(await pages(where, "-_rank", guest, "books")).toBe(expected);
    const words = { _or: [{ words: sea }, { id: { _gt: 60 } }] };
    expect(await pages(words, "-_rank", guest, "books")).toBe(expected);
    const life = { _or: [{ "author.life": sea }, { id: { _gt: 60 } }] };
    const ofAuthor = `ts_rank(to_tsvector('english', a.life), ${query})`;
    expect(await pages(life, "-_rank:nulls_last", guest, "books")).toBe(
      await sql(`select b.id from public.books b left join public.authors a on a.id = b.author_id and a.open
        where b.open and (a.id is not null or b.id > 60) order by ${ofAuthor} desc nulls last, b.id`),
    );
  });

  it("does not read the words of hidden rows, which PostgreSQL could not", async () => {
    const where = { body: { _search: "sea" } };
    expect(await ids(where, "-_rank", guest, "long")).toBe("2,1");
    const first = await ask(guest, "long", queryOf(where, "-_rank", "&limit=1"));
    const cursor = typeof first === "string" ? "" : first.cursor;
    expect(
      await ask(guest, "long", queryOf(where, "-_rank", `&limit=1&cursor=${cursor}`)),
    ).toMatchObject({
      ids: "1",
    });
  });

  it("a field of the name takes precedence, and the name in quotes is only a field", async () => {
    const where = { title: { _search: "sea" } };
    expect(await ids(where, "_rank", user, "rated")).toBe("1,2");
    expect(await ids(where, '-"_rank"', user, "rated")).toBe("2,1");
    expect(await ids({}, "-_rank", user, "rated")).toBe("2,1");
    // The guest may not read the column: the name means what it means in a table without it.
    expect(await ids(where, "-_rank", guest, "rated")).toBe("2,1");
    expect(await ids(where, '"_rank"', guest, "rated")).toBe(unknown);
    expect(await ids({ title: sea }, '"_rank"')).toBe(unknown);
    expect(await ids({ title: sea }, '_rank,"_rank"')).toContain("400 QUERY_INVALID order_by");
  });

  it("requires exactly one search, in a field of one row", async () => {
    const one = "400 QUERY_INVALID order_by: _rank requires exactly one _search in where";
    expect(await ids({}, "-_rank")).toBe(one);
    expect(await ask(user, "books", "order_by=_rank&search=sea")).toBe(one);
    expect(await ids({ _or: [{ title: sea }, { words: sea }] }, "-_rank")).toBe(one);
    expect(await ids({ title: sea, author: { life: sea } }, "-_rank")).toBe(one);
    const many = "400 QUERY_INVALID order_by: _rank requires a _search in a field of the row";
    for (const where of [
      { books: { _some: { title: sea } } },
      { books: { _count: { _gte: 1, _where: { title: sea } } } },
      { "books.title": sea },
    ]) {
      expect(await ids(where, "-_rank", user, "authors")).toContain("400 QUERY_INVALID order_by");
    }
    expect(await ids({ "books.title": sea }, "-_rank", user, "authors")).toContain(many);
    expect(await ids({ id: { _search: "sea" } }, "-_rank")).toContain("400 QUERY_INVALID where");
  });

  it("a hidden field is a missing field, byte for byte", async () => {
    for (const [hidden, missing] of [
      ["secret", "secreu"],
      ["author.secret", "author.secreu"],
    ] as const) {
      const [left, right] = await Promise.all([
        client.list(guest, "public/books", queryOf({ [hidden]: sea }, "-_rank")),
        client.list(guest, "public/books", queryOf({ [missing]: sea }, "-_rank")),
      ]);
      expect(left.status).toBe(400);
      expect(JSON.stringify(left)).toBe(JSON.stringify(right).replaceAll(missing, hidden));
    }
  });

  it("is refused for related rows, aggregates and stored queries", async () => {
    const rows =
      "fields=id,books.id&deep[books][order_by]=-_rank&deep[books][where][title][_search]=sea";
    expect(await ask(user, "authors", rows)).toBe(
      "400 QUERY_INVALID deep[books][order_by]: _rank orders only the rows of a list",
    );
    const groups = "aggregate=count&group_by=author_id&order_by=-_rank&where[title][_search]=sea";
    expect(await ask(user, "books", groups)).toBe(unknown);
    const snapshot = await client.snapshots.fresh();
    const relation = snapshot.catalogue.relationByName("public", "books");
    if (relation === undefined) throw new Error("no relation");
    const reading: ListReading = {
      ...{ kind: "LIST", fields: ["id"], where: { title: sea }, orderBy: ["-_rank"], limit: null },
    };
    expect(faultsOfReading(reading, relation, snapshot, "/data")).toMatchObject([
      { code: "BODY_INVALID", path: "/data/orderBy" },
    ]);
    expect(faultsOfReading({ ...reading, orderBy: ["id"] }, relation, snapshot, "/data")).toEqual(
      [],
    );
  });

  it("orders an export", async () => {
    const exporter = createExporter(test.database);
    const csv = await exporter.csv(user, "public/books", queryOf({ title: sea }, "-_rank"));
    const rows = await ids({ title: sea }, "-_rank");
    expect(csv).toBe(`id\r\n${rows.replaceAll(",", "\r\n")}\r\n`);
    const json = await exporter.ndjson(user, "public/books", queryOf({ title: sea }, "-_rank"));
    expect(json).toBe(
      rows
        .split(",")
        .map((id) => `{"id":${id}}\n`)
        .join(""),
    );
    const broken = await exporter.csv(user, "public/books", queryOf({}, "-_rank"));
    expect(broken).toMatchObject({ status: 400 });
  });
});
