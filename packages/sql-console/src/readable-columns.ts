/**
 * Of the schema `system` what the console may read: of these tables every column but the secret ones. A table that is
 * added to the schema stays out until it is written here.
 */
export const readableTables: readonly string[] = [
  "audit_log",
  "auth_providers",
  "dashboard_panels",
  "dashboard_roles",
  "dashboards",
  "data_view_roles",
  "data_views",
  "grant_columns",
  "grants",
  "invitation_roles",
  "invitations",
  "migrations",
  "provider_accounts",
  "resource_columns",
  "resources",
  "role_members",
  "roles",
  "sessions",
  "settings",
  "templates",
  "tokens",
  "users",
  "view_refreshes",
  "workflow_invoke_grants",
  "workflow_run_steps",
  "workflow_runs",
  "workflow_versions",
  "workflows",
];
