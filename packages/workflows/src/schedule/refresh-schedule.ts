import type { Queryable } from "@rowhouse/db";
import { createRecurrence } from "../compile/recurrence.ts";
import { triggerSchema } from "../definition/trigger.ts";

/**
 * Computes when a workflow's schedule is due next, after it was published, enabled or disabled. An occurrence that is
 * already due keeps its run while the expression stays the same. Occurrences while the workflow is disabled get no
 * run.
 */
export async function refreshSchedule(transaction: Queryable, workflowId: string): Promise<void> {
  const [workflow] = await transaction.query<{ trigger: unknown; now: number }>(
    `select v.definition -> 'trigger'::text as trigger,
       (extract(epoch from system.clock()) * 1000)::double precision as now
     from system.workflows w join system.workflow_versions v on v.id = w.published_version_id
     where w.id = $1::text::uuid and w.enabled`,
    [workflowId],
  );
  const trigger = workflow === undefined ? undefined : triggerSchema.parse(workflow.trigger);
  if (workflow === undefined || trigger?.kind !== "schedule") {
    await transaction.query(
      "update system.workflow_schedules set next_at = null where workflow_id = $1::text::uuid",
      [workflowId],
    );
    return;
  }
  const { cron, timeZone } = trigger;
  const nextAt = createRecurrence(cron, timeZone).after(workflow.now);
  await transaction.query(
    `insert into system.workflow_schedules as s (workflow_id, cron, time_zone, next_at)
     values ($1::text::uuid, $2::text, $3::text, to_timestamp($4::text::double precision / 1000))
     on conflict (workflow_id) do update set cron = excluded.cron, time_zone = excluded.time_zone,
       next_at = case when s.next_at is not null and (s.cron, s.time_zone) = (excluded.cron, excluded.time_zone)
         then s.next_at else excluded.next_at end`,
    [workflowId, cron, timeZone, nextAt === null ? null : String(nextAt)],
  );
}
