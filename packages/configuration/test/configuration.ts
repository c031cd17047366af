import { createSnapshotStore, type Database } from "@rowhouse/db";
import { AppError } from "@rowhouse/errors";
import {
  createTestDatabase,
  createUser,
  type TestDatabase,
  type TestUser,
} from "@rowhouse/testing";
import { createVault } from "@rowhouse/vault";
import { partNames } from "@rowhouse/wire";
import { expect, onTestFinished } from "vitest";
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
  /** Reads the files of a folder without `sql`, whose documents leave to other tools what they do not describe. */
  pullWithoutSql(): Promise<Files>;
  plan(files: Files, options?: DocumentOptions): Promise<Plan>;
  apply(plan: Plan, consents?: readonly string[]): Promise<Applied>;
  /** Plans and applies, with every consent that the plan needs. */
  set(files: Files): Promise<Plan>;
}

/** The configurator uses the login of the service, which may do less than the owner of the tables. */
export async function createConfigurator(
  { database: owner, service: database }: Pick<TestDatabase, "database" | "service">,
  hasSession = true,
): Promise<Configurator> {
  const administrator = await createUser(owner, "admin@example.com", "Administrators");
  const actor = { userId: administrator.id, tokenId: null, address: null, requestId: null };
  const services = { vault: createVault(() => "a secret of the tests' own") };
  const caller = { actor, hasSession, services, prove: async () => {} };
  const snapshots = createSnapshotStore(database);
  const plan = (files: Files, options: DocumentOptions = {}) =>
    planConfiguration(database, files, options, caller);
  const apply = ({ planId, digest }: Plan, consents: readonly string[] = []) =>
    applyPlan(database, { planId, digest, consents }, caller);
  return {
    ...{ administrator, caller, plan, apply },
    pull: () => readConfiguration(database, snapshots),
    pullWithoutSql: () =>
      readConfiguration(
        database,
        snapshots,
        partNames.filter((name) => name !== "sql"),
      ),
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

/** A configurator of a database of its own, which the test drops at its end. */
export async function openConfigurator(): Promise<Configurator & { readonly database: Database }> {
  const test = await createTestDatabase();
  onTestFinished(() => test.drop());
  return { database: test.database, ...(await createConfigurator(test)) };
}

/**
 * Expects that the documents of a database, applied to an empty one and read again, are the same bytes.
 *
 * @param prepare makes in the empty database what no document has
 */
export async function expectSameBytes(
  source: Configurator,
  prepare: (database: Database) => Promise<unknown> = async () => {},
): Promise<Files> {
  const files = await source.pull();
  expect(stepsOf(await source.plan(files))).toEqual([]);
  const target = await openConfigurator();
  await prepare(target.database);
  await target.set(files);
  expect(await target.pull()).toEqual(files);
  expect(stepsOf(await target.plan(files))).toEqual([]);
  return files;
}

/** The root file, with these parts. */
export const root = (...parts: string[]): Files => ({
  "rowhouse.yaml": `version: 1\nparts: [${parts.join(", ")}]\n`,
});

/** Returns the faults of a failure: code, file, line, column and message. */
export async function faultsOf(work: Promise<unknown>): Promise<string[]> {
  const error: unknown = await work.then(() => undefined).catch((caught: unknown) => caught);
  if (!(error instanceof AppError)) throw error ?? new Error("It did not fail");
  return error.faults.map(({ code, message, details = {} }) => {
    const { file, line, column } = details;
    return `${code} ${String(file ?? "-")}:${String(line ?? "-")}:${String(column ?? "-")} ${message}`;
  });
}

export function stepsOf({ steps }: Plan): string[] {
  return steps.map(({ kind, subject }) => `${kind} ${subject}`);
}
