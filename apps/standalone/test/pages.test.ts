// Tiers: usual, all, topologies. The other tiers also run it on several processes.
import { startTestEnvironment, type TestEnvironment, topologyNames } from "@rowhouse/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const browser = { Accept: "text/html" };

describe.each(topologyNames("one", "four"))("the built pages on %s", (kind) => {
  let environment: TestEnvironment;
  beforeAll(async () => {
    environment = await startTestEnvironment({ kind });
  });
  afterAll(() => environment.stop());

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${environment.url}${path}`, { headers, redirect: "manual" });

  it("reach a browser from the address of the installation, with every file that they name", async () => {
    const first = await ask("/", browser);
    expect([first.status, first.headers.get("location")]).toEqual([302, "/app"]);
    const shell = await ask("/app", browser);
    const html = await shell.text();
    const names = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const file = await ask(name, { "Accept-Encoding": "gzip" });
      const bytes = await file.arrayBuffer();
      expect([name, file.status, bytes.byteLength > 0]).toEqual([name, 200, true]);
      expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const again = await ask(name, { "If-None-Match": file.headers.get("etag") ?? "" });
      expect([name, again.status]).toEqual([name, 304]);
    }
    expect(html).not.toContain("://");
  });

  it("are found with a slash at the end of their path, which the browser then drops", async () => {
    for (const path of ["/admin", "/app", "/app/data/fleet/table/trips"]) {
      const answer = await ask(`${path}/?a=1`, browser);
      expect([path, answer.status, answer.headers.get("location")]).toEqual([
        path,
        302,
        `${path}?a=1`,
      ]);
      expect((await ask(`${path}/`)).status).toBe(404);
      expect(
        (await fetch(`${environment.url}${path}/`, { method: "POST", headers: browser })).status,
      ).toBe(404);
    }
  });

  it("do not hide an unknown path of an API, nor a path in another form", async () => {
    for (const path of [
      "/api/x",
      "/admin/api/x",
      "/app/api/x",
      "/x",
      "/admin//",
      "//app",
      "/app/api/",
      "/admin/api/x/",
    ]) {
      const answer = await ask(path, browser);
      const type = answer.headers.get("content-type");
      expect([path, answer.status < 500 && answer.status >= 400, type]).toEqual([
        path,
        true,
        "application/json",
      ]);
    }
    const program = await ask("/");
    expect([program.status, program.headers.get("content-type")]).toEqual([
      404,
      "application/json",
    ]);
  });
});
