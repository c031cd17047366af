import { createPostgresBackend, Queue } from "bullmq";
import { postgresConnection, queueName } from "./open-queue.ts";

/**
 * Migrates BullMQ's own tables, in a schema of their own. BullMQ takes an advisory lock, so several processes may call
 * this at once. Needed only for a queue in PostgreSQL.
 *
 * @param url the database, as a login that may create a schema
 */
export async function migrateQueue(url: string): Promise<void> {
  const queue = new Queue(
    queueName,
    { connection: { ...postgresConnection(url, 1), migrate: true } },
    createPostgresBackend,
  );
  // `waitUntilReady` throws the error of a failed start; without a listener, the event would also end the process.
  queue.on("error", () => {});
  try {
    await queue.waitUntilReady();
  } finally {
    await queue.close();
  }
}
