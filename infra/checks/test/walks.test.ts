// Tier: all. Compiles the Data API once more, with reports of its functions.
import { AsyncLocalStorage } from "node:async_hooks";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createViteServer } from "vitest/node";
import type { openWalkedRequests } from "../../../apps/data-api/test/walked-requests.ts";
import { type Ratchet, ratchetPath, renderRatchet } from "../src/ratchet.ts";
import { entryReporter, measureWalk, reportEntries, type Walk, walkOf } from "../src/walk.ts";
import { readWorkspacePackages } from "../src/workspace-packages.ts";

const root = join(import.meta.dirname, "../../..");

it("a place in a room that was left is a return", () => {
  const paths = ["a/src/x.ts", "a/src/in/y.ts", "a/src/x.ts", "a/src/z.ts", "a/src/w.ts"];
  const walk = walkOf(paths);
  expect(walk.filter(({ isReturn }) => isReturn)).toEqual([{ path: "a/src/z.ts", isReturn: true }]);
  expect(measureWalk(walk)).toEqual({ places: 4, rooms: 2, returns: 1 });
});

it("a function of five lines reports its file, a shorter one does not", () => {
  const text = (report: string, begin = "", end = "") => `
const list = (n: number) => ${begin}[
  n,
  n + 1,
  n + 2,
]${end};
class One {
  of(n: number): { n: number } {${report}
    const short = () => n;

    return { n: short() };
  }
}`;
  const report = 'globalThis.reportEntry?.("a/src/x.ts")';
  expect(reportEntries("a/src/x.ts", text(""))).toBe(text(`${report};`, `(${report},`, ")"));
});

/** Records the files that a request enters, in its own asynchronous context: background work is no part of it. */
const walking = new AsyncLocalStorage<string[]>();

it("following one list request or one webhook takes no more places, rooms and returns than recorded", async ({
  onTestFailed,
}) => {
  Object.assign(globalThis, {
    [entryReporter]: (path: string) => walking.getStore()?.push(path),
  });
  const server = await openServer();
  const walked = join(root, "apps/data-api/test/walked-requests.ts");
  const loaded = (await server.ssrLoadModule(walked)) as {
    readonly openWalkedRequests: typeof openWalkedRequests;
  };
  const { requests, close } = await loaded.openWalkedRequests();
  const walks: [string, Walk][] = [];
  for (const [name, send] of Object.entries(requests)) {
    // The caches and shortcuts of a process that runs.
    for (let round = 0; round < 3; round += 1) await send();
    const entries: string[] = [];
    await walking.run(entries, send);
    walks.push([name, walkOf(entries)]);
  }
  await close();
  await server.close();
  onTestFailed(() => {
    process.stderr.write(renderWalks(walks));
  });
  const stored = JSON.parse(readFileSync(join(root, ratchetPath), "utf8")) as Ratchet;
  const measured = Object.fromEntries(walks.map(([name, walk]) => [name, measureWalk(walk)]));
  await expect(renderRatchet({ ...stored, walks: measured })).toMatchFileSnapshot(
    join(root, ratchetPath),
  );
});

function openServer() {
  const walked = readWorkspacePackages(root).filter(({ level }) => (level ?? 0) > 1);
  const conditions = ["rowhouse-source", "node"];
  return createViteServer({
    root,
    configFile: false,
    appType: "custom",
    logLevel: "warn",
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true, include: [] },
    resolve: { conditions },
    ssr: { resolve: { conditions } },
    plugins: [
      {
        name: "walks",
        enforce: "pre",
        transform: (text, id) => {
          const path = id.slice(root.length + 1);
          const isWalked = walked.some(({ folder }) => path.startsWith(`${folder}/src/`));
          return isWalked ? { code: reportEntries(path, text), map: null } : undefined;
        },
      },
    ],
  });
}

function renderWalks(walks: readonly (readonly [string, Walk])[]): string {
  return walks
    .flatMap(([name, walk]) => [
      `Places of the ${name} request, with its returns:`,
      ...walk.map(({ path, isReturn }) => `  ${isReturn ? "return" : "      "} ${path}`),
    ])
    .join("\n")
    .concat("\n");
}
