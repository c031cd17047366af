import { quoteIdentifier } from "@rowhouse/db";
import {
  type DatabaseExtension,
  isCreatableExtension,
  isReservedSchema,
  readExtensions,
} from "@rowhouse/ddl";
import { fileFault, throwAll } from "../../documents/document-faults.ts";
import { rootFile } from "../../documents/read-documents.ts";
import { noEffects, type PartChange, type Step, stepOrder } from "../../model/part.ts";
import { schemaSteps } from "../schema-step.ts";
import type { SqlDocument } from "./sql-document.ts";
import { runSqlStatements } from "./sql-run.ts";
import type { SqlPlanner } from "./sql-steps.ts";

/**
 * Returns the steps that create extensions which the root file names and PostgreSQL trusts every owner of a database with.
 *
 * @throws AppError with each other one that the database does not have
 */
export async function extensionSteps(
  { world, documents, missing }: PartChange<SqlDocument>,
  { sessionOnly, mayRun }: Pick<SqlPlanner, "sessionOnly" | "mayRun">,
): Promise<Step[]> {
  const { database } = world;
  const present = await database.transaction(readExtensions);
  const steps: Step[] = [];
  const absent: DatabaseExtension[] = [];
  for (const extension of documents.extensions) {
    const { name, version, schema } = extension;
    const found = present.find((one) => one.name === name);
    if (found !== undefined) {
      if (found.version === version && found.schema === schema) continue;
      const message = `The files need version ${version} in the schema ${schema}; the database has version ${found.version} in ${found.schema}`;
      missing.push({ document: rootFile, subject: `extension ${name}`, message });
      continue;
    }
    if (!(await database.transaction((one) => isCreatableExtension(one, extension)))) {
      absent.push(extension);
      continue;
    }
    if (isReservedSchema(schema)) {
      throwAll([fileFault(rootFile, `The schema ${schema} is not for the extension ${name}`)]);
    }
    const sql = `CREATE EXTENSION ${quoteIdentifier(name)} WITH SCHEMA ${quoteIdentifier(schema)} VERSION ${quoteIdentifier(version)}`;
    steps.push(...(await schemaSteps(database, rootFile, schema)), {
      kind: "extension.create",
      document: rootFile,
      subject: name,
      order: stepOrder.extensions,
      detail: { version, schema },
      sessionOnly,
      // A caller who may not run statements does not run them by a plan, either.
      ...(mayRun ? {} : { preview: async () => ({ ...noEffects, sql: [sql] }) }),
      run: (at) => runSqlStatements(at, [sql], undefined),
    });
  }
  throwAll(
    absent.map(({ name, version }) => {
      const message = `The files need the extension ${name} ${version}; the database does not have it, and the service's login may not create it`;
      const fault = fileFault(rootFile, message);
      return { ...fault, details: { ...fault.details, missing: true } };
    }),
  );
  return steps;
}
