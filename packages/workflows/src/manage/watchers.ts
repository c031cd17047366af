import {
  type AuditActor,
  activeAdministratorSql,
  type Database,
  isUuid,
  type Page,
  type PageRequest,
  type Queryable,
  readCursor,
  schema,
  type Transaction,
  toPage,
} from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { and, eq } from "drizzle-orm";
import { isoMoment } from "../base/iso-moment.ts";
import { auditWorkflow, requireWorkflow } from "./workflow.ts";

const { workflowWatchers: watchers } = schema;

/** An administrator who gets a mail when a run of a workflow fails. */
export interface WorkflowWatcher {
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly since: string;
}

/**
 * Lists the watchers of a workflow by their address. One who is no longer an administrator is not listed and gets no mail.
 *
 * @throws AppError NOT_FOUND, QUERY_INVALID for a cursor of another list
 */
export async function listWatchers(
  database: Queryable,
  workflowId: string,
  page: PageRequest,
): Promise<Page<WorkflowWatcher>> {
  await requireWorkflow(database, workflowId);
  const [after] = readCursor(page.cursor, [isUuid]);
  const rows = await selectWatchers(
    database,
    `and ($2::uuid is null or (u.email, u.id) > ((select email from system.users where id = $2::uuid), $2::uuid))
     and ($3::text is null or strpos(system.fold(u.name || ' ' || u.email), system.fold($3::text)) > 0)
     order by u.email, u.id limit $4::integer`,
    [workflowId, after, page.search, String(page.limit + 1)],
  );
  return toPage(rows, page.limit, ({ userId }) => [userId]);
}

/**
 * Lets an administrator watch a workflow; no change for one who does.
 *
 * @throws AppError NOT_FOUND for the workflow or the user, CONFLICT for a user who is not an active administrator
 */
export async function addWatcher(
  database: Database,
  workflowId: string,
  userId: string,
  actor: AuditActor,
): Promise<WorkflowWatcher> {
  return database.transaction(async (transaction) => {
    await requireWorkflow(transaction, workflowId);
    // The user is not deleted before the commit.
    const [user] = await transaction.query<{ may: boolean }>(
      `select ${activeAdministratorSql} as may from system.users u where u.id = $1::uuid for key share`,
      [userId],
    );
    if (user === undefined) throw createError("NOT_FOUND");
    if (!user.may) {
      throw createError("CONFLICT", { message: "Only active administrators can watch a workflow" });
    }
    const added = await transaction.orm
      .insert(watchers)
      .values({ workflowId, userId })
      .onConflictDoNothing()
      .returning({ userId: watchers.userId });
    if (added.length > 0) {
      await auditWorkflow(transaction, actor, "workflow.watch", workflowId, ["userId"]);
    }
    const [watcher] = await selectWatchers(transaction, "and u.id = $2::uuid", [
      workflowId,
      userId,
    ]);
    if (watcher === undefined) throw createError("NOT_FOUND");
    return watcher;
  });
}

/** Ends the watch of a user. @throws AppError NOT_FOUND */
export async function removeWatcher(
  database: Database,
  workflowId: string,
  userId: string,
  actor: AuditActor,
): Promise<void> {
  await database.transaction(async (transaction: Transaction) => {
    await requireWorkflow(transaction, workflowId);
    const removed = await transaction.orm
      .delete(watchers)
      .where(and(eq(watchers.workflowId, workflowId), eq(watchers.userId, userId)))
      .returning({ userId: watchers.userId });
    if (removed.length === 0) throw createError("NOT_FOUND");
    await auditWorkflow(transaction, actor, "workflow.unwatch", workflowId, ["userId"]);
  });
}

function selectWatchers(
  database: Queryable,
  rest: string,
  parameters: readonly (string | null)[],
): Promise<WorkflowWatcher[]> {
  return database.query<WorkflowWatcher>(
    `select u.id as "userId", u.name, u.email, ${isoMoment("w.created_at")} as since
     from system.workflow_watchers w join system.users u on u.id = w.user_id
     where w.workflow_id = $1::uuid and ${activeAdministratorSql} ${rest}`,
    [...parameters],
  );
}
