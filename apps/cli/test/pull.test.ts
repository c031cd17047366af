// Tiers: long, topologies. Starts processes; configuration-command.test.ts is in every run.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { TestEnvironment } from "@rowhouse/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { CommandError } from "../src/base/command-error.ts";
import {
  type ConfigurationCommand,
  readConfigurationOptions,
} from "../src/configuration/arguments.ts";
import { runConfiguration } from "../src/configuration/run-configuration.ts";
import { type AdministeredService, startAdministeredService } from "./administered-service.ts";
import { type Ended, program, runCli } from "./run-cli.ts";

let service: AdministeredService;
let environment: TestEnvironment;
let folder: string;
beforeAll(async () => {
  service = await startAdministeredService();
  ({ environment } = service);
  await query("create table public.cars (id int primary key, plate text not null, note text)");
  await query("create view public.plates as select plate from public.cars");
  await query("insert into system.roles (name, api_access) values ('Clerks', true)");
});
afterAll(() => service.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(service.folder, "pull-"));
});

const query = (sql: string) => environment.test.database.query(sql);
const file = (path: string) => join(folder, path);
const read = (path: string) => readFile(file(path), "utf8");
const write = async (path: string, text: string) => {
  await mkdir(dirname(file(path)), { recursive: true });
  await writeFile(file(path), text);
};
const variables = () => ({ ROWHOUSE_URL: environment.url, ROWHOUSE_TOKEN: service.token });
/** Runs a command in this process: starting one takes most of its time. */
async function rowhouse(command: ConfigurationCommand, ...args: string[]): Promise<Ended> {
  const output = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  try {
    const options = readConfigurationOptions([folder, ...args], variables());
    const code = await runConfiguration(command, options);
    return { code, stdout: output.mock.calls.join(""), stderr: "" };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { code: 1, stdout: output.mock.calls.join(""), stderr: `rowhouse: ${error.message}\n` };
  } finally {
    output.mockRestore();
  }
}
/** Runs a pull that is refused, and expects that no byte of the folder has changed. */
const refused = async (message: string | RegExp, ...args: string[]) => {
  const before = await bytesOf(folder);
  const { code, stderr } = await rowhouse("pull", ...args);
  expect(stderr).toMatch(message);
  expect(stderr).toContain("Nothing was written");
  expect(stderr).not.toContain("    at ");
  expect([code, await bytesOf(folder)]).toEqual([1, before]);
};

/** Returns a digest of each file below a folder, and its time of change. */
async function bytesOf(place: string): Promise<Record<string, string>> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((e) => join(e.parentPath, e.name));
  const digests = files.map(async (path): Promise<[string, string]> => {
    const digest = createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
    return [path, `${digest} ${(await stat(path)).mtimeMs}`];
  });
  return Object.fromEntries(await Promise.all(digests));
}

describe("rowhouse pull in a folder with other files", () => {
  it("leaves the files of an application, and those that no apply has seen", async () => {
    const others = ["package.json", "views/users/show.pug", "types/index.d.ts", "roles/README.md"];
    for (const path of [...others, "roles/Drivers.yaml"]) await write(path, "mine\n");
    await write(".git/HEAD", "ref: refs/heads/main\n");
    await symlink("/etc/hostname", file("link"));
    for (const times of [1, 2]) {
      const { code, stdout, stderr } = await rowhouse("pull");
      expect([code, stderr, times]).toEqual([0, "", times]);
      expect(stdout).toContain("left    roles/Drivers.yaml: not in the service");
      for (const path of [...others, "roles/Drivers.yaml"]) expect(await read(path)).toBe("mine\n");
    }
    await write("roles/Drivers.yaml", "apiAccess: true\n");
    expect((await rowhouse("plan")).stdout).toContain("+ role.create Drivers");
  });

  it("refuses files of others at its own paths, where there is no configuration yet", async () => {
    await write("settings.yaml", "port: 3000\n");
    await write("views/public/plates.sql", "select 1\n");
    await refused(
      /settings\.yaml: not written by pull.*\nrowhouse: views\/public\/plates\.sql: not/,
    );
    expect(await rowhouse("pull", "--force")).toMatchObject({ code: 0 });
    expect(await rowhouse("plan")).toMatchObject({ code: 0 });
  });

  it("refuses a file that differs from its own only in case", async () => {
    await write("roles/CLERKS.yaml", "apiAccess: true\n");
    await refused("roles/Clerks.yaml: roles/CLERKS.yaml is in its place");
  });

  it.each([
    ["a linked folder", "roles", (path: string) => symlink(tmpdir(), path)],
    ["a dangling link", "settings.yaml", (path: string) => symlink("nowhere", path)],
    ["a linked folder inside", "tables/public", (path: string) => symlink(tmpdir(), path)],
    ["a linked file", "roles/Clerks.yaml", (path: string) => symlink("/etc/hostname", path)],
    ["a folder", "roles/Clerks.yaml", (path: string) => mkdir(path)],
    ["a pipe", "roles/Clerks.yaml", (path: string) => promisify(execFile)("mkfifo", [path])],
    ["a file for a folder", "tables", (path: string) => writeFile(path, "")],
    ["a linked manifest", ".rowhouse", (path: string) => symlink(tmpdir(), path)],
    ["a linked folder of schemas", "schemas", (path: string) => symlink(tmpdir(), path)],
  ])("refuses %s in its way", async (_what, path, make) => {
    await mkdir(dirname(file(path)), { recursive: true });
    await make(file(path));
    await refused(/ is (?:a link|no file|no folder)\. /);
  });

  it("writes into a folder that is itself a link, and keeps other names of a file as they are", async () => {
    await rowhouse("pull");
    const real = folder;
    await link(file("roles/Clerks.yaml"), file("other-name"));
    await symlink(real, `${real}-link`);
    folder = `${real}-link`;
    await query("update system.roles set token_creation = true where name = 'Clerks'");
    expect(await rowhouse("pull")).toMatchObject({ code: 0 });
    expect(await read("roles/Clerks.yaml")).toContain("tokenCreation: true");
    expect(await read("other-name")).not.toContain("tokenCreation");
    await query("update system.roles set token_creation = false where name = 'Clerks'");
  });

  it("refuses a read-only file, and keeps the mode of others", async () => {
    await rowhouse("pull");
    await chmod(file("roles/Clerks.yaml"), 0o640);
    await query("update system.roles set description = 'One' where name = 'Clerks'");
    expect(await rowhouse("pull")).toMatchObject({ code: 0 });
    expect((await stat(file("roles/Clerks.yaml"))).mode & 0o777).toBe(0o640);
    await chmod(file("roles/Clerks.yaml"), 0o440);
    await query("update system.roles set description = '' where name = 'Clerks'");
    await refused("roles/Clerks.yaml is read-only");
  });
});

describe("rowhouse pull of a state that both sides may have changed", () => {
  beforeEach(async () => {
    await rowhouse("pull");
  });

  it("writes no byte if nothing has changed, and records what it wrote in sorted order", async () => {
    const before = await bytesOf(folder);
    expect(await rowhouse("pull")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+ files in /),
    });
    expect(await bytesOf(folder)).toEqual(before);
    const { files, ...rest } = JSON.parse(await read(".rowhouse/pulled.json"));
    expect([rest, Object.keys(files)]).toEqual([{ version: 1 }, Object.keys(files).toSorted()]);
    expect(Object.keys(files)).toContain("roles/Clerks.yaml");
  });

  it("leaves a file that was edited or deleted and not applied, and names it", async () => {
    await write("roles/Clerks.yaml", "apiAccess: true\ndescription: Mine\n");
    await rm(file("settings.yaml"));
    const { code, stdout } = await rowhouse("pull");
    expect([code, stdout.split("\n").slice(0, 2)]).toEqual([
      0,
      [
        "left    roles/Clerks.yaml: changed here and not applied",
        "left    settings.yaml: deleted here and not applied",
      ],
    ]);
    expect(await rowhouse("pull", "--force")).toMatchObject({ code: 0 });
    expect(await rowhouse("plan")).toMatchObject({ code: 0 });
  });

  it("names a file that was edited and that the service has changed or deleted", async () => {
    await query("insert into system.roles (name) values ('Both'), ('Gone'), ('Lost')");
    await rowhouse("pull");
    await write("roles/Both.yaml", "description: Mine\n");
    await write("roles/Gone.yaml", "description: Mine\n");
    await rm(file("roles/Lost.yaml"));
    await query("update system.roles set token_creation = true where name in ('Both', 'Lost')");
    await query("delete from system.roles where name = 'Gone'");
    await refused(
      /^rowhouse: roles\/Both\.yaml: changed here and in the service.*\nrowhouse: roles\/Gone\.yaml: changed here, and deleted.*\nrowhouse: roles\/Lost\.yaml: deleted here, and changed/,
    );
    expect(await rowhouse("pull", "--part", "tables")).toMatchObject({ code: 0 });
    expect(await rowhouse("pull", "--force")).toMatchObject({ code: 0 });
    expect(await readdir(file("roles"))).toEqual(["Both.yaml", "Clerks.yaml", "Lost.yaml"]);
    expect(await rowhouse("plan")).toMatchObject({ code: 0 });
    await query("delete from system.roles where name in ('Both', 'Lost')");
  });

  it("changes one value of a file, and leaves every other byte", async () => {
    const own =
      "# Ours\r\ncolumns:\r\n  plate: { label: 'No.' ,  type: text , nullable: false } # printed\r\n\r\n\r\n" +
      `  id: {type: int, nullable: false}\r\n  note: { type: "text", label: "\${NOTE}" }\r\nprimaryKey: [ id ]\r\n`;
    const start = await read("tables/public/cars.yaml");
    expect(start).toContain("type: integer");
    await write("tables/public/cars.yaml", `\ufeff${own}`);
    await write("environments/test.yaml", "NOTE: Remark\n");
    const args = ["--environment", "test"];
    const applied = await rowhouse("apply", "--yes", ...args);
    expect([applied.code, applied.stderr]).toEqual([0, ""]);
    await query("update system.resource_columns set label = 'Number' where label = 'No.'");
    const pulled = await rowhouse("pull", ...args);
    expect([pulled.code, pulled.stderr]).toEqual([0, ""]);
    expect(await read("tables/public/cars.yaml")).toBe(`\ufeff${own}`.replace("'No.'", "'Number'"));
  });

  it("sets a changed value below comments and variables that no apply has seen", async () => {
    const own = (access: string) =>
      `# Ours\ndescription: "\${WHAT}"   # why\n\napiAccess: ${access}\n`;
    await query("update system.roles set description = 'Them' where name = 'Clerks'");
    await rowhouse("pull");
    await write("roles/Clerks.yaml", own("true"));
    await query("update system.roles set token_creation = true where name = 'Clerks'");
    const pulled = await rowhouse("pull", "--var", "WHAT=Them");
    expect([pulled.code, pulled.stderr]).toEqual([0, ""]);
    expect(await read("roles/Clerks.yaml")).toBe(`${own("true")}tokenCreation: true\n`);
    await query("update system.roles set description = 'Us' where name = 'Clerks'");
    expect((await rowhouse("pull", "--var", "WHAT=Them")).stdout).toContain(
      "roles/Clerks.yaml: the value of the service replaces WHAT\n",
    );
    expect(await read("roles/Clerks.yaml")).toContain('description: "Us"   # why\n');
    await query(
      "update system.roles set description = '', token_creation = false where name = 'Clerks'",
    );
  });

  it("leaves the bytes of a text beside a document that has changed, also with CRLF", async () => {
    const change = (subject: string) =>
      query(
        `update system.templates set subject = '${subject}' where key = 'auth.reset' and language = 'en'`,
      );
    await change("One");
    await rowhouse("pull");
    const texts = ["templates/auth.reset.en.text.liquid", "views/public/plates.sql"];
    for (const path of texts) await write(path, (await read(path)).replaceAll("\n", "\r\n"));
    const before = await bytesOf(folder);
    await change("Two");
    await query("comment on view public.plates is 'All'");
    expect((await rowhouse("pull")).stdout).toMatch(
      /^written templates\/auth\.reset\.en\.yaml\nwritten views\/public\/plates\.yaml\n\d/,
    );
    const after = await bytesOf(folder);
    for (const path of texts) expect(after[file(path)]).toBe(before[file(path)]);
  });

  it("writes nothing if the files cannot be compared, and says how to go on", async () => {
    await write(
      "tables/public/cars.yaml",
      (await read("tables/public/cars.yaml")).replace(
        "columns:",
        `description: \${TEXT}\ncolumns:`,
      ),
    );
    await refused(/tables\/public\/cars\.yaml:\d+:\d+: The variable TEXT has no value/);
    await query("alter table public.cars rename column note to remark");
    await refused("name the environment or the variables");
    expect(await rowhouse("pull", "--force")).toMatchObject({ code: 0 });
    expect(await rowhouse("plan")).toMatchObject({ code: 0 });
    await query("alter table public.cars rename column remark to note");
  });

  it("moves a file whose name needs an escape now, with the words of its author", async () => {
    await query(`create type public."Size" as enum ('A')`);
    await rowhouse("pull");
    await write("types/public/Size.yaml", "# Ours\nvalues: [A]\n");
    await query("create type public.size as enum ('B')");
    const { stdout } = await rowhouse("pull");
    expect(stdout).toContain("written types/public/%53ize.yaml");
    expect(await readdir(file("types/public"))).toEqual(["%53ize.yaml", "size.yaml"]);
    expect(await read("types/public/%53ize.yaml")).toBe("# Ours\nvalues: [A]\n");
    expect(await rowhouse("plan")).toMatchObject({ code: 0 });
    await query(`drop type public."Size"; drop type public.size`);
  });
});

describe("the manifest of a pull", () => {
  it("is adopted by a folder of an earlier version, of which nothing is deleted", async () => {
    await rowhouse("pull");
    await rm(file(".rowhouse"), { recursive: true });
    await write("roles/Old.yaml", "apiAccess: true\n");
    await write("roles/Clerks.yaml", "# Ours\ndescription: Old # why\napiAccess: true\n");
    expect(await rowhouse("pull")).toMatchObject({ code: 0, stderr: "" });
    expect(await read("roles/Clerks.yaml")).toBe("# Ours\napiAccess: true\n");
    expect(await read("roles/Old.yaml")).toBe("apiAccess: true\n");
    expect(JSON.parse(await read(".rowhouse/pulled.json")).files).not.toHaveProperty([
      "roles/Old.yaml",
    ]);
  });

  it.each([
    ["broken", "{"],
    [
      "a path out of the folder",
      '{"version":1,"files":{"../x.yaml":{"sha256":"HASH","service":"HASH"}}}',
    ],
    [
      "a path of others",
      '{"version":1,"files":{"package.json":{"sha256":"HASH","service":"HASH"}}}',
    ],
    ["a conflict of Git", "<<<<<<< ours\n"],
  ])("is refused if it is %s", async (_what, text) => {
    await rowhouse("pull");
    await write("package.json", "{}");
    const hash = createHash("sha256").update("{}").digest("hex");
    await write(".rowhouse/pulled.json", text.replaceAll("HASH", hash));
    const before = await bytesOf(folder);
    const { code, stderr } = await rowhouse("pull", "--force");
    expect(stderr).toMatch(/^rowhouse: \.rowhouse\/pulled\.json is not as pull has written it/);
    expect([code, await bytesOf(folder)]).toEqual([1, before]);
  });

  it("is right after a pull that was killed, wherever it was", async () => {
    await rowhouse("pull");
    await write("roles/Mine.yaml", "apiAccess: true\n");
    const names = Array.from({ length: 300 }, (_, index) => `Role ${index}`);
    const insert = `insert into system.roles (name) select unnest('{${names.join(",")}}'::text[])`;
    for (const delay of [0, 20, 60]) {
      await query(insert);
      await killedAfterFirstRole(delay);
      await query("delete from system.roles where name like 'Role %'");
      const { code, stderr } = await rowhouse("pull");
      expect([code, stderr]).toEqual([0, ""]);
      expect(await readdir(file("roles"))).toEqual(["Clerks.yaml", "Mine.yaml"]);
      expect(await read("roles/Mine.yaml")).toBe("apiAccess: true\n");
    }
  });

  it("is right after two pulls at once", async () => {
    const own = () => runCli(["pull", folder], variables());
    const ends = await Promise.all([own(), own()]);
    for (const { code, stderr } of ends)
      if (code !== 0) expect(stderr).toContain("run rowhouse pull again");
    expect(await rowhouse("pull")).toMatchObject({ code: 0, stderr: "" });
    expect(await rowhouse("plan")).toMatchObject({ code: 0 });
    expect((await readdir(file(".rowhouse"))).toSorted()).toEqual(["pulled.json"]);
  });
});

/** Runs a pull, and kills it a while after it has written the first of many roles. */
async function killedAfterFirstRole(delay: number): Promise<void> {
  const env = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...variables() };
  const child = spawn(process.execPath, [...program, "pull", folder], { env, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (child.exitCode === null) {
    if ((await readdir(file("roles"))).length > 2) break;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await new Promise((resolve) => setTimeout(resolve, delay));
  child.kill("SIGKILL");
  await ended;
}
