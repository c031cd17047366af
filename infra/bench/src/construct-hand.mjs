// The other side of the constructs: a handler with one statement for each route, without credentials or permissions.
import { createServer } from "node:http";
import postgres from "postgres";
import { questions } from "./construct-questions.mjs";

const sql = postgres(process.env.DATABASE_URL, { max: 1, fetch_types: false });

createServer(async (request, answer) => {
  try {
    const question = questions[Number(request.url.slice(1))];
    const [row] = await sql.unsafe(question.hand, [], { prepare: true });
    const body = `{"data":${row.json}}`;
    answer.writeHead(200, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    });
    answer.end(body);
  } catch (error) {
    answer.writeHead(500).end(error.message);
  }
}).listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
