import type { Caller } from "@rowhouse/access";
import type { Database } from "@rowhouse/db";
import { inLongTransaction } from "./long-transaction.ts";
import type { WriteRequest } from "./parse/request.ts";
import type { DataEngine } from "./pipeline.ts";
import type { DataAnswer } from "./render/render-response.ts";

/**
 * Answers a write and rolls it back. Triggers, checks and constraints run as in the write itself, those at the end of a
 * transaction included. Only sequences keep the values that were taken, and a refused change is recorded.
 *
 * @throws AppError as the engine does
 */
export async function rehearseWrite(
  database: Database,
  engine: DataEngine,
  request: WriteRequest,
  caller: Caller,
): Promise<DataAnswer> {
  // Checks the credential and the right to write before a transaction begins.
  const { userId } = await engine.authorize(request, caller);
  const answers: DataAnswer[] = [];
  try {
    await inLongTransaction(database, userId, async (transaction) => {
      const answer = await engine.answer(request, caller, transaction);
      await transaction.query("set constraints all immediate");
      answers.push(answer);
      throw new RolledBack("The write is rolled back");
    });
  } catch (error) {
    const [answer] = answers;
    if (answer === undefined) throw error;
    return answer;
  }
  throw new Error("A rehearsal must not be committed");
}

class RolledBack extends Error {}
