// Tier: long. Loads the catalogue after each of seventy statements.
import { createTestDatabase, type TestDatabase } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Catalogue,
  createSnapshotStore,
  type Database,
  narrowed,
  proofOf,
  proofQuery,
  type Snapshot,
  type SnapshotStore,
} from "../src/index.ts";

// What a load reads after DDL, and that the catalogue is then the one that a load of everything would return.

let test: TestDatabase;
let store: SnapshotStore;
let reads: (number[] | "ALL")[] = [];
beforeAll(async () => {
  test = await createTestDatabase();
  store = createSnapshotStore(noteReads(test.database));
  await run(`
    create function public.fire() returns trigger language plpgsql as $$ begin return new; end $$;
    create type public.mood as enum ('sad', 'glad');
    create table public.people (id int primary key, name text not null, email text, constraint people_email unique (email));
    create table public.orders (id int primary key, person_id int references public.people on delete cascade, total numeric);
    create table public.lines (order_id int references public.orders on delete cascade, nr int, note text, primary key (order_id, nr));
    create view public.totals as select id, total * 2 as twice from public.orders;
    create view public.big_totals as select * from public.totals where twice > 10;
    create table public.logs (id int, at date not null) partition by range (at);
    create table public.logs_1 partition of public.logs for values from ('2026-01-01') to ('2027-01-01');
    create table public.animals (id int primary key, name text);
    create table public.cats (lives int) inherits (public.animals);
    create table public.alone (id int primary key, a text, b int, c text);
    create index alone_b on public.alone (b);
    create sequence public.numbers;
  `);
  await store.fresh();
});
afterAll(() => test.drop());

const run = (text: string) => test.database.query(text);

/** The same database, which notes the relations of each read of the catalogue. */
function noteReads(database: Database): Database {
  return {
    ...database,
    transaction: (work, options) =>
      database.transaction(
        (transaction) =>
          work({
            ...transaction,
            query: (text, parameters, ...rest) => {
              if (text.includes("pg_attribute")) {
                const [, , named] = parameters ?? [];
                const oids = typeof named === "string" ? named.slice(1, -1).split(",") : undefined;
                reads.push(oids?.map(Number) ?? "ALL");
              }
              return transaction.query(text, parameters, ...rest);
            },
          }),
        options,
      ),
  };
}

/** Everything that a catalogue says, as JSON. */
function contentOf(catalogue: Catalogue): unknown {
  return JSON.parse(
    JSON.stringify(
      catalogue.relations.map((relation) => ({
        relation,
        attributes: relation.columns.map(({ type }) => [...(type.attributes ?? [])]),
        computed: relation.columns.map((column) => catalogue.isComputed(relation, column)),
        edges: [...catalogue.edgesOf(relation).byName].map(([name, { target }]) => [
          name,
          target.oid,
        ]),
        ambiguous: [...catalogue.edgesOf(relation).ambiguous.keys()],
      })),
    ),
  );
}

/** Loads after DDL; returns the names of the relations that the load has read, in order. */
async function readAfter(ddl: string): Promise<readonly string[] | "ALL"> {
  reads = [];
  const before = (await store.current()).catalogue;
  await run(ddl);
  const { catalogue } = await store.fresh();
  const fresh = await createSnapshotStore(test.database).current();
  expect(contentOf(catalogue)).toEqual(contentOf(fresh.catalogue));
  const [read = [], ...more] = reads;
  expect(more).toEqual([]);
  if (read === "ALL") return read;
  const names = read.map(
    (oid) => (catalogue.relationByOid(oid) ?? before.relationByOid(oid))?.name ?? "",
  );
  return names.filter((name) => name !== "").sort();
}

describe("after DDL, a load reads", () => {
  it.each<readonly [ddl: string, read: readonly string[] | "ALL"]>([
    ["alter table public.alone add column d int default 3", ["alone"]],
    ["alter table public.alone alter column d type text", ["alone"]],
    ["alter table public.alone rename column d to e", ["alone"]],
    ["alter table public.alone drop column e", ["alone"]],
    ["alter table public.alone alter b set not null, alter c set default 'x'", ["alone"]],
    ["alter table public.alone add constraint b_positive check (b > 0)", ["alone"]],
    ["comment on constraint b_positive on public.alone is 'checkMessage: B'", ["alone"]],
    ["alter table public.alone rename constraint b_positive to b_sign", ["alone"]],
    ["alter table public.alone drop constraint b_sign", ["alone"]],
    ["comment on column public.alone.b is 'A number'", ["alone"]],
    ["comment on table public.alone is 'Alone'", ["alone"]],
    ["create unique index alone_a on public.alone (a) where b > 0", ["alone"]],
    ["alter index public.alone_a rename to alone_one", ["alone"]],
    ["drop index public.alone_one", ["alone"]],
    [
      "create trigger fire before insert on public.alone for each row execute function public.fire()",
      ["alone"],
    ],
    ["alter table public.alone disable trigger fire", ["alone"]],
    ["drop trigger fire on public.alone", ["alone"]],
    [
      "create rule nothing as on delete to public.alone do instead update public.alone set b = 0 where id = old.id",
      ["alone"],
    ],
    ["drop rule nothing on public.alone", ["alone"]],
    ["create policy own on public.alone using (b = 1)", ["alone"]],
    ["drop policy own on public.alone", ["alone"]],
    ["alter table public.alone enable row level security", ["alone"]],
    ["alter table public.alone disable row level security", ["alone"]],
    ["alter table public.alone add column p int references public.people", ["alone", "people"]],
    ["alter table public.alone drop column p", ["alone", "people"]],
    ["alter table public.alone rename to lonely", ["lonely"]],
    ["alter table public.lonely rename to alone", ["alone"]],
    ["create schema other", []],
    ["alter table public.alone set schema other", ["alone"]],
    ["alter table other.alone set schema public", ["alone"]],
    ["drop schema other", []],
    ["create table public.more (id int primary key, mood public.mood)", ["more"]],
    ["create table public.less as select * from public.more", ["less"]],
    ["drop table public.more, public.less", ["less", "more"]],
    // A foreign key and its code.
    [
      "create trigger fire after delete on public.lines for each row execute function public.fire()",
      ["lines", "orders"],
    ],
    ["drop trigger fire on public.lines", ["lines", "orders"]],
    ["alter table public.lines drop constraint lines_order_id_fkey", ["lines", "orders", "people"]],
    [
      "alter table public.lines add foreign key (order_id) references public.orders on update cascade",
      ["lines", "orders"],
    ],
    // The keys that refer to it are made anew.
    ["alter table public.people alter id type bigint", ["people"]],
    ["alter table public.people drop constraint people_email", ["people"]],
    // Views.
    [
      "create or replace view public.totals as select id, 2 * total as twice from public.orders",
      ["totals"],
    ],
    ["comment on view public.totals is 'Twice'", ["totals"]],
    ["drop view public.big_totals", ["big_totals"]],
    [
      "create materialized view public.sums as select sum(total) as sum from public.orders",
      ["sums"],
    ],
    ["create unique index on public.sums (sum)", ["sums"]],
    // Parents and children.
    ["alter table public.logs add column note text", ["logs", "logs_1"]],
    ["alter table public.logs add primary key (id, at)", ["logs", "logs_1"]],
    [
      "create table public.logs_2 partition of public.logs for values from ('2027-01-01') to ('2028-01-01')",
      ["logs", "logs_2"],
    ],
    [
      "create trigger fire after insert on public.logs_2 for each row execute function public.fire()",
      ["logs", "logs_2"],
    ],
    ["alter table public.logs detach partition public.logs_2", ["logs", "logs_1", "logs_2"]],
    [
      "alter table public.logs attach partition public.logs_2 for values from ('2027-01-01') to ('2028-01-01')",
      ["logs", "logs_1", "logs_2"],
    ],
    ["drop table public.logs_2", ["logs", "logs_2"]],
    ["alter table public.cats no inherit public.animals", ["animals", "cats"]],
    ["alter table public.cats inherit public.animals", ["animals", "cats"]],
    ["alter table public.animals add column age int", ["animals", "cats"]],
    // Nothing of a relation.
    ["alter sequence public.numbers increment 2", []],
    ["create type public.size as enum ('s', 'm')", []],
    ["create domain public.short as varchar(3)", []],
    ["grant select on public.alone to public", []],
    // Anything else.
    ["alter type public.mood add value 'calm'", "ALL"],
    [
      "create or replace function public.fire() returns trigger language plpgsql as $$ begin return null; end $$",
      "ALL",
    ],
    ["comment on type public.mood is 'Mood'", "ALL"],
    ["alter domain public.short add check (value <> '')", "ALL"],
    // The rows of a relation as values of another.
    ["create table public.holders (id int, held public.alone, more public.alone[])", ["holders"]],
    ["alter table public.alone add column f text", "ALL"],
    ["drop table public.holders", ["holders"]],
    ["alter table public.alone add column g text", ["alone"]],
    ["drop type public.mood, public.size cascade", "ALL"],
    ["create extension citext", "ALL"],
    ["alter schema public rename to visible; alter schema visible rename to public", "ALL"],
    ["drop table public.people cascade", ["orders", "people"]],
  ])("%s: %j", async (ddl, read) => {
    expect(await readAfter(ddl)).toEqual(read);
  });

  it("all relations after more changes than the log keeps, and after a restore", async () => {
    await run("comment on table public.alone is 'x'");
    await run("delete from system.catalogue_changes");
    expect(await readAfter("comment on table public.alone is 'y'")).toBe("ALL");
    await run("update system.installation set self_oid = self_oid");
    const [row] = await test.database.query<{ count: string }>(
      "select count(*)::text as count from system.catalogue_changes",
    );
    expect(row?.count).toBe("0");
  });

  it("what several transactions have changed, whichever ends first", async () => {
    await store.fresh();
    let proceed = () => {};
    const waiting = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const open = test.database.transaction(async (transaction) => {
      await transaction.query("alter table public.animals add column long int");
      await waiting;
    });
    expect(await readAfter("alter table public.alone add column h int")).toEqual(["alone"]);
    proceed();
    await open;
    expect(await readAfter("alter table public.alone add column i int")).toEqual([
      "alone",
      "animals",
      "cats",
    ]);
  });

  it("DDL waits for no transaction that has changed other tables and does not end", async () => {
    const open: Promise<unknown>[] = [];
    let proceed = () => {};
    const waiting = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    for (const table of ["animals", "logs", "alone"]) {
      await new Promise<void>((resolve) => {
        const work = test.database.transaction(async (transaction) => {
          await transaction.query(`alter table public.${table} add column late int`);
          resolve();
          await waiting;
        });
        open.push(work);
      });
    }
    await test.database.transaction(async (transaction) => {
      await transaction.query("set local lock_timeout = 100");
      await transaction.query("alter table public.lines add column early int");
    });
    proceed();
    await Promise.all(open);
    await store.fresh();
  });

  it("each of many changes at once raises the epoch", async () => {
    const before = await store.fresh();
    const count = 40;
    await Promise.all(
      Array.from({ length: count }, (_, at) =>
        run(at % 2 === 0 ? "select system.bump_epoch()" : "select system.bump_catalogue()"),
      ),
    );
    const after = await store.fresh();
    expect(Number(after.epoch) - Number(before.epoch)).toBe(count);
    expect(Number(after.catalogueEpoch) - Number(before.catalogueEpoch)).toBe(count / 2);
  });
});

describe("the proof of a narrowed snapshot", () => {
  const isCurrent = async (snapshot: Snapshot, ...names: string[]) => {
    const scope = names.map(
      (name) => snapshot.catalogue.relationByName("public", name)?.oid ?? Number.NaN,
    );
    const [row] = await test.database.query<{ proof: string }>(
      proofQuery(narrowed(snapshot), scope),
    );
    return row?.proof === proofOf(snapshot, scope);
  };

  it.each<readonly [ddl: string, current: readonly string[], stale: readonly string[]]>([
    ["alter table public.alone add column x1 int", ["orders", "animals", "totals"], ["alone"]],
    ["create table public.fresh (id int primary key)", ["orders", "alone", "animals"], []],
    ["drop table public.fresh", ["orders", "alone", "animals"], []],
    ["alter table public.orders add column x2 int", ["alone", "animals"], ["orders", "totals"]],
    ["alter table public.cats add column x3 int", ["alone", "orders"], ["animals", "cats"]],
    ["create index near on public.alone (a)", ["orders"], ["alone"]],
    ["drop index public.near", ["orders", "animals"], ["alone"]],
    [
      "create table public.kittens () inherits (public.cats)",
      ["alone", "orders"],
      ["cats", "animals"],
    ],
    [
      "alter table public.alone add column o bigint references public.orders",
      ["animals"],
      ["alone", "orders"],
    ],
    [
      "create function public.other() returns int language sql return 1",
      [],
      ["alone", "orders", "animals"],
    ],
    ["insert into system.roles (name) values ('Others')", [], ["alone", "orders"]],
    ["update system.resources set description = 'x' where relation_name = 'alone'", [], ["orders"]],
  ])("%s", async (ddl, current, stale) => {
    const snapshot = await store.fresh();
    await run(ddl);
    for (const name of current)
      expect([name, await isCurrent(snapshot, name)]).toEqual([name, true]);
    for (const name of stale)
      expect([name, await isCurrent(snapshot, name)]).toEqual([name, false]);
    if (stale[0] !== undefined) expect(await isCurrent(snapshot, "animals", stale[0])).toBe(false);
  });
});
