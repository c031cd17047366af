// Tier: long. Builds and starts artefacts.
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  type AppName,
  createTestDatabase,
  findFreePort,
  isLongRun,
  launchApp,
} from "@rowhouse/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const secret = "a secret of the tests' own, long enough";
const services: readonly AppName[] = ["data-api", "admin-api", "workflow-worker", "gateway"];
// Building them takes minutes: `npm run test:long` does, and the usual run does not.
const isLong = isLongRun();
/** The folder that the artefacts run in; no parent folder contains packages. */
let elsewhere: string;

beforeAll(async () => {
  if (!isLong) return;
  const built = await mkdtemp(join(tmpdir(), "rowhouse-built-"));
  elsewhere = await mkdtemp(join(tmpdir(), "rowhouse-moved-"));
  const run = promisify(execFile);
  await run(process.execPath, ["scripts/rowhouse.mjs", "artefacts", `--to=${built}`], {
    cwd: root,
  });
  await cp(built, elsewhere, { recursive: true, verbatimSymlinks: true });
  await rm(built, { recursive: true });
}, 600_000);
afterAll(async () => {
  if (isLong) await rm(elsewhere, { recursive: true, force: true });
});

it.runIf(isLong)(
  "artefacts in their own folder serve with nothing but Node and the environment",
  async () => {
    const test = await createTestDatabase();
    await test.database.query("create database moved_and_empty");
    const url = new URL(test.url);
    url.pathname = "/moved_and_empty";
    const shared = { DATABASE_URL: url.href, ROWHOUSE_SECRET: secret };
    const [DATA_API_PORT, ADMIN_API_PORT] = [await findFreePort(), await findFreePort()];
    const signIn = { email: "admin@example.com", password: "correct horse battery staple" };
    const environments: Readonly<Record<string, Record<string, string>>> = {
      "data-api": { ...shared, PORT: String(DATA_API_PORT) },
      "admin-api": {
        ...shared,
        PORT: String(ADMIN_API_PORT),
        ROWHOUSE_ADMIN_EMAIL: signIn.email,
        ROWHOUSE_ADMIN_PASSWORD: signIn.password,
      },
      "workflow-worker": shared,
      gateway: {
        ROWHOUSE_SECRET: secret,
        DATA_API_URL: `http://127.0.0.1:${DATA_API_PORT}`,
        ADMIN_API_URL: `http://127.0.0.1:${ADMIN_API_PORT}`,
      },
    };
    const launched = await Promise.all(
      services.map((app) =>
        launchApp(app, environments[app] ?? {}, { artefact: join(elsewhere, app) }),
      ),
    );
    await Promise.all(launched.map((each) => each.untilReady()));
    const gateway = launched[services.indexOf("gateway")]?.url;
    const login = await fetch(`${gateway}/api/auth/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(signIn),
    });
    expect(login.status).toBe(200);
    const { data } = (await login.json()) as { data: { token: string } };
    const headers = { Authorization: `Bearer ${data.token}` };
    for (const path of ["/api/auth/me", "/admin/api/roles", "/admin/api/openapi", "/app/api/me"]) {
      const answer = await fetch(`${gateway}${path}`, { headers });
      await answer.arrayBuffer();
      expect([path, answer.status]).toEqual([path, 200]);
    }
    const sample = await fetch(`${gateway}/admin/api/sample`, { method: "POST", headers });
    await sample.arrayBuffer();
    expect(sample.status).toBe(201);
    const page = await fetch(`${gateway}/app`, { headers: { Accept: "text/html" } });
    const [, script = ""] = /src="([^"]+main[^"]+)"/.exec(await page.text()) ?? [];
    const file = await fetch(`${gateway}${script}`);
    await file.arrayBuffer();
    expect([page.status, file.status]).toEqual([200, 200]);
    expect(await Promise.all(launched.map((each) => each.stop()))).toEqual(services.map(() => 0));
    await test.database.query("drop database moved_and_empty with (force)");
    await test.drop();
  },
  180_000,
);

it.runIf(isLong)(
  "artefacts contain no development packages and nothing from the build machine",
  async () => {
    for (const app of services) {
      const entries = await readdir(join(elsewhere, app, "node_modules/.pnpm"));
      expect(entries.filter((name) => /^(?:typescript|vitest|@types|tsx|knip)/.test(name))).toEqual(
        [],
      );
      const manifest = await readFile(join(elsewhere, app, "package.json"), "utf8");
      expect(manifest).not.toContain(root);
      const program = await readFile(join(elsewhere, app, "dist/main.js"), "utf8");
      expect(program.includes(root)).toBe(false);
      expect(JSON.parse(manifest)).toMatchObject({ name: `@rowhouse/${app}`, type: "module" });
    }
  },
);

it.runIf(isLong)(
  "artefacts list every package with version, license and digest as CycloneDX",
  async () => {
    interface Component {
      readonly purl: string;
      readonly licenses?: readonly object[];
      readonly externalReferences?: readonly {
        readonly hashes?: readonly { readonly alg: string }[];
      }[];
    }
    for (const app of services) {
      const text = await readFile(join(elsewhere, app, "sbom.cdx.json"), "utf8");
      const bill = JSON.parse(text) as {
        readonly bomFormat: string;
        readonly metadata: { readonly component: { readonly purl: string } };
        readonly components: readonly Component[];
      };
      expect([bill.bomFormat, bill.metadata.component.purl]).toEqual([
        "CycloneDX",
        expect.stringMatching(new RegExp(`^pkg:npm/%40rowhouse/${app}@`)),
      ]);
      const named = new Map(bill.components.map((each) => [decodeURIComponent(each.purl), each]));
      const folders = await readdir(join(elsewhere, app, "node_modules/.pnpm"));
      const installed = folders.flatMap((folder) => {
        // `@scope+name@1.2.3_peers`; the product's own packages have a path instead of the version.
        const [, name = "", version] = /^(@?[^@]+)@(\d[^_(]*)/.exec(folder) ?? [];
        return version === undefined ? [] : [`pkg:npm/${name.replace("+", "/")}@${version}`];
      });
      expect(installed.length).toBeGreaterThan(20);
      expect([app, installed.filter((purl) => !named.has(purl))]).toEqual([app, []]);
      for (const purl of installed) {
        const { licenses, externalReferences } = named.get(purl) ?? { licenses: [] };
        const hashes = (externalReferences ?? []).flatMap((reference) => reference.hashes ?? []);
        expect([purl, licenses?.length, hashes.map(({ alg }) => alg)]).toEqual([
          purl,
          1,
          ["SHA-512"],
        ]);
      }
      expect(text).not.toContain(root);
    }
  },
);
