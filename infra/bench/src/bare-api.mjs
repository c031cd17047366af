// Baseline for durable runs: the minimum that a developer would write by hand on BullMQ. A call inserts a row, wakes the
// other process, and waits for its message; no credential, no definition, no journal, no lease.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import postgres from "postgres";

const sql = postgres(process.env.DATABASE_URL, { max: 10, fetch_types: false });
const connection = new Redis(process.env.REDIS_URL, { maxRetriesPerRequest: null });
const subscriber = new Redis(process.env.REDIS_URL);
const queue = new Queue("bare", { connection });
const waiting = new Map();
await subscriber.subscribe("bare-ended");
subscriber.on("message", (_channel, id) => waiting.get(id)?.());

const server = createServer((request, answer) => {
  run(request)
    .then((result) => {
      const body = JSON.stringify({ data: { status: "SUCCEEDED", result } });
      answer.writeHead(200, { "Content-Type": "application/json" }).end(body);
    })
    .catch(() => answer.writeHead(500).end());
});

async function run(request) {
  let input = "";
  for await (const chunk of request.setEncoding("utf8")) input += chunk;
  const id = randomUUID();
  await sql.unsafe(
    "insert into bare.runs (id, input) values ($1::text::uuid, $2::text::json)",
    [id, input],
    {
      prepare: true,
    },
  );
  const ended = new Promise((resolve) => waiting.set(id, resolve));
  await queue.add("run", { id }, { removeOnComplete: true });
  await ended;
  waiting.delete(id);
  const [row] = await sql.unsafe("select result from bare.runs where id = $1::text::uuid", [id], {
    prepare: true,
  });
  return row.result;
}

server.listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
