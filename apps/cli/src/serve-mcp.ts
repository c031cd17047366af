import { createClient } from "@rowhouse/client";
import { CommandError } from "./command-error.ts";
import type { McpOptions } from "./config.ts";
import { bridge } from "./mcp/bridge.ts";
import { readLines } from "./mcp/read-lines.ts";

/**
 * Serves MCP on the standard input and output by means of the service's own server. The standard output has messages of
 * the protocol only; reasons of failures are on the standard error. Ends with the standard input.
 *
 * @throws CommandError for an invalid option, or a message that is too long
 */
export async function serveMcp({ url, token }: McpOptions): Promise<void> {
  check(url, token);
  // The client has ended: nothing can read further messages.
  process.stdout.on("error", () => process.exit());
  await bridge(
    { url: `${url.replace(/(?<!\/)\/+$/, "")}/mcp`, token },
    {
      lines: readLines(process.stdin),
      write: (text) => process.stdout.write(`${text}\n`),
      report: (sentence) => process.stderr.write(`rowhouse: ${sentence}\n`),
    },
  ).catch((error: unknown) => {
    if (error instanceof RangeError) throw new CommandError(error.message);
    throw error;
  });
}

/** The client of the other commands has the rules for an address and a token. */
function check(url: string, token: string): void {
  try {
    createClient({ url, token });
    new Headers({ Authorization: `Bearer ${token}` });
  } catch (error) {
    // The error of an invalid header repeats its value.
    const isAddress = error instanceof TypeError && error.message.startsWith("url ");
    const reason = isAddress ? error.message : "--token or ROWHOUSE_TOKEN must be a token";
    throw new CommandError(`${reason}.`);
  }
}
