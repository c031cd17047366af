import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from "vitest/node";
import { type TierName, tierNames } from "../tier.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const durationsFile = join(root, "node_modules/.rowhouse/test-durations.json");
/** What a byte of a test file takes where no run has measured the file: a guess that starts most long files early. */
const msPerByte = { usual: 2, other: 20 };
const listed = 10;

type Durations = Readonly<Record<string, number>>;

function pathOf(file: string): string {
  return relative(root, file).replaceAll("\\", "/");
}

/** Milliseconds of each test file in the last run that had it. */
function readDurations(): Durations {
  try {
    return JSON.parse(readFileSync(durationsFile, "utf8")) as Durations;
  } catch {
    return {};
  }
}

/** Runs the longest files first, so that none of them is left at the end for one worker; shards take equally long. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(files, readDurations()).map(({ file }) => file);
  }

  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { index = 1, count = 1 } = this.ctx.config.shard ?? {};
    const shards = Array.from({ length: count }, () => ({
      ms: 0,
      files: [] as TestSpecification[],
    }));
    for (const { file, ms } of longestFirst(files, readDurations())) {
      const shortest = shards.reduce((least, shard) => (shard.ms < least.ms ? shard : least));
      shortest.ms += ms;
      shortest.files.push(file);
    }
    return shards[index - 1]?.files ?? [];
  }
}

function longestFirst(files: readonly TestSpecification[], durations: Durations) {
  return files
    .map((file) => {
      return { file, ms: durations[pathOf(file.moduleId)] ?? guess(file.moduleId) };
    })
    .sort((a, b) => b.ms - a.ms || (a.file.moduleId < b.file.moduleId ? -1 : 1));
}

function guess(file: string): number {
  const text = readFileSync(file, "utf8");
  const tier = tiersIn(text, file).includes("usual") ? "usual" : "other";
  return text.length * msPerByte[tier];
}

/** Keeps the durations of files, prints the longest ones, and writes the counts to `ROWHOUSE_TEST_COUNTS`. */
export class DurationsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const measured = modules
      .map((module) => ({ path: pathOf(module.moduleId), ms: Math.round(durationOf(module)) }))
      .sort((a, b) => b.ms - a.ms);
    if (measured.length > 1) {
      console.log(`\nThe longest of ${measured.length} files:`);
      for (const { path, ms } of measured.slice(0, listed)) {
        console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${path}`);
      }
    }
    const known = Object.fromEntries(measured.map(({ path, ms }) => [path, ms]));
    write(durationsFile, { ...readDurations(), ...known });
    const { ROWHOUSE_TEST_COUNTS: counts } = process.env;
    if (counts !== undefined) write(counts, countsOf(modules, unhandled.length));
  }
}

function durationOf(module: TestModule): number {
  const { collectDuration, duration } = module.diagnostic();
  return collectDuration + duration;
}

/** A file that could not be run, or an error outside of tests, counts as a failed test. */
function countsOf(modules: readonly TestModule[], unhandled: number) {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const inState = (state: string) => tests.filter((test) => test.result().state === state).length;
  const broken = modules.filter(
    (module) =>
      module.state() === "failed" &&
      ![...module.children.allTests()].some((test) => test.result().state === "failed"),
  );
  return {
    passed: inState("passed"),
    failed: inState("failed") + broken.length + unhandled,
    skipped: inState("skipped"),
  };
}

function write(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(value, null, 1)}\n`);
}

/** A test file, by its path from the checkout's root. */
export interface TestFile {
  readonly path: string;
  /** The tiers that its first line names; `usual` without such a line. */
  readonly tiers: readonly TierName[];
  /** Whether it has generated cases, of which `usual` runs a fifth. */
  readonly isGenerated: boolean;
}

const line = /^\/\/ Tiers?: ([a-z, ]+)\./;

/** @throws Error for a file whose first line names an unknown tier */
export function readTestFiles(root: string): TestFile[] {
  return ["apps", "infra", "packages"]
    .flatMap((group) => readdirSync(join(root, group)).map((name) => `${group}/${name}/test`))
    .flatMap((folder) => testsIn(root, folder))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return { path, tiers: tiersIn(text, path), isGenerated: text.includes("generatedRuns(") };
    });
}

function testsIn(root: string, folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
}

export function tiersIn(text: string, path: string): TierName[] {
  const names = line.exec(text)?.[1]?.split(", ") ?? ["usual"];
  return names.map((name) => {
    const tier = tierNames.find((known) => known === name && known !== "ci");
    if (tier === undefined) throw new Error(`${path}: ${name} is not a tier`);
    return tier;
  });
}

/** Returns the files of a run; `undefined` stands for a run of single files. */
export function filesOf(files: readonly TestFile[], tier: TierName | undefined): TestFile[] {
  return files.filter(({ tiers, isGenerated }) => {
    const isUsual = tiers.includes("usual");
    if (tier === undefined) return true;
    if (tier === "ci") return isUsual || tiers.includes("all");
    return tiers.includes(tier) || (tier === "all" && isUsual && isGenerated);
  });
}
