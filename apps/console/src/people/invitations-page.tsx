import type { AdminOperations } from "@rowhouse/client";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import type { Found } from "../shell/find-box.tsx";
import { FormDialog } from "../shell/form-dialog.tsx";
import { Listing } from "../shell/listing.tsx";
import { MailLanguageSelect } from "../shell/mail-language-select.tsx";
import { RoleChoice } from "../shell/role-choice.tsx";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { EmailField, NameField } from "./account-fields.tsx";
import { InvitationList } from "./invitation-list.tsx";
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

/** Invites a person by mail, with the roles that they get when they accept. */
function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("invitations");
  const people = useTranslations("people");
  const words = useTranslations("manage");
  const onChange = usePeopleChange();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [language, setLanguage] = useState("");
  const [roles, setRoles] = useState<readonly Found[]>([]);
  const [sentTo, setSentTo] = useState<string>();
  const task = useTask(async () => {
    const { data } = await client.admin.post("/invitations", {
      data: {
        email: email.trim(),
        name: name.trim(),
        roleIds: roles.map(({ id }) => id),
        ...(language === "" ? {} : { language }),
      },
    });
    await onChange();
    setSentTo(data.email);
  }, ["/data/email", "/data/name", "/data/roleIds"]);
  const at = (pointer: string, text: string) =>
    task.faultAt(pointer) === undefined ? undefined : text;
  if (sentTo !== undefined) {
    return (
      <Dialog title={t("sentTitle")} onClose={onClose}>
        <Notice kind="ok">{t("sent", { email: sentTo })}</Notice>
        <p className="text-ink-2">{t("sentText")}</p>
        <DialogActions>
          <Button kind="primary" onPress={onClose}>
            {words("close")}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <FormDialog title={t("new")} onClose={onClose} task={task} submit={t("send")}>
      <EmailField
        value={email}
        onChange={setEmail}
        fault={at(
          "/data/email",
          task.code === "CONFLICT" ? people("emailTaken") : people("emailFault"),
        )}
        isFirst
      />
      <NameField
        value={name}
        onChange={setName}
        hint={t("nameHint")}
        fault={at("/data/name", people("nameFault"))}
      />
      <RoleChoice
        chosen={roles}
        onChange={setRoles}
        hint={t("rolesHint")}
        fault={at("/data/roleIds", t("rolesFault"))}
      />
      <MailLanguageSelect
        label={people("language")}
        anyLabel={t("languageAny")}
        value={language}
        onChange={setLanguage}
      />
      <p className="text-2 text-ink-2">{t("newText")}</p>
    </FormDialog>
  );
}
