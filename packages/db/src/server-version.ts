import type { Queryable } from "./queryable.ts";

/** The major versions of PostgreSQL that the tests run on. An older one is refused; a newer one starts with a warning. */
export const testedVersions = { from: 15, to: 18 } as const;

export interface ServerVersion {
  /** `18.3`. */
  readonly version: string;
  readonly major: number;
  readonly support: "TOO_OLD" | "TESTED" | "UNTRIED";
}

/** @param number `server_version_num`: 180003 is 18.3; a beta of 19 is 190000 */
export function readServerVersion(number: string): ServerVersion {
  const major = Math.floor(Number(number) / 10_000);
  const support =
    major < testedVersions.from ? "TOO_OLD" : major > testedVersions.to ? "UNTRIED" : "TESTED";
  return { version: `${major}.${Number(number) % 10_000}`, major, support };
}

/** Returns the version of the server that answers now; an upgrade can replace it under a running process. */
export async function serverVersionOf(database: Queryable): Promise<ServerVersion> {
  const [row] = await database.query<{ number: string }>(
    "select current_setting('server_version_num') as number",
  );
  return readServerVersion(row?.number ?? "");
}
