// Tiers: long, topologies. Starts processes.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdministeredService, startAdministeredService } from "./administered-service.ts";
import { runCli } from "./run-cli.ts";

let service: AdministeredService;
beforeAll(async () => {
  service = await startAdministeredService();
});
afterAll(() => service.stop());

const rowhouse = (command: string, ...args: string[]) =>
  runCli([command, service.folder, ...args], {
    ROWHOUSE_URL: service.environment.url,
    ROWHOUSE_TOKEN: service.token,
  });
const write = async (path: string, text: string) => {
  const file = join(service.folder, path);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, text);
};

describe("beside other tools, the commands", () => {
  it("leave a table that is in no file, and name it", async () => {
    const { database } = service.environment.test;
    await database.query("create table public.kept (id int primary key)");
    await rowhouse("pull");
    await rowhouse("apply", "--yes");
    await database.query("create table public.beside (id int primary key)");
    const plan = await rowhouse("plan");
    expect(plan).toMatchObject({
      code: 0,
      stdout:
        "Nothing to do: the service is as the files say.\n= not in files public.beside, which stays; --allow drop:public.beside drops it\n",
    });
    expect(await rowhouse("apply", "--yes")).toMatchObject({ code: 0, stderr: "" });
    const drift = await rowhouse("drift");
    expect(drift.code).toBe(3);
    expect(drift.stdout).toContain("not in files tables/public/beside.yaml\n");
    const allowed = await rowhouse("plan", "--allow", "drop:public.beside");
    expect(allowed.code).toBe(2);
    expect(allowed.stdout).toContain("- table.drop public.beside tables/public/beside.yaml\n");
    await rowhouse("apply", "--yes", "--allow", "drop:public.beside");
    expect((await rowhouse("drift")).code).toBe(0);
  });

  it("apply the rest with exit code 5 where another tool has not made a table yet", async () => {
    await write("tables/public/bought.yaml", "managed: elsewhere\nexposed: [GET]\n");
    await write("roles/Clerks.yaml", "apiAccess: true\ngrants:\n  public.bought: { READ: {} }\n");
    const missing =
      "! missing Clerks: Its grants of public.bought wait for the table, which is managed elsewhere roles/Clerks.yaml\n! missing public.bought: It is managed elsewhere, and there is no such table yet tables/public/bought.yaml\n";
    const plan = await rowhouse("plan");
    expect(plan.code).toBe(5);
    expect(plan.stdout).toContain(missing);
    const applied = await rowhouse("apply", "--yes");
    expect(applied.code).toBe(5);
    expect(applied.stdout).toContain("Applied 1 steps.\nWhat is named above is still missing.\n");
    await service.environment.test.database.query(
      "create table public.bought (id int primary key)",
    );
    expect((await rowhouse("apply", "--yes")).code).toBe(0);
  });

  it("apply nothing with exit code 5 where the database lacks what no file carries", async () => {
    await write(
      "tables/public/dated.yaml",
      "columns:\n  id: { type: integer }\n  year: { type: public.year }\nprimaryKey: [id]\n",
    );
    const plan = await rowhouse("plan");
    expect(plan).toMatchObject({
      code: 5,
      stderr:
        "rowhouse: tables/public/dated.yaml:3:17: This type does not exist (VALUE_INVALID)\nrowhouse: Nothing was applied: the database lacks what the files do not carry.\n",
    });
    expect((await rowhouse("apply", "--yes")).code).toBe(5);
    await service.environment.test.database.query("create domain public.year as int");
    expect((await rowhouse("apply", "--yes")).code).toBe(0);
  });

  it("take over what a pull finds changed, also where untouched files cannot be compared any more", async () => {
    const { database } = service.environment.test;
    await database.query(
      "create table public.shops (id int primary key, town text); create view public.towns as select town from public.shops",
    );
    await rowhouse("pull");
    await rowhouse("apply", "--yes");
    await write("roles/Clerks.yaml", "apiAccess: false\n");
    await database.query("create schema sales; alter table public.shops set schema sales");
    const pull = await rowhouse("pull");
    expect(pull).toMatchObject({ code: 0, stderr: "" });
    expect(pull.stdout).toContain("left    roles/Clerks.yaml: changed here and not applied\n");
    expect(pull.stdout).toContain("deleted tables/public/shops.yaml\n");
    expect(pull.stdout).toContain(
      "written tables/sales/shops.yaml\nwritten views/public/towns.sql\n",
    );
    // A file that somebody has edited since is not replaced.
    await write("views/public/towns.sql", "select town as name from sales.shops\n");
    await database.query("alter table sales.shops rename column town to city");
    expect(await rowhouse("pull")).toMatchObject({ code: 1 });
    await rowhouse("pull", "--force");
  });

  it.each([
    ["before", "after"],
    ["after", "before"],
  ])(
    "write into the files of a table what other tools have added, with a pull %s the apply",
    async (order) => {
      const { database } = service.environment.test;
      const [guarded, stamped] = [`guarded_${order}`, `stamped_${order}`];
      await database.query(
        `create table public.${guarded} (id int primary key); create table public.${stamped} (id int primary key, note text)`,
      );
      await rowhouse("pull");
      await write(
        `tables/public/${stamped}.yaml`,
        "# Of the shop\ncolumns:\n  id: { type: integer }\n  note: { type: text }\nprimaryKey: [id]\n",
      );
      await rowhouse("apply", "--yes");
      await database.query(
        `alter table public.${guarded} enable row level security;
       create function public.${order}() returns trigger language plpgsql as $$ begin return new; end $$;
       create trigger added before insert on public.${stamped} for each row execute function public.${order}()`,
      );
      if (order === "after") await rowhouse("apply", "--yes");
      const pull = await rowhouse("pull");
      expect(pull.stdout).toContain(`written sql/public/${guarded}.sql\n`);
      const read = (path: string) => readFile(join(service.folder, path), "utf8");
      expect(await read(`sql/public/${guarded}.sql`)).toBe(
        `ALTER TABLE public.${guarded} ENABLE ROW LEVEL SECURITY;\n`,
      );
      expect(await read(`sql/public/${stamped}.sql`)).toContain(
        "CREATE TRIGGER added BEFORE INSERT",
      );
      expect(await read(`tables/public/${stamped}.yaml`)).toBe(
        "# Of the shop\ncolumns:\n  id: { type: integer }\n  note: { type: text }\nprimaryKey: [id]\n",
      );
      expect((await rowhouse("pull")).stdout).toMatch(/^\d+ files in/);
      expect(await rowhouse("apply", "--yes")).toMatchObject({ code: 0 });
    },
  );
});
