import type { AdminOperations } from "@rowhouse/client";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { Listing } from "../shell/listing.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { PeoplePage } from "./people-page.tsx";
import { searchOf } from "./people-search.ts";
import { RevokeInvitationDialog } from "./revoke-invitation-dialog.tsx";

type Invitation = AdminOperations["GET /invitations"]["answer"]["data"][number];

const route = getRouteApi("/frame/admin/people/invitations");

/** Invitations by mail, newest first. */
export function InvitationsPage() {
  const t = useTranslations("invitations");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isInviting, invite] = useState(false);
  const [revoking, revoke] = useState<Invitation>();
  const filters = searchOf(search);
  const invitations = useListing(["people", "invitations", filters], (page, signal) =>
    client.admin.get("/invitations", { query: { ...filters, ...page }, signal }),
  );
  return (
    <PeoplePage tab="invitations" text={t("text")} add={t("new")} onAdd={() => invite(true)}>
      <SearchField
        label={t("search")}
        value={search.search}
        onChange={(text) =>
          void navigate({ search: (last) => ({ ...last, search: text }), replace: true })
        }
      />
      <Listing
        listing={invitations}
        isFiltered={search.search !== undefined}
        empty={<EmptyState title={t("empty")} text={t("emptyText")} />}
      >
        {(items) => <InvitationList invitations={items} onRevoke={revoke} />}
      </Listing>
      {isInviting && <InviteDialog onClose={() => invite(false)} />}
      {revoking !== undefined && (
        <RevokeInvitationDialog invitation={revoking} onClose={() => revoke(undefined)} />
      )}
    </PeoplePage>
  );
}
