import type { AdminOperations } from "@rowhouse/client";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { Listing } from "../shell/listing.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { useTask } from "../shell/use-task.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { InvitationList } from "./invitation-list.tsx";
import { InviteDialog, RenewDialog } from "./invite-dialog.tsx";
import { PeoplePage } from "./people-page.tsx";
import { usePeopleChange } from "./people-queries.ts";
import { searchOf } from "./people-search.ts";

type Invitation = AdminOperations["GET /invitations"]["answer"]["data"][number];

const route = getRouteApi("/frame/admin/people/invitations");

/** Invitations by mail, newest first. */
export function InvitationsPage() {
  const t = useTranslations("invitations");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [isInviting, invite] = useState(false);
  const [revoking, revoke] = useState<Invitation>();
  const [renewing, renew] = useState<{
    readonly invitation: Invitation;
    readonly by: "mail" | "link";
  }>();
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
        {(items) => (
          <InvitationList
            invitations={items}
            onRevoke={revoke}
            onRenew={(invitation, by) => renew({ invitation, by })}
          />
        )}
      </Listing>
      {isInviting && <InviteDialog onClose={() => invite(false)} />}
      {renewing !== undefined && <RenewDialog {...renewing} onClose={() => renew(undefined)} />}
      {revoking !== undefined && (
        <RevokeInvitationDialog invitation={revoking} onClose={() => revoke(undefined)} />
      )}
    </PeoplePage>
  );
}

/** Revokes an invitation, after a question. */
function RevokeInvitationDialog(props: {
  readonly invitation: { readonly id: string; readonly email: string };
  readonly onClose: () => void;
}) {
  const t = useTranslations("invitations");
  const onChange = usePeopleChange();
  const { invitation, onClose } = props;
  const task = useTask(async () => {
    try {
      await client.admin.delete("/invitations/{id}", { path: { id: invitation.id } });
    } finally {
      await onChange();
    }
    onClose();
  }, []);
  return (
    <ConfirmTask
      title={t("revokeTitle", { email: invitation.email })}
      confirm={t("revokeConfirm")}
      failure={task.code === "CONFLICT" ? t("usedMeanwhile") : undefined}
      task={task}
      onClose={onClose}
    >
      {t("revokeText")}
    </ConfirmTask>
  );
}
