// Tier: long. Starts processes.
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createCheckedFetch,
  createTestDatabase,
  findFreePort,
  runApp,
  startApp,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-standalone-"));
  await chmod(folder, 0o755);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const login = (url: string, body: object) =>
  createCheckedFetch({ url })("/api/auth/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

test("a first start on an embedded database prints the sign-in once; a second start finds the same data", async () => {
  const environment = { ROWHOUSE_DATA_DIR: join(folder, "first") };
  const first = await startApp("standalone", environment, { args: ["--sample"] });
  const greeting = first.output();
  expect(greeting).toContain(`Rowhouse is ready at ${first.url}`);
  const password = /Password +(\w{24}) /.exec(greeting)?.[1];
  const body = { email: "admin@example.com", password };
  expect(greeting).toContain(JSON.stringify(body));
  const { data } = (await (await login(first.url, body)).json()) as { data: { token: string } };

  const link = new URL(/http\S+#code=\w+/.exec(greeting)?.[0] ?? "");
  expect(link.href.replace(/rhl_\w{36}$/, "")).toBe(`${first.url}/admin/auth/complete#code=`);
  const exchange = () =>
    createCheckedFetch({ url: first.url })("/api/auth/oauth/exchange", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ code: link.hash.replace("#code=", "") }),
    });
  const answers = await Promise.all(Array.from({ length: 5 }, exchange));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);

  const headers = { Authorization: `Bearer ${data.token}` };
  const counts = async (url: string) => {
    const ask = createCheckedFetch({ url });
    const count = async (path: string) => {
      const answer = await ask(`/api/fleet/${path}?limit=1&count=exact`, { headers });
      return ((await answer.json()) as { meta: { count: number } }).meta.count;
    };
    return [
      await count("table/vehicles"),
      await count("table/drivers"),
      await count("table/trips"),
      await count("table/maintenance"),
      await count("view/vehicle_overview"),
      await count("view/monthly_distance"),
    ];
  };
  expect(await counts(first.url)).toEqual([120, 80, 4000, 600, 120, 72]);
  const urlFile = /psql "\$\(cat '(.*)'\)"/.exec(greeting)?.[1] ?? "";
  expect(urlFile).toBe(join(folder, "first/database-url"));
  expect(await first.stop("SIGINT")).toBe(0);

  const second = await startApp("standalone", environment, { args: ["--sample"] });
  expect(second.output()).not.toContain("Password");
  expect(second.output()).not.toContain("#code=");
  expect(second.output()).toContain(urlFile);
  const databaseUrl = new URL(await readFile(urlFile, "utf8"));
  expect(databaseUrl.username).toBe("rowhouse_service");
  for (const output of [first.output(), second.output()]) {
    expect(output).not.toContain(databaseUrl.password);
    expect(output).not.toContain("postgres://");
  }
  expect((await login(second.url, body)).status).toBe(200);
  expect(await counts(second.url)).toEqual([120, 80, 4000, 600, 120, 72]);
  expect(await second.stop()).toBe(0);

  for (const name of ["postgres-password", "database-url"]) {
    expect((await stat(join(folder, "first", name))).mode & 0o777).toBe(0o600);
  }
  await expect(readFile(join(folder, "first/postgres/data/postmaster.pid"))).rejects.toThrow();
});

test("two signals cause one graceful stop", async () => {
  const app = await startApp("standalone", { ROWHOUSE_DATA_DIR: join(folder, "signals") });
  app.child.kill("SIGINT");
  app.child.kill("SIGTERM");
  expect(await app.stop("SIGINT")).toBe(0);
  await expect(readFile(join(folder, "signals/postgres/data/postmaster.pid"))).rejects.toThrow();
});

test("the administrator is read from the environment, and a given server is used", async () => {
  const database = await createTestDatabase();
  const admin = {
    ROWHOUSE_ADMIN_EMAIL: "owner@example.org",
    ROWHOUSE_ADMIN_PASSWORD: "correct horse battery staple",
  };
  const app = await startApp("standalone", {
    ...admin,
    DATABASE_URL: database.url,
    SYSTEM_DATABASE_URL: database.systemUrl ?? "",
    ROWHOUSE_DATA_DIR: join(folder, "unused"),
  });
  expect(app.output()).not.toContain(admin.ROWHOUSE_ADMIN_PASSWORD);
  expect(app.output()).not.toContain("psql");
  const body = { email: admin.ROWHOUSE_ADMIN_EMAIL, password: admin.ROWHOUSE_ADMIN_PASSWORD };
  expect((await login(app.url, body)).status).toBe(200);
  expect(await app.stop()).toBe(0);
  await expect(stat(join(folder, "unused"))).rejects.toThrow();
  await database.drop();
});

describe("a failed start exits with 1 and one sentence", () => {
  test("for invalid variables", async () => {
    const { code, output } = await runApp("standalone", { PORT: "x", DATABASE_URL: "mysql://x" });
    expect(code).toBe(1);
    expect(output).toBe(
      "Invalid configuration: PORT must be a port number, DATABASE_URL must be a URL that begins with postgres:// or postgresql://.\n",
    );
  });
  test("for an unknown option", async () => {
    const { code, output } = await runApp("standalone", {}, ["--samples"]);
    expect(code).toBe(1);
    expect(output).toMatch(
      /^Unknown option '--samples'.*; the options are --sample, --backup=<folder>, --reset-admin \[address\]\.\n$/,
    );
  });
  test("for a password that is too weak, and nothing stays running", async () => {
    const database = await createTestDatabase();
    const { code, output } = await runApp("standalone", {
      PORT: "0",
      DATABASE_URL: database.url,
      SYSTEM_DATABASE_URL: database.systemUrl ?? "",
      ROWHOUSE_ADMIN_PASSWORD: "short",
      LOG_LEVEL: "error",
    });
    expect(code).toBe(1);
    expect(output).toMatch(/^Invalid configuration: ROWHOUSE_ADMIN_PASSWORD: .*\.\n$/);
    await database.drop();
  });
  test("for an unavailable database, without its password", async () => {
    const port = await findFreePort();
    const { code, output } = await runApp("standalone", {
      DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${port}/none`,
      LOG_LEVEL: "error",
    });
    expect(code).toBe(1);
    expect(output).toContain(`127.0.0.1:${port}`);
    expect(output).not.toContain("hunter2");
    expect(output.trim().split("\n").length).toBe(1);
  });
  test("for a port that is taken", async () => {
    const database = await createTestDatabase();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = taken.address();
    const port = typeof address === "object" ? address?.port : 0;
    const { code, output } = await runApp("standalone", {
      PORT: String(port),
      DATABASE_URL: database.url,
      SYSTEM_DATABASE_URL: database.systemUrl ?? "",
      LOG_LEVEL: "error",
    });
    expect(code).toBe(1);
    expect(output).toBe(
      `Port ${port} on 127.0.0.1 is in use by another process; set PORT to a free port.\n`,
    );
    taken.close();
    await database.drop();
  });
});
