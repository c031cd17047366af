import { createSecret, digestSecret, parseLinkSecret } from "@rowhouse/access";
import { arrayLiteral, type Queryable, type Transaction } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";

export type LinkKind = "RESET" | "VERIFY" | "CHANGE";

/** Lifetimes of the links in mails. They are short because a mailbox is not a safe store. */
export const resetMinutes = 15;
export const verifyHours = 24;
/** The same, as PostgreSQL intervals. */
export const linkLifetimes: Readonly<Record<LinkKind, string>> = {
  RESET: `${resetMinutes} minutes`,
  VERIFY: `${verifyHours} hours`,
  CHANGE: `${verifyHours} hours`,
};

/** After this pause, requests for links count from zero. The longest wait for the next link is half of it. */
const forgetMinutes = 120;
/** SQL interval after a link `l` during which no new link is issued. */
const pauseSql = `least(power(2, l.requests - 1), ${forgetMinutes / 2}) * interval '1 minute'`;

/**
 * Issues a link secret that replaces the user's previous link of this kind. Returns undefined within one minute of the
 * previous link, after the second link within two minutes, then four and so on up to an hour. So an attacker cannot
 * flood a mailbox, nor keep invalidating the link that its owner is about to open. Using a link resets the count.
 *
 * @param newEmail the account's address after a link of the kind CHANGE was used
 */
export async function issueLink(
  database: Queryable,
  userId: string,
  kind: LinkKind,
  newEmail: string | null = null,
): Promise<string | undefined> {
  const secret = createSecret("LINK");
  const rows = await database.query(
    `insert into system.links as l (digest, kind, user_id, expires_at, created_at, new_email)
     values ($1::text::bytea, $2::text, $3::text::uuid, system.clock() + $4::text::interval, system.clock(), $5::text)
     on conflict (user_id, kind) do update
       set digest = excluded.digest, expires_at = excluded.expires_at, created_at = excluded.created_at,
           new_email = excluded.new_email, requests = case
             when l.created_at <= system.clock() - interval '${forgetMinutes} minutes' then 1 else l.requests + 1 end
       where l.created_at <= system.clock() - ${pauseSql}
     returning 1`,
    [digestSecret(secret), kind, userId, linkLifetimes[kind], newEmail],
  );
  return rows.length === 0 ? undefined : secret;
}

/** Seconds until `issueLink` issues the next link; a whole number, at least 1. */
export async function secondsUntilLink(
  database: Queryable,
  userId: string,
  kind: LinkKind,
): Promise<number> {
  const [row] = await database.query<{ seconds: number }>(
    `select greatest(1, ceil(extract(epoch from l.created_at + ${pauseSql} - system.clock())))::integer as seconds
     from system.links l where l.user_id = $1::text::uuid and l.kind = $2::text`,
    [userId, kind],
  );
  return row?.seconds ?? 1;
}

/**
 * Returns the digest of a link that is valid now, so that no expensive work is done for an invalid one.
 *
 * @throws AppError BODY_INVALID at /token
 */
export async function requireLink(
  database: Queryable,
  kinds: readonly LinkKind[],
  secret: string,
): Promise<string> {
  const digest = parseLinkSecret(secret);
  if (digest === undefined) throw linkRefused();
  const [row] = await database.query(
    `select 1 from system.links l join system.users u on u.id = l.user_id and u.active
     where l.digest = $1::text::bytea and l.kind = any ($2::text::text[]) and l.expires_at > system.clock()`,
    [digest, arrayLiteral(kinds)],
  );
  if (row === undefined) throw linkRefused();
  return digest;
}

export interface UsedLink {
  readonly userId: string;
  /** The account's address before the link changes it. */
  readonly email: string;
  readonly name: string;
  readonly newEmail: string | null;
}

/**
 * Consumes a link. Of several concurrent uses, one gets the user.
 *
 * @throws AppError BODY_INVALID at /token
 */
export async function consumeLink(
  transaction: Transaction,
  kinds: readonly LinkKind[],
  digest: string,
): Promise<UsedLink> {
  const [row] = await transaction.query<{
    user_id: string;
    email: string;
    name: string;
    new_email: string | null;
  }>(
    `delete from system.links l using system.users u
     where l.digest = $1::text::bytea and l.kind = any ($2::text::text[]) and l.expires_at > system.clock()
       and u.id = l.user_id and u.active
     returning l.user_id, u.email, u.name, l.new_email`,
    [digest, arrayLiteral(kinds)],
  );
  if (row === undefined) throw linkRefused();
  const { user_id: userId, email, name, new_email: newEmail } = row;
  return { userId, email, name, newEmail };
}

/** The error for a link that cannot be used; it does not reveal the reason. */
export function linkRefused(path = "/token"): Error {
  return createError("BODY_INVALID", {
    path,
    message: "This link is invalid, expired or already used",
  });
}
