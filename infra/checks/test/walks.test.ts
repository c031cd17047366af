// Tier: long. Compiles the Data API once more, with reports of its functions.
import { AsyncLocalStorage } from "node:async_hooks";

import { join } from "node:path";
import { expect, it } from "vitest";
import { createViteServer } from "vitest/node";
import {
  emptyRatchet,
  findWalkFaults,
  ratchetPath,
  readRatchet,
  renderRatchet,
} from "../src/measures/ratchet.ts";
import { entryReporter, measureWalk, reportEntries, walkOf } from "../src/measures/walk.ts";
import { readWorkspacePackages } from "../src/read/workspace-packages.ts";

const root = join(import.meta.dirname, "../../..");

it("a place in a room that was left is a return", () => {
  const paths = ["a/src/x.ts", "a/src/in/y.ts", "a/src/x.ts", "a/src/z.ts", "a/src/w.ts"];
  expect(walkOf(paths).filter(({ isReturn }) => isReturn)).toEqual([
    { path: "a/src/z.ts", isReturn: true },
  ]);
  expect(measureWalk(paths)).toMatchObject({ places: 4, rooms: 2, returns: 1 });
});

it("a file counts at each visit, and a visit in a room that was left is a return", () => {
  const paths = ["a/src/x.ts", "a/src/x.ts", "a/src/in/y.ts", "a/src/x.ts", "a/src/in/y.ts"];
  expect(measureWalk(paths)).toMatchObject({ places: 2, returns: 0, visits: 4, returnsByVisit: 2 });
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

/** What a reader follows: each walk prepares its request, which then resolves once it has succeeded. */
type Walked = {
  readonly walks: Readonly<Record<string, () => Promise<() => Promise<void>>>>;
  readonly close: () => Promise<void>;
};

/** The modules that open what is walked, with their functions. */
const walkedModules = {
  "apps/data-api/test/walked-requests.ts": "openWalkedRequests",
  "apps/admin-api/test/walked-apply.ts": "openWalkedApply",
  "packages/workflows/test/walked-run.ts": "openWalkedRun",
};

it("following one list request, one webhook, one apply or one claimed run takes no more files, rooms and returns than recorded", async ({
  onTestFailed,
}) => {
  Object.assign(globalThis, {
    [entryReporter]: (path: string) => walking.getStore()?.push(path),
  });
  const server = await openServer();
  const entered: [string, readonly string[]][] = [];
  onTestFailed(() => {
    process.stderr.write(renderWalks(entered));
  });
  for (const [path, name] of Object.entries(walkedModules)) {
    const loaded = await server.ssrLoadModule(join(root, path));
    const { walks, close } = await (loaded[name] as () => Promise<Walked>)();
    for (const [walk, prepare] of Object.entries(walks)) {
      // The caches and shortcuts of a process that runs.
      for (let round = 0; round < 3; round += 1) await (await prepare())();
      const entries: string[] = [];
      await walking.run(entries, await prepare());
      entered.push([walk, entries]);
    }
    await close();
  }
  await server.close();
  const stored = readRatchet(root);
  const measured = Object.fromEntries(
    entered.map(([name, entries]) => [name, measureWalk(entries)]),
  );
  expect(findWalkFaults(stored?.walks ?? measured, measured)).toEqual([]);
  await expect(renderRatchet({ ...emptyRatchet, ...stored, walks: measured })).toMatchFileSnapshot(
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

function renderWalks(walks: readonly (readonly [string, readonly string[]])[]): string {
  return walks
    .flatMap(([name, entries]) => [
      `Places of the walk ${name}, with its returns:`,
      ...walkOf(entries).map(({ path, isReturn }) => `  ${isReturn ? "return" : "      "} ${path}`),
    ])
    .join("\n")
    .concat("\n");
}
