import { schema, type Transaction } from "@rowhouse/db";
import { createFault, escapePointer, type Fault } from "@rowhouse/errors";
import { and, eq, inArray, isNotNull } from "drizzle-orm";
import type { Definition } from "../definition/definition.ts";
import { walkSteps } from "../definition/parse-definition.ts";

const { templates, workflows } = schema;

interface Use {
  readonly name: string;
  readonly path: string;
}

/** Returns the workflows and templates of documents that a definition names, and that a run would not find. */
export async function findMissingTargets(
  { orm }: Transaction,
  { steps }: Definition,
): Promise<Fault[]> {
  const slugs: Use[] = [];
  const keys: Use[] = [];
  for (const { step, pointer } of walkSteps(steps)) {
    const path = pointer.map((key) => `/${escapePointer(key)}`).join("");
    if (step.kind === "runWorkflow") slugs.push({ name: step.workflow, path: `${path}/workflow` });
    if (step.kind === "renderDocument") {
      keys.push({ name: step.template, path: `${path}/template` });
    }
  }
  const startable =
    slugs.length === 0
      ? []
      : await orm
          .select({ name: workflows.slug })
          .from(workflows)
          .where(
            and(
              inArray(workflows.slug, slugs.map(nameOf)),
              eq(workflows.enabled, true),
              isNotNull(workflows.publishedVersionId),
            ),
          );
  const documents =
    keys.length === 0
      ? []
      : await orm
          .select({ name: templates.key })
          .from(templates)
          .where(and(inArray(templates.key, keys.map(nameOf)), eq(templates.kind, "DOCUMENT")));
  return [
    ...missing(slugs, startable, (slug) => `No workflow ${slug} is published and enabled`),
    ...missing(keys, documents, (key) => `There is no template ${key} of a document`),
  ];
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function missing(
  uses: readonly Use[],
  found: readonly { readonly name: string }[],
  message: (name: string) => string,
): Fault[] {
  const known = new Set(found.map(nameOf));
  return uses
    .filter(({ name }) => !known.has(name))
    .map(({ name, path }) => createFault("WORKFLOW_INVALID", { path, message: message(name) }));
}
