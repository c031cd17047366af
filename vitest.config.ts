import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import {
  DurationsReporter,
  filesOf,
  LongestFirst,
  readTestFiles,
} from "./packages/testing/src/run/durations.ts";
import { importInstalled } from "./packages/testing/src/run/installed-packages.ts";
import { chosenTier } from "./packages/testing/src/tier.ts";

// The packages' sources, so that tests need no build.
const conditions = ["rowhouse-source", "node"];
// A folder in which the archives of the packages are installed; tests then run on those.
const installed = process.env.ROWHOUSE_TEST_INSTALLED || undefined;
const tier = chosenTier();
const include = filesOf(readTestFiles(import.meta.dirname), tier).map(({ path }) => path);

export default defineConfig({
  plugins: installed === undefined ? [] : [importInstalled(import.meta.dirname, installed)],
  resolve: { conditions },
  // The conditions of Node.js in the workers, which load the installed packages.
  ssr: { resolve: { conditions: installed === undefined ? conditions : ["node"] } },
  environments: { __vitest__: { resolve: { conditions } } },
  test: {
    projects: [{ extends: true, test: { name: tier ?? "chosen", include } }],
    globalSetup: ["./packages/testing/src/run/global-setup.ts"],
    setupFiles: ["./packages/testing/src/run/fixed-seed.ts"],
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new DurationsReporter()],
    // What is waited for comes in its time, on a machine with much else to do too.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: "forks",
    // A worker keeps the modules it has loaded from one file to the next: loading them anew took an eighth of its time.
    isolate: false,
    // Modules are compiled again only after a change. A compiled module names the files that it imports.
    experimental: {
      fsModuleCache: installed === undefined,
      fsModuleCachePath: "node_modules/.rowhouse/modules",
    },
    // Tests wait for Postgres and for time more than they compute, so that a worker for each core would leave cores idle.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
});
