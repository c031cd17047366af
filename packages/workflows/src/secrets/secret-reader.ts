import { arrayLiteral, type Queryable } from "@rowhouse/db";
import type { Vault } from "@rowhouse/vault";
import { secretContextOf } from "./secret-name.ts";

/** Values by name. Held only while a request is sent. */
export type SecretValues = ReadonlyMap<string, string>;

/** Reads secrets of workflows on each use, so that a change takes effect at once in every process. */
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

/** A stored secret of providers, with what decides whether a provider may use it. */
export interface ProviderSecret {
  readonly value: string;
  /** The issuer that it was first used for; null since its value was stored. */
  readonly takenFor: string | null;
  /** Whether its value was stored after the last change of the provider that names it. */
  readonly isNew: boolean;
}

/**
 * Reads the secret of providers that one of them names.
 *
 * @param key of the provider, which may not exist yet
 * @returns undefined if there is none that this installation's secret can decrypt
 */
export async function loadProviderSecret(
  database: Queryable,
  vault: Pick<Vault, "open">,
  name: string,
  key: string,
): Promise<ProviderSecret | undefined> {
  const [row] = await database.query<{ sealed: string; takenFor: string | null; isNew: boolean }>(
    `select s.sealed, s.taken_for as "takenFor",
       not exists (select from system.auth_providers p where p.key = $2::text and p.updated_at >= s.updated_at) as "isNew"
     from system.provider_secrets s where s.name = $1::text`,
    [name, key],
  );
  if (row === undefined) return undefined;
  const value = await vault.open(row.sealed, secretContextOf(name)).catch(() => undefined);
  return value === undefined ? undefined : { ...row, value };
}

/** Records the issuer that a secret of providers is used for from now on. */
export async function bindProviderSecret(
  database: Queryable,
  name: string,
  issuer: string,
): Promise<void> {
  await database.query(
    "update system.provider_secrets set taken_for = $2::text where name = $1::text",
    [name, issuer],
  );
}
