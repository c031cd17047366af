import { type Catalogue, schema, type Transaction } from "@rowhouse/db";
import { AppError, createFault, escapePointer, type Fault } from "@rowhouse/errors";
import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { compileDefinition } from "../compile/compile-definition.ts";
import { parseDefinition, walkEnabledSteps } from "../compile/parse-definition.ts";
import type { Definition } from "../definition/definition.ts";
import { findRightWarnings, findTableWarnings, type RightsOnTable } from "./find-warnings.ts";
import { executeAsPath, findPublishFaults } from "./publish-faults.ts";
import type { PublishDeps } from "./publish-workflow.ts";

/** A fault prevents the definition from being published; with a warning, a step probably fails. */
export type CheckedFault = Fault & { readonly severity: "ERROR" | "WARNING" };

export interface CheckedDefinition {
  /** The definition with its defaults; null if a part has an invalid form. */
  readonly definition: Definition | null;
  /** With JSON pointers into the definition; errors first. */
  readonly faults: CheckedFault[];
  /** Names of the secrets that the definition uses, in order. */
  readonly secrets: string[];
}

/** More warnings help nobody. */
const warningsMax = 50;

export interface CheckDeps extends PublishDeps {
  /** The tables that row steps may name. */
  readonly catalogue: Catalogue;
  rightsOf(userId: string): Promise<RightsOnTable>;
}

/**
 * Checks a definition as a publish would, and reports what a run would not find: tables, columns, permissions of its
 * user, workflows and documents. Stores nothing.
 */
export async function checkDefinition(
  { database, vault, catalogue, rightsOf }: CheckDeps,
  input: unknown,
): Promise<CheckedDefinition> {
  let definition: Definition;
  try {
    definition = parseDefinition(input, "");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { definition: null, faults: error.faults.map(asError), secrets: [] };
  }
  const compilation = compileDefinition(definition);
  return database.transaction(async (transaction) => {
    const faults = await findPublishFaults(transaction, definition, compilation, vault);
    const { executeAs } = definition.trigger;
    const hasUser = executeAs !== null && !faults.some(({ path }) => path === executeAsPath);
    const rightsOn = hasUser ? await rightsOf(executeAs) : undefined;
    const warnings = firstOfEachPath([
      ...compilation.warnings,
      ...findTableWarnings(catalogue, definition),
      ...findRightWarnings(catalogue, definition, rightsOn),
      ...(await findMissingTargets(transaction, definition)),
    ]);
    return {
      definition,
      faults: [...faults.map(asError), ...warnings.slice(0, warningsMax).map(asWarning)],
      secrets: [...new Set(compilation.secretUses.map(({ name }) => name))].sort(),
    };
  });
}

/** A column that does not accept values needs no further warning that nobody may set it. */
function firstOfEachPath(faults: readonly Fault[]): Fault[] {
  const paths = new Set<string | undefined>();
  return faults.filter(({ path }) => !paths.has(path) && paths.add(path));
}

function asError(fault: Fault): CheckedFault {
  return { ...fault, severity: "ERROR" };
}

function asWarning(fault: Fault): CheckedFault {
  return { ...fault, severity: "WARNING" };
}

const { templates, workflows } = schema;

interface Use {
  readonly name: string;
  readonly path: string;
}

/** Returns the workflows and templates of documents that a definition names, and that a run would not find. */
async function findMissingTargets({ orm }: Transaction, { steps }: Definition): Promise<Fault[]> {
  const slugs: Use[] = [];
  const keys: Use[] = [];
  for (const { step, pointer } of walkEnabledSteps(steps)) {
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

/** An enabled workflow whose published definition has faults. */
interface DoubtfulWorkflow {
  readonly id: string;
  readonly name: string;
  /** The number of faults. */
  readonly count: number;
  /** The first of them, errors first. */
  readonly first: CheckedFault;
}

const workflowsMax = 200;

/**
 * Checks the published definitions of enabled workflows as the editor does, so that a step that fails since a table or a
 * grant has changed is known before a run. Returns those with faults, of the first 200 by name.
 */
export async function checkEnabledWorkflows(deps: CheckDeps): Promise<DoubtfulWorkflow[]> {
  const published = await deps.database.query<{ id: string; name: string; definition: unknown }>(
    `select w.id, w.name, v.definition from system.workflows w
     join system.workflow_versions v on v.id = w.published_version_id
     where w.enabled order by lower(w.name), w.id limit ${workflowsMax}`,
  );
  const found: DoubtfulWorkflow[] = [];
  for (const { id, name, definition } of published) {
    const { faults } = await checkDefinition(deps, definition);
    const [first] = faults;
    if (first !== undefined) found.push({ id, name, count: faults.length, first });
  }
  return found;
}
