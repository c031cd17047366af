import { createSecret, digestSecret, type Plane } from "@rowhouse/access";
import {
  type AuditActor,
  type Database,
  makeChange,
  requireFound,
  requireLegibleName,
  type Transaction,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { readToken } from "./read-tokens.ts";
import type { TokenWithSecret } from "./token.ts";

export interface NewToken {
  readonly userId: string;
  readonly name: string;
  readonly description: string;
  readonly plane: Plane;
  /** Days, 1 to 3650. */
  readonly lifetime: number;
}

/** Maximum number of active and deactivated tokens of one user; revoked and expired tokens do not count. */
const tokensMax = 200;

/**
 * Creates a token. The secret is only in the result and is not stored.
 *
 * @param at JSON pointer of the fields in the body: "" or "/data"
 * @throws AppError VALUE_INVALID for an unknown owner; ACTION_DENIED if the owner lacks what the plane requires:
 * Administrators for `admin`, API access for `api`; CONFLICT for a system account, and for a name that another token
 * of the owner has
 */
export async function createToken(
  database: Database,
  input: NewToken,
  warningDays: number,
  actor: AuditActor,
  at: "" | "/data",
): Promise<TokenWithSecret> {
  await requireLegibleName(input.name, `${at}/name`);
  const secret = createSecret("TOKEN");
  return makeChange(
    database,
    actor,
    async (transaction) => {
      await requireTokenOwner(transaction, input, at);
      const [row] = await transaction.query<{ id: string }>(
        `with t as (
           insert into system.tokens (user_id, name, description, plane, lifetime_days, expires_at, created_by)
           values ($1::text::uuid, $2::text, $3::text, $4::text, $5::text::integer,
                   system.clock() + make_interval(days => $5::text::integer), $6::text::uuid)
           returning id, expires_at)
         insert into system.token_secrets (digest, token_id, is_current, expires_at)
         select $7::text::bytea, t.id, true, t.expires_at from t returning token_id as id`,
        [
          input.userId,
          input.name,
          input.description,
          input.plane,
          String(input.lifetime),
          actor.userId,
          digestSecret(secret),
        ],
      );
      const { id } = requireFound(row);
      return {
        result: { ...(await readToken(transaction, id, null, warningDays)), secret },
        entry: { action: "token.create", targetKind: "token", targetId: id },
      };
    },
    { path: `${at}/name`, message: "Another token of this user has this name" },
  );
}

/**
 * Requires that a user may own one more token of a plane, and locks the user until the end of the transaction.
 *
 * @throws AppError as `createToken`
 */
export async function requireTokenOwner(
  transaction: Transaction,
  input: Pick<NewToken, "userId" | "plane">,
  at: "" | "/data",
): Promise<void> {
  // The lock serializes concurrent creations for one user, so that the limit holds.
  const [owner] = await transaction.query<{
    is_system: boolean;
    active: boolean;
    api_access: boolean;
    is_administrator: boolean;
    tokens: number;
  }>(
    `select u.is_system, u.active,
       exists (select 1 from system.role_members m join system.roles r on r.id = m.role_id
               where m.user_id = u.id and r.api_access) as api_access,
       exists (select 1 from system.role_members m join system.roles r on r.id = m.role_id
               where m.user_id = u.id and r.is_administrators) as is_administrator,
       (select pg_catalog.count(*)::integer from system.tokens t
        where t.user_id = u.id and t.revoked_at is null and t.expires_at > system.clock()) as tokens
     from system.users u where u.id = $1::text::uuid for no key update of u`,
    [input.userId],
  );
  if (owner === undefined) {
    throw createError("VALUE_INVALID", { path: `${at}/userId`, message: "No such user" });
  }
  if (owner.is_system) {
    throw createError("CONFLICT", { message: "A system account holds no token" });
  }
  if (input.plane === "admin" && !(owner.active && owner.is_administrator)) {
    throw createError("ACTION_DENIED", {
      path: `${at}/plane`,
      message: "The owner of a token of the admin plane must be a member of Administrators",
    });
  }
  if (!(owner.active && owner.api_access)) {
    throw createError("ACTION_DENIED", {
      path: `${at}/plane`,
      message: "The owner of a token must have API access",
    });
  }
  if (owner.tokens >= tokensMax) {
    throw createError("CONFLICT", {
      message: `A user has at most ${tokensMax} usable tokens; revoke one first`,
    });
  }
}
