import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { useFailureText } from "../shell/failure-text.ts";
import { personQuery } from "../shell/navigation.ts";
import { NewTokenDialog } from "../shell/new-token-dialog.tsx";
import {
  type GracePeriod,
  TokenActionDialog,
  type TokenDeed,
  TokenEntry,
} from "../shell/token-entry.tsx";
import { useTitle } from "../shell/use-title.ts";
import { Entries } from "../ui/entries.tsx";
import { Plus } from "../ui/icons.generated.ts";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { type OwnToken, tokensQuery } from "./account-queries.ts";

/** Personal access tokens: programs use them instead of a session. */
export function TokensPage() {
  const t = useTranslations("account");
  const describe = useFailureText();
  const cache = useQueryClient();
  const { data, error } = useQuery(tokensQuery);
  const { data: person } = useQuery(personQuery);
  const [isCreating, create] = useState(false);
  const [action, act] = useState<{ readonly token: OwnToken; readonly deed: TokenDeed }>();
  useTitle(t("tabs.tokens"));
  return (
    <Section
      title={t("tabs.tokens")}
      text={t("tokens.text")}
      aside={
        person?.mayCreateTokens === true && (
          <ToolButton kind="primary" onClick={() => create(true)}>
            <Plus size={14} aria-hidden="true" />
            {t("tokens.new")}
          </ToolButton>
        )
      }
    >
      {error !== null && <Notice kind="danger">{describe(error)}</Notice>}
      {data === undefined && error === null && <Skeleton label={t("loading")} rows={3} />}
      {data?.length === 0 && (
        <p className="rounded-panel border border-line bg-surface p-5 text-ink-2">
          {t(person?.mayCreateTokens === false ? "tokens.mayNot" : "tokens.none")}
        </p>
      )}
      {data !== undefined && data.length > 0 && (
        <Entries>
          {data.map((token) => (
            <TokenEntry key={token.id} token={token} onAct={(deed) => act({ token, deed })} />
          ))}
        </Entries>
      )}
      {isCreating && (
        <NewTokenDialog
          isAdministrator={person?.isAdministrator === true}
          onMade={() => cache.invalidateQueries({ queryKey: tokensQuery.queryKey })}
          onClose={() => create(false)}
        />
      )}
      {action !== undefined && <OwnTokenDialog {...action} onClose={() => act(undefined)} />}
    </Section>
  );
}

/** Asks before something is done with a token of one's own, and does it. */
function OwnTokenDialog(props: {
  readonly token: OwnToken;
  readonly deed: TokenDeed;
  readonly onClose: () => void;
}) {
  const cache = useQueryClient();
  const { name, id } = props.token;
  const perform = async (deed: TokenDeed, gracePeriod: GracePeriod) => {
    try {
      const path = { id };
      if (deed === "regenerate") {
        const body = { gracePeriod };
        return (await client.api.post("/auth/tokens/{id}/regenerate", { path, body })).data.secret;
      }
      await client.api.post(`/auth/tokens/{id}/${deed}`, { path });
      return undefined;
    } finally {
      await cache.invalidateQueries({ queryKey: tokensQuery.queryKey });
    }
  };
  return (
    <TokenActionDialog name={name} deed={props.deed} perform={perform} onClose={props.onClose} />
  );
}
