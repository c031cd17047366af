import { createSecret, digestSecret } from "@rowhouse/access";
import { actAs, arrayLiteral, type Database, type Queryable } from "@rowhouse/db";

/** A signed-in user of a test. */
export interface TestUser {
  readonly id: string;
  readonly email: string;
  /** The session's secret, as sent after `Bearer`. */
  readonly secret: string;
}

/** Creates an account with a valid session; with a role's name, as its member. */
export async function createUser(
  database: Pick<Database, "query" | "transaction">,
  email: string,
  ...roleNames: readonly string[]
): Promise<TestUser> {
  const [user] = await database.query<{ id: string }>(
    "insert into system.users (email, name, email_verified_at) values ($1::text, $1::text, now()) returning id",
    [email],
  );
  if (user === undefined) throw new Error("no user");
  for (const name of roleNames) {
    // Only an administrator adds members; the first administrator of all needs no actor.
    const makeMember = (on: Queryable) =>
      on.query(
        `with acting as materialized (
         select system.act_as((select m.user_id from system.role_members m
           join system.roles r on r.id = m.role_id and r.is_administrators
           join system.users u on u.id = m.user_id and u.active limit 1))
       )
       insert into system.role_members (role_id, user_id)
       select id, $2::text::uuid from acting, system.roles where name = $1::text`,
        [name, user.id],
      );
    if (name !== "Administrators") await makeMember(database);
    else
      await database.transaction(async (transaction) => {
        await makeMember(transaction);
        // The mail outbox starts empty for tests that read mails.
        await transaction.query("delete from system.mails where notice is not null");
        await transaction.query(
          "update system.installation set administrators_announced_at = null",
        );
      });
  }
  return { id: user.id, email, secret: await createSession(database, user.id) };
}

/** Runs a statement with a user as the actor, which the triggers of the system schema require. */
export async function runAs(database: Database, userId: string, text: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await actAs(transaction, userId);
    await transaction.query(text);
  });
}

/** Creates a session of one hour. */
export async function createSession(database: Queryable, userId: string): Promise<string> {
  const secret = createSecret("SESSION");
  await database.query(
    "insert into system.sessions (user_id, digest, method, expires_at) values ($1::text::uuid, $2::text::bytea, 'password', now() + interval '1 hour')",
    [userId, digestSecret(secret)],
  );
  return secret;
}

/** A personal access token of one day. */
export interface TestToken {
  readonly id: string;
  /** The token's secret, as sent after `Bearer`. */
  readonly secret: string;
}

export async function createToken(
  database: Queryable,
  userId: string,
  plane: "api" | "admin",
): Promise<TestToken> {
  const secret = createSecret("TOKEN");
  const digest = digestSecret(secret);
  const [token] = await database.query<{ id: string }>(
    `insert into system.tokens (user_id, name, plane, lifetime_days, expires_at)
     values ($1::text::uuid, $2::text, $3::text, 1, now() + interval '1 day') returning id`,
    [userId, digest.slice(-20), plane],
  );
  if (token === undefined) throw new Error("no token");
  await database.query(
    `insert into system.token_secrets (digest, token_id, is_current, expires_at)
     values ($1::text::bytea, $2::text::uuid, true, now() + interval '1 day')`,
    [digest, token.id],
  );
  return { id: token.id, secret };
}

/** Creates a role with API access. */
export async function createRole(database: Queryable, name: string): Promise<string> {
  const [role] = await database.query<{ id: string }>(
    "insert into system.roles (name) values ($1::text) returning id",
    [name],
  );
  if (role === undefined) throw new Error("no role");
  return role.id;
}

export async function expose(
  database: Queryable,
  schema: string,
  relation: string,
  ...methods: readonly string[]
): Promise<void> {
  await database.query(
    "update system.resources set exposed_methods = $3::text::text[] where schema_name = $1::text and relation_name = $2::text",
    [schema, relation, arrayLiteral(methods)],
  );
}
