import {
  type AuditActor,
  arrayLiteral,
  type Database,
  isUuid,
  makeChange,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  requireFound,
  type Transaction,
  toPage,
} from "@rowhouse/db";
import { isStorableText } from "@rowhouse/json";
import { openers, replaceOpeners } from "./openers.ts";

/** Several readings side by side. */
export interface Dashboard {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The roles whose members may open it; Administrators may anyway. */
  readonly roleIds: string[];
  readonly panels: Panel[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** One reading of a dashboard: rows, a single figure, or the groups that a chart draws. */
export interface Panel {
  /** Its name within the dashboard. */
  readonly id: string;
  readonly title: string;
  readonly kind: "LIST" | "FIGURE" | "CHART";
  /** Null once the resource is gone. */
  readonly resourceId: string | null;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly presentation: Readonly<Record<string, unknown>>;
}

/** What an administrator says of a dashboard. It was found to be right before it comes here. */
export type DashboardInput = Pick<Dashboard, "name" | "description" | "roleIds" | "panels">;

export type DashboardChanges = {
  readonly [Key in keyof DashboardInput]?: DashboardInput[Key] | undefined;
};

const dashboardJson = `json_build_object('id', d.id, 'name', d.name, 'description', d.description,
  'roleIds', ${openers("dashboard", "d.id")}, 'panels', coalesce((select json_agg(json_build_object('id', p.id,
    'title', p.title, 'kind', p.kind, 'resourceId', p.resource_id, 'definition', p.definition,
    'presentation', p.presentation) order by p.position)
    from system.dashboard_panels p where p.dashboard_id = d.id), '[]'),
  'createdAt', d.created_at, 'updatedAt', d.updated_at)`;

/**
 * The dashboards by name.
 *
 * @param request `roleIds`: those that members of one of these roles may open; null for all
 */
export async function listDashboards(
  database: Queryable,
  request: PageRequest & { readonly roleIds: readonly string[] | null },
): Promise<Page<Dashboard>> {
  const [afterName, afterId] = readCursor(request.cursor, [isStorableText, isUuid]);
  const rows = await database.query<{ key: string; dashboard: Dashboard }>(
    `select lower(d.name) as key, ${dashboardJson} as dashboard from system.dashboards d
     where ($1::text is null or position(lower($1::text) in lower(d.name)) > 0)
       and ($2::text is null or exists (select 1 from system.dashboard_roles o
         where o.dashboard_id = d.id and o.role_id = any ($2::text::uuid[])))
       and ($3::text is null or (lower(d.name), d.id) > ($3::text, $4::text::uuid))
     order by lower(d.name), d.id limit $5::text::integer`,
    [
      request.search,
      request.roleIds === null ? null : arrayLiteral(request.roleIds),
      afterName,
      afterId,
      String(request.limit + 1),
    ],
  );
  const { items, nextCursor } = toPage(rows, request.limit, ({ key, dashboard }) => [
    key,
    dashboard.id,
  ]);
  return { items: items.map((row) => row.dashboard), nextCursor };
}

/**
 * One dashboard.
 *
 * @throws AppError NOT_FOUND
 */
export async function readDashboard(database: Queryable, id: string): Promise<Dashboard> {
  const [row] = await database.query<{ dashboard: Dashboard }>(
    `select ${dashboardJson} as dashboard from system.dashboards d where d.id = $1::text::uuid`,
    [id],
  );
  return requireFound(row).dashboard;
}

/** Keeps a new dashboard. */
export async function createDashboard(
  database: Database,
  input: DashboardInput,
  actor: AuditActor,
): Promise<Dashboard> {
  return makeChange(database, actor, async (transaction) => {
    const [row] = await transaction.query<{ id: string }>(
      "insert into system.dashboards (name, description) values ($1::text, $2::text) returning id",
      [input.name, input.description],
    );
    const { id } = requireFound(row);
    await replacePanels(transaction, id, input.panels);
    await replaceOpeners(transaction, "dashboard", id, input.roleIds);
    return {
      result: await readDashboard(transaction, id),
      entry: {
        action: "dashboard.create",
        targetKind: "dashboard",
        targetId: id,
        changedFields: Object.keys(input),
      },
    };
  });
}

/**
 * Changes what is given of a dashboard; panels are given all together.
 *
 * @throws AppError NOT_FOUND
 */
export async function updateDashboard(
  database: Database,
  id: string,
  changes: DashboardChanges,
  actor: AuditActor,
): Promise<Dashboard> {
  return makeChange(database, actor, async (transaction) => {
    const [row] = await transaction.query(
      `update system.dashboards set name = coalesce($2::text, name), description = coalesce($3::text, description),
         updated_at = now() where id = $1::text::uuid returning id`,
      [id, changes.name ?? null, changes.description ?? null],
    );
    requireFound(row);
    if (changes.panels !== undefined) await replacePanels(transaction, id, changes.panels);
    if (changes.roleIds !== undefined) {
      await replaceOpeners(transaction, "dashboard", id, changes.roleIds);
    }
    const changedFields = Object.entries(changes)
      .filter(([, value]) => value !== undefined)
      .map(([field]) => field);
    return {
      result: await readDashboard(transaction, id),
      entry: { action: "dashboard.update", targetKind: "dashboard", targetId: id, changedFields },
    };
  });
}

/**
 * Deletes a dashboard with its panels.
 *
 * @throws AppError NOT_FOUND
 */
export async function deleteDashboard(
  database: Database,
  id: string,
  actor: AuditActor,
): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    const [row] = await transaction.query(
      "delete from system.dashboards where id = $1::text::uuid returning id",
      [id],
    );
    requireFound(row);
    return {
      result: undefined,
      entry: { action: "dashboard.delete", targetKind: "dashboard", targetId: id },
    };
  });
}

async function replacePanels(
  transaction: Transaction,
  id: string,
  panels: readonly Panel[],
): Promise<void> {
  await transaction.query(
    "delete from system.dashboard_panels where dashboard_id = $1::text::uuid",
    [id],
  );
  await transaction.query(
    `insert into system.dashboard_panels (dashboard_id, id, position, title, kind, resource_id, definition, presentation)
     select $1::text::uuid, p.value ->> 'id', p.ordinality, p.value ->> 'title', p.value ->> 'kind', r.id,
       p.value -> 'definition', p.value -> 'presentation'
     from json_array_elements($2::text::json) with ordinality p
     left join system.resources r on r.id = (p.value ->> 'resourceId')::uuid`,
    [id, JSON.stringify(panels)],
  );
}
