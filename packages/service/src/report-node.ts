import type { Logger } from "pino";

/** Lines of Node.js without security fixes, with the month in which these ended (nodejs.org/en/about/previous-releases). */
const ended: Readonly<Record<string, string>> = {
  ...{ 20: "April 2026", 21: "June 2024", 23: "June 2025", 25: "June 2026" },
};

/** Logs one line if the Node.js that runs this process receives no security fixes. A process calls this once. */
export function reportNode(logger: Pick<Logger, "warn">, version = process.versions.node): void {
  const since = ended[version.split(".", 1)[0] ?? ""];
  if (since === undefined) return;
  logger.warn(`Node ${version} has had no security fixes since ${since}: run Rowhouse on Node 24`);
}
