import { inspect } from "node:util";
import { CommandError } from "./base/command-error.ts";
import { printable } from "./base/printable.ts";
import { readCommand, usage } from "./config.ts";
import { runConfiguration, runSecret } from "./configuration/run-configuration.ts";
import { moveFiles } from "./move-files.ts";
import { runBackup } from "./run-backup.ts";
import { serveMcp } from "./serve-mcp.ts";
import { writeTypes } from "./write-types.ts";

try {
  const command = readCommand();
  if (command.kind === "HELP") process.stdout.write(usage);
  else if (command.kind === "CONFIGURATION") {
    process.exitCode = await runConfiguration(command.command, command.options);
  } else if (command.kind === "SECRET_SET") await runSecret(command.options);
  else if (command.kind === "TYPES") await writeTypes(command.options);
  else if (command.kind === "MCP") await serveMcp(command.options);
  else if (command.kind === "FILES_MOVE") await moveFiles(command.options);
  else await runBackup(command.kind, command.options);
} catch (error) {
  const text = error instanceof CommandError ? error.message : inspect(error);
  process.stderr.write(`rowhouse: ${printable(text)}\n`);
  process.exitCode = error instanceof CommandError ? error.exitCode : 1;
}
