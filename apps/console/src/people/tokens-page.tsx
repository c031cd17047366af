import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { SearchField } from "../shell/search-field.tsx";
import { Select } from "../ui/select.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import { PeoplePage } from "./people-page.tsx";
import { readTokenState, readTokenUse, TokenListing, tokenStates } from "./token-listing.tsx";

const route = getRouteApi("/frame/admin/people/tokens");

/** The access tokens of everybody. */
export function TokensPage() {
  const t = useTranslations("tokens");
  const people = useTranslations("people");
  const account = useTranslations("account.tokens");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isCreating, create] = useState(false);
  const filter = (change: typeof search) =>
    void navigate({ search: (last) => ({ ...last, ...change }), replace: true });
  return (
    <PeoplePage tab="tokens" text={t("text")} add={t("new")} onAdd={() => create(true)}>
      <div className="flex flex-wrap items-center gap-3">
        <SearchField
          label={t("search")}
          value={search.search}
          onChange={(text) => filter({ search: text })}
        />
        <Select
          label={people("state")}
          value={readTokenState(search.state) ?? ""}
          options={[
            { value: "", label: people("all") },
            ...tokenStates.map((value) => ({
              value,
              label: account(value),
            })),
          ]}
          onChange={(state) => filter({ state: state === "" ? undefined : state })}
        />
        <Select
          label={t("use")}
          value={readTokenUse(search.client) ?? ""}
          options={[
            { value: "", label: people("all") },
            { value: "true", label: t("ofPrograms") },
            { value: "false", label: t("created") },
          ]}
          onChange={(client) => filter({ client: client === "" ? undefined : client })}
        />
      </div>
      <TokenListing search={search} />
      {isCreating && <NewTokenDialog onClose={() => create(false)} />}
    </PeoplePage>
  );
}
