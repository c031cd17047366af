import { readInvitation, readToken } from "@rowhouse/accounts";
import { type Database, isUuid, kinds, readRecord, type SnapshotStore } from "@rowhouse/db";
import { listTables, readTableState, requireView } from "@rowhouse/ddl";
import { createError } from "@rowhouse/errors";
import type { PathLookup } from "@rowhouse/http";
import { readGrant, readResource, readResourceColumn } from "@rowhouse/permissions";
import {
  dashboardRecords,
  dataViewRecords,
  namedDashboard,
  panelOf,
  readVisibleView,
  requireParameter,
} from "@rowhouse/readings";
import { templateKindOf } from "@rowhouse/templates";
import {
  readExample,
  readSample,
  readVersion,
  requireRun,
  requireStepId,
  requireWorkflow,
  secretsOfProviders,
  secretsOfWorkflows,
} from "@rowhouse/workflows";
import { requireOpen } from "./app-principal.ts";

interface LocateDependencies {
  readonly database: Database;
  readonly snapshots: SnapshotStore;
}

/** Returns a path parameter; the template of the path contains every name. */
type Part = (name: string) => string;

type Look = (part: Part, c: Parameters<PathLookup>[1]) => Promise<unknown>;

/** Locators for the paths of the Admin API and of the App API, from the outermost record to the innermost. */
export function createLocate({ database, snapshots }: LocateDependencies): PathLookup {
  const snapshot = () => snapshots.fresh();
  /** For records without a read function of their own. */
  const exists = async (sql: string, ids: readonly string[]): Promise<void> => {
    if ((await database.query(sql, ids)).length === 0) throw createError("NOT_FOUND");
  };
  const uuid = (text: string): string => {
    if (!isUuid(text)) throw createError("NOT_FOUND");
    return text;
  };
  const whole = (text: string): number => {
    if (!/^[0-9]{1,9}$/.test(text)) throw createError("NOT_FOUND");
    return Number(text);
  };
  const first = { limit: 1, cursor: null, search: null };
  const admin: Readonly<Record<string, Look>> = {
    "/schema/:schema": (part) => listTables(database, part("schema"), first),
    "/schema/:schema/tables/:table": (part) =>
      readTableState(database, part("schema"), part("table")),
    "/schema/:schema/views/:view": async (part) =>
      requireView((await snapshot()).catalogue, part("schema"), part("view")),
    "/resources/:id": async (part) => readResource(database, await snapshot(), uuid(part("id"))),
    "/resources/:id/columns/:column": async (part) =>
      readResourceColumn(database, await snapshot(), uuid(part("id")), part("column")),
    "/roles/:id/members/:userId": (part) =>
      exists(
        "select from system.role_members where role_id = $1::text::uuid and user_id = $2::text::uuid",
        [uuid(part("id")), uuid(part("userId"))],
      ),
    "/grants/:id": async (part) => readGrant(await snapshot(), uuid(part("id"))),
    "/data-views/:id": (part) => dataViewRecords.read(database, uuid(part("id"))),
    "/dashboards/:id": (part) => dashboardRecords.read(database, uuid(part("id"))),
    "/users/:id/sessions/:sessionId": (part) =>
      exists(
        "select from system.sessions where user_id = $1::text::uuid and id = $2::text::uuid and expires_at > system.clock()",
        [uuid(part("id")), uuid(part("sessionId"))],
      ),
    "/tokens/:id": (part) => readToken(database, uuid(part("id")), null, 0),
    "/invitations/:id": (part) => readInvitation(database, uuid(part("id"))),
    "/templates/:id": (part) => templateKindOf(database, uuid(part("id"))),
    "/configuration/plans/:id": (part) =>
      exists("select from system.configuration_plans where id = $1::text::uuid", [
        uuid(part("id")),
      ]),
    "/sql/:id": (part) =>
      exists("select from system.sql_console_runs where id = $1::text::uuid", [uuid(part("id"))]),
    "/workflow-secrets/:name": (part) => secretsOfWorkflows.read(database, part("name")),
    "/provider-secrets/:name": (part) => secretsOfProviders.read(database, part("name")),
    "/workflows/:id": (part) => requireWorkflow(database, uuid(part("id"))),
    "/workflows/:id/invoke-grants/:roleId": (part) =>
      exists(
        "select from system.workflow_invoke_grants where workflow_id = $1::text::uuid and role_id = $2::text::uuid",
        [uuid(part("id")), uuid(part("roleId"))],
      ),
    "/workflows/:id/watchers/:userId": (part) =>
      exists("select from system.users where id = $1::text::uuid", [uuid(part("userId"))]),
    "/workflows/:id/examples/:stepId": async (part, c) => {
      // PUT creates the example of any step.
      if (c.req.method === "PUT") requireStepId(part("stepId"));
      else await readExample(database, uuid(part("id")), part("stepId"));
    },
    "/workflows/:id/samples/:sampleId": (part) =>
      readSample(database, uuid(part("id")), uuid(part("sampleId"))),
    "/workflows/:id/versions/:number": (part) =>
      readVersion(database, uuid(part("id")), whole(part("number"))),
    "/workflows/:id/runs/:runId": (part) =>
      requireRun(database, uuid(part("id")), uuid(part("runId"))),
  };
  const looks: Readonly<Record<string, Look>> = {
    ...Object.fromEntries(
      kinds.map((kind): [string, Look] => [
        `/admin/api${kind.path}/:id`,
        (part) => readRecord(database, kind, uuid(part("id"))),
      ]),
    ),
    ...Object.fromEntries(Object.entries(admin).map(([path, look]) => [`/admin/api${path}`, look])),
    // A record that the caller may not open is not found.
    "/app/api/data-views/:id": async (part, c) =>
      requireOpen(
        c.get("principal"),
        (await dataViewRecords.read(database, uuid(part("id")))).roleIds,
      ),
    "/app/api/saved-views/:id": async (part, c) =>
      readVisibleView(database, await snapshot(), c.get("principal"), uuid(part("id"))),
    "/app/api/dashboards/:id": async (part, c) =>
      requireOpen(
        c.get("principal"),
        (await dashboardRecords.read(database, uuid(part("id")))).roleIds,
      ),
    "/app/api/dashboards/:id/panels/:panelId": async (part) =>
      panelOf(await dashboardRecords.read(database, uuid(part("id"))), part("panelId")),
    "/app/api/dashboards/:id/parameters/:name": async (part, c) =>
      requireParameter(
        namedDashboard(await dashboardRecords.read(database, uuid(part("id")))),
        part("name"),
        await snapshot(),
        c.get("principal"),
      ),
  };
  return async ({ template, params }, c) => {
    const part: Part = (name) => params[name] ?? "";
    for (const [path, look] of Object.entries(looks)) {
      if (template === path || template.startsWith(`${path}/`)) await look(part, c);
    }
  };
}
