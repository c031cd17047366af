import {
  type AuditActor,
  type Database,
  makeChange,
  type Queryable,
  requireFound,
  type Transaction,
} from "@rowhouse/db";

export interface Session {
  readonly id: string;
  /** `password`, `invitation` or `provider:<key>`. */
  readonly method: string;
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Whether this is the session of the current request. */
  readonly current: boolean;
}

const listMax = 1000;

/**
 * Lists a user's active sessions, newest first.
 *
 * @param currentId the session of the current request, if it is the user's own
 */
export async function listSessions(
  database: Queryable,
  userId: string,
  currentId: string | null,
): Promise<Session[]> {
  const rows = await database.query<{ session: Session }>(
    `select pg_catalog.json_build_object('id', s.id, 'method', s.method, 'address', host(s.address), 'userAgent', s.user_agent,
       'createdAt', s.created_at, 'expiresAt', s.expires_at, 'current', coalesce(s.id = $2::text::uuid, false)) as session
     from system.sessions s where s.user_id = $1::text::uuid and s.expires_at > system.clock()
     order by s.created_at desc, s.id limit ${listMax}`,
    [userId, currentId],
  );
  return rows.map((row) => row.session);
}

/**
 * Ends all sessions of a user.
 *
 * @throws AppError ACTION_DENIED for a token of this user
 */
export async function endAllSessions(
  database: Database,
  userId: string,
  actor: AuditActor,
): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    await requireSessionOf(transaction, userId);
    const ended = await transaction.query(
      "delete from system.sessions where user_id = $1::text::uuid returning 1",
      [userId],
    );
    const entry = { action: "user.end_sessions" as const, targetKind: "user", targetId: userId };
    return { result: undefined, entry: ended.length === 0 ? null : entry };
  });
}

/**
 * Ends one session of a user.
 *
 * @throws AppError NOT_FOUND for a session that is missing or another user's; ACTION_DENIED for a token of this user
 */
export async function endSession(
  database: Database,
  userId: string,
  id: string,
  actor: AuditActor,
): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    await requireSessionOf(transaction, userId);
    const rows = await transaction.query(
      `delete from system.sessions where id = $1::text::uuid and user_id = $2::text::uuid
         and expires_at > system.clock() returning 1`,
      [id, userId],
    );
    requireFound(rows[0]);
    return {
      result: undefined,
      entry: { action: "session.end", targetKind: "session", targetId: id },
    };
  });
}

/** Rejects a token that ends sessions of its owner. Triggers reject it too, but only if there is a session to end. */
async function requireSessionOf(transaction: Transaction, userId: string): Promise<void> {
  await transaction.query("select system.require_session_of($1::text::uuid)", [userId]);
}
