import { spawn } from "node:child_process";
import { once } from "node:events";

/** Both need a Node newer than the oldest that Rowhouse supports, so npx brings one. Their versions are fixed. */
const node = "node@24.21.0";
const packages = {
  "mcp-inspector": "@modelcontextprotocol/inspector@2.12.0",
  conformance: "@modelcontextprotocol/conformance@0.2.0-alpha.12",
} as const;

/** The end of a program. */
export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

/**
 * Runs a program of npm that is a client of MCP.
 *
 * @param folder holds the files that it writes
 * @param read receives its output so far
 */
export async function runOutsideClient(
  program: keyof typeof packages,
  args: readonly string[],
  folder: string,
  read: (stdout: string) => void = () => {},
): Promise<Ended> {
  const both = ["--package", node, "--package", packages[program]];
  const child = spawn("npx", ["--yes", ...both, "--", program, ...args], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: "", MCP_CATALOG_PATH: `${folder}/catalog.json` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    read(stdout);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, "close")) as [number | null];
  return { code: code ?? -1, stdout, stderr };
}
