// A handler that writes the body of a request to a file, as somebody would write it by hand.
import { createWriteStream, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const folder = mkdtempSync(join(tmpdir(), "rowhouse-bench-"));
let count = 0;
createServer(async (incoming, outgoing) => {
  if (incoming.method === "POST") {
    count += 1;
    await pipeline(incoming, createWriteStream(join(folder, String(count)), { flush: true }));
  }
  outgoing.writeHead(200, { "Content-Type": "application/json" }).end("{}");
}).listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
