import { parseRefreshSecret } from "@rowhouse/access";
import { type Database, makeChange, type Transaction } from "@rowhouse/db";
import { auditActorOf, type Origin } from "../origin.ts";
import { scopesIn } from "./check-request.ts";
import { endReplayed, type IssuedSecrets, issueSecrets } from "./issue-secrets.ts";
import { grantRefused, OAuthFault } from "./oauth-fault.ts";

/** The parameters of a client that has a refresh token. */
export interface RefreshExchange {
  readonly clientId: string;
  readonly refreshToken: string;
  readonly scope?: string | undefined;
}

interface RefreshRow {
  readonly token_id: string;
  readonly user_id: string;
  readonly client_id: string;
  readonly is_used: boolean;
  readonly works: boolean;
  readonly scopes: string;
}

/** A client whose connection broke before the response repeats its request within this time. */
const graceSeconds = 10;

/**
 * Exchanges a refresh token for the next one. Each works once; a second use ends the consent and all that was issued
 * for it, because either the client or a thief has an old one. The exception is a repetition within ten seconds while
 * nobody has used the next one: it ends that one and issues another.
 *
 * @throws OAuthFault invalid_grant, invalid_scope
 */
export async function refreshSecrets(
  database: Database,
  exchange: RefreshExchange,
  origin: Origin,
): Promise<IssuedSecrets> {
  const digest = parseRefreshSecret(exchange.refreshToken);
  const found = digest === undefined ? undefined : await loadRefresh(database, digest);
  if (digest === undefined || found?.client_id !== exchange.clientId) throw grantRefused();
  requireSameScopes(exchange.scope, JSON.parse(found.scopes) as string[]);
  const { token_id: tokenId, user_id: userId } = found;
  const actor = auditActorOf(userId, origin, tokenId);
  const issued = await makeChange(database, actor, async (transaction) => {
    const row = await loadRefresh(transaction, digest, "for update");
    if (row === undefined) return { result: null, entry: null };
    if (row.is_used && !(row.works && (await endLostSuccessor(transaction, digest)))) {
      const entry = await endReplayed(transaction, { tokenId, clientId: row.client_id });
      return { result: null, entry };
    }
    if (!row.works) return { result: null, entry: null };
    await transaction.query(
      "update system.refresh_tokens set used_at = system.clock() where digest = $1::text::bytea and used_at is null",
      [digest],
    );
    const scopes = JSON.parse(row.scopes) as string[];
    return { result: await issueSecrets(transaction, tokenId, scopes), entry: null };
  });
  if (issued === null) throw grantRefused();
  return issued;
}

/**
 * Ends the unused refresh token of a consent if `digest` was exchanged for it a moment ago. It counts as one whose own
 * grace has passed, so its use is a replay: its holder and the repeater are two.
 *
 * The caller holds the lock of the consent. This is a statement of its own, since one that waited for the lock does not
 * contain what the other exchange wrote.
 *
 * @returns whether there was such a token; none if another of the consent was used since
 */
async function endLostSuccessor(transaction: Transaction, digest: string): Promise<boolean> {
  const grace = `system.clock() - interval '${graceSeconds} seconds'`;
  const ended = await transaction.query(
    `update system.refresh_tokens s set used_at = ${grace}
     from system.refresh_tokens r
     where r.digest = $1::text::bytea and r.used_at > ${grace} and s.token_id = r.token_id and s.used_at is null
       and not exists (select from system.refresh_tokens o
         where o.token_id = r.token_id and o.digest <> r.digest and o.used_at >= r.used_at)
     returning s.token_id`,
    [digest],
  );
  return ended.length > 0;
}

/** The scopes belong to the consent: a client that asks for others needs another consent. */
function requireSameScopes(asked: string | undefined, granted: readonly string[]): void {
  if (asked === undefined) return;
  const names = scopesIn(asked);
  if (names?.length === granted.length && names.every((name) => granted.includes(name))) return;
  throw new OAuthFault("invalid_scope", `The scopes of this consent are ${granted.join(" ")}`);
}

async function loadRefresh(
  database: Pick<Transaction, "query">,
  digest: string,
  lock = "",
): Promise<RefreshRow | undefined> {
  const [row] = await database.query<RefreshRow>(
    `select r.token_id, t.user_id, t.client ->> 'id'::text as client_id, r.used_at is not null as is_used,
       system.token_works(t.id) as works, pg_catalog.to_json(t.scopes)::text as scopes
     from system.refresh_tokens r join system.tokens t on t.id = r.token_id
     where r.digest = $1::text::bytea ${lock}`,
    [digest],
  );
  return row;
}
