import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { createService } from "@rowhouse/http";
import { createLogger } from "@rowhouse/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPageAnswer } from "../src/pages/answer-pages.ts";
import { readPages } from "../src/pages/read-pages.ts";

// The pages on a build of the test's own. `apps/standalone/test/pages.test.ts` serves the real build.

const logger = createLogger("test", "silent");
const script = "export const text = 'a script';\n".repeat(20);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rowhouse-pages-"));
  await mkdir(join(folder, "assets"));
  await mkdir(join(folder, ".vite"));
  const manifest = {
    "src/main.tsx": {
      file: "assets/main-1.js",
      css: ["assets/main-2.css"],
      imports: ["_base-5.js"],
    },
    "_base-5.js": { file: "assets/base-5.js" },
    "src/ui/fonts/inter-latin.woff2": { file: "assets/inter-6.woff2" },
    "src/theme-first.ts": { file: "assets/theme-3.js" },
    "src/ui/icon.svg": { file: "assets/icon-4.svg" },
  };
  const files: Record<string, string | Uint8Array> = {
    ".vite/manifest.json": JSON.stringify(manifest),
    "assets/main-1.js": script,
    "assets/main-1.js.gz": gzipSync(script),
    "assets/main-2.css": "p {}",
    "assets/notes.md": "no file of the pages",
    "secret.js": "outside of the folder of files",
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const browser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

async function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  const service = createService({
    logger,
    answerPage: createPageAnswer(readPages(folder, logger)),
  });
  service.post("/admin/api/known", (c) => c.text("known"));
  const edge = { requestId: "1", clientAddress: "127.0.0.1" };
  const request = new Request(`http://localhost${path}`, { method, headers });
  return service.fetch(request, { edge });
}

describe("the shell", () => {
  it("is served at every address of pages to browsers, uncached, with the whole policy", async () => {
    for (const path of ["/admin", "/app", "/admin/auth/sign-in", "/app/data/fleet", "/admin/x/y"]) {
      const answer = await ask(path, browser);
      const text = await answer.text();
      const nonce = /nonce="([A-Za-z0-9+/]{24})"/.exec(text)?.[1];
      expect([path, answer.status]).toEqual([path, 200]);
      expect(Object.fromEntries(answer.headers)).toEqual({
        "cache-control": "no-store",
        "content-security-policy": `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
        "content-type": "text/html; charset=utf-8",
        "cross-origin-opener-policy": "same-origin",
        "referrer-policy": "no-referrer",
        vary: "Accept",
        "x-content-type-options": "nosniff",
        "x-request-id": "1",
      });
      for (const element of [
        'type="module" src="/admin/assets/main-1.js"',
        'rel="stylesheet" href="/admin/assets/main-2.css"',
        'blocking="render" src="/admin/assets/theme-3.js"',
        'href="/admin/assets/icon-4.svg"',
        'rel="modulepreload" href="/admin/assets/base-5.js"',
        'crossorigin href="/admin/assets/inter-6.woff2"',
      ]) {
        expect(text).toContain(element);
      }
    }
  });

  it("has a fresh nonce in each response", async () => {
    const policies = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (await ask("/app", browser)).headers.get("content-security-policy"),
      ),
    );
    expect(new Set(policies).size).toBe(20);
  });

  it.each([
    ["a browser", browser],
    ["a scanner that accepts all", { Accept: "*/*" }],
    ["a scanner that names no type", {}],
  ])("responds to HEAD of %s with the headers of GET and no body", async (_case, headers) => {
    for (const path of [
      "/admin/auth/reset",
      "/admin/auth/verify",
      "/admin/auth/invitation",
      "/app",
    ]) {
      const [asked, shown] = [await ask(path, headers, "HEAD"), await ask(path, headers)];
      expect([path, asked.status, await asked.text()]).toEqual([path, 200, ""]);
      expect([...asked.headers.keys()]).toEqual([...shown.headers.keys()]);
      expect(asked.headers.get("content-type")).toBe("text/html; charset=utf-8");
    }
  });

  it("redirects a browser from / to the workspace", async () => {
    const answer = await ask("/", browser);
    expect([answer.status, answer.headers.get("location"), answer.headers.get("vary")]).toEqual([
      302,
      "/app",
      "Accept",
    ]);
  });
});

it("a program that asks for JSON gets the error of an unknown path where a browser gets a page", async () => {
  const json = [{ Accept: "application/json" }, { Accept: "application/json, text/plain, */*" }];
  const asked = ["/", "/admin", "/admin/auth/reset", "/app/x"].flatMap((path) =>
    json.map((headers) => [path, headers] as const),
  );
  for (const [path, headers] of [...asked, ["/", {}], ["/", { Accept: "*/*" }]] as const) {
    const answer = await ask(path, headers);
    expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
      path,
      404,
      "application/json",
    ]);
  }
});

it("an unknown path of an API is a JSON 404 for browsers too, and a wrong method a 405", async () => {
  for (const path of ["/admin/api", "/admin/api/x", "/app/api/x", "/api/x", "/api", "/other"]) {
    const answer = await ask(path, browser);
    expect([path, answer.status, await answer.json()]).toEqual([
      path,
      404,
      expect.objectContaining({ errors: [expect.objectContaining({ code: "NOT_FOUND" })] }),
    ]);
  }
  const wrong = await ask("/admin/api/known", browser);
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
  const posted = await ask("/admin/auth/sign-in", browser, "POST");
  expect(posted.status).toBe(404);
});

describe("a file of the build", () => {
  it("is cached for good, and served compressed if the caller accepts it", async () => {
    const plain = await ask("/admin/assets/main-1.js");
    expect(Object.fromEntries(plain.headers)).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
    });
    expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, script]);
    const packed = await ask("/admin/assets/main-1.js", { "Accept-Encoding": "br, gzip;q=0.5" });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(script);
    for (const accepted of ["identity", "br", "gzip;q=0", "gzip; q=0.0"]) {
      const answer = await ask("/admin/assets/main-1.js", { "Accept-Encoding": accepted });
      expect([accepted, answer.headers.get("content-encoding")]).toEqual([accepted, null]);
    }
  });

  it("is not sent again to a caller that has it", async () => {
    const tag = (await ask("/admin/assets/main-1.js")).headers.get("etag") ?? "";
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const answer = await ask("/admin/assets/main-1.js", { "If-None-Match": known });
      expect([answer.status, await answer.text(), answer.headers.get("etag")]).toEqual([
        304,
        "",
        tag,
      ]);
    }
    const other = await ask("/admin/assets/main-1.js", { "If-None-Match": '"other"' });
    expect(other.status).toBe(200);
  });

  it("is found by its exact name only, whatever the path contains", async () => {
    for (const name of [
      "missing.js",
      "notes.md",
      "main-1.js.gz",
      "../secret.js",
      "..%2fsecret.js",
      "%2e%2e/secret.js",
      "....//secret.js",
      "../.vite/manifest.json",
      "%2Fetc%2Fpasswd",
      "constructor",
      "__proto__",
      "",
    ]) {
      const answer = await ask(`/admin/assets/${name}`, { Accept: "text/javascript" });
      expect([name, answer.status]).toEqual([name, 404]);
    }
  });
});

it("without a build a browser gets one sentence, and the start reports the command", async () => {
  const warnings: unknown[][] = [];
  const pages = readPages(join(folder, "absent"), {
    warn: (...entry: unknown[]) => warnings.push(entry),
  });
  expect(warnings.map(([, message]) => message)).toEqual([
    "The pages are not built, only the APIs are served: npm run bundle",
  ]);
  const service = createService({ logger, answerPage: createPageAnswer(pages) });
  const edge = { requestId: "1", clientAddress: "127.0.0.1" };
  const answer = await service.fetch(
    new Request("http://localhost/admin/auth/reset", { headers: browser }),
    { edge },
  );
  expect([answer.status, await answer.text()]).toEqual([
    503,
    "The pages of this installation are not built. Run: npm run bundle\n",
  ]);
});
