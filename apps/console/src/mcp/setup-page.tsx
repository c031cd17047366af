import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { personQuery } from "../shell/navigation.ts";
import { NewTokenDialog } from "../shell/new-token-dialog.tsx";
import { publicBase, settingsQuery } from "../shell/settings.ts";
import { Snippet } from "../shell/snippet.tsx";
import { useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { SwitchForm, useSettingsChange } from "./switch-form.tsx";

/** Switches the MCP server on, chooses what agents get, and connects the first one. */
export function SetupPage() {
  const t = useTranslations("mcp");
  const words = useTranslations("manage");
  const { data: settings, error, refetch } = useQuery(settingsQuery);
  useTitle(t("title"));
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (settings === undefined) return <Skeleton label={words("loading")} rows={8} />;
  const values = new Map<string, unknown>(settings.map(({ key, value }) => [key, value]));
  return (
    <>
      {values.get("mcp.enabled") === true ? (
        <Connect
          url={`${publicBase(values.get("system.public_url"))}/mcp`}
          hasOAuth={values.get("mcp.oauth") === true}
        />
      ) : (
        <SwitchOn />
      )}
      <Section title={t("opens")} text={t("opensText")}>
        <SwitchForm values={values} />
      </Section>
      <Section title={t("limits.title")}>
        <ul className="grid max-w-160 list-disc gap-1.5 pl-5 text-ink-2">
          {(["injection", "wayOut", "owner", "records"] as const).map((name) => (
            <li key={name}>{t(`limits.${name}`)}</li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function SwitchOn() {
  const t = useTranslations("mcp");
  const change = useSettingsChange();
  const task = useTask(() => change({ "mcp.enabled": true }), []);
  return (
    <EmptyState title={t("off")} text={t("offText")}>
      <Button kind="primary" isBusy={task.isBusy} onPress={task.run}>
        {t("switchOn")}
      </Button>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
    </EmptyState>
  );
}

const ways = ["token", "oauth"] as const;

interface ConnectProps {
  /** The address of the server. */
  readonly url: string;
  readonly hasOAuth: boolean;
}

/** Connects an agent: makes a token, and shows what its client needs. */
function Connect({ url, hasOAuth }: ConnectProps) {
  const t = useTranslations("mcp.connect");
  const { data: person } = useQuery(personQuery);
  const [chosen, choose] = useState<McpClientName>("claudeCode");
  const [way, setWay] = useState<(typeof ways)[number]>("token");
  const [isMaking, make] = useState(false);
  // In memory alone, and for as long as the page is open.
  const [secret, setSecret] = useState<string>();
  const isByToken = way === "token" || !hasOAuth;
  const mayMake = person?.mayCreateTokens === true && isByToken;
  const snippets = snippetsOf(chosen, { url, secret: isByToken ? (secret ?? "rhp_…") : null });
  return (
    <Section
      title={t("title")}
      text={t(isByToken ? "byToken" : "byOAuth")}
      aside={mayMake && <ToolButton onClick={() => make(true)}>{t("makeToken")}</ToolButton>}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select
          label={t("client")}
          value={chosen}
          options={Object.entries(clientNames).map(([value, label]) => ({
            value: value as McpClientName,
            label,
            isName: true,
          }))}
          onChange={choose}
        />
        {hasOAuth && (
          <Select
            label={t("way")}
            value={way}
            options={ways.map((value) => ({ value, label: t(`ways.${value}`) }))}
            onChange={setWay}
          />
        )}
      </div>
      {isByToken && secret !== undefined && <Notice kind="info">{t("secretShown")}</Notice>}
      {isByToken && chosen === "claudeDesktop" && <p className="text-ink-2">{t("bridge")}</p>}
      <div className="grid max-w-200 gap-3">
        <Snippet heading="h3" title={t("address")} text={url} />
        {snippets.map(({ place, text }) => (
          <Snippet heading="h3" key={place} title={place} text={text} />
        ))}
      </div>
      {isMaking && (
        <NewTokenDialog
          isAdministrator={person?.isAdministrator === true}
          onMade={setSecret}
          onClose={() => make(false)}
        />
      )}
    </Section>
  );
}

/** A program that connects to the MCP server. */
type McpClientName = "claudeCode" | "claudeDesktop" | "vsCode" | "cursor" | "codex" | "json";

/** The clients in the order of the choice, with the names that they have themselves. */
const clientNames: Readonly<Record<McpClientName, string>> = {
  claudeCode: "Claude Code",
  claudeDesktop: "Claude Desktop",
  vsCode: "VS Code",
  cursor: "Cursor",
  codex: "Codex",
  json: "JSON",
};

/** A text to paste, and the file or program where it belongs. */
interface ClientSnippet {
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
function snippetsOf(client: McpClientName, { url, secret }: Connection): readonly ClientSnippet[] {
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
