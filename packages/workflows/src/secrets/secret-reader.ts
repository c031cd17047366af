import { arrayLiteral, type Queryable } from "@rowhouse/db";
import type { Vault } from "@rowhouse/vault";
import { secretContextOf } from "./secret-name.ts";

/** Values by name. Held only while a request is sent. */
export type SecretValues = ReadonlyMap<string, string>;

/** Reads secrets on each use, so that a change takes effect at once in every process. */
export interface SecretReader {
  /** @returns the values of the secrets that exist and that this installation's secret can decrypt */
  load(names: readonly string[]): Promise<SecretValues>;
}

export function createSecretReader(database: Queryable, vault: Pick<Vault, "open">): SecretReader {
  return {
    load: async (names) => {
      if (names.length === 0) return new Map();
      const rows = await database.query<{ name: string; sealed: string }>(
        "select name, sealed from system.workflow_secrets where name = any($1::text::text[])",
        [arrayLiteral(names)],
        { prepare: true },
      );
      const opened = await Promise.all(
        rows.map(async ({ name, sealed }) => {
          const value = await vault.open(sealed, secretContextOf(name)).catch(() => undefined);
          return value === undefined ? [] : [[name, value] as const];
        }),
      );
      return new Map(opened.flat());
    },
  };
}
