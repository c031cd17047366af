import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// The packages' sources, so that tests need no build.
const conditions = ["rowhouse-source", "node"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["{apps,infra,packages}/*/test/**/*.test.ts"],
    globalSetup: ["./packages/testing/src/global-setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes in its time, on a machine with much else to do too.
    expect: { poll: { timeout: 15_000 } },
    pool: "forks",
    // Tests wait for Postgres and for time more than they compute, so that one worker would leave two cores idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
});
