import { arrayLiteral, isUuid, type Kind, kinds, type Queryable, userKind } from "@rowhouse/db";

/** What the ids of an entry of the audit log are called now. Null if unknown: deleted, or without a name. */
export interface AuditNames {
  /** The name of the user, or the address. A deleted user keeps the name. */
  readonly actor: string | null;
  readonly token: string | null;
  readonly target: string | null;
  /**
   * What the target belongs to: the role of a grant or membership, the workflow of a run or sample, the owner of a
   * session or token.
   */
  readonly parent: string | null;
  readonly parentId: string | null;
  /** Of a grant. */
  readonly action: "READ" | "CREATE" | "UPDATE" | "DELETE" | null;
  /** Of a table or view, also of a grant's. */
  readonly relation: {
    readonly schema: string;
    readonly name: string;
    readonly kind: "TABLE" | "VIEW";
  } | null;
}

interface Ids {
  readonly actorUserId: string | null;
  readonly actorTokenId: string | null;
  readonly targetKind: string;
  readonly targetId: string | null;
}

type Named = Omit<AuditNames, "actor" | "token">;

const person = (user: string) => `coalesce(nullif(${user}.name, ''), ${user}.email)`;
const title = "coalesce(r.label, r.relation_name)";

/**
 * By kind of target, the rows that name it. `$1` are the ids as UUIDs, `$2` as texts. Columns: id, name, parent, parent_id,
 * action, and the resource.
 */
const sources: Readonly<Record<string, string>> = {
  ...Object.fromEntries(kinds.map((kind) => [kind.name, titlesOf(kind)])),
  user: `${titlesOf(userKind)}
    union all select f.id::text, f.name, null, null, null, null from system.former_users f where f.id = any($1::uuid[])`,
  token: `select t.id::text, t.name, ${person("u")}, u.id::text, null, null::uuid
    from system.tokens t join system.users u on u.id = t.user_id where t.id = any($1::uuid[])`,
  session: `select s.id::text, null, ${person("u")}, u.id::text, null, null::uuid
    from system.sessions s join system.users u on u.id = s.user_id where s.id = any($1::uuid[])`,
  grant: `select g.id::text, ${title}, o.name, o.id::text, g.action, r.id
    from system.grants g join system.roles o on o.id = g.role_id join system.resources r on r.id = g.resource_id
    where g.id = any($1::uuid[])`,
  resource: `select r.id::text, ${title}, null, null, null, r.id from system.resources r where r.id = any($1::uuid[])`,
  invitation:
    "select id::text, email, null, null, null, null::uuid from system.invitations where id = any($1::uuid[])",
  template: `select id::text, case kind when 'MAIL' then key else subject end, null, null, null, null::uuid
    from system.templates where id = any($1::uuid[])`,
  dashboard:
    "select id::text, name, null, null, null, null::uuid from system.dashboards where id = any($1::uuid[])",
  data_view:
    "select id::text, name, null, null, null, null::uuid from system.data_views where id = any($1::uuid[])",
  file: "select id::text, coalesce(title, name), null, null, null, null::uuid from system.files where id = any($1::uuid[])",
  folder:
    "select id::text, name, null, null, null, null::uuid from system.folders where id = any($1::uuid[])",
  workflow:
    "select id::text, name, null, null, null, null::uuid from system.workflows where id = any($1::uuid[])",
  workflow_sample: `select s.id::text, s.name, w.name, w.id::text, null, null::uuid
    from system.workflow_samples s join system.workflows w on w.id = s.workflow_id where s.id = any($1::uuid[])`,
  run: `select r.id::text, null, w.name, w.id::text, null, null::uuid
    from system.workflow_runs r join system.workflows w on w.id = r.workflow_id where r.id = any($1::uuid[])`,
  oauth_client:
    "select id, name, null, null, null, null::uuid from system.oauth_clients where id = any($2::text[])",
};

const unknown: Named = { target: null, parent: null, parentId: null, action: null, relation: null };

function titlesOf({ id, title, from }: Kind): string {
  return `select ${id}::text, ${title}, null, null, null, null::uuid from ${from} where ${id} = any($1::uuid[])`;
}

/** Names whose id is the name. */
const selfNamed: ReadonlySet<string> = new Set(["schema", "workflow_secret", "provider_secret"]);

/** Adds to the entries of a page what their ids are called, by one query. */
export async function nameAuditEntries<Entry extends Ids>(
  database: Queryable,
  entries: readonly Entry[],
): Promise<(Entry & { readonly names: AuditNames })[]> {
  const wanted = new Map<string, Set<string>>();
  const want = (kind: string, id: string | null | undefined): void => {
    if (id == null || sources[kind] === undefined) return;
    wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
  };
  for (const { actorUserId, actorTokenId, targetKind, targetId } of entries) {
    want("user", actorUserId);
    want("token", actorTokenId);
    const [roleId, userId] = targetKind === "role_member" ? (targetId?.split("/") ?? []) : [];
    want("role", roleId);
    want("user", userId);
    want(targetKind, targetId);
  }
  const found = await findNames(database, wanted);
  const named = (kind: string, id: string | null | undefined): Named =>
    (id == null ? undefined : found.get(`${kind} ${id}`)) ?? unknown;
  const targetOf = ({ targetKind, targetId }: Entry): Named => {
    if (selfNamed.has(targetKind)) return { ...unknown, target: targetId };
    if (targetKind !== "role_member") return named(targetKind, targetId);
    const [roleId = null, userId = null] = targetId?.split("/") ?? [];
    const parent = named("role", roleId).target;
    return { ...named("user", userId), parent, parentId: parent === null ? null : roleId };
  };
  return entries.map((entry) => ({
    ...entry,
    names: {
      actor: named("user", entry.actorUserId).target,
      token: named("token", entry.actorTokenId).target,
      ...targetOf(entry),
    },
  }));
}

async function findNames(
  database: Queryable,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<ReadonlyMap<string, Named>> {
  if (wanted.size === 0) return new Map();
  const ids = [...new Set([...wanted.values()].flatMap((some) => [...some]))];
  const parts = [...wanted.keys()].map(
    (kind) =>
      `select '${kind}', n.* from (${sources[kind]}) n (id, name, parent, parent_id, action, resource_id)`,
  );
  const rows = await database.query<{ key: string; named: Named }>(
    `select n.kind || ' ' || n.id as key, pg_catalog.json_build_object('target', n.name, 'parent', n.parent, 'parentId', n.parent_id,
       'action', n.action, 'relation', case when r.id is not null then
         pg_catalog.json_build_object('schema', r.schema_name, 'name', r.relation_name, 'kind', r.kind) end) as named
     from (${parts.join("\n     union all ")}) n (kind, id, name, parent, parent_id, action, resource_id)
     left join system.resources r on r.id = n.resource_id
     where $1::uuid[] is not null and $2::text[] is not null`,
    [arrayLiteral(ids.filter(isUuid)), arrayLiteral(ids)],
  );
  return new Map(rows.map(({ key, named }) => [key, named]));
}
