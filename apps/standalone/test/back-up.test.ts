// Tier: long. Starts processes.
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, runApp, signIn, startApp } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "./client.ts";
import { downloadFile, uploadFile } from "./files.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-backup-"));
  // Under root the server runs as another account.
  await chmod(folder, 0o755);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const environmentOf = (directory: string) => ({
  ROWHOUSE_DATA_DIR: directory,
  ROWHOUSE_ADMIN_EMAIL: signIn.email,
  ROWHOUSE_ADMIN_PASSWORD: signIn.password,
});

describe("npm start -- --backup", () => {
  test("a backup copies a running installation, and a start on the copy continues with it", async () => {
    const original = join(folder, "original");
    const app = await startApp("standalone", environmentOf(original));
    const client = createClient(app);
    const as = await client.signIn(signIn);
    const ask = (method: string, path: string, data?: unknown) =>
      client.ask(method, path, { as, ...(data === undefined ? {} : { body: { data } }) });
    const made = await ask("POST", "/admin/api/schema/public/tables", {
      name: "notes",
      columns: [
        { name: "id", dataType: "bigint", identity: "ALWAYS", primaryKey: true },
        { name: "text", dataType: "text" },
      ],
    });
    const { resourceId } = made.body.data;
    await ask("PATCH", `/admin/api/resources/${resourceId}`, { exposedMethods: ["GET", "POST"] });
    // Encrypted with the secret in the directory.
    const provider = {
      key: "corp",
      name: "Corp",
      kind: "oidc",
      issuer: "https://id.example.com",
      clientId: "c",
      clientSecret: "sealed",
    };
    expect((await ask("POST", "/admin/api/auth-providers", provider)).status).toBe(201);

    const [files] = (await ask("GET", "/admin/api/resources?search=files")).body.data;
    const methods = { exposedMethods: ["GET", "POST", "DELETE"] };
    expect((await ask("PATCH", `/admin/api/resources/${files.id}`, methods)).status).toBe(200);
    const report = await uploadFile(app, as, "report.txt", "figures ".repeat(100_000));
    // An upload that a killed process did not complete.
    await mkdir(join(original, "files/.unfinished"), { recursive: true });
    await writeFile(join(original, "files/.unfinished/partial"), "x");

    // Writes continue during the copy.
    let isOver = false;
    let written = 0;
    const writer = (async () => {
      while (!isOver) {
        const answer = await ask("POST", "/api/public/table/notes", { text: "x".repeat(1000) });
        expect(answer.status).toBe(201);
        written += 1;
      }
    })();
    await expect.poll(() => written).toBeGreaterThan(50);
    const before = written;
    const copy = join(folder, "copies/first");
    const { code, output } = await runApp("standalone", environmentOf(original), [
      `--backup=${copy}`,
    ]);
    expect([code, output]).toEqual([0, `Copied ${original} to ${copy}.\n`]);
    const after = written;
    isOver = true;
    await writer;
    expect(after).toBeGreaterThan(before);
    expect((await readdir(join(folder, "copies"))).sort()).toEqual(["first"]);
    expect((await stat(join(copy, "secret"))).mode & 0o777).toBe(0o600);

    const restored = await startApp("standalone", environmentOf(copy));
    const again = createClient(restored);
    const list = await again.ask("GET", "/api/public/table/notes?count=exact&limit=1", { as });
    expect(list.status).toBe(200);
    // All writes before the copy, and a prefix of the concurrent ones.
    expect(list.body.meta.count).toBeGreaterThanOrEqual(before);
    expect(list.body.meta.count).toBeLessThanOrEqual(after + 1);
    expect(await downloadFile(restored, as, report)).toEqual([200, "figures ".repeat(100_000)]);
    await expect(stat(join(copy, "files/.unfinished/partial"))).rejects.toThrow("ENOENT");
    const sealed = await again.ask("GET", "/admin/api/sealed-values", { as });
    expect(sealed.body.data).toMatchObject({ unreadable: 0 });
    // The copy is a separate database, with a separate storage.
    const gone = await again.ask("DELETE", `/api/system/table/files/${report}`, { as });
    expect(gone.status).toBe(204);
    expect((await downloadFile(app, as, report))[0]).toBe(200);
    const added = await again.ask("POST", "/api/public/table/notes", {
      as,
      body: { data: { text: "later" } },
    });
    expect(added.status).toBe(201);
    expect(await restored.stop()).toBe(0);
    expect(await app.stop()).toBe(0);

    // The backup works while nothing runs, too.
    const second = join(folder, "copies/second");
    expect((await runApp("standalone", environmentOf(copy), [`--backup=${second}`])).code).toBe(0);
    const third = await startApp("standalone", environmentOf(second));
    const count = await createClient(third).ask(
      "GET",
      "/api/public/table/notes?count=exact&limit=1",
      { as },
    );
    expect(count.body.meta.count).toBe(list.body.meta.count + 1);
    expect(await third.stop()).toBe(0);
  });

  test("a backup rejects an existing folder, a directory without a database, and a database of DATABASE_URL", async () => {
    const existing = join(folder, "existing");
    await mkdir(existing);
    const refused = async (environment: Readonly<Record<string, string>>, target: string) => {
      const { code, output } = await runApp("standalone", environment, [`--backup=${target}`]);
      expect(code).toBe(1);
      return output;
    };
    expect(await refused({ ROWHOUSE_DATA_DIR: folder }, existing)).toBe(
      `${existing} exists: name a new folder.\n`,
    );
    expect(await refused({ ROWHOUSE_DATA_DIR: existing }, join(folder, "none"))).toBe(
      `${existing} has no embedded database to copy.\n`,
    );
    const database = await createTestDatabase();
    expect(await refused({ DATABASE_URL: database.url }, join(folder, "none"))).toMatch(
      /^--backup copies the embedded database; .*pg_dump.*\n$/,
    );
    await database.drop();
    await expect(stat(join(folder, "none"))).rejects.toThrow("ENOENT");
  });
});
