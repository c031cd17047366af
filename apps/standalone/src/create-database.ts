// `node create-database.js <data directory>`: creates and migrates the embedded database. `npm start` runs it on a fresh
// checkout while the service itself is bundled; the service does the same, in any case, for what is missing.
import { connectDatabase, migrate } from "@rowhouse/db";
import { startEmbeddedDatabase } from "./embedded-database.ts";

const [, , directory] = process.argv;
if (directory === undefined) throw new Error("usage: create-database <data directory>");
const embedded = await startEmbeddedDatabase(directory);
try {
  const database = await connectDatabase({
    url: embedded.ownerUrl,
    applicationName: "standalone-start",
    connectionsMax: 1,
  });
  try {
    await migrate(database);
    await embedded.guard(database);
  } finally {
    await database.close();
  }
} finally {
  await embedded.stop();
}
