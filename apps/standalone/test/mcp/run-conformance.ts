import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Ended, runOutsideClient } from "./outside-client.ts";

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
  return readResults(await runOutsideClient("conformance", args, folder), folder);
}

/**
 * Runs the scenarios of an authorization server.
 *
 * @param consent visits the authorization endpoint as a person who approves
 */
export async function runAuthorizationConformance(
  target: {
    readonly issuer: string;
    readonly clientId: string;
    readonly resource: string;
    /** The port of the client's redirect address. */
    readonly port: number;
  },
  revision: Revision,
  folder: string,
  consent: (asked: URL) => Promise<void>,
): Promise<Conformance> {
  const { issuer, clientId, resource, port } = target;
  const client = ["--client-id", clientId, "--resource", resource, "--port", String(port)];
  const chosen = ["--spec-version", revision, "--output-dir", folder];
  const args = ["authorization", "--url", issuer, ...client, ...chosen];
  let consented: Promise<void> | undefined;
  const ended = await runOutsideClient("conformance", args, folder, (stdout) => {
    const url = /^https?:\/\/\S+\/authorize\?\S+(?=\n)/m.exec(stdout)?.[0];
    if (url !== undefined) consented ??= consent(new URL(url));
  });
  await consented;
  return readResults(ended, folder);
}

async function readResults({ stdout, stderr }: Ended, folder: string): Promise<Conformance> {
  const passed: string[] = [];
  const failed: string[] = [];
  for (const name of await readdir(folder)) {
    const scenario = /^(?:authorization-)?server-(.+)-\d{4}-\d\d-\d\dT[\dZ-]+$/.exec(name)?.[1];
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
