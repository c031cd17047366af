import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { personQuery } from "../shell/navigation.ts";
import { NewTokenDialog } from "../shell/new-token-dialog.tsx";
import { Snippet } from "../shell/snippet.tsx";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import { Select } from "../ui/select.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { clientNames, type McpClientName, snippetsOf } from "./snippets.ts";

const ways = ["token", "oauth"] as const;

interface ConnectProps {
  /** The address of the server. */
  readonly url: string;
  readonly hasOAuth: boolean;
}

/** Connects an agent: makes a token, and shows what its client needs. */
export function Connect({ url, hasOAuth }: ConnectProps) {
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
