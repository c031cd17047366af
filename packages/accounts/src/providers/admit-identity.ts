import { createSecret } from "@rowhouse/access";
import {
  appendAuditEntry,
  arrayLiteral,
  requireFound,
  schema,
  type Transaction,
} from "@rowhouse/db";
import { isStorableText } from "@rowhouse/wire";
import { sql } from "drizzle-orm";
import { auditActorOf, type Origin } from "../origin.ts";
import { maySignInSql } from "../sign-in.ts";
import type { ProviderIdentity } from "./ask-provider.ts";
import type { UsableProvider } from "./provider.ts";
import { digestOfCode } from "./sign-in-code.ts";

/** Why the sign-in was refused; a query parameter of the page that explains it. */
export type Refusal =
  | "expired"
  | "unknown_provider"
  | "provider_failed"
  | "canceled"
  | "unverified"
  | "not_allowed"
  | "account_exists"
  | "rate_limited"
  | "unavailable";

const codeSeconds = 60;

/** The result for an identity: a code for a session, a link, or a refusal. */
export type AdmissionOutcome =
  | { readonly code: string }
  | { readonly linked: true }
  | { readonly refusal: Refusal; readonly userId: string | null };

/**
 * Signs in the user linked to this identity. Creates an account for a new identity if the provider has a role for new
 * users.
 */
export async function admitIdentity(
  transaction: Transaction,
  provider: UsableProvider,
  identity: ProviderIdentity,
  { origin, codeChallenge }: { readonly origin: Origin; readonly codeChallenge: string | null },
): Promise<AdmissionOutcome> {
  const issue = (userId: string, accountId: string) =>
    issueCode(transaction, { userId, accountId, providerKey: provider.key, codeChallenge });
  const isInDomain =
    provider.allowedDomains.length === 0 || (await isIn(transaction, provider, identity));
  const [bound] = await transaction.query<{
    id: string;
    account_id: string;
    may_sign_in: boolean;
  }>(
    `select u.id, a.id as account_id, ${maySignInSql} as may_sign_in from system.provider_accounts a join system.users u on u.id = a.user_id
     where a.issuer = $1::text and a.subject = $2::text`,
    [identity.issuer, identity.subject],
  );
  if (bound !== undefined) {
    return bound.may_sign_in && isInDomain
      ? issue(bound.id, bound.account_id)
      : { refusal: "not_allowed", userId: bound.id };
  }
  if (identity.email === null && provider.roleId !== null) {
    return { refusal: "unverified", userId: null };
  }
  if (identity.email === null || !isInDomain || provider.roleId === null) {
    return { refusal: "not_allowed", userId: null };
  }
  const { users } = schema;
  const [user] = await transaction.orm
    .insert(users)
    .values({
      email: identity.email,
      name: sql`left(${identity.name}, 200)`,
      emailVerifiedAt: sql`system.clock()`,
    })
    .onConflictDoNothing()
    .returning({ id: users.id });
  // An equal address does not prove ownership of the account: its owner links the identity from a session.
  if (user === undefined) return { refusal: "account_exists", userId: null };
  const accountId = await bind(transaction, user.id, identity);
  await transaction.query(
    `insert into system.role_members (role_id, user_id)
     select id, $2::text::uuid from system.roles where id = $1::text::uuid and not is_administrators`,
    [provider.roleId, user.id],
  );
  await appendAuditEntry(transaction, auditActorOf(user.id, origin), {
    action: "user.create",
    targetKind: "user",
    targetId: user.id,
  });
  return issue(user.id, accountId);
}

async function isIn(
  transaction: Transaction,
  { allowedDomains }: UsableProvider,
  { email, hostedDomain }: ProviderIdentity,
): Promise<boolean> {
  const ofAddress = email?.split("@").at(-1) ?? null;
  // A consumer account of Google can have a verified address of the domain, and keep it after the person has left.
  const domains = hostedDomain === undefined ? [ofAddress] : [ofAddress, hostedDomain];
  if (domains.some((domain) => domain === null || !isStorableText(domain))) return false;
  const [row] = await transaction.query<{ allowed: boolean }>(
    `select not exists (
       select from pg_catalog.unnest($1::text::text[]) stated where system.fold(stated) <> all (
         select system.fold(d) from pg_catalog.unnest($2::text::text[]) d)) as allowed`,
    [arrayLiteral(domains.map(String)), arrayLiteral(allowedDomains)],
  );
  return row?.allowed === true;
}

/** Links the identity to the principal's account. */
export async function linkIdentity(
  transaction: Transaction,
  userId: string,
  identity: ProviderIdentity,
  origin: Origin,
): Promise<AdmissionOutcome> {
  const [bound] = await transaction.query<{ user_id: string }>(
    "select user_id from system.provider_accounts where issuer = $1::text and subject = $2::text",
    [identity.issuer, identity.subject],
  );
  if (bound !== undefined) {
    return bound.user_id === userId ? { linked: true } : { refusal: "account_exists", userId };
  }
  const [user] = await transaction.query(
    `select 1 from system.users u where u.id = $1::text::uuid and ${maySignInSql}`,
    [userId],
  );
  if (user === undefined) return { refusal: "not_allowed", userId };
  await bind(transaction, userId, identity);
  await appendAuditEntry(transaction, auditActorOf(userId, origin), {
    action: "user.link_provider",
    targetKind: "user",
    targetId: userId,
  });
  return { linked: true };
}

async function bind(
  transaction: Transaction,
  userId: string,
  identity: ProviderIdentity,
): Promise<string> {
  const [account] = await transaction.query<{ id: string }>(
    "insert into system.provider_accounts (issuer, subject, user_id) values ($1::text, $2::text, $3::text::uuid) returning id",
    [identity.issuer, identity.subject, userId],
  );
  return requireFound(account).id;
}

interface NewCode {
  readonly userId: string;
  readonly accountId: string;
  readonly providerKey: string;
  readonly codeChallenge: string | null;
}

async function issueCode(
  transaction: Transaction,
  { userId, accountId, providerKey, codeChallenge }: NewCode,
): Promise<AdmissionOutcome> {
  const code = createSecret("LINK");
  await transaction.query(
    `insert into system.sign_in_codes (digest, user_id, provider_key, account_id, expires_at)
     values ($1::text::bytea, $2::text::uuid, $3::text, $4::text::uuid, system.clock() + interval '${codeSeconds} seconds')`,
    [digestOfCode(code, codeChallenge), userId, providerKey, accountId],
  );
  return { code };
}
