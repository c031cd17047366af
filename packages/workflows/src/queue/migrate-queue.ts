import { createPostgresBackend, Queue } from "bullmq";
import { postgresConnection, queueName } from "./open-queue.ts";

/**
 * Brings BullMQ's own tables up to date, in a schema of their own. BullMQ takes an advisory lock for it, so several
 * processes may call this at once. Needed only where the queue lives in Postgres.
 *
 * @param url the database, as a login that may create a schema
 */
export async function migrateQueue(url: string): Promise<void> {
  const queue = new Queue(
    queueName,
    { connection: { ...postgresConnection(url, 1), migrate: true } },
    createPostgresBackend,
  );
  // A failed start is what `waitUntilReady` throws; unheard, the event would end the process.
  queue.on("error", () => {});
  try {
    await queue.waitUntilReady();
  } finally {
    await queue.close();
  }
}
