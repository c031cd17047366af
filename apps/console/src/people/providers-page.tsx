import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { Listing } from "../shell/listing.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Entries } from "../ui/entries.tsx";
import { PeoplePage } from "./people-page.tsx";
import type { Provider } from "./people-queries.ts";
import { searchOf } from "./people-search.ts";
import { type ProviderDeed, ProviderDeedDialog } from "./provider-deed-dialog.tsx";
import { ProviderDialog } from "./provider-dialog.tsx";
import { ProviderEntry } from "./provider-entry.tsx";

const route = getRouteApi("/frame/admin/people/providers");

/** The providers through which people sign in. */
export function ProvidersPage() {
  const t = useTranslations("providers");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [editing, edit] = useState<Provider | "new">();
  const [acting, act] = useState<{ readonly provider: Provider; readonly deed: ProviderDeed }>();
  const filters = searchOf(search);
  const providers = useListing(["people", "providers", filters], (page, signal) =>
    client.admin.get("/auth-providers", { query: { ...filters, ...page }, signal }),
  );
  return (
    <PeoplePage tab="providers" text={t("text")} add={t("new")} onAdd={() => edit("new")}>
      <SearchField
        label={t("search")}
        value={search.search}
        onChange={(text) =>
          void navigate({ search: (last) => ({ ...last, search: text }), replace: true })
        }
      />
      <Listing
        listing={providers}
        isFiltered={search.search !== undefined}
        empty={<EmptyState title={t("empty")} text={t("emptyText")} />}
      >
        {(items) => (
          <Entries>
            {items.map((provider) => (
              <ProviderEntry
                key={provider.id}
                provider={provider}
                onEdit={() => edit(provider)}
                onAct={(deed) => act({ provider, deed })}
              />
            ))}
          </Entries>
        )}
      </Listing>
      {editing !== undefined && (
        <ProviderDialog
          provider={editing === "new" ? undefined : editing}
          onClose={() => edit(undefined)}
        />
      )}
      {acting !== undefined && <ProviderDeedDialog {...acting} onClose={() => act(undefined)} />}
    </PeoplePage>
  );
}
