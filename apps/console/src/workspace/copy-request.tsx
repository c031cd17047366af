import { useTranslations } from "use-intl";
import { curlCommand } from "../shell/curl-command.ts";
import { mcpCallText, readRowsCall } from "../shell/mcp-call.ts";
import type { NavigationResource } from "../shell/navigation.ts";
import { useMcp } from "../shell/use-mcp.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { Bot, Check, Copy } from "../ui/icons.generated.ts";
import { useCopied } from "../ui/use-copied.ts";

/** The path of a table or view, with buttons that copy its request as a command and as a call of the MCP server. */
export function CopyRequest({ resource }: { readonly resource: NavigationResource }) {
  const t = useTranslations("workspace");
  const hasMcp = useMcp();
  const { path, label, name } = resource;
  return (
    <div className="flex min-w-0 items-center gap-1">
      <code className="truncate font-mono text-2 text-ink-2" title={path}>
        {path}
      </code>
      <CopyIcon label={t("copy", { name: label ?? name })} icon={Copy} text={curlCommand(path)} />
      {hasMcp && (
        <CopyIcon
          label={t("copyCall", { name: label ?? name })}
          icon={Bot}
          text={mcpCallText(readRowsCall(resource))}
        />
      )}
    </div>
  );
}

function CopyIcon(props: {
  readonly label: string;
  readonly icon: typeof Copy;
  readonly text: string;
}) {
  const t = useTranslations("workspace");
  const { isCopied, copy } = useCopied();
  return (
    <>
      <IconButton
        label={props.label}
        icon={isCopied ? Check : props.icon}
        onPress={() => copy(props.text)}
      />
      <span role="status" className="sr-only">
        {isCopied ? t("copied") : ""}
      </span>
    </>
  );
}
