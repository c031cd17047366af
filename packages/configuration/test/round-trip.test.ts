import { createTestDatabase, loadChinook } from "@rowhouse/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadSample } from "../src/index.ts";
import { createConfigurator } from "./configuration.ts";

async function open() {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  return { database: test.database, ...(await createConfigurator(test)) };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** What no sample has: objects of every kind that a document can describe, and names that need quotation marks. */
const oddities = `
  create schema "odd.ly /named";
  create table "odd.ly /named"."A ""table"" %" ("Key, 1" int, "key.2" text, "no" boolean not null default false,
    amount numeric(12, 2) default 1.50 constraint "is % positive" check (amount > 0 and amount < 1e9), tags text[] default '{}',
    primary key ("Key, 1", "key.2"), unique nulls not distinct (amount, tags));
  comment on table "odd.ly /named"."A ""table"" %" is E'Two\\nlines: "yes", no';
  comment on column "odd.ly /named"."A ""table"" %".tags is '\${NAME}';
  create index "partial %" on "odd.ly /named"."A ""table"" %" (lower("key.2"), amount desc nulls last) where "no";
  create table public.tree (id bigint generated always as identity primary key, parent_id bigint references public.tree on delete cascade,
    a int, b text, foreign key (a, b) references "odd.ly /named"."A ""table"" %" on delete set null);
  create table public.other (id bigint generated always as identity primary key, tree_id bigint not null references public.tree);
  alter table public.tree add other_id bigint references public.other;
  create view public.leaves as select t.id, t.b as "the b" from public.tree t where not exists (select from public.tree c where c.parent_id = t.id);
  create view public.above as select count(*) as number from public.leaves;
  create materialized view public.kept as select id, "the b" from public.leaves;
  create unique index on public.kept (id)`;

const worlds: readonly (readonly [string, (opened: Opened) => Promise<unknown>])[] = [
  ["the sample", ({ database }) => loadSample(database)],
  ["Chinook", ({ database }) => loadChinook(database)],
  ["a database of oddities", ({ database }) => database.query(oddities).then(() => {})],
];

describe("documents of a database", () => {
  it.each(worlds)(
    "%s, applied to an empty one, read again, are the same bytes",
    {
      timeout: 120_000,
    },
    async (_name, fill) => {
      const source = await open();
      await fill(source);
      const files = await source.pull();
      expect((await source.plan(files)).steps).toEqual([]);
      const target = await open();
      await target.set(files);
      expect(await target.pull()).toEqual(files);
      expect((await target.plan(files)).steps).toEqual([]);
    },
  );
});
