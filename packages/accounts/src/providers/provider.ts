import {
  type AuditActor,
  type Database,
  entityTagOf,
  isUuid,
  lockRecord,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  requireEntityTag,
  requireFound,
  requireLegibleName,
  schema,
  type Transaction,
  toPage,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import type { Vault } from "@rowhouse/vault";
import { isStorableText } from "@rowhouse/wire";
import { eq, sql } from "drizzle-orm";

const { authProviders, roles } = schema;

export type ProviderKind = "google" | "github" | "oidc";

/** A provider as administrators see it, without its secret. */
export interface Provider {
  readonly id: string;
  /** Its segment in the paths of the routes. */
  readonly key: string;
  readonly kind: ProviderKind;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Domains of addresses that may sign in; empty allows all. */
  readonly allowedDomains: string[];
  /** The role of accounts that a first sign-in creates; null allows no new accounts. */
  readonly roleId: string | null;
  readonly enabled: boolean;
  readonly createdAt: string;
}

export interface ProviderInput {
  readonly name?: string | undefined;
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly allowedDomains?: readonly string[] | undefined;
  readonly roleId?: string | null | undefined;
  readonly enabled?: boolean | undefined;
}

export interface NewProvider extends ProviderInput {
  readonly key: string;
  readonly kind: ProviderKind;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The issuers of the kinds that have only one. */
export const knownIssuers: Readonly<Record<ProviderKind, string | undefined>> = {
  google: "https://accounts.google.com",
  github: "https://github.com",
  oidc: undefined,
};

const providerJson = `pg_catalog.json_build_object('id', p.id, 'key', p.key, 'kind', p.kind, 'name', p.name, 'issuer', p.issuer,
  'clientId', p.client_id, 'allowedDomains', p.allowed_domains, 'roleId', p.role_id, 'enabled', p.enabled,
  'createdAt', p.created_at)`;

/** Lists providers by key. */
export async function listProviders(
  database: Queryable,
  request: PageRequest,
): Promise<Page<Provider>> {
  const [afterKey, afterId] = readCursor(request.cursor, [isStorableText, isUuid]);
  const rows = await database.query<{ provider: Provider }>(
    `select ${providerJson} as provider from system.auth_providers p
     where ($1::text is null or position(system.fold($1::text) in system.fold(p.key || ' ' || p.name)) > 0)
       and ($2::text is null or (p.key, p.id) > ($2::text, $3::text::uuid))
     order by p.key, p.id limit $4::text::integer`,
    [request.search, afterKey, afterId, String(request.limit + 1)],
  );
  const providers = rows.map((row) => row.provider);
  return toPage(providers, request.limit, (provider) => [provider.key, provider.id]);
}

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
 * Reads one provider.
 *
 * @throws AppError NOT_FOUND
 */
export async function readProvider(database: Queryable, id: string): Promise<Provider> {
  const [row] = await database.query<{ provider: Provider }>(
    `select ${providerJson} as provider from system.auth_providers p where p.id = $1::text::uuid`,
    [id],
  );
  return requireFound(row).provider;
}

/** The entity tag of a provider, without quotes. Its secret does not affect it. */
export function tagOfProvider(provider: Provider): string {
  return entityTagOf(JSON.stringify(provider));
}

/**
 * Adds a provider.
 *
 * @throws AppError BODY_INVALID for an issuer that is missing or is not an https URL; VALUE_INVALID for a role that is
 * unknown or Administrators; CONFLICT for a taken key
 */
export async function createProvider(
  dependencies: { readonly database: Database; readonly vault: Vault },
  input: NewProvider,
  actor: AuditActor,
): Promise<Provider> {
  await requireLegibleName(input.name);
  const issuer = input.issuer ?? knownIssuers[input.kind];
  checkIssuer(issuer);
  const sealed = await dependencies.vault.seal(input.clientSecret, providerContextOf(input.key));
  return makeChange(
    dependencies.database,
    actor,
    async (transaction) => {
      await checkRole(transaction, input.roleId);
      const { key, kind, name, clientId, allowedDomains = [], roleId, enabled } = input;
      const [row] = await transaction.orm
        .insert(authProviders)
        .values({
          ...{ key, kind, name, issuer, clientId, roleId, enabled },
          clientSecretSealed: sealed,
          allowedDomains: [...allowedDomains],
        })
        .returning({ id: authProviders.id });
      const { id } = requireFound(row);
      return {
        result: await readProvider(transaction, id),
        entry: { action: "auth_provider.create", targetKind: "auth_provider", targetId: id },
      };
    },
    { path: "/data/key", message: "Another provider has this key" },
  );
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
  dependencies: { readonly database: Database; readonly vault: Vault },
  id: string,
  changes: ProviderInput,
  actor: AuditActor,
  ifMatch?: readonly string[],
): Promise<Provider> {
  const { database, vault } = dependencies;
  if (changes.issuer !== undefined) checkIssuer(changes.issuer);
  const { key } = await readProvider(database, id);
  const sealed =
    changes.clientSecret === undefined
      ? undefined
      : await vault.seal(changes.clientSecret, providerContextOf(key));
  const changedFields = Object.keys(changes);
  return makeChange(database, actor, async (transaction) => {
    await lockRecord(transaction, { table: authProviders }, id);
    const present = await readProvider(transaction, id);
    requireEntityTag(tagOfProvider(present), ifMatch, "The provider has changed since it was read");
    await requireLegibleName(changes.name, undefined, async () => present.name);
    const isElsewhere = changes.issuer !== undefined && changes.issuer !== present.issuer;
    if (isElsewhere && sealed === undefined) {
      throw createError("REQUIRED_FIELD", {
        path: "/data/clientSecret",
        message: "With another issuer, enter the client secret again",
      });
    }
    await checkRole(transaction, changes.roleId);
    const { name, issuer, clientId, allowedDomains, roleId, enabled } = changes;
    const [row] = await transaction.orm
      .update(authProviders)
      .set({
        ...{ name, issuer, clientId, roleId, enabled },
        clientSecretSealed: sealed,
        allowedDomains: allowedDomains === undefined ? undefined : [...allowedDomains],
        updatedAt: sql`clock_timestamp()`,
      })
      .where(eq(authProviders.id, id))
      .returning({ id: authProviders.id });
    requireFound(row);
    const entry = {
      action: "auth_provider.update" as const,
      targetKind: "auth_provider",
      targetId: id,
      changedFields,
    };
    return {
      result: await readProvider(transaction, id),
      entry: changedFields.length === 0 ? null : entry,
    };
  });
}

/**
 * Removes a provider. Accounts stay linked to its issuer; the links work again if the provider is added again.
 *
 * @throws AppError NOT_FOUND
 */
export async function deleteProvider(
  database: Database,
  id: string,
  actor: AuditActor,
): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    const [row] = await transaction.orm
      .delete(authProviders)
      .where(eq(authProviders.id, id))
      .returning({ id: authProviders.id });
    requireFound(row);
    return {
      result: undefined,
      entry: { action: "auth_provider.delete", targetKind: "auth_provider", targetId: id },
    };
  });
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
    `select ${providerJson} as provider, p.client_secret_sealed as sealed, p.id || ' ' || p.updated_at as revision
     from system.auth_providers p where p.key = $1::text and p.enabled`,
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
