import type { Database } from "@rowhouse/db";
import { createSchema } from "@rowhouse/ddl";
import { type Step, stepOrder } from "../model/part.ts";

/** Returns the step that creates the schema of a new relation or type; none if the schema exists. */
export async function schemaSteps(
  database: Database,
  document: string,
  schema: string,
): Promise<Step[]> {
  const [found] = await database.query(
    "select from pg_catalog.pg_namespace where nspname = $1::text",
    [schema],
    { prepare: true },
  );
  if (found !== undefined) return [];
  const step: Step = {
    kind: "schema.create",
    document,
    subject: schema,
    order: stepOrder.schemas,
    detail: null,
    run: async (world) => {
      await createSchema(world.database, schema, world.actor);
    },
  };
  return [step];
}
