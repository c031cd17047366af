import type { Database } from "@rowhouse/db";

/**
 * Runs the statements of a fixture in one transaction without a time limit: a loaded machine needs longer for many rows
 * than the service allows a statement.
 */
export async function loadFixture(database: Database, statements: string): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query("set local statement_timeout = 0");
    await transaction.query(statements);
  });
}
