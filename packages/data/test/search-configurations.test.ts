import {
  createRole,
  createTestDatabase,
  createUser,
  expose,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authorizePlan } from "../src/authorize/authorize-plan.ts";
import { compileStatement } from "../src/compile/compile-statement.ts";
import { parseListRequest } from "../src/parse/parse-read.ts";
import { planRequest } from "../src/plan/plan-request.ts";
import { createClient, grant, limits } from "./engine.ts";

let test: TestDatabase;
let client: ReturnType<typeof createClient>;
let user: TestUser;
let guest: TestUser;
let readers: string;
let guests: string;

beforeAll(async () => {
  test = await createTestDatabase();
  client = createClient(test.database);
  readers = await createRole(test.database, "Readers");
  guests = await createRole(test.database, "Guests");
  user = await createUser(test.database, "reader@example.com", "Readers");
  guest = await createUser(test.database, "guest@example.com", "Guests");
  await test.database.query(`
    create table public.books (id int primary key, title text, kind varchar(20), words tsvector
      generated always as (to_tsvector('german', title)) stored, open boolean not null default true);
    insert into public.books (id, title, kind) values (1, 'Die alten Häuser am Meer', 'novel'),
      (2, 'Das Meer und die Häuser', 'poem'), (3, 'Running in New York', 'guide'), (4, 'New runners, old York', 'guide'),
      (5, null, null), (6, 'O''Neil''s quay', 'x');
    insert into public.books (id, title, open) values (7, 'Haus im Nebel', false);
    insert into public.books (id, title) select g, 'Buch ' || md5(g::text) from generate_series(100, 20000) g;
    create index on public.books using gin (to_tsvector('german', title));
    analyze public.books`);
  await expose(test.database, "public", "books", "GET");
  const read = { action: "READ" } as const;
  await grant(test.database, client.snapshots, readers, "public/books", read);
  await grant(test.database, client.snapshots, guests, "public/books", {
    ...read,
    rowFilter: { open: { _eq: true } },
  });
});
afterAll(() => test.drop());

const found = async (where: unknown, who = user): Promise<string> => {
  const query = `fields=id&order_by=id&where=${encodeURIComponent(JSON.stringify(where))}`;
  const { status, body } = await client.list(who, "public/books", query);
  if (status === 200) return (body as { data: { id: number }[] }).data.map(({ id }) => id).join();
  const [fault] = (body as { errors: { code: string; path?: string; message: string }[] }).errors;
  return `${status} ${fault?.code} ${fault?.path ?? ""}: ${fault?.message}`;
};
const search = (text: string, options: object = {}) => ({
  title: { _search: { text, ...options } },
});

describe("a full-text search", () => {
  it.each(["web", "plain", "phrase", "prefix"])("takes 100 words: %s", async (mode) => {
    const words = (count: number) =>
      Array.from({ length: count }, (_, index) => `w${index}`).join(" ");
    expect(await found(search(words(100), { mode }))).toBe("");
    expect(await found(search(words(101), { mode }))).toContain("400 QUERY_INVALID where");
    expect(await found({ title: { _search: words(16_000) } })).toContain("400 QUERY_INVALID where");
    expect(await found(search("x".repeat(5001), { mode }))).toContain("400 QUERY_INVALID where");
  });

  it("reads words by a named configuration", async () => {
    expect(await found(search("Haus"))).toBe("7");
    expect(await found(search("Haus", { config: "german" }))).toBe("1,2,7");
    expect(await found(search("run", { config: "english" }))).toBe("3");
    expect(await found(search("run", { config: "simple" }))).toBe("");
    expect(await found({ words: { _search: { text: "Haus -Nebel", config: "german" } } })).toBe(
      "1,2",
    );
    expect(await found({ kind: { _search: { text: "guides", config: "english" } } })).toBe("3,4");
    expect(await found({ _not: search("Buch", { config: "german" }) })).toBe("1,2,3,4,6,7");
  });

  it("has modes: web, plain, phrase and prefix", async () => {
    const english = { config: "english" };
    expect(await found(search("york -running", { ...english, mode: "web" }))).toBe("4");
    expect(await found(search("york -running", { ...english, mode: "plain" }))).toBe("3");
    expect(await found(search("new york", { ...english, mode: "phrase" }))).toBe("3");
    expect(await found(search("yor ne", { ...english, mode: "prefix" }))).toBe("3,4");
    expect(await found(search("Häu", { config: "simple", mode: "prefix" }))).toBe("1,2");
    expect(await found(search("O'Ne \\ | & !:* qu", { config: "simple", mode: "prefix" }))).toBe(
      "6",
    );
    expect(await found(search("'", { mode: "prefix" }))).toBe("");
  });

  it("is written in brackets as well", async () => {
    const query = "fields=id&where[title][_search][text]=Haus&where[title][_search][config]=german";
    const { body } = await client.list(user, "public/books", `${query}&where[open][_eq]=false`);
    expect(body).toMatchObject({ data: [{ id: 7 }] });
    const plain = await client.list(user, "public/books", "fields=id&where[title][_search]=nebel");
    expect(plain.body).toMatchObject({ data: [{ id: 7 }] });
  });

  it.each([
    [{ text: "x", config: "klingon" }, "There is no such text search configuration"],
    [{ text: "x", config: "pg_catalog.german" }, "_search takes text, config"],
    [{ text: "x", config: "a'b" }, "_search takes text, config"],
    [{ text: "x", config: 5 }, "_search takes text, config"],
    [{ text: "x", mode: "fuzzy" }, "_search takes text, config"],
    [{ text: "x", constructor: 1 }, "_search takes text, config"],
    [{ config: "german" }, "must be a single value"],
    [{ text: ["x"] }, "must be a single value"],
  ])("%o is refused", async (options, message) => {
    const answer = await found({ title: { _search: options } });
    expect(answer).toContain("400 QUERY_INVALID");
    expect(answer).toContain(message);
  });

  it("stands in a grant's filter, whose configuration must exist", async () => {
    const role = await createRole(test.database, "Sailors");
    const sailor = await createUser(test.database, "sailor@example.com", "Sailors");
    const allow = (config: string) =>
      grant(test.database, client.snapshots, role, "public/books", {
        action: "READ",
        rowFilter: { title: { _search: { text: "Meere", config } } },
      });
    await expect(allow("klingon")).rejects.toMatchObject({
      faults: [{ code: "BODY_INVALID", path: "/data/rowFilter/title/_search/text" }],
    });
    await allow("german");
    expect(await found({}, sailor)).toBe("1,2");
  });
});

describe("an index for a search", () => {
  /** Returns the plan of the condition that the engine compiles, without the gate and the fields. */
  const planOf = async (condition: string): Promise<string> => {
    const rows = await test.database.query<{ "QUERY PLAN": string }>(
      `explain select t.id from public.books t where ${condition}`,
    );
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };

  it("on the words of a text with the same configuration is used", async () => {
    const match = `pg_catalog.to_tsvector('german'::regconfig, t."title"::text) @@ pg_catalog.websearch_to_tsquery('german'::regconfig, 'Haus')`;
    expect(await planOf(`(${match})`)).toContain("books_to_tsvector_idx");
    expect(await planOf(match.replaceAll("german", "english"))).not.toContain(
      "books_to_tsvector_idx",
    );
    // Behind a row filter the words of hidden rows are not read, so no index is.
    const guarded = `t.open = true and (case when t.open = true then ${match} else false end)`;
    expect(await planOf(guarded)).not.toContain("books_to_tsvector_idx");
    expect(await found(search("Häuser", { config: "german" }), guest)).toBe("1,2");
  });

  it("the compiled condition is the expression of the index", async () => {
    const snapshot = await client.snapshots.current();
    const query = "fields=id&where[title][_search][text]=Haus&where[title][_search][config]=german";
    const target = { schema: "public", name: "books", kind: "TABLE" } as const;
    const request = parseListRequest(target, query, limits);
    const plan = planRequest(request, snapshot.catalogue);
    const textFor = (roleId: string) =>
      compileStatement(authorizePlan(plan, snapshot, { roleIds: [roleId] }), snapshot, "USER").text;
    const match = `(pg_catalog.to_tsvector('german'::regconfig, t."title"::text) @@ pg_catalog.websearch_to_tsquery('german'::regconfig, $`;
    expect(textFor(readers)).toContain(` and ${match}`);
    expect(textFor(guests)).toContain(` then ${match}`);
  });
});
