/** A program that connects to the MCP server. */
export type McpClientName = "claudeCode" | "claudeDesktop" | "vsCode" | "cursor" | "codex" | "json";

/** The clients in the order of the choice, with the names that they have themselves. */
export const clientNames: Readonly<Record<McpClientName, string>> = {
  claudeCode: "Claude Code",
  claudeDesktop: "Claude Desktop",
  vsCode: "VS Code",
  cursor: "Cursor",
  codex: "Codex",
  json: "JSON",
};

/** A text to paste, and the file or program where it belongs. */
export interface ClientSnippet {
  readonly place: string;
  readonly text: string;
}

interface Connection {
  /** The address of the server. */
  readonly url: string;
  /** The secret of a token; null if the client signs its person in by OAuth. */
  readonly secret: string | null;
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
/** An argument of a POSIX shell. */
const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns what connects a client to the server. */
export function snippetsOf(
  client: McpClientName,
  { url, secret }: Connection,
): readonly ClientSnippet[] {
  const server = {
    url,
    ...(secret === null ? {} : { headers: { Authorization: `Bearer ${secret}` } }),
  };
  switch (client) {
    case "claudeCode": {
      const header = secret === null ? "" : ` --header ${shell(`Authorization: Bearer ${secret}`)}`;
      const text = `claude mcp add --transport http rowhouse ${shell(url)}${header}`;
      return [{ place: "Terminal", text }];
    }
    case "claudeDesktop": {
      if (secret === null) return [{ place: "Settings › Connectors › Add", text: url }];
      const env = { ROWHOUSE_URL: url.replace(/\/mcp$/, ""), ROWHOUSE_TOKEN: secret };
      const args = ["/path/to/rowhouse/scripts/rowhouse.mjs", "cli", "mcp"];
      const bridge = { command: "node", args, env };
      return [
        { place: "claude_desktop_config.json", text: json({ mcpServers: { rowhouse: bridge } }) },
      ];
    }
    case "vsCode":
      return [
        {
          place: ".vscode/mcp.json",
          text: json({ servers: { rowhouse: { type: "http", ...server } } }),
        },
      ];
    case "cursor":
      return [{ place: "~/.cursor/mcp.json", text: json({ mcpServers: { rowhouse: server } }) }];
    case "codex": {
      const lines = ["[mcp_servers.rowhouse]", `url = ${JSON.stringify(url)}`];
      const file = { place: "~/.codex/config.toml", text: "" };
      if (secret === null) {
        const text = lines.join("\n");
        return [
          { ...file, text },
          { place: "Terminal", text: "codex mcp login rowhouse" },
        ];
      }
      return [
        { ...file, text: [...lines, 'bearer_token_env_var = "ROWHOUSE_TOKEN"'].join("\n") },
        { place: "Terminal", text: `export ROWHOUSE_TOKEN=${shell(secret)}` },
      ];
    }
    case "json":
      return [
        {
          place: "mcp.json",
          text: json({ mcpServers: { rowhouse: { type: "http", ...server } } }),
        },
      ];
  }
}
