import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TierName, tierNames } from "../tier.ts";

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
