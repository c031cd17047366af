import { isDeepStrictEqual } from "node:util";
import type { Database } from "@rowhouse/db";
import { AppError, type Fault } from "@rowhouse/errors";
import { parseExactJson } from "@rowhouse/wire";
import { parseDefinition } from "@rowhouse/workflows";
import type { z } from "zod";
import { throwAll } from "../../documents/document-faults.ts";
import type { Document } from "../../model/document.ts";
import type { Part } from "../../model/part.ts";
import { meantIn, renamesIn, roleNames } from "../renames.ts";
import { withNames } from "./definition-names.ts";
import { References } from "./references.ts";
import {
  publishedKey,
  type WorkflowDocument,
  workflowSchema,
  writeWorkflow,
} from "./workflow-document.ts";
import { dropStep, workflowSteps } from "./workflow-steps.ts";

/** Workflows: the draft and the published definition, and who may start them. */
export const workflowsPart: Part<WorkflowDocument> = {
  name: "workflows",
  schema: workflowSchema as z.ZodType<WorkflowDocument>,
  namesOf: (path) =>
    /^workflows\/([a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?)\.yaml$/.exec(path)?.slice(1),
  read: ({ database }) => readWorkflows(database),
  write: writeWorkflow,
  compare: async ({ world, present, wanted, documents }) => {
    const all = [...wanted.values()];
    const references = await References.of(
      world.database,
      all.flatMap(({ value }) => [value.definition, value.published]),
    );
    const snapshot = await world.snapshots.fresh();
    const roles = roleNames(snapshot, documents);
    const renames = renamesIn(documents, snapshot);
    const meant = meantIn(documents, snapshot);
    const faults: Fault[] = [];
    const steps = all.flatMap((document) => {
      const stored = present.get(document.path);
      const invoke = stored?.invoke.map((role) => renames.role(role) ?? role).toSorted() ?? [];
      const before = stored && { ...stored, invoke };
      const after = withAddresses(document.value, references);
      faults.push(...findFaults(document, before, after, references, roles));
      return workflowSteps(document, before, after, references.ids, meant.role);
    });
    throwAll(faults);
    const lost = [...present].filter(([path]) => !wanted.has(path));
    return [
      ...steps,
      ...lost.map(([path, workflow]) => ({
        ...dropStep(path, workflowsPart.namesOf(path)?.[0] ?? ""),
        values: { before: writeWorkflow(workflow), after: null },
      })),
    ];
  },
};

interface WorkflowRow {
  readonly slug: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly draft: string;
  readonly published: string | null;
  readonly invoke: string[];
}

async function readWorkflows(database: Database): Promise<ReadonlyMap<string, WorkflowDocument>> {
  const rows = await database.query<WorkflowRow>(
    `select w.slug, w.name, w.enabled, w.draft::text as draft, v.definition::text as published,
       pg_catalog.array_to_json(array(select r.name from system.workflow_invoke_grants g join system.roles r on r.id = g.role_id
         where g.workflow_id = w.id)) as invoke
     from system.workflows w left join system.workflow_versions v on v.id = w.published_version_id order by w.slug`,
  );
  const read = rows.map(({ slug, name, enabled, invoke, draft, published }) => ({
    path: `workflows/${slug}.yaml`,
    fields: { name, enabled, invoke: invoke.toSorted() },
    definition: readDefinition(draft),
    published: published === null ? null : readDefinition(published),
  }));
  const references = await References.of(
    database,
    read.flatMap(({ definition, published }) => [definition, published]),
  );
  return new Map(
    read.map(({ path, fields, definition, published }) => [
      path,
      {
        ...fields,
        definition: withNames(definition, references.names),
        published: withNames(published, references.names),
      },
    ]),
  );
}

/** Returns a stored definition with its defaults; as it is stored, if this build cannot read it. */
function readDefinition(json: string): unknown {
  const stored = parseExactJson(json);
  try {
    return parseDefinition(stored, "");
  } catch (error) {
    if (error instanceof AppError) return stored;
    throw error;
  }
}

function withAddresses(workflow: WorkflowDocument, { addresses }: References): WorkflowDocument {
  return {
    ...workflow,
    definition: withNames(workflow.definition, addresses),
    published: withNames(workflow.published, addresses),
  };
}

function findFaults(
  document: Document<WorkflowDocument>,
  before: WorkflowDocument | undefined,
  after: WorkflowDocument,
  references: References,
  roles: ReadonlySet<string>,
): Fault[] {
  const faults = document.value.invoke.flatMap((role, index) =>
    roles.has(role) ? [] : [document.faultAt(["invoke", index], `There is no role ${role}`)],
  );
  if (!isDeepStrictEqual(before?.definition, after.definition)) {
    faults.push(...references.faultsOf(document, "definition", after.definition));
  }
  if (
    publishedKey(after) === "published" &&
    !isDeepStrictEqual(before?.published, after.published)
  ) {
    faults.push(...references.faultsOf(document, "published", after.published));
  }
  if (after.published !== null) return faults;
  if (after.enabled) {
    faults.push(document.faultAt(["enabled"], "Only a published workflow can be enabled"));
  }
  if (before !== undefined && before.published !== null) {
    const message = "It was published before; disable it instead";
    faults.push(document.faultAt(["published"], message));
  }
  return faults;
}
