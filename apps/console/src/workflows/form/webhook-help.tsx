import { useTranslations } from "use-intl";
import { isObject } from "../../records/filter/read-where.ts";
import { type McpCall, mcpCallText } from "../../shell/mcp-call.ts";
import { useMcp } from "../../shell/use-mcp.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Check, Copy } from "../../ui/icons.generated.ts";
import { useCopied } from "../../ui/use-copied.ts";
import type { JsonObject } from "../model/definition.ts";
import { curlCommand } from "./webhook-command.ts";

/** How a webhook is called: its URL, and a command with a valid signature. */
export function WebhookHelp(props: { readonly trigger: JsonObject; readonly slug: string }) {
  const { trigger, slug } = props;
  const t = useTranslations("workflowForm.webhook");
  const url = `${location.origin}/api/workflows/${slug}/webhook`;
  const hasMcp = useMcp();
  const isGet = trigger.method === "GET";
  return (
    <div className="grid min-w-0 gap-2 rounded-control bg-sunken p-3">
      <Copied label={t("url")} text={url} shown={`${isGet ? "GET" : "POST"} ${url}`} />
      <Copied label={t("command")} text={curlCommand(trigger, url)} />
      {hasMcp && isObject(trigger.tool) && (
        <Copied label={t("call")} text={mcpCallText(runCall(slug))} />
      )}
      {isObject(trigger.signature) && <p className="text-2 text-ink-2">{t("signed")}</p>}
      {trigger.access === "AUTHENTICATED" && (
        <p className="text-2 text-ink-2">{t("authenticated")}</p>
      )}
    </div>
  );
}

/** The call that runs the workflow. A repeated key is answered with the same run. */
function runCall(slug: string): McpCall {
  const idempotencyKey = "a-name-of-this-run";
  return { tool: "run_workflow", arguments: { slug, input: {}, idempotencyKey } };
}

function Copied(props: { readonly label: string; readonly text: string; readonly shown?: string }) {
  const { label, text, shown = text } = props;
  const t = useTranslations("workflowForm.webhook");
  const { isCopied, copy } = useCopied();
  return (
    <div className="grid min-w-0 gap-1">
      <div className="flex items-center justify-between gap-2">
        <span className="font-medium text-2">{label}</span>
        <IconButton
          label={t("copy", { label })}
          icon={isCopied ? Check : Copy}
          onPress={() => copy(text)}
        />
      </div>
      <pre className="overflow-x-auto whitespace-pre-wrap break-all font-mono text-2">
        <code>{shown}</code>
      </pre>
      <span role="status" className="sr-only">
        {isCopied ? t("copied") : ""}
      </span>
    </div>
  );
}
