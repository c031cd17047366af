import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// The packages' sources, so that tests need no build.
const conditions = ["rowhouse-source", "node"];

/** Files that take a minute or more. Where one of them came last, a single worker would be left with it. */
const long = [
  "screens",
  "recovery",
  "grid",
  "people",
  "data-views",
  "dashboard-worlds",
  "separate-processes",
  "documents",
  "files",
  "export-stream",
  "oracle",
  "ordered-kinds",
  "dashboard-builder",
  "dashboards",
  "data-view-builder",
  "accounts",
  "canaries",
  "all-topologies",
  "chaos",
  "faults",
  "structure",
  "administration",
  "every-credential",
].map((name) => `/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rest = await super.sort(files);
    const first = long.flatMap((name) => rest.filter(({ moduleId }) => moduleId.endsWith(name)));
    return [...new Set([...first, ...rest])];
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["{apps,infra,packages}/*/test/**/*.test.ts"],
    globalSetup: ["./packages/testing/src/global-setup.ts"],
    setupFiles: ["./packages/testing/src/fixed-seed.ts"],
    sequence: { sequencer: LongestFirst },
    // What is waited for comes in its time, on a machine with much else to do too.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    // A worker keeps the modules it has loaded from one file to the next: loading them anew took an eighth of its time.
    isolate: false,
    // Tests wait for Postgres and for time more than they compute, so that a worker for each core would leave cores idle.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
});
