// Tiers: usual, topologies.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestEnvironment, type TestEnvironment } from "./test-environment.ts";

interface Searched {
  readonly column: string;
  readonly indexes: readonly { readonly name: string; readonly configuration: string | null }[];
  readonly createIndex: string | null;
}

let api: TestEnvironment;
beforeAll(async () => {
  api = await openTestEnvironment();
  await api.test.database.query(`
    create type mood as enum ('happy', 'sad');
    create domain slug as varchar(40);
    create text search configuration "Own" (copy = simple);
    create text search configuration own (copy = simple);
    create schema hidden;
    create text search configuration hidden.far (copy = simple)`);
});
afterAll(() => api.test.drop());

const read = async (table: string): Promise<readonly Searched[]> => {
  const answer = await api.ask("GET", `/schema/public/tables/${encodeURIComponent(table)}`);
  expect(answer.status).toBe(200);
  return answer.body.data.textSearch;
};
/** Each column with its indexes: `title: by_title german`. */
const served = async (table: string): Promise<string[]> =>
  (await read(table)).map(
    ({ column, indexes }) =>
      `${column}: ${indexes.map(({ name, configuration }) => `${name} ${configuration}`).join(", ")}`,
  );

describe("the indexes for full-text search of a table", () => {
  it("are those that PostgreSQL uses for the condition of a search", async () => {
    await api.test.database.query(`
      create table books (id int primary key, title text, kind varchar(20), code char(5), slug slug, label name,
        mood mood, tags text[], notes jsonb, words tsvector, bare tsvector, open boolean);
      create index german on books using gin (to_tsvector('german', title));
      create index english on books using gist (to_tsvector('english'::regconfig, title)) where false;
      create index two on books using gin (to_tsvector('own', title), to_tsvector('simple', kind));
      create index explicit on books using gin (to_tsvector('english', kind::text));
      create index padded on books using gin (to_tsvector('english', code));
      create index by_slug on books using gist (to_tsvector('english', slug));
      create index by_label on books using gin (to_tsvector('english', label));
      create index words on books using gin (words);
      create index tree on books (words);
      create index partial on books using gin (to_tsvector('simple', title)) where open;
      create index lower on books using gin (to_tsvector('simple', lower(title)));
      create index collated on books using gin (to_tsvector('simple', title collate "C"));
      create index joined on books using gin (to_tsvector('simple', title || ''));
      create index ordered on books (to_tsvector('simple', title));
      create index quoted on books using gin (to_tsvector('"Own"', title));
      create index far on books using gin (to_tsvector('hidden.far', title));
      create index some_words on books using gin (bare) where open`);
    expect(await served("books")).toEqual([
      "title: german german, two own",
      "kind: explicit english, two simple",
      "code: padded english",
      "slug: by_slug english",
      "label: by_label english",
      "words: words null",
      "bare: ",
    ]);
    // The planner agrees, for the condition that a search compiles to.
    const planOf = (column: string, config: string) =>
      api.test.database.transaction(async (transaction) => {
        await transaction.query("set local enable_seqscan = off");
        const rows = await transaction.query<{ "QUERY PLAN": string }>(
          `explain select t.id from books t where pg_catalog.to_tsvector('${config}'::regconfig, t."${column}"::text)
             @@ pg_catalog.websearch_to_tsquery('${config}'::regconfig, 'x')`,
        );
        return rows.map((row) => row["QUERY PLAN"]).join("\n");
      });
    for (const { column, indexes } of await read("books")) {
      for (const { name, configuration } of indexes) {
        if (configuration === null) continue;
        expect(await planOf(column, configuration)).toMatch(
          new RegExp(`Index Scan (on|using) ${name} `),
        );
      }
    }
    expect(await planOf("title", "simple")).not.toContain("Index Scan");
  });

  it("omit an index that is not valid", async () => {
    await api.test.database.query(`
      create table drafts (id int, body text);
      create index by_body on drafts using gin (to_tsvector('german', body));`);
    expect(await served("drafts")).toEqual(["body: by_body german"]);
    await api.test.database.query(
      "update pg_index set indisvalid = false where indexrelid = 'by_body'::regclass",
    );
    expect(await served("drafts")).toEqual(["body: "]);
  });

  it("are created by the statement beside each column, whatever its name", async () => {
    await api.test.database.query(`
      create table "Odd ""table"" 'x'" (id int, "a ""b"" 'c'" text, "select" text, "%I" varchar, "__proto__" text,
        "Wörter" tsvector, "back\\slash" text)`);
    const before = await read(`Odd "table" 'x'`);
    expect(before.map(({ column }) => column)).toEqual([
      `a "b" 'c'`,
      "select",
      "%I",
      "__proto__",
      "Wörter",
      "back\\slash",
    ]);
    expect(before.flatMap(({ indexes }) => indexes)).toEqual([]);
    for (const { createIndex } of before) await api.test.database.query(createIndex ?? "");
    const [{ setting } = { setting: "" }] = await api.test.database.query<{ setting: string }>(
      "select current_setting('default_text_search_config') as setting",
    );
    const configuration = setting.replace("pg_catalog.", "");
    for (const { column, indexes } of await read(`Odd "table" 'x'`)) {
      const name = expect.any(String);
      const expected = column === "Wörter" ? null : configuration;
      expect([column, indexes]).toEqual([column, [{ name, configuration: expected }]]);
    }
  });

  it("are listed for no table without text, and for a foreign table without a statement", async () => {
    await api.test.database.query(`
      create table numbers (id int primary key, mood mood, tags text[]);
      create foreign data wrapper nowhere;
      create server elsewhere foreign data wrapper nowhere;
      create foreign table remote (id int, title text) server elsewhere;
      create table logs (day date, line text) partition by range (day);
      create index by_line on logs using gin (to_tsvector('simple', line))`);
    expect(await read("numbers")).toEqual([]);
    expect(await read("remote")).toEqual([{ column: "title", indexes: [], createIndex: null }]);
    expect(await served("logs")).toEqual(["line: by_line simple"]);
  });

  it("are part of the answer of a change", async () => {
    await api.test.database.query("create table letters (id int primary key, body text)");
    const add = {
      kind: "addIndex",
      method: "gin",
      keys: [{ expression: "to_tsvector('german', body)" }],
    };
    const answer = await api.ask("PATCH", "/schema/public/tables/letters", { changes: [add] });
    expect([answer.status, answer.faults]).toEqual([200, []]);
    const [searched] = answer.body.data.textSearch;
    expect(searched).toMatchObject({ column: "body", indexes: [{ configuration: "german" }] });
    expect(await read("letters")).toEqual([searched]);
  });
});
