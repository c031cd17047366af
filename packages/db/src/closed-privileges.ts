import type { ListedPrivilege } from "./login-privileges.ts";

/** What requests for rows read: credentials and rights, the registry, and the tables that people can open. */
const readable = [
  ...["users", "roles", "role_members", "sessions", "tokens", "token_secrets"],
  ...["grants", "grant_columns", "resources", "resource_columns", "reading_columns", "settings"],
  ...["installation", "epoch", "catalogue_changes", "migrations"],
  ...["files", "folders", "templates", "idempotency_keys", "former_users"],
  ...["row_history", "row_history_layouts"],
  ...["workflow_runs", "workflow_run_steps"],
  ...["registrable_relations", "managed_columns", "secret_columns", "secret_views"],
  ...["event_triggers", "wanted_event_triggers"],
];

/** What belongs to the transaction that writes a row: the key of a repeated request, and the journal of a run. */
const written: readonly ListedPrivilege[] = [
  { name: "idempotency_keys", privilege: "insert" },
  {
    name: "idempotency_keys",
    privilege: "update",
    columns: ["fingerprint", "created_at", "status", "body"],
  },
  { name: "workflow_run_steps", privilege: "insert" },
  { name: "workflow_run_steps", privilege: "update" },
  { name: "workflow_runs", privilege: "update" },
];

/** The tables that users' tables may refer to. */
const referred = ["users", "roles", "files", "folders"];

/**
 * The rights in the schema `system` of a service's login that runs code of the database's users, when another login keeps
 * the schema. Columns that `system.secret_columns` names are not readable, except digests, by which a request finds its
 * credential (decision 24).
 */
export const closedPrivileges: readonly ListedPrivilege[] = [
  ...readable.map((name) => ({ name, privilege: "select" }) as const),
  ...written,
  // No other column: a foreign key would pass on its changes, with the rights of the login that makes them.
  ...referred.map((name) => ({ name, privilege: "references", columns: ["id"] }) as const),
];
