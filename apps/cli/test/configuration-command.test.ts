// Tiers: all, topologies. Starts processes.
import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createToken, createUser, type TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdministeredService, startAdministeredService } from "./administered-service.ts";
import { runCli } from "./run-cli.ts";

let service: AdministeredService;
let environment: TestEnvironment;
let token: string;
let folder: string;
beforeAll(async () => {
  service = await startAdministeredService();
  ({ environment, token, folder } = service);
  await environment.test.database.query(
    "create table public.cars (id bigint generated always as identity primary key, plate text not null)",
  );
});
afterAll(() => service.stop());

const rowhouse = (command: string, ...args: string[]) =>
  runCli([command, folder, ...args], { ROWHOUSE_URL: environment.url, ROWHOUSE_TOKEN: token });
const file = (path: string) => join(folder, path);

describe("rowhouse pull, plan, apply and drift", () => {
  it("write a folder, find nothing to do, and leave other files alone", async () => {
    await writeFile(file("README.md"), "mine");
    expect(await rowhouse("pull")).toMatchObject({ code: 0, stderr: "" });
    expect(await readdir(folder)).toEqual(
      expect.arrayContaining([
        ...["README.md", "rowhouse.yaml", "schemas", "settings.yaml", "tables"],
      ]),
    );
    expect(await readFile(file("tables/public/cars.yaml"), "utf8")).toContain("primaryKey:");
    const { code, stdout } = await rowhouse("plan");
    expect([code, stdout]).toEqual([0, "Nothing to do: the service is as the files say.\n"]);
  });

  it("plan with exit code 2, and apply exactly that plan", async () => {
    const cars = await readFile(file("tables/public/cars.yaml"), "utf8");
    await writeFile(
      file("tables/public/cars.yaml"),
      `# Ours\n${cars.replace("columns:\n", 'exposed: [GET]\ncolumns:\n  price: { type: "numeric(9, 2)" }\n')}`,
    );
    await rm(file("roles"), { recursive: true, force: true });
    const planned = await rowhouse("plan", "--out", file("plan.json"));
    expect(planned.code).toBe(2);
    expect(planned.stdout).toContain(
      'alter table "public"."cars" add column "price" numeric(9, 2)',
    );
    expect(planned.stdout).toContain("~ resource.update public.cars tables/public/cars.yaml");
    expect(planned.stdout).not.toContain("\u001b");
    expect(await rowhouse("apply")).toMatchObject({
      code: 1,
      stderr: "rowhouse: Without a terminal, apply needs --yes.\n",
    });
    const applied = await rowhouse(
      "apply",
      "--plan",
      file("plan.json"),
      "--yes",
      "--commit",
      "4f2a",
    );
    expect(applied).toMatchObject({ code: 0, stderr: "" });
    expect(await rowhouse("apply", "--plan", file("plan.json"))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/\nThe plan was already applied\.\n$/),
    });
    const nothing = await rowhouse("apply", "--yes", "--json", "--commit", "4f2a");
    expect([nothing.code, JSON.parse(nothing.stdout)]).toEqual([
      0,
      expect.objectContaining({ applyId: expect.any(String), steps: 0, state: "APPLIED" }),
    ]);
  });

  it("show, count and ask for what the service has stored, whatever the file of a plan says", async () => {
    const countApplies = async () =>
      (await environment.test.database.query("select from system.configuration_applies")).length;
    const before = await countApplies();
    await writeFile(file("settings.yaml"), "data.default_limit: 21\n");
    expect(await rowhouse("plan", "--out", file("plan.json"))).toMatchObject({ code: 2 });
    const made = JSON.parse(await readFile(file("plan.json"), "utf8"));
    const others = { steps: [], notInTransaction: [], state: "PLANNED" };
    await writeFile(file("plan.json"), JSON.stringify({ ...made, ...others }));
    const shown = await rowhouse("apply", "--plan", file("plan.json"));
    expect(shown).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        "~ settings.update data.default_limit settings.yaml\n    + data.default_limit: 21\n",
      ),
      stderr: "rowhouse: Without a terminal, apply needs --yes.\n",
    });
    expect(await countApplies()).toBe(before);
    await writeFile(file("plan.json"), JSON.stringify({ ...made, digest: "x" }));
    expect(await rowhouse("apply", "--plan", file("plan.json"), "--yes")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /is not the plan that the service has stored\. Nothing was applied\.\n$/,
      ),
    });
    expect(await countApplies()).toBe(before);
    const applied = await rowhouse("apply", "--plan", made.planId, "--yes");
    expect(applied).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Applied 1 steps.\n"),
    });
    await writeFile(file("settings.yaml"), "");
    expect(await rowhouse("apply", "--yes")).toMatchObject({ code: 0 });
  });

  it("change nothing without --yes or a terminal, also if there is nothing to do", async () => {
    expect(await rowhouse("apply")).toMatchObject({
      code: 1,
      stdout: "Nothing to do: the service is as the files say.\n",
      stderr: "rowhouse: Without a terminal, apply needs --yes.\n",
    });
  });

  it("keep the words of a file that means the same, and remove one that the service no longer has", async () => {
    const { database } = environment.test;
    await database.query("insert into system.roles (name) values ('Gone'), ('Here')");
    await rowhouse("pull");
    await writeFile(file("roles/New.yaml"), "apiAccess: true\n");
    await database.query("delete from system.roles where name in ('Gone', 'Here')");
    await rowhouse("pull", "--part", "tables");
    expect(await readdir(file("roles"))).toEqual(["Gone.yaml", "Here.yaml", "New.yaml"]);
    expect(await rowhouse("pull")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^deleted roles\/Gone\.yaml\ndeleted roles\/Here\.yaml\nleft {4}roles\/New\.yaml: not in the service, and not written by pull\n/,
      ),
    });
    expect(await readdir(file("roles"))).toEqual(["New.yaml"]);
    await rm(file("roles"), { recursive: true });
    expect(await readFile(file("tables/public/cars.yaml"), "utf8")).toMatch(/^# Ours\n/);
  });

  it("show what is committed first, because other steps use it", async () => {
    const { database } = environment.test;
    await database.query("create type public.state as enum ('NEW')");
    await database.query("alter table public.cars add column state public.state");
    await rowhouse("pull");
    await writeFile(file("types/public/state.yaml"), "values: [NEW, OLD]\n");
    const path = file("tables/public/cars.yaml");
    const cars = await readFile(path, "utf8");
    await writeFile(path, cars.replace("public.state\n", "public.state\n    default: \"'OLD'\"\n"));
    const planned = await rowhouse("plan");
    expect([planned.code, planned.stderr]).toEqual([2, ""]);
    expect(planned.stdout).toMatch(
      /^Committed first, so that the steps can use it:\n {4}alter type "public"\."state" add value 'OLD'\n\n1 step, in one transaction:\n/,
    );
    expect(await rowhouse("apply", "--yes", "--commit", "4f2a")).toMatchObject({ code: 0 });
    expect(await rowhouse("plan")).toMatchObject({ code: 0 });
  });

  it("show what SQL has changed, with exit code 3", async () => {
    expect(await rowhouse("drift")).toMatchObject({ code: 0 });
    await environment.test.database.query("alter table public.cars rename column plate to number");
    const { code, stdout } = await rowhouse("drift");
    expect(code).toBe(3);
    expect(stdout).toContain("Last apply of 4f2a");
    expect(stdout).toContain("-  plate:\n+  number:\n");
    const json = await rowhouse("drift", "--json");
    expect(JSON.parse(json.stdout).files).toHaveLength(1);
  });

  it("show what SQL has changed in some parts: those of --part, or of the folder's root file", async () => {
    expect(await rowhouse("drift", "--part", "roles")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Nothing has changed since."),
    });
    expect(await rowhouse("drift", "--part", "roles,tables")).toMatchObject({ code: 3 });
    const root = await readFile(file("rowhouse.yaml"), "utf8");
    await writeFile(file("rowhouse.yaml"), "version: 1\nparts: [roles]\n");
    expect(await rowhouse("drift")).toMatchObject({ code: 0 });
    await writeFile(file("rowhouse.yaml"), root);
    expect(await rowhouse("drift", "--part", "people")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("A part is settings, types"),
    });
  });

  it("name files that look like those of the configuration and are none, and refuse links", async () => {
    await mkdir(file("rols"));
    for (const path of ["settings.yml", "notes.sql", "rols/A.yaml"])
      await writeFile(file(path), "");
    const { stderr } = await rowhouse("plan");
    expect(stderr).toBe(
      [
        "rowhouse: notes.sql is not read: no part has this file.",
        "rowhouse: rols/ is not read: no part of a configuration has this folder.",
        "rowhouse: settings.yml is not read: its name must be settings.yaml.",
        "",
      ].join("\n"),
    );
    for (const path of ["settings.yml", "notes.sql", "rols"])
      await rm(file(path), { recursive: true });
    await symlink(file("tables"), file("types/linked"));
    expect(await rowhouse("apply", "--yes")).toMatchObject({
      code: 1,
      stderr:
        "rowhouse: types/linked is a link, which is not followed. Nothing was planned: put the files themselves there.\n",
    });
    await rm(file("types/linked"));
  });

  it("print no character of a file's name that a terminal would execute or hide", async () => {
    await mkdir(file("roles"), { recursive: true });
    const path = file("roles/Zeta%1B%5B4A%E2%80%AE%E2%80%8B.yaml");
    await writeFile(path, 'colour: "\u202e\u0085"\n\u202e\u2028: 1\n');
    for (const args of [[], ["--json"]]) {
      const { code, stdout, stderr } = await rowhouse("plan", ...args);
      expect(code).toBe(1);
      expect(stdout + stderr).not.toMatch(/[^\n\x20-\x7e]/);
    }
    await rm(path);
  });

  it("need consent for a loss, by its name", async () => {
    const planned = await rowhouse("plan", "--json");
    expect(JSON.parse(planned.stdout).steps[0].needsConsent).toEqual(["drop:public.cars.number"]);
    const allow = ["--allow", "drop:public.cars.number"];
    expect([planned.code, (await rowhouse("plan", ...allow)).code]).toEqual([5, 2]);
    expect(await rowhouse("apply", "--yes")).toMatchObject({
      code: 5,
      stderr:
        "rowhouse: The plan needs consent: --allow drop:public.cars.number. Nothing was applied.\n",
    });
    expect(await rowhouse("apply", "--yes", ...allow)).toMatchObject({
      code: 0,
    });
  });

  it("name the rows on which a plan would fail, with exit code 5", async () => {
    const { database } = environment.test;
    await database.query("create table public.priced (id int primary key, price int)");
    await database.query("insert into public.priced values (1, -1)");
    await rowhouse("pull");
    const path = file("tables/public/priced.yaml");
    const priced = await readFile(path, "utf8");
    await writeFile(path, `${priced}checks:\n  positive: { check: price > 0 }\n`);
    const planned = await rowhouse("plan");
    expect([planned.code, planned.stdout]).toEqual([5, expect.stringContaining("fails: ")]);
    expect(await rowhouse("apply", "--yes")).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(
        /^rowhouse: Rows would fail: public\.priced\..* Nothing was applied\.\n$/,
      ),
    });
    await writeFile(path, priced);
  });

  it("say the file, line and column of every fault, with exit code 1", async () => {
    await writeFile(file("settings.yaml"), "data.max_limit: many\ncolour: red\n");
    const { code, stderr } = await rowhouse("plan");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^rowhouse: settings\.yaml:1:17: .*\nrowhouse: settings\.yaml:2:1: Unknown key colour/,
    );
  });

  it("store a secret from the standard input, and show its value nowhere", async () => {
    const value = "canary-4711-value";
    const variables = { ROWHOUSE_URL: environment.url, ROWHOUSE_TOKEN: token };
    const argsFor = (...of: string[]) => ["secret", "set", "MAIL_KEY", ...of];
    const unsaid = await runCli(argsFor(), variables, `${value}\n`);
    expect([unsaid.code, unsaid.stderr]).toEqual([
      1,
      "rowhouse: --for must be workflows or providers: a secret serves one of them, never both.\n",
    ]);
    for (const [of, done] of [
      ["workflows", "stored"],
      ["workflows", "replaced"],
      ["providers", "stored"],
      ["providers", "replaced"],
    ] as const) {
      const args = argsFor("--for", of);
      const { code, stdout, stderr } = await runCli(args, variables, `${value}\n`);
      expect([code, stdout, stderr]).toEqual([0, `The secret MAIL_KEY of ${of} is ${done}.\n`, ""]);
    }
    const [stored] = await environment.test.database.query<{ text: string }>(
      `select (select json_agg(s)::text from system.workflow_secrets s) || (select json_agg(s)::text from system.provider_secrets s)
         || (select json_agg(a)::text from system.audit_log a) as text`,
    );
    expect(stored?.text).toContain("MAIL_KEY");
    expect(stored?.text).not.toContain(value);
    const short = await runCli(argsFor("--for", "workflows"), variables, "short\n");
    expect(short).toMatchObject({ code: 1 });
  });

  it("refuse a token of the other plane, and what is missing", async () => {
    const user = await createUser(environment.test.database, "clerk@example.com");
    const other = (await createToken(environment.test.database, user.id, "api")).secret;
    expect(await runCli(["drift", "--url", environment.url, "--token", other])).toMatchObject({
      code: 1,
    });
    expect(await runCli(["plan", folder])).toMatchObject({
      code: 1,
      stderr: "rowhouse: --url or ROWHOUSE_URL is required.\n",
    });
    expect(await rowhouse("plan", "--var", "a=b")).toMatchObject({ code: 1 });
  });
});
