// Tier: long. Plans and applies against several databases; elsewhere-deleted.test.ts is in every run.
import { describe, expect, it } from "vitest";
import { type Configurator, faultsOf, openConfigurator, stepsOf } from "./configuration.ts";

const rootOf = (...patterns: string[]) => ({
  "rowhouse.yaml": `version: 1\nparts: [types, tables, views, roles]\nelsewhere: [${patterns.join(", ")}]\n`,
});
const missingOf = ({ missing }: Awaited<ReturnType<Configurator["plan"]>>) =>
  missing.map(({ document, message }) => `${document}: ${message}`);
const marked = "managed: elsewhere\nexposed: [GET]\ncolumns:\n  id: { label: Number }\n";

const pairs = {
  table: [
    "tables/billing/lines.yaml",
    "create table billing.lines (id int primary key)",
    "columns:\n  id: { type: integer }\nprimaryKey: [id]\n",
  ],
  partition: [
    "tables/billing/parts_1.yaml",
    "create table billing.parts (id int) partition by list (id); create table billing.parts_1 partition of billing.parts default",
    undefined,
  ],
  view: ["views/billing/lines.yaml", "create view billing.lines as select 1 as id", ""],
} as const;

describe("a relation that a pattern leaves to other tools", () => {
  it.each(Object.entries(pairs))(
    "is exposed and labeled by its file, whether it was made before or after the file was applied: %s",
    async (_kind, [path, sql]) => {
      for (const order of ["FILE_FIRST", "RELATION_FIRST"]) {
        const own = await openConfigurator();
        const files = { ...rootOf("billing.*"), [path]: marked };
        await own.database.query("create schema billing");
        await own.set(rootOf("billing.*"));
        if (order === "FILE_FIRST") {
          const before = await own.plan(files);
          expect(stepsOf(before)).toEqual([]);
          expect(missingOf(before)).toEqual([
            expect.stringMatching(`^${path}: It is managed elsewhere, and there is no such`),
          ]);
          await own.apply(before);
        }
        await own.database.query(sql);
        const plan = await own.plan(files);
        const [, , name] = path.split(/[/.]/);
        expect(missingOf(plan)).toEqual([]);
        expect(stepsOf(plan)).toEqual([
          `resource.update billing.${name}`,
          `resource.update billing.${name}.id`,
        ]);
        await own.apply(plan);
        const again = await own.plan(files);
        expect([stepsOf(again), missingOf(again)]).toEqual([[], []]);
        expect((await own.pull())[path]).toContain("label: Number");
      }
    },
  );

  it.each(["table", "view"] as const)(
    "becomes part of the configuration without the pattern and with its structure: %s",
    async (kind) => {
      const [path, sql, structure] = pairs[kind];
      const own = await openConfigurator();
      await own.database.query(`create schema billing; ${sql}`);
      const files = {
        ...{ [path]: structure },
        ...(kind === "view" ? { [path.replace(".yaml", ".sql")]: "select 1 as id" } : {}),
      };
      await own.set(rootOf("billing.*"));
      expect(stepsOf(await own.set({ ...rootOf(), ...files }))).toEqual([
        "elsewhere.update -billing.*",
      ]);
      expect(Object.keys(await own.pull())).toEqual(expect.arrayContaining(Object.keys(files)));
    },
  );

  it("can be a type, which becomes part of the configuration in the same way", async () => {
    const own = await openConfigurator();
    await own.database.query("create schema billing; create type billing.state as enum ('A')");
    await own.set(rootOf("billing.*"));
    const files = { ...rootOf(), "types/billing/state.yaml": "values: [A, B]\n" };
    expect(stepsOf(await own.set(files))).toEqual([
      "elsewhere.update -billing.*",
      "type.update billing.state",
    ]);
  });

  it("is no part of what an apply was planned for: other tools change it meanwhile", async () => {
    const own = await openConfigurator();
    await own.database.query(`create schema billing`);
    await own.set(rootOf("billing.*"));
    const plan = await own.plan({ ...rootOf("billing.*"), "roles/Clerks.yaml": "" });
    await own.database.query(pairs.partition[1]);
    await own.database.query("create type billing.state as enum ('A')");
    await expect(own.apply(plan)).resolves.toMatchObject({ steps: 1 });
  });
});

describe("a table that is managed elsewhere", () => {
  it("is renamed by its tool alone: its file has no former name", async () => {
    const own = await openConfigurator();
    await own.database.query("create table public.theirs (id int primary key)");
    await own.set({ ...rootOf(), "tables/public/theirs.yaml": marked });
    const renamed =
      "managed: elsewhere\nrenamedFrom: public.theirs\ncolumns:\n  id: { renamedFrom: key }\n";
    expect(
      await faultsOf(own.plan({ ...rootOf(), "tables/public/renamed.yaml": renamed })),
    ).toEqual([
      "VALUE_INVALID tables/public/renamed.yaml:2:14 The tool that manages this table renames it; remove renamedFrom",
      "VALUE_INVALID tables/public/renamed.yaml:4:22 The tool that manages this table renames it; remove renamedFrom",
    ]);
    await own.database.query("alter table public.theirs rename to renamed");
    const plan = await own.plan({ ...rootOf(), "tables/public/renamed.yaml": marked });
    expect([stepsOf(plan), missingOf(plan)]).toEqual([[], []]);
  });

  it("is not renamed by the file of another table, neither with a mark nor with a pattern", async () => {
    const own = await openConfigurator();
    await own.database.query("create table public.theirs (id int primary key)");
    const mine = {
      "tables/public/mine.yaml": `renamedFrom: public.theirs\n${pairs.table[2]}`,
    };
    const fault =
      "VALUE_INVALID tables/public/mine.yaml:1:14 The files leave public.theirs to other tools, so it is not renamed";
    for (const files of [
      { ...rootOf(), "tables/public/theirs.yaml": "managed: elsewhere\n" },
      rootOf("public.theirs"),
    ]) {
      await own.set(files);
      expect(await faultsOf(own.plan({ ...files, ...mine }))).toEqual([fault]);
    }
    // Files that leave it to nobody else take it over.
    expect(stepsOf(await own.set({ ...rootOf(), ...mine }))).toEqual([
      "elsewhere.update -public.theirs",
      "table.alter public.theirs",
    ]);
  });
});

describe("a table whose file was deleted", () => {
  const kept = `columns:\n  id: { type: integer }\nprimaryKey: [id]\n`;

  it("is a fault of the plan if a view reads it that stays, of the files or of other tools", async () => {
    const own = await openConfigurator();
    const view = {
      "views/public/reading.yaml": "",
      "views/public/reading.sql": "select id from public.gone",
    };
    await own.set({ ...rootOf(), ...view, "tables/public/gone.yaml": kept });
    const fault = (name: string) =>
      `CONFLICT tables/public/gone.yaml:-:- Other objects depend on this: view public.${name}; drop them as well, or change them in an apply before`;
    expect(await faultsOf(own.plan({ ...rootOf(), ...view }))).toEqual([fault("reading")]);
    const plan = await own.set(rootOf());
    const { sql } = plan.steps.find(({ kind }) => kind === "table.drop") ?? { sql: [] };
    expect(sql.at(-1)).toBe('drop table "public"."gone"');
    await own.set({ ...rootOf("public.theirs"), "tables/public/gone.yaml": kept });
    await own.database.query("create view public.theirs as select id from public.gone");
    expect(await faultsOf(own.plan(rootOf("public.theirs")))).toEqual([fault("theirs")]);
  });

  it("is a fault of the apply, with its file, if a table of other tools refers to it", async () => {
    const own = await openConfigurator();
    await own.set({ ...rootOf("public.theirs"), "tables/public/gone.yaml": kept });
    await own.database.query("create table public.theirs (id int references public.gone)");
    const plan = await own.plan(rootOf("public.theirs"));
    expect(await faultsOf(own.apply(plan, ["drop:public.gone"]))).toEqual([
      "CONFLICT tables/public/gone.yaml:-:- Other objects depend on this: table constraint theirs_id_fkey on public.theirs; drop them as well, or change them in an apply before",
    ]);
  });
});
