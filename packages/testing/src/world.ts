import { createSecret, digestSecret } from "@rowhouse/access";
import { arrayLiteral, type Queryable } from "@rowhouse/db";

/** A person of a test, signed in. */
export interface TestUser {
  readonly id: string;
  readonly email: string;
  /** The session's secret, as it goes after `Bearer`. */
  readonly secret: string;
}

/** Creates an account with a living session; with a role's name, as its member. */
export async function createUser(
  database: Queryable,
  email: string,
  ...roleNames: readonly string[]
): Promise<TestUser> {
  const [user] = await database.query<{ id: string }>(
    "insert into system.users (email, name, email_verified_at) values ($1::text, $1::text, now()) returning id",
    [email],
  );
  if (user === undefined) throw new Error("no user");
  for (const name of roleNames) {
    await database.query(
      "insert into system.role_members (role_id, user_id) select id, $2::text::uuid from system.roles where name = $1::text",
      [name, user.id],
    );
  }
  return { id: user.id, email, secret: await createSession(database, user.id) };
}

/** A session of an hour. */
export async function createSession(database: Queryable, userId: string): Promise<string> {
  const secret = createSecret("SESSION");
  await database.query(
    "insert into system.sessions (user_id, digest, method, expires_at) values ($1::text::uuid, $2::text::bytea, 'password', now() + interval '1 hour')",
    [userId, digestSecret(secret)],
  );
  return secret;
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

/** Exposes a relation's methods. */
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
