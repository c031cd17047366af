import {
  isUuid,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  requireFound,
  toPage,
} from "@rowhouse/db";
import { isStorableText } from "@rowhouse/wire";
import {
  expiresSoonSql,
  stateSql,
  type Token,
  type TokenOwner,
  type TokenState,
  tokenJson,
} from "./token.ts";

export interface TokenFilter {
  readonly owner: TokenOwner;
  readonly state: TokenState | null;
  /** Only tokens that expire within the days of the warning, or only the others. */
  readonly expiresSoon: boolean | null;
  /** Only tokens of OAuth clients, or only the others. */
  readonly client: boolean | null;
}

/** Lists tokens by name; `search` matches names, descriptions and the owners' addresses. */
export async function listTokens(
  database: Queryable,
  request: PageRequest & TokenFilter,
  warningDays: number,
): Promise<Page<Token>> {
  const [afterName, afterId] = readCursor(request.cursor, [isStorableText, isUuid]);
  const rows = await database.query<{ key: string; token: Token }>(
    `select system.fold(t.name) as key, ${tokenJson(warningDays)} as token
     from system.tokens t join system.users u on u.id = t.user_id
     where ($1::text is null or t.user_id = $1::text::uuid)
       and ($2::text is null or ${stateSql} = $2::text)
       and ($3::text is null or position(system.fold($3::text) in system.fold(t.name || ' ' || t.description || ' ' || u.email)) > 0)
       and ($4::text is null or (system.fold(t.name), t.id) > ($4::text, $5::text::uuid))
       and ($7::text is null or ${expiresSoonSql(warningDays)} = $7::text::boolean)
       and ($8::text is null or (t.client is not null) = $8::text::boolean)
     order by system.fold(t.name), t.id limit $6::text::integer`,
    [
      request.owner,
      request.state,
      request.search,
      afterName,
      afterId,
      String(request.limit + 1),
      request.expiresSoon === null ? null : String(request.expiresSoon),
      request.client === null ? null : String(request.client),
    ],
  );
  const { items, nextCursor } = toPage(rows, request.limit, ({ key, token }) => [key, token.id]);
  return { items: items.map((row) => row.token), nextCursor };
}

/**
 * Reads one token.
 *
 * @throws AppError NOT_FOUND for a token that is missing or another user's
 */
export async function readToken(
  database: Queryable,
  id: string,
  owner: TokenOwner,
  warningDays: number,
): Promise<Token> {
  const [row] = await database.query<{ token: Token }>(
    `select ${tokenJson(warningDays)} as token from system.tokens t
     where t.id = $1::text::uuid and ($2::text is null or t.user_id = $2::text::uuid)`,
    [id, owner],
  );
  return requireFound(row).token;
}
