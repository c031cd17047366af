// Tier: all. Starts processes.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCli } from "./run-cli.ts";

/** What the service answers, by the path of the request. */
const answers = new Map<string, unknown>();
let server: Server;
let parent: string;
let url: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "rowhouse-hostile-"));
  server = createServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ data: answers.get(path.replace(/^\/admin\/api/, "")) ?? {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(parent, { recursive: true });
});

const rowhouse = (...args: string[]) =>
  runCli(args, { ROWHOUSE_URL: url, ROWHOUSE_TOKEN: "rhp_test" });
const pull = (files: unknown, schemas: unknown = {}) => {
  answers.set("/configuration", { files });
  answers.set("/configuration/schemas", schemas);
  return rowhouse("pull", join(parent, "a/b/folder"));
};

describe("rowhouse with a service that is not to be trusted", () => {
  it.each([
    ...["../../escape.txt", "/tmp/escape.yaml", ".git/config.yaml", "package.json"],
    ...["roles/con.yaml", "roles/\u001b[J.yaml", "environments/test.yaml"],
  ])("writes nothing if a path is %j", async (path) => {
    const files = JSON.parse(`{"rowhouse.yaml":"version: 1\\n",${JSON.stringify(path)}:"x"}`);
    const { code, stdout, stderr } = await pull(files);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^rowhouse: The service returned the path .*Nothing was written\.\n$/);
    expect(stderr).not.toContain("\u001b");
    expect(await readdir(parent)).toEqual([]);
  });

  it("writes nothing if two paths differ only in case, or there are no files", async () => {
    const files = { "rowhouse.yaml": "", "tables/A/x.yaml": "", "tables/a/y.yaml": "" };
    expect(await pull(files)).toMatchObject({ code: 1 });
    for (const files of [undefined, { "rowhouse.yaml": 1 }]) {
      const { code, stderr } = await pull(files);
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^rowhouse: The service returned no /),
      ]);
    }
    expect(await readdir(parent)).toEqual([]);
  });

  it("writes schemas of parts that it knows alone", async () => {
    const schemas = { roles: {}, "../../escape": {}, unknown: {} };
    expect(await pull({ "rowhouse.yaml": "" }, schemas)).toMatchObject({ code: 0 });
    expect((await readdir(join(parent, "a/b/folder"))).toSorted()).toEqual([
      ...[".rowhouse", "rowhouse.yaml", "schemas"],
    ]);
    expect(await readdir(join(parent, "a/b/folder/schemas"))).toEqual(["roles.json"]);
  });

  it("prints no character of an answer that a terminal would execute", async () => {
    const evil = "a\u001b[4A\u001b[J\u009b2K\r\n\u202e";
    const step = {
      ...{ kind: "role.create", document: evil, subject: evil, sql: [evil], notes: [evil] },
      ...{ locks: [], losses: [{ object: "column", name: evil, note: evil }], failing: [] },
      ...{ needsConsent: [evil], sessionOnly: false },
      ...{
        changes: [
          { field: evil, before: evil, after: evil, diff: null, leftOut: 0 },
          { field: evil, before: null, after: null, diff: evil, leftOut: 1 },
        ],
        moreChanges: 0,
      },
    };
    answers.set("/configuration/plan", {
      planId: "",
      digest: "",
      steps: [step],
      missing: [{ document: evil, subject: evil, message: evil }],
      notes: [{ document: evil, subject: evil, message: evil }],
      notInTransaction: [evil],
    });
    answers.set("/configuration/drift", {
      lastApply: { appliedAt: evil, appliedBy: { email: evil }, source: { commit: evil } },
      files: [{ path: evil, before: evil, after: `${evil}b` }],
    });
    const folder = join(parent, "a/b/folder");
    for (const args of [
      ["plan", folder],
      ["plan", folder, "--json"],
      ["drift"],
      ["drift", "--json"],
    ]) {
      const { stdout } = await rowhouse(...args);
      expect(stdout).toContain("\\u001b[4A");
      expect(stdout.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });
});
