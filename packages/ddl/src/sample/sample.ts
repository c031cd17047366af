import { type AuditActor, type Database, makeChange, type Queryable } from "@rowhouse/db";
import { createError } from "@rowhouse/errors";
import { fleetSql } from "./fleet-sql.ts";

const schema = "fleet";
/** The comment that distinguishes the schema of the sample from one of the user. */
const comment = "Sample: a vehicle fleet";
const relations = [
  ...["drivers", "vehicles", "trips", "maintenance"],
  ...["vehicle_overview", "monthly_distance"],
];

/** What there is of the sample: nothing, the sample, or a schema of this name that is not the sample. */
export type SampleState = "NONE" | "LOADED" | "NAME_TAKEN";

/** Returns whether the sample is loaded. */
export async function readSampleState(database: Queryable): Promise<SampleState> {
  const [found] = await database.query<{ comment: string | null }>(
    `select obj_description(n.oid, 'pg_namespace') as comment from pg_catalog.pg_namespace n where n.nspname = '${schema}'`,
  );
  if (found === undefined) return "NONE";
  return found.comment === comment ? "LOADED" : "NAME_TAKEN";
}

/**
 * Loads the sample and exposes its tables, unless the schema exists.
 *
 * @returns whether this call loaded it
 */
export async function loadSample(database: Database): Promise<boolean> {
  return database.transaction(async (transaction) => {
    if ((await readSampleState(transaction)) !== "NONE") return false;
    await runSample(transaction);
    return true;
  });
}

/**
 * Loads the sample for an administrator.
 *
 * @throws AppError CONFLICT if the schema exists
 */
export async function createSample(database: Database, actor: AuditActor): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    if ((await readSampleState(transaction)) !== "NONE") {
      throw createError("CONFLICT", { message: "A schema with this name already exists" });
    }
    await runSample(transaction);
    return { result: undefined, entry: entryOf("schema.create") };
  });
}

async function runSample(transaction: Queryable): Promise<void> {
  await transaction.query("set local statement_timeout = 0");
  await transaction.query(fleetSql);
}

/**
 * Drops the sample with its rows, grants and readings.
 *
 * @throws AppError NOT_FOUND without the sample; CONFLICT if the schema contains something else, or if something outside
 * of it depends on the sample
 */
export async function removeSample(database: Database, actor: AuditActor): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    if ((await readSampleState(transaction)) !== "LOADED") throw createError("NOT_FOUND");
    const others = await transaction.query<{ name: string }>(
      `select c.relname as name from pg_catalog.pg_class c
       where c.relnamespace = '${schema}'::regnamespace and c.relkind in ('r', 'p', 'f', 'v', 'm')
         and c.relname <> all ($1::text::text[])
       union all
       -- Foreign keys and views of other schemas.
       select distinct n.nspname || '.' || c.relname from pg_catalog.pg_class own
       join pg_catalog.pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = own.oid
       left join pg_catalog.pg_constraint k on d.classid = 'pg_constraint'::regclass and k.oid = d.objid
       left join pg_catalog.pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
       join pg_catalog.pg_class c on c.oid = coalesce(k.conrelid, w.ev_class)
       join pg_catalog.pg_namespace n on n.oid = c.relnamespace
       where own.relnamespace = '${schema}'::regnamespace and c.relnamespace <> own.relnamespace
       order by 1 limit 5`,
      [`{${relations.join(",")}}`],
    );
    if (others.length > 0) {
      const names = others.map(({ name }) => name).join(", ");
      throw createError("CONFLICT", {
        message: `Drop or change first what is not of the sample: ${names}`,
      });
    }
    await transaction.query(`drop schema ${schema} cascade`);
    return { result: undefined, entry: entryOf("schema.drop") };
  });
}

function entryOf(action: "schema.create" | "schema.drop") {
  return { action, targetKind: "schema", targetId: schema, changedFields: [] };
}
