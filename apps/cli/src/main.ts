import { CommandError } from "./command-error.ts";
import { readCommand, usage } from "./config.ts";
import { moveFiles } from "./move-files.ts";
import { serveMcp } from "./serve-mcp.ts";
import { writeTypes } from "./write-types.ts";

try {
  const command = readCommand();
  if (command.kind === "HELP") process.stdout.write(usage);
  else if (command.kind === "TYPES") await writeTypes(command.options);
  else if (command.kind === "MCP") await serveMcp(command.options);
  else await moveFiles(command.options);
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  process.stderr.write(`rowhouse: ${error.message}\n`);
  process.exitCode = 1;
}
