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
  readPostgresFailure,
} from "@rowhouse/db";
import {
  type CatalogObject,
  type Dependent,
  findDependentsOfAll,
  lockTimeout,
  refreshRegistry,
} from "@rowhouse/ddl";
import { AppError, createError } from "@rowhouse/errors";
import { createVault } from "@rowhouse/vault";
import type { Services } from "../model/part.ts";
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
  const caller = { actor, hasSession: false, services, prove: async () => {} };
  return changeConfiguration(database, caller, async (world) => {
    if ((await readSampleState(world.database)) !== "NONE") return false;
    try {
      const { addDocuments } = await import("../plan/apply.ts");
      await addDocuments(world, files);
    } catch (error) {
      // The caller has not sent these files.
      if (!(error instanceof AppError)) throw error;
      throw error.mapFaults(({ code, message }) => ({ code, message }));
    }
    await world.database.asService.query(`comment on schema ${schema} is '${comment}'`);
    await world.database.asService.query(rows);
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

/** The objects of the sample that exist, and the statement that drops those of a kind; views stand before their tables. */
const ownSql = `
  select 'pg_class' as catalog, c.oid::text as oid, pg_catalog.format('%I.%I', '${schema}', c.relname) as name,
    case c.relkind when 'v' then 'view' when 'm' then 'materialized view' else 'table' end as kind
  from pg_catalog.pg_class c
  where c.relnamespace = '${schema}'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and c.relname = any ($1::text::text[])
  union all select 'pg_type', t.oid::text, pg_catalog.format('%I.%I', '${schema}', t.typname), 'type'
  from pg_catalog.pg_type t where t.typnamespace = '${schema}'::regnamespace and t.typname = 'vehicle_status'
  union all select 'pg_namespace', n.oid::text, n.nspname, 'schema' from pg_catalog.pg_namespace n where n.nspname = '${schema}'`;
const kinds = ["view", "materialized view", "table", "type", "schema"] as const;

interface OwnObject extends CatalogObject {
  /** Quoted. */
  readonly name: string;
  readonly kind: (typeof kinds)[number];
}

/** Dependent objects that a refusal names. */
const namedMax = 5;

/**
 * Drops the sample with its rows, grants and readings. Every statement is a RESTRICT: nothing that is not of the sample is
 * dropped, whatever it is.
 *
 * @throws AppError NOT_FOUND without the sample; CONFLICT if the schema contains something else, or if something outside
 * of it depends on the sample
 */
export async function removeSample(database: Database, actor: AuditActor): Promise<void> {
  await makeChange(database, actor, async (transaction) => {
    if ((await readSampleState(transaction)) !== "LOADED") throw createError("NOT_FOUND");
    await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
    const own = await transaction.query<OwnObject>(ownSql, [`{${relations.join(",")}}`]);
    const dependents = await findDependentsOfAll(transaction, own);
    if (dependents.length > 0) throw inUse(dependents);
    try {
      for (const kind of kinds) {
        const names = own.filter((one) => one.kind === kind).map(({ name }) => name);
        if (names.length === 0) continue;
        await transaction.asService.query(`drop ${kind} ${names.join(", ")} restrict`);
      }
    } catch (error) {
      // Added since the check above.
      if (readPostgresFailure(error)?.code === "2BP01") throw inUse([]);
      throw error;
    }
    await refreshRegistry(transaction);
    return { result: undefined, entry: entryOf("schema.drop") };
  });
}

function inUse(dependents: readonly Dependent[]): AppError {
  const names = dependents.slice(0, namedMax).map(({ object, name }) => `${object} ${name}`);
  const rest = dependents.length - names.length;
  const list = [...names, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  return createError("CONFLICT", {
    message: `Drop or change first what is not of the sample${list === "" ? "" : `: ${list}`}`,
  });
}

function entryOf(action: "schema.create" | "schema.drop"): AuditEntry {
  return { action, targetKind: "schema", targetId: schema, changedFields: [] };
}
