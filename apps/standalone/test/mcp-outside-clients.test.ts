// Tiers: long, topologies. Downloads its programs.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Database, openDatabase } from "@rowhouse/db";
import {
  isLongRun,
  loadChinook,
  startTestEnvironment,
  type TestEnvironment,
  topologyNames,
} from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuthorizingProxy, startAuthorizingProxy } from "./mcp/authorizing-proxy.ts";
import { expectedFailures } from "./mcp/expected-failures.ts";
import { exposeToAgent } from "./mcp/expose-to-agent.ts";
import { runOutsideClient } from "./mcp/outside-client.ts";
import { type Revision, runConformance } from "./mcp/run-conformance.ts";

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
      console.info(
        `MCP ${revision}: ${passed.length} checks passed, ${failed.length} expected failures`,
      );
    },
    300_000,
  );
});
