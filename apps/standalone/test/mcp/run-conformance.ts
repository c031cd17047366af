import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runOutsideClient } from "./outside-client.ts";

/** The revisions that the suite is run for. */
export type Revision = "2026-07-28" | "2025-11-25";

type Check = { readonly id: string; readonly status: string };

/** The results of the suite, as `scenario/check`. */
export type Conformance = {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
};

/** Runs every scenario that a revision requires of a server. */
export async function runConformance(
  url: string,
  revision: Revision,
  folder: string,
): Promise<Conformance> {
  const chosen =
    revision === "2026-07-28" ? ["--requirements", revision] : ["--spec-version", revision];
  const args = ["server", "--url", url, ...chosen, "--output-dir", folder];
  const { stdout, stderr } = await runOutsideClient("conformance", args, folder);
  const passed: string[] = [];
  const failed: string[] = [];
  for (const name of await readdir(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\dZ-]+$/.exec(name)?.[1];
    if (scenario === undefined) continue;
    const checks: Check[] = JSON.parse(await readFile(join(folder, name, "checks.json"), "utf8"));
    for (const { id, status } of checks) {
      if (status === "SUCCESS") passed.push(`${scenario}/${id}`);
      if (status === "FAILURE") failed.push(`${scenario}/${id}`);
    }
  }
  if (passed.length === 0) throw new Error(`The suite did not run:\n${stdout}${stderr}`);
  return { passed, failed };
}
