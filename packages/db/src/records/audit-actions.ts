import { type KindName, kinds } from "../kinds/kinds.ts";

const recordVerbs = ["create", "update", "delete"] as const;

/**
 * What the audit log records besides the changes of described records, by the kind of the target; an action is
 * `<kind>.<verb>`.
 */
const auditVerbs = {
  admin_api: ["access"],
  configuration: ["apply"],
  dashboard: ["create", "update", "delete"],
  data_view: ["create", "update", "delete"],
  file: ["create", "update", "delete", "quarantine"],
  folder: ["create", "update", "delete"],
  grant: ["create", "update", "delete"],
  invitation: ["create", "resend", "link", "revoke", "accept"],
  mail: ["send"],
  oauth_client: ["authorize", "register", "replay"],
  permission: ["preview"],
  resource: ["update"],
  role_member: ["create", "update", "delete"],
  schema: ["create", "drop"],
  sealed_values: ["reseal"],
  session: ["create", "end"],
  settings: ["update"],
  sql: ["read", "write", "cancel"],
  table: ["create", "update", "drop"],
  template: ["create", "update", "delete", "test_mail"],
  token: ["create", "update", "regenerate", "activate", "deactivate", "revoke"],
  user: [
    "activate",
    "deactivate",
    "register",
    "verify_email",
    "request_email_change",
    "change_email",
    "change_password",
    "reset_password",
    "link_provider",
    "unlink_provider",
    "end_sessions",
    "make_administrator",
    "reset_administrator",
  ],
  view: ["create", "replace", "refresh", "drop"],
  workflow: [
    "create",
    "update",
    "delete",
    "publish",
    "roll_back",
    "enable",
    "disable",
    "run",
    "run_again",
    "cancel_run",
    "test",
    "watch",
    "unwatch",
    "grant",
    "revoke",
    "pin_example",
    "unpin_example",
  ],
  workflow_sample: ["create", "update", "delete"],
  workflow_secret: ["create", "update", "delete"],
  provider_secret: ["create", "update", "delete"],
} as const;

type AuditVerbs = typeof auditVerbs;

/** An action of the audit log: `role.create`. */
export type AuditAction =
  | { [Kind in keyof AuditVerbs]: `${Kind}.${AuditVerbs[Kind][number]}` }[keyof AuditVerbs]
  | `${KindName}.${(typeof recordVerbs)[number]}`;

/** Every action that the services and the triggers of the system schema record. */
export const auditActions: readonly AuditAction[] = [
  ...kinds.map(({ name }): readonly [string, readonly string[]] => [name, recordVerbs]),
  ...Object.entries(auditVerbs),
]
  .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  .flatMap(([kind, verbs]) => verbs.map((verb) => `${kind}.${verb}` as AuditAction));
