import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import type { Found } from "../shell/find-box.tsx";
import { FormDialog } from "../shell/form-dialog.tsx";
import { MailLanguageSelect } from "../shell/mail-language-select.tsx";
import { Moment } from "../shell/moment.tsx";
import { RoleChoice } from "../shell/role-choice.tsx";
import { useTask } from "../shell/use-task.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { inputClasses } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { useCopied } from "../ui/use-copied.ts";
import { EmailField, NameField } from "./account-fields.tsx";
import { usePeopleChange } from "./people-queries.ts";

/** What the dialogs say of an invitation. */
interface Invited {
  readonly id: string;
  readonly email: string;
}

/** An invitation that was handed over: by a mail, or by a link that is shown once. */
type Handed =
  | { readonly by: "mail"; readonly email: string }
  | { readonly by: "link"; readonly url: string; readonly expiresAt: string };

/** Whether the service has a mail server; undefined until it is known. */
function useMailServer(): boolean | undefined {
  const { data } = useQuery({
    queryKey: ["mail-server"],
    queryFn: async ({ signal }) =>
      (await client.admin.get("/mail-server", { signal })).data.isConfigured,
  });
  return data;
}

async function createLink({ id }: Invited): Promise<Handed> {
  const { data } = await client.admin.post("/invitations/{id}/link", { path: { id } });
  return { by: "link", ...data };
}

/** Invites a person: by mail or, without a mail server, by a link to hand over. */
export function InviteDialog({
  roles: given = [],
  onClose,
}: {
  /** The roles that are chosen at first. */
  readonly roles?: readonly Found[];
  readonly onClose: () => void;
}) {
  const t = useTranslations("invitations");
  const people = useTranslations("people");
  const onChange = usePeopleChange();
  const hasMail = useMailServer();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [language, setLanguage] = useState("");
  const [roles, setRoles] = useState<readonly Found[]>(given);
  const [invited, setInvited] = useState<Invited>();
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
    setInvited(data);
  }, ["/data/email", "/data/name", "/data/roleIds"]);
  const at = (pointer: string, text: string) =>
    task.faultAt(pointer) === undefined ? undefined : text;
  if (invited !== undefined) {
    return hasMail === false ? (
      <RenewDialog invitation={invited} by="link" onClose={onClose} />
    ) : (
      <HandedDialog handed={{ by: "mail", email: invited.email }} onClose={onClose} />
    );
  }
  return (
    <FormDialog
      title={t("new")}
      onClose={onClose}
      task={task}
      submit={t(hasMail === false ? "createLink" : "send")}
    >
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
      {hasMail === false && <Notice kind="info">{t("noMail")}</Notice>}
      <p className="text-2 text-ink-2">{t("newText")}</p>
    </FormDialog>
  );
}

/** Sends the mail of an invitation again, or creates a link to hand over; it says what happened. */
export function RenewDialog(props: {
  readonly invitation: Invited;
  readonly by: "mail" | "link";
  readonly onClose: () => void;
}) {
  const t = useTranslations("invitations");
  const words = useTranslations("manage");
  const onChange = usePeopleChange();
  const { invitation, by, onClose } = props;
  const [handed, setHanded] = useState<Handed>();
  const task = useTask(async () => {
    if (by === "link") setHanded(await createLink(invitation));
    else {
      await client.admin.post("/invitations/{id}/mail", { path: { id: invitation.id } });
      setHanded({ by: "mail", email: invitation.email });
    }
    await onChange();
  }, []);
  const { run } = task;
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    run();
  }, [run]);
  if (handed !== undefined) return <HandedDialog handed={handed} onClose={onClose} />;
  return (
    <Dialog title={t(by === "link" ? "link" : "sendAgain")} onClose={onClose}>
      {task.failure === undefined ? (
        <p role="status">{words("loading")}</p>
      ) : (
        <Notice kind="danger">
          {task.code === "CONFLICT" ? t("usedMeanwhile") : task.failure}
        </Notice>
      )}
      <DialogActions>
        <Button onPress={onClose}>{words("close")}</Button>
      </DialogActions>
    </Dialog>
  );
}

function HandedDialog({
  handed,
  onClose,
}: {
  readonly handed: Handed;
  readonly onClose: () => void;
}) {
  const t = useTranslations("invitations");
  const words = useTranslations("manage");
  const hasMail = useMailServer();
  let content: ReactNode;
  if (handed.by === "link") content = <LinkToHandOver {...handed} />;
  else if (hasMail === false) content = <Notice kind="info">{t("toFile")}</Notice>;
  else {
    content = (
      <>
        <Notice kind="ok">{t("sent", { email: handed.email })}</Notice>
        <p className="text-ink-2">{t("sentText")}</p>
      </>
    );
  }
  return (
    <Dialog title={t("sentTitle")} onClose={onClose}>
      {content}
      <DialogActions>
        <Button kind={handed.by === "link" ? "plain" : "primary"} onPress={onClose}>
          {words("close")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function LinkToHandOver({ url, expiresAt }: Extract<Handed, { by: "link" }>) {
  const t = useTranslations("invitations");
  const { isCopied, copy } = useCopied();
  return (
    <div className="grid gap-3">
      <p>{t("linkText")}</p>
      <div className="flex min-w-0 gap-2">
        <input
          type="text"
          readOnly
          aria-label={t("link")}
          value={url}
          onFocus={({ target }) => target.select()}
          className={`${inputClasses} min-w-0 flex-1 font-mono text-2`}
        />
        <Button kind="primary" onPress={() => copy(url)}>
          {t(isCopied ? "copied" : "copy")}
        </Button>
      </div>
      <p className="text-2 text-ink-2">
        {t("until")} <Moment at={expiresAt} />
      </p>
    </div>
  );
}
