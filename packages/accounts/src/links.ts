import { createSecret, digestSecret, parseLinkSecret } from "@rowhouse/access";
import { arrayLiteral, type Queryable, type Transaction } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";

export type LinkKind = "RESET" | "VERIFY" | "CHANGE";

/** How long a link of a mail is good (contract: short-lived). */
export const resetMinutes = 15;
export const verifyHours = 24;
/** The same, as Postgres writes an interval. */
export const linkLifetimes: Readonly<Record<LinkKind, string>> = {
  RESET: `${resetMinutes} minutes`,
  VERIFY: `${verifyHours} hours`,
  CHANGE: `${verifyHours} hours`,
};

/** A pause after which requests for links are counted anew; the longest that the next link has to wait for is half of it. */
const forgetMinutes = 120;
/** How long after a link `l` the next one may be made. */
const pauseSql = `least(power(2, l.requests - 1), ${forgetMinutes / 2}) * interval '1 minute'`;

/**
 * The secret of a new link, which takes the place of the user's link of this kind; undefined within a minute of that one,
 * after the second within two, then four and so on up to an hour: so nobody can fill a mailbox, or keep taking away the
 * link that its owner is about to open. A link that is used ends the count.
 *
 * @param newEmail what a link of the kind CHANGE makes the account's address
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

/** Whole seconds, at least one, until `issueLink` makes the next link. */
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
 * The digest of a link that can be used at this moment, so that no work is done for one that cannot.
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
  /** The account's address, before the link changes anything. */
  readonly email: string;
  readonly name: string;
  readonly newEmail: string | null;
}

/**
 * Uses a link up: of several uses at once, one gets the user.
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

/** The one answer to every link that cannot be used, whatever the reason. */
export function linkRefused(path = "/token"): Error {
  return createError("BODY_INVALID", {
    path,
    message: "This link is not valid, or not any more",
  });
}
