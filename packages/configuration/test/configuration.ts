import { createSnapshotStore, type Database } from "@rowhouse/db";
import { createUser, type TestUser } from "@rowhouse/testing";
import {
  type Applied,
  applyPlan,
  type Caller,
  type DocumentOptions,
  type Files,
  type Plan,
  planConfiguration,
  readConfiguration,
} from "../src/index.ts";

/** An administrator who reads, plans and applies configurations of one database. */
export interface Configurator {
  readonly administrator: TestUser;
  readonly caller: Caller;
  pull(): Promise<Files>;
  plan(files: Files, options?: DocumentOptions): Promise<Plan>;
  apply(plan: Plan, consents?: readonly string[]): Promise<Applied>;
  /** Plans and applies, with every consent that the plan needs. */
  set(files: Files): Promise<Plan>;
}

export async function createConfigurator(
  database: Database,
  hasSession = true,
): Promise<Configurator> {
  const administrator = await createUser(database, "admin@example.com", "Administrators");
  const actor = { userId: administrator.id, tokenId: null, address: null, requestId: null };
  const caller = { actor, hasSession };
  const snapshots = createSnapshotStore(database);
  const plan = (files: Files, options: DocumentOptions = {}) =>
    planConfiguration(database, files, options, caller);
  const apply = ({ planId, digest }: Plan, consents: readonly string[] = []) =>
    applyPlan(database, { planId, digest, consents }, caller);
  return {
    ...{ administrator, caller, plan, apply },
    pull: () => readConfiguration(database, snapshots),
    set: async (files) => {
      const made = await plan(files);
      await apply(
        made,
        made.steps.flatMap(({ needsConsent }) => needsConsent),
      );
      return made;
    },
  };
}
