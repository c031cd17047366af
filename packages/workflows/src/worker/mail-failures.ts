import { activeAdministratorSql, type Database, type Queryable } from "@rowhouse/db";
import { withoutTrailingSlashes } from "@rowhouse/settings";

/** A mail to one person about failed runs of the workflows that the person watches. */
export interface FailureMail {
  readonly userId: string;
  readonly to: { readonly email: string; readonly name: string; readonly language: string | null };
  readonly count: number;
  /** A line with its workflow, number, codes and time, and one with the address of its last run, for each workflow. */
  readonly failures: string;
  /** The minimum time until the next mail, in minutes. */
  readonly minutes: number;
}

export interface FailureMailDeps {
  readonly database: Database;
  /** Adds a mail to the outbox. A mail of the same person that waits there is replaced. */
  readonly putFailureMail: (transaction: Queryable, mail: FailureMail) => Promise<void>;
  /** Notifies the delivery, after the commit. */
  readonly wakeMails: () => void;
  /** `workflows.failure_mail_minutes`. */
  readonly failureMailMinutes: () => Promise<number>;
  /** Base URL of links; null while none is configured, and then nothing is mailed. */
  readonly publicUrl: () => Promise<string | null>;
}

/** Workflows that a mail lists. */
const workflowsMax = 20;
/** People in one pass. */
const peopleMax = 100;

// A mail that no server has accepted yet would be replaced: its failures would be lost.
const dueSql = `
select f.user_id as id from (select distinct user_id from system.workflow_failures) f
join system.users u on u.id = f.user_id left join system.workflow_digests d on d.user_id = f.user_id
where (d.mailed_at is null or d.mailed_at <= system.clock() - $1::integer * interval '1 minute')
  and not exists (select from system.mails m where m.about = 'workflow failures of user '::text || f.user_id::text)
limit ${peopleMax}`;

// Of several processes one changes the row; the others wait for its commit, and then find no row that is due.
const takeTurnSql = `
insert into system.workflow_digests as d (user_id, mailed_at) values ($1::uuid, system.clock())
on conflict (user_id) do update set mailed_at = excluded.mailed_at
  where d.mailed_at <= system.clock() - $2::integer * interval '1 minute'
returning user_id`;

const takeFailuresSql = `
with taken as (
  delete from system.workflow_failures where user_id = $1::uuid returning *
), watched as (
  select t.* from taken t join system.workflow_watchers w on w.workflow_id = t.workflow_id and w.user_id = t.user_id
  join system.users u on u.id = t.user_id where ${activeAdministratorSql}
)
select f.slug as slug, pg_catalog.count(*)::integer as count, f.workflow_id as "workflowId",
  (pg_catalog.array_agg(f.run_id order by f.failed_at desc))[1] as "runId",
  to_char(pg_catalog.max(f.failed_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as at,
  pg_catalog.array_to_string((pg_catalog.array_agg(distinct f.code))[1:3], ', ') || case when pg_catalog.count(distinct f.code) > 3 then ', …' else '' end as codes
from (select watched.*, w.slug from watched join system.workflows w on w.id = watched.workflow_id) f
group by f.workflow_id, f.slug order by pg_catalog.count(*) desc, f.slug`;

interface FailedWorkflow {
  readonly slug: string;
  readonly workflowId: string;
  readonly count: number;
  readonly runId: string;
  readonly at: string;
  /** At most three of them. */
  readonly codes: string;
}

/**
 * Mails failed runs to their watchers: the first at once, and then one mail per person and interval. Any number of
 * processes may call it at the same time.
 */
export async function mailFailures(deps: FailureMailDeps): Promise<void> {
  const { database } = deps;
  const minutes = await deps.failureMailMinutes();
  const due = await database.query<{ id: string }>(dueSql, [String(minutes)], { prepare: true });
  if (due.length === 0) return;
  const base = await deps.publicUrl();
  if (base === null) return;
  let isPut = false;
  for (const { id } of due) {
    isPut = (await mailTo(deps, id, minutes, withoutTrailingSlashes(base))) || isPut;
  }
  if (isPut) deps.wakeMails();
}

async function mailTo(
  { database, putFailureMail }: FailureMailDeps,
  userId: string,
  minutes: number,
  base: string,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const taken = await transaction.query(takeTurnSql, [userId, String(minutes)]);
    if (taken.length === 0) return false;
    const failed = await transaction.query<FailedWorkflow>(takeFailuresSql, [userId]);
    const [to] = await transaction.query<FailureMail["to"]>(
      "select email, name, language from system.users where id = $1::uuid",
      [userId],
    );
    if (to === undefined || failed.length === 0) {
      // Nothing was mailed, so the next failure is mailed at once.
      await transaction.query("delete from system.workflow_digests where user_id = $1::uuid", [
        userId,
      ]);
      return false;
    }
    const listed = failed.slice(0, workflowsMax).map((one) => describe(one, base));
    const more = failed.length - listed.length;
    await putFailureMail(transaction, {
      userId,
      to,
      count: failed.reduce((sum, { count }) => sum + count, 0),
      failures: [...listed, ...(more > 0 ? [`+${more}`] : [])].join("\n\n"),
      minutes,
    });
    return true;
  });
}

function describe(failed: FailedWorkflow, base: string): string {
  const { slug, workflowId, runId, count, at, codes } = failed;
  return `${slug}: ${count} (${codes}), ${at} UTC\n${base}/admin/workflows/${workflowId}/runs/${runId}`;
}
