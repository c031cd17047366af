import type { Database } from "@rowhouse/db";
import { namesRelation, readUncarried, stageOf } from "@rowhouse/ddl";
import { definitionOf, settingsOf } from "@rowhouse/settings";
import type { z } from "zod";
import { gather, throwAll } from "../../documents/document-faults.ts";
import { readRelationKey } from "../../documents/document-name.ts";
import { formerNameMessage, movedRelations } from "../../documents/former-names.ts";
import { rootFile } from "../../documents/read-documents.ts";
import type { Document } from "../../model/document.ts";
import type { Documents, Part, PartChange, Step } from "../../model/part.ts";
import { schemaSteps } from "../schema-step.ts";
import { tablesPart } from "../tables/tables-part.ts";
import { viewsPart } from "../views/views-part.ts";
import { extensionSteps } from "./extensions.ts";
import { presentAfterRenames } from "./renamed.ts";
import { type SqlChange, sqlChanges, sqlUnits } from "./sql-changes.ts";
import { namesOfSql, pathOfSql, readSql, type SqlDocument, sqlSchema } from "./sql-document.ts";
import { type SqlPlanner, sqlSteps } from "./sql-steps.ts";

const allowKey = "configuration.allow_sql";

/** What no other document says of the catalogue, as statements. */
export const sqlPart: Part<SqlDocument> = {
  name: "sql",
  isText: true,
  schema: sqlSchema as z.ZodType<SqlDocument>,
  namesOf: namesOfSql,
  read: (state) => readSql(state),
  write: ({ text }) => ({ text }),
  compare: compareSql,
};

async function compareSql(change: PartChange<SqlDocument>): Promise<Step[]> {
  const { world, wanted, documents, missing } = change;
  const { present, former } = await presentAfterRenames(change);
  const isApplied = (path: string) =>
    change.applied.has(path) || change.applied.has(former.get(path) ?? path);
  const snapshot = await world.snapshots.fresh();
  const isAllowed = settingsOf(snapshot)[allowKey] ?? definitionOf(allowKey).default;
  const caller: SqlPlanner = {
    sessionOnly: !isAllowed,
    mayRun: isAllowed || world.hasSession,
    isPresent: (schema, name) => snapshot.catalogue.relationByName(schema, name) !== undefined,
    missing,
  };
  const extensions = await extensionSteps(change, caller);
  await findUncarried(world.database, change);
  const logins = await loginsOf(world.database);
  const moved = movedRelations(snapshot.catalogue, [
    ...documents.of(tablesPart).values(),
    ...documents.of(viewsPart).values(),
  ]);
  const changed = await gather(wanted, async ([path, document]) => {
    const [schema = "", name = ""] = document.names;
    if (documents.isOthers(schema, name)) {
      throwAll([
        document.faultAt([], "The root file leaves this to other tools, so it has no file"),
      ]);
    }
    const database = caller.mayRun ? world.database : undefined;
    const changes = await sqlChanges(document, present.get(path), database);
    requireLogins(document, changes, logins);
    requireNewNames(document, changes, moved);
    return changes.length === 0 ? [] : [{ path, schema, changes }];
  });
  for (const { after, before } of changed.flatMap(({ changes }) => changes)) {
    if (
      !caller.mayRun ||
      after === undefined ||
      before !== undefined ||
      stageOf(after.object) >= 50
    )
      continue;
    world.created.push(after.sql);
  }
  const depths = depthsOf(changed);
  const own: Step[] = [...extensions];
  for (const { path, schema, changes } of changed) {
    own.push(...(await schemaSteps(world.database, path, schema)));
    const file = {
      path,
      depth: depths.get(path) ?? 0,
      isGone: false,
      isOptional: !isApplied(path),
    };
    // The step before creates the schema of every file.
    const others = changes.filter(({ after }) => after?.object.kind !== "schema");
    own.push(...sqlSteps(file, others, caller));
  }
  for (const [path, { statements = [] }] of present) {
    const [schema = "", name = ""] = namesOfSql(path) ?? [];
    if (wanted.has(path) || documents.isOthers(schema, name)) continue;
    const units = await sqlUnits(statements);
    const changes = [...units.values()].flatMap((before): SqlChange[] =>
      before.isImplied ? [] : [{ before, after: undefined }],
    );
    const isOptional = !isApplied(path);
    const isGone = isGoneWith(documents, path);
    own.push(...sqlSteps({ path, depth: 0, isGone, isOptional }, changes, caller));
  }
  return own;
}

/** Returns how many partitioned tables are above each partition, by the paths of their files. */
function depthsOf(
  files: readonly { readonly path: string; readonly changes: readonly SqlChange[] }[],
): ReadonlyMap<string, number> {
  const parents = new Map(
    files.flatMap(({ path, changes }) =>
      changes.flatMap(({ after }): [string, string][] => {
        const { parent } = after?.object ?? {};
        return parent === undefined ? [] : [[path, pathOfSql(parent.schema, parent.name)]];
      }),
    ),
  );
  const depthOf = (path: string, depth = 0): number => {
    const parent = parents.get(path);
    return parent === undefined || depth > parents.size ? depth : depthOf(parent, depth + 1);
  };
  return new Map([...parents.keys()].map((path) => [path, depthOf(path)]));
}

/** Whether the documents of tables, views and types are there, and none of them has the name of a file. */
function isGoneWith({ has, parts }: Documents, path: string): boolean {
  const folders = (["tables", "views", "types"] as const).filter((part) => parts.has(part));
  const isHeld = (folder: string) => has(path.replace(/^sql(.*)sql$/, `${folder}$1yaml`));
  return folders.length > 0 && !folders.some(isHeld);
}

async function findUncarried(
  database: Database,
  { documents, missing }: Pick<PartChange<SqlDocument>, "documents" | "missing">,
): Promise<void> {
  if (documents.uncarried.length === 0) return;
  const found = await database.transaction(readUncarried);
  const present = new Set(found.map(({ text }) => text));
  for (const subject of documents.uncarried) {
    if (present.has(subject)) continue;
    const message = "No file carries it, and the database does not have it";
    missing.push({ document: rootFile, subject, message });
  }
}

async function loginsOf(database: Database): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ name: string }>(
    "select r.rolname as name from pg_catalog.pg_roles r",
  );
  return new Set(rows.map(({ name }) => name));
}

/** @throws AppError with each login that a policy names and the server does not have */
function requireLogins(
  document: Document<SqlDocument>,
  changes: readonly SqlChange[],
  logins: ReadonlySet<string>,
): void {
  throwAll(
    changes.flatMap(({ after }) =>
      (after?.logins ?? []).flatMap((login) => {
        if (logins.has(login)) return [];
        const message = `The policy is for the login ${login}, which this server does not have`;
        const fault = document.faultAt([], message, undefined, after?.position);
        return [{ ...fault, details: { ...fault.details, missing: true } }];
      }),
    ),
  );
}

/** @throws AppError with each statement that names what the same files give another name */
function requireNewNames(
  document: Document<SqlDocument>,
  changes: readonly SqlChange[],
  moved: ReadonlyMap<string, string>,
): void {
  throwAll(
    [...moved].flatMap(([former, now]) => {
      const from = readRelationKey(former);
      return changes.flatMap(({ after }) =>
        from !== undefined && after !== undefined && namesRelation(after.tree, from)
          ? [document.faultAt([], formerNameMessage(former, now), undefined, after.position)]
          : [],
      );
    }),
  );
}
