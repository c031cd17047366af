import { readFile } from "node:fs/promises";
import type { Database } from "@rowhouse/db";

const sampleFile = new URL("../sample/fleet.sql", import.meta.url);

/**
 * Loads the sample, a vehicle fleet in the schema `fleet`, unless that schema exists.
 *
 * @returns whether this call loaded it
 */
export async function loadSample(database: Database): Promise<boolean> {
  const text = await readFile(sampleFile, "utf8");
  return database.transaction(async (transaction) => {
    const [found] = await transaction.query<{ exists: boolean }>(
      "select to_regnamespace('fleet') is not null as exists",
    );
    if (found?.exists === true) return false;
    await transaction.query("set local statement_timeout = 0");
    await transaction.query(text);
    return true;
  });
}
