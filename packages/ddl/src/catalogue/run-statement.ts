import type { Transaction } from "@rowhouse/db";
import { attempt } from "../base/attempt.ts";
import { noSearchPath, withSettings } from "../base/transaction-settings.ts";

/** Names are qualified, and the bodies of functions may name what is created later. */
const settings = { ...noSearchPath, check_function_bodies: "off" };

/** Runs a statement of the catalogue as the service's login, where every name is qualified. */
export async function runCatalogueStatement(transaction: Transaction, sql: string): Promise<void> {
  await withSettings(transaction, settings, () => transaction.asService.query(sql));
}

/** Runs those of several statements that PostgreSQL accepts, in turns until one helps none of them. */
export async function runCatalogueStatements(
  transaction: Transaction,
  statements: readonly string[],
): Promise<void> {
  for (let waiting = statements; ; ) {
    const failed: string[] = [];
    for (const sql of waiting) {
      const failure = await attempt(transaction, () => runCatalogueStatement(transaction, sql));
      if (failure !== undefined) failed.push(sql);
    }
    if (failed.length === 0 || failed.length === waiting.length) return;
    waiting = failed;
  }
}
