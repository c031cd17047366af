// Tiers: long, topologies. Downloads its programs.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Database, openDatabase } from "@rowhouse/db";
import {
  findFreePort,
  isLongRun,
  loadChinook,
  signIn,
  startTestEnvironment,
  type TestEnvironment,
  topologyNames,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient } from "./client.ts";
import { type AuthorizingProxy, startAuthorizingProxy } from "./mcp/authorizing-proxy.ts";
import { expectedFailures } from "./mcp/expected-failures.ts";
import { exposeToAgent } from "./mcp/expose-to-agent.ts";
import { runOutsideClient } from "./mcp/outside-client.ts";
import {
  type Revision,
  runAuthorizationConformance,
  runConformance,
} from "./mcp/run-conformance.ts";

// Clients that others wrote, as npm has them. They need Node 22 and a download, so only `npm run test:mcp-clients` runs them.
const isChosen = isLongRun();
const root = fileURLToPath(new URL("../../../", import.meta.url));
const revisions = Object.keys(expectedFailures) as Revision[];

describe.runIf(isChosen).each(topologyNames("one", "four"))("MCP in %s", (kind) => {
  let environment: TestEnvironment;
  let database: Database;
  let folder: string;
  let token = "";
  let proxy: AuthorizingProxy;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "rowhouse-mcp-"));
    environment = await startTestEnvironment({ kind });
    database = openDatabase({
      url: environment.test.ownerUrl,
      applicationName: "another-client",
      connectionsMax: 1,
    });
    await loadChinook(database);
    proxy = await startAuthorizingProxy(
      () => environment.url,
      () => token,
    );
    // The suite sends the origin of the address that it was given.
    const settings = { "security.cors_origins": [new URL(proxy.url).origin] };
    token = await exposeToAgent(environment, "public", settings);
  }, 120_000);
  afterAll(async () => {
    proxy?.close();
    await database?.close();
    await environment?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const inspect = async (target: "http" | "stdio", ...args: string[]) => {
    const { url } = environment;
    const [place, settings] =
      target === "http"
        ? [[`${url}/mcp`], ["--transport", "http", "--header", `Authorization: Bearer ${token}`]]
        : [
            [
              process.execPath,
              "--conditions=rowhouse-source",
              "--import",
              "tsx",
              "apps/cli/src/main.ts",
              "mcp",
            ],
            ["--cwd", root, "-e", `ROWHOUSE_URL=${url}`, "-e", `ROWHOUSE_TOKEN=${token}`],
          ];
    const ended = await runOutsideClient(
      "mcp-inspector",
      ["--cli", ...place, ...settings, ...args],
      folder,
    );
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    return JSON.parse(ended.stdout);
  };

  it.each(["http", "stdio"] as const)(
    "the Inspector lists tools without a fault in a schema and reads rows over %s",
    async (target) => {
      const { tools } = await inspect(target, "--method", "tools/list", "--strict");
      expect(tools.map(({ name }: { name: string }) => name).slice(0, 2)).toEqual([
        "search_resources",
        "read_rows",
      ]);
      const called = await inspect(
        ...([target, "--method", "tools/call", "--tool-name", "read_rows", "--tool-arg"] as const),
        ...["schema=public", "name=invoice", 'key=["4"]', 'fields=["total"]'],
      );
      expect(called.structuredContent.data).toEqual([{ total: "8.91" }]);
    },
    300_000,
  );

  it.each(revisions)(
    "the conformance suite of %s finds no fault besides the listed ones",
    async (revision) => {
      const results = await mkdtemp(join(folder, "conformance-"));
      const { passed, failed } = await runConformance(proxy.url, revision, results);
      const expected = expectedFailures[revision].flatMap(({ checks }) => checks);
      expect([...failed].sort()).toEqual([...expected].sort());
      expect(passed).toContain("tools-list/tools-list");
      for (const check of ["localhost-host-rebinding-rejected", "localhost-host-valid-accepted"]) {
        expect(passed).toContain(`dns-rebinding-protection/${check}`);
      }
      console.info(
        `MCP ${revision}: ${passed.length} checks passed, ${failed.length} expected failures`,
      );
    },
    300_000,
  );

  it.each(revisions)(
    "the conformance suite of %s finds no fault in the authorization server",
    async (revision) => {
      const results = await mkdtemp(join(folder, "authorization-"));
      const { url } = environment;
      const port = await findFreePort();
      const client = createClient(environment);
      const as = await client.signIn(signIn);
      const settings = {
        "mcp.oauth": true,
        "mcp.dynamic_registration": true,
        "system.public_url": url,
      };
      const changed = await client.ask("PATCH", "/admin/api/settings", {
        as,
        body: { data: settings },
      });
      expect(changed.status, JSON.stringify(changed.body)).toBe(200);
      const registered = await client.ask("POST", "/oauth/register", {
        body: { client_name: "Suite", redirect_uris: [`http://127.0.0.1:${port}/callback`] },
      });
      expect(registered.status, JSON.stringify(registered.body)).toBe(201);
      const target = {
        issuer: url,
        clientId: registered.body.client_id,
        resource: `${url}/mcp`,
        port,
      };
      const { passed, failed } = await runAuthorizationConformance(
        target,
        revision,
        results,
        async ({ searchParams }) => {
          const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, one) => one.toUpperCase());
          const request = [...searchParams].map(([name, value]) => [camel(name), value]);
          const terms = {
            decision: "APPROVE",
            scopes: ["read"],
            name: `Suite ${revision}`,
            days: 1,
          };
          const body = { ...Object.fromEntries(request), ...terms };
          const answer = await client.ask("POST", "/api/auth/authorizations", { as, body });
          await fetch(answer.body.data.redirectTo);
        },
      );
      expect(failed).toEqual([]);
      expect([...passed].sort()).toEqual([
        "authorization-code-grant/authorization-code-grant",
        "authorization-server-metadata-endpoint/authorization-server-metadata",
        "authorization-server-metadata-endpoint/authorization-server-metadata-cimd",
      ]);
    },
    300_000,
  );
});
