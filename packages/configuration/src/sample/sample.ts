import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type AuditActor,
  type AuditEntry,
  appendAuditEntry,
  type Database,
  makeChange,
  type Queryable,
} from "@rowhouse/db";
import { lockTimeout, refreshRegistry } from "@rowhouse/ddl";
import { AppError, createError } from "@rowhouse/errors";
import { createVault } from "@rowhouse/vault";
import type { Services } from "../model/part.ts";
import { addDocuments } from "../plan/apply.ts";
import type { Files } from "../plan/read-configuration.ts";
import { changeConfiguration } from "../plan/transaction.ts";

/** The documents of the sample, as `rowhouse pull` writes them, and its rows. */
const folder = new URL("../../sample/", import.meta.url);
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
export function loadSample(database: Database): Promise<boolean> {
  return addSample(database, nobody);
}

/**
 * Loads the sample for an administrator.
 *
 * @throws AppError CONFLICT if the schema exists; ACTION_DENIED if the database login may not create it
 */
export async function createSample(database: Database, actor: AuditActor): Promise<void> {
  if (await addSample(database, actor, entryOf("schema.create"))) return;
  throw createError("CONFLICT", { message: "A schema with this name already exists" });
}

const nobody: AuditActor = { userId: null, tokenId: null, address: null, requestId: null };
/** None of its documents has a secret. */
const services: Services = {
  vault: createVault(() => {
    throw new Error("The sample has no secrets");
  }),
};

async function addSample(
  database: Database,
  actor: AuditActor,
  entry?: AuditEntry,
): Promise<boolean> {
  if ((await readSampleState(database)) !== "NONE") return false;
  const files = await readFiles(new URL("fleet/", folder));
  const rows = await readFile(new URL("fleet-rows.sql", folder), "utf8");
  const caller = { actor, hasSession: false, services };
  return changeConfiguration(database, caller, async (world) => {
    if ((await readSampleState(world.database)) !== "NONE") return false;
    try {
      await addDocuments(world, files);
    } catch (error) {
      // The caller has not sent these files.
      if (!(error instanceof AppError)) throw error;
      throw error.mapFaults(({ code, message }) => ({ code, message }));
    }
    await world.database.query(`comment on schema ${schema} is '${comment}'`);
    await world.database.query(rows);
    if (entry !== undefined) await appendAuditEntry(world.database, actor, entry);
    return true;
  });
}

/** Returns the texts of a folder by their paths in it, with `/` between folders. */
async function readFiles(root: URL): Promise<Files> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const base = fileURLToPath(root);
  return Object.fromEntries(
    await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async ({ parentPath, name }) => {
          const path = join(parentPath, name);
          const text = await readFile(path, "utf8");
          return [relative(base, path).split(sep).join("/"), text] as const;
        }),
    ),
  );
}

/** What is in the schema besides the sample, and what elsewhere depends on its tables or its type. */
const othersSql = `
  select c.relname::text as name from pg_catalog.pg_class c
    where c.relnamespace = '${schema}'::regnamespace and c.relkind in ('r', 'p', 'f', 'v', 'm', 'c')
      and c.relname <> all ($1::text::text[])
  union select p.proname::text from pg_catalog.pg_proc p where p.pronamespace = '${schema}'::regnamespace
  union select t.typname::text from pg_catalog.pg_type t
    where t.typnamespace = '${schema}'::regnamespace and t.typtype in ('e', 'd', 'r') and t.typname <> 'vehicle_status'
  union select n.nspname || '.' || c.relname from pg_catalog.pg_class own
    join pg_catalog.pg_depend d on d.refclassid = 'pg_class'::regclass and d.refobjid = own.oid
    left join pg_catalog.pg_constraint k on d.classid = 'pg_constraint'::regclass and k.oid = d.objid
    left join pg_catalog.pg_rewrite w on d.classid = 'pg_rewrite'::regclass and w.oid = d.objid
    join pg_catalog.pg_class c on c.oid = coalesce(k.conrelid, w.ev_class)
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where own.relnamespace = '${schema}'::regnamespace and c.relnamespace <> own.relnamespace
  union select n.nspname || '.' || c.relname from pg_catalog.pg_type t
    join pg_catalog.pg_attribute a on a.atttypid in (t.oid, t.typarray) and not a.attisdropped
    join pg_catalog.pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'f', 'v', 'm', 'c')
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where t.typnamespace = '${schema}'::regnamespace and c.relnamespace <> t.typnamespace
  order by 1 limit 5`;

/**
 * Drops the sample with its rows, grants and readings.
 *
 * @throws AppError NOT_FOUND without the sample; CONFLICT if the schema contains something else, or if something outside
 * of it depends on the sample
 */
export async function removeSample(database: Database, actor: AuditActor): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    if ((await readSampleState(transaction)) !== "LOADED") throw createError("NOT_FOUND");
    await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
    const tables = await transaction.query<{ name: string }>(
      `select format('%I.%I', '${schema}', c.relname) as name from pg_catalog.pg_class c
       where c.relnamespace = '${schema}'::regnamespace and c.relkind in ('r', 'p') order by c.oid`,
    );
    // From here on, no other transaction can add a foreign key or a view.
    if (tables.length > 0) {
      const names = tables.map(({ name }) => name).join(", ");
      await transaction.query(`lock table ${names} in access exclusive mode`);
    }
    const others = await transaction.query<{ name: string }>(othersSql, [
      `{${relations.join(",")}}`,
    ]);
    if (others.length > 0) {
      const names = others.map(({ name }) => name).join(", ");
      throw createError("CONFLICT", {
        message: `Drop or change first what is not of the sample: ${names}`,
      });
    }
    await transaction.query(`drop schema ${schema} cascade`);
    await refreshRegistry(transaction);
    return { result: undefined, entry: entryOf("schema.drop") };
  });
}

function entryOf(action: "schema.create" | "schema.drop"): AuditEntry {
  return { action, targetKind: "schema", targetId: schema, changedFields: [] };
}
