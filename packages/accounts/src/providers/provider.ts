import {
  type AuditActor,
  authProviderKind,
  type ChangesOf,
  type Database,
  type InputOf,
  type Queryable,
  Records,
  requireFound,
  type StoredOf,
  schema,
  type Transaction,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { Vault } from "@rowhouse/vault";
import { isStorableText } from "@rowhouse/wire";
import { eq, sql } from "drizzle-orm";

const { authProviders, roles } = schema;

/** A provider as administrators see it, without its secret. */
export type Provider = StoredOf<typeof authProviderKind>;

/** The issuers of the kinds that have only one. */
export const knownIssuers: Readonly<Record<Provider["kind"], string | undefined>> = {
  google: "https://accounts.google.com",
  github: "https://github.com",
  oidc: undefined,
};

/**
 * The stored providers. Without one, accounts stay linked to its issuer; the links work again if the provider is added again.
 */
export const providerRecords: Records<typeof authProviderKind> = new Records(authProviderKind, {
  check: async (transaction, { issuer, roleId, clientSecret }, present) => {
    const isElsewhere = present !== undefined && issuer !== undefined && issuer !== present.issuer;
    if (isElsewhere && clientSecret === undefined) {
      throw createError("REQUIRED_FIELD", {
        path: "/data/clientSecret",
        message: "With another issuer, enter the client secret again",
      });
    }
    await checkRole(transaction, roleId);
  },
});

/** Lists the enabled providers; public. */
export async function listOfferedProviders({
  orm,
}: Transaction): Promise<Pick<Provider, "key" | "name" | "kind">[]> {
  const { key, name, kind, enabled } = authProviders;
  return orm
    .select({ key, name, kind })
    .from(authProviders)
    .where(eq(enabled, true))
    .orderBy(sql`lower(${name})`, key)
    .limit(100);
}

/**
 * Adds a provider.
 *
 * @throws AppError BODY_INVALID for an issuer that is missing or is not an https URL; VALUE_INVALID for a role that is
 * unknown or Administrators; CONFLICT for a taken key
 */
export async function createProvider(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  input: InputOf<typeof authProviderKind>,
  actor: AuditActor,
): Promise<Provider> {
  const issuer = input.issuer ?? knownIssuers[input.kind];
  checkIssuer(issuer);
  const clientSecretSealed = await vault.seal(input.clientSecret, providerContextOf(input.key));
  return providerRecords.create(database, input, actor, { issuer, clientSecretSealed });
}

/**
 * Changes the given fields of a provider. With another issuer the client secret must be given again: the stored one would
 * be sent to the new issuer.
 *
 * @param ifMatch the tags of `If-Match`
 * @throws AppError as `createProvider`; REQUIRED_FIELD for another issuer without a secret; NOT_FOUND;
 * PRECONDITION_FAILED
 */
export async function updateProvider(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  id: string,
  changes: ChangesOf<typeof authProviderKind>,
  actor: AuditActor,
  ifMatch?: readonly string[],
): Promise<Provider> {
  const { issuer, clientSecret } = changes;
  if (issuer !== undefined) checkIssuer(issuer);
  const { key } = await providerRecords.read(database, id);
  const sealed =
    clientSecret === undefined
      ? {}
      : { clientSecretSealed: await vault.seal(clientSecret, providerContextOf(key)) };
  return providerRecords.update(database, id, changes, actor, ifMatch, sealed);
}

/** An enabled provider with its secret. */
export interface UsableProvider extends Provider {
  readonly clientSecret: string;
  /** Changes with every change of the provider. */
  readonly revision: string;
}

/**
 * Loads an enabled provider.
 *
 * @throws AppError NOT_FOUND for a provider that is missing or disabled
 */
export async function requireProvider(
  dependencies: { readonly database: Queryable; readonly vault: Vault },
  key: string,
): Promise<UsableProvider> {
  // A key is a segment of a caller's path.
  if (!isStorableText(key)) throw createError("NOT_FOUND");
  const [row] = await dependencies.database.query<{
    provider: Provider;
    sealed: string;
    revision: string;
  }>(
    `select ${authProviderKind.json} as provider, p.client_secret_sealed as sealed, p.id || ' ' || p.updated_at as revision
     from ${authProviderKind.from} where p.key = $1::text and p.enabled`,
    [key],
  );
  const { provider, sealed, revision } = requireFound(row);
  const clientSecret = await dependencies.vault.open(sealed, providerContextOf(key));
  return { ...provider, clientSecret, revision };
}

/** Encryption context of a provider's secret. */
export function providerContextOf(key: string): string {
  return `auth_provider:${key}`;
}

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Whether a URL points to this machine, where plain HTTP is as safe as https. */
export function isLoopback(url: string): boolean {
  return loopback.has(new URL(url).hostname);
}

function checkIssuer(issuer: string | undefined): asserts issuer is string {
  const path = "/data/issuer";
  if (issuer === undefined) throw createError("BODY_INVALID", { path, message: "Required" });
  const isGood =
    URL.canParse(issuer) &&
    (issuer.startsWith("https://") || (issuer.startsWith("http://") && isLoopback(issuer)));
  if (!isGood) throw createError("BODY_INVALID", { path, message: "Must be an https URL" });
}

async function checkRole({ orm }: Transaction, roleId: string | null | undefined): Promise<void> {
  if (roleId == null) return;
  const [role] = await orm
    .select({ isAdministrators: roles.isAdministrators, apiAccess: roles.apiAccess })
    .from(roles)
    .where(eq(roles.id, roleId))
    .for("key share");
  if (role !== undefined && !role.isAdministrators && role.apiAccess) return;
  throw createError("VALUE_INVALID", {
    path: "/data/roleId",
    message: "Must be a role with API access other than Administrators",
  });
}
