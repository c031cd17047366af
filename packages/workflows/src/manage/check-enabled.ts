import { type CheckDeps, type CheckedFault, checkDefinition } from "./check-definition.ts";

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
