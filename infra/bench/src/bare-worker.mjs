// The other process: it writes a result and publishes a message.
import { createServer } from "node:http";
import { Worker } from "bullmq";
import { Redis } from "ioredis";
import postgres from "postgres";

const sql = postgres(process.env.DATABASE_URL, { max: 20, fetch_types: false });
const connection = new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null });
const publisher = new Redis(process.env.REDIS_URL);
new Worker(
  "bare",
  async ({ data: { id } }) => {
    await sql.unsafe(
      "update bare.runs set result = json_build_object('number', input -> 'number'), ended_at = now() where id = $1::text::uuid",
      [id],
      { prepare: true },
    );
    await publisher.publish("bare-ended", id);
  },
  { connection, concurrency: 16 },
);

// Health check.
createServer((_request, answer) => answer.end()).listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
