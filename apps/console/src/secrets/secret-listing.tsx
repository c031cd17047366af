import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { FormDialog } from "../shell/form-dialog.tsx";
import { Listing } from "../shell/listing.tsx";
import { Moment } from "../shell/moment.tsx";
import { renew } from "../shell/renew.ts";
import { useListing } from "../shell/use-listing.ts";
import { useTask } from "../shell/use-task.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { type ListColumn, ListTable } from "../ui/list-table.tsx";
import { PasswordField } from "../ui/password-field.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { TextField } from "../ui/text-field.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { type Secret, type SecretKind, secretRequests } from "./secret-requests.ts";

/** What is done with a secret: a new one is edited without one. */
export type SecretDeed =
  | { readonly kind: "EDIT"; readonly secret: Secret | undefined }
  | { readonly kind: "DELETE"; readonly secret: Secret };

interface SecretListingProps {
  readonly of: SecretKind;
  readonly search?: string | undefined;
  /** Shows the workflows that use a secret, by their slugs. */
  readonly usedBy?: ((slugs: readonly string[]) => ReactNode) | undefined;
  readonly deed: SecretDeed | undefined;
  readonly onDeed: (deed: SecretDeed | undefined) => void;
}

/** The stored secrets of a kind, and the dialogs that change them. Nothing shows a value. */
export function SecretListing({ of, search, usedBy, deed, onDeed }: SecretListingProps) {
  const t = useTranslations("secrets");
  const filters = search === undefined ? {} : { search };
  const { key, list } = secretRequests[of];
  const secrets = useListing([...key, filters], (page, signal) =>
    list({ ...filters, ...page }, signal),
  );
  const close = () => onDeed(undefined);
  return (
    <>
      <Listing
        listing={secrets}
        isFiltered={search !== undefined}
        empty={<EmptyState title={t("empty")} text={t(`emptyText.${of}`)} />}
      >
        {(items) => <SecretList of={of} secrets={items} usedBy={usedBy} onDeed={onDeed} />}
      </Listing>
      {deed?.kind === "EDIT" && <SecretForm of={of} secret={deed.secret} onClose={close} />}
      {deed?.kind === "DELETE" && (
        <DeleteSecretDialog of={of} secret={deed.secret} onClose={close} />
      )}
    </>
  );
}

function SecretList(props: {
  readonly of: SecretKind;
  readonly secrets: readonly Secret[];
  readonly usedBy: SecretListingProps["usedBy"];
  readonly onDeed: (deed: SecretDeed) => void;
}) {
  const { of, secrets, usedBy, onDeed } = props;
  const t = useTranslations("secrets");
  const words = useTranslations("manage");
  const users: readonly ListColumn<Secret>[] =
    usedBy === undefined
      ? []
      : [{ key: "usedBy", label: t("usedBy"), cell: (secret) => usedBy(secret.usedBy) }];
  const columns: readonly ListColumn<Secret>[] = [
    {
      key: "name",
      label: words("name"),
      cell: ({ name }) => (
        <code className="font-mono text-2 wrap-anywhere" title={name}>
          {name}
        </code>
      ),
    },
    {
      key: "description",
      label: words("description"),
      cell: ({ description }) => (
        <span dir="auto" className="wrap-anywhere" title={description}>
          {description}
        </span>
      ),
    },
    ...users,
    {
      key: "updatedAt",
      label: t("changed"),
      width: "w-32",
      cell: ({ updatedAt }) => <Moment at={updatedAt} hasTime={false} />,
    },
    {
      key: "actions",
      label: words("actions"),
      width: "w-44",
      cell: (secret) => (
        <span className="flex flex-wrap gap-1">
          <ToolButton
            aria-label={t("edit", { name: secret.name })}
            onClick={() => onDeed({ kind: "EDIT", secret })}
          >
            {t("change")}
          </ToolButton>
          <ToolButton
            kind="danger"
            aria-label={t("delete", { name: secret.name })}
            onClick={() => onDeed({ kind: "DELETE", secret })}
          >
            {words("delete")}
          </ToolButton>
        </span>
      ),
    },
  ];
  return (
    <ListTable
      label={t(`title.${of}`)}
      items={secrets}
      columns={columns}
      keyOf={({ name }) => name}
    />
  );
}

interface DeleteSecretDialogProps {
  readonly of: SecretKind;
  readonly secret: Secret;
  readonly onClose: () => void;
}

/** Says which workflows use a secret, and deletes it. */
function DeleteSecretDialog({ of, secret, onClose }: DeleteSecretDialogProps) {
  const t = useTranslations("secrets");
  const onChange = useSecretChange(of);
  const task = useTask(async () => {
    await secretRequests[of].remove(secret.name);
    await onChange();
    onClose();
  }, []);
  return (
    <ConfirmTask title={t("deleteTitle", { name: secret.name })} task={task} onClose={onClose}>
      <p>{t(`deleteText.${of}`)}</p>
      {secret.usedBy.length > 0 && (
        <p className="mt-2 wrap-anywhere">
          {t("deleteUsed", { count: secret.usedBy.length, slugs: secret.usedBy.join(", ") })}
        </p>
      )}
    </ConfirmTask>
  );
}

interface SecretFormProps {
  readonly of: SecretKind;
  /** Undefined for a new one. */
  readonly secret: Secret | undefined;
  readonly onClose: () => void;
}

/** Creates a secret, or replaces its value. A value that is stored is never shown again. */
function SecretForm({ of, secret, onClose }: SecretFormProps) {
  const t = useTranslations("secrets");
  const words = useTranslations("manage");
  const onChange = useSecretChange(of);
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const [description, setDescription] = useState(secret?.description ?? "");
  const task = useTask(async () => {
    if (secret === undefined) {
      await secretRequests[of].create({ name, value, description });
    } else {
      const changed = {
        ...(value === "" ? {} : { value }),
        ...(description === secret.description ? {} : { description }),
      };
      await secretRequests[of].change(secret.name, changed);
    }
    await onChange();
    onClose();
  }, ["/data/name", "/data/value", "/data/description"]);
  return (
    <FormDialog
      title={secret === undefined ? t("new") : t("edit", { name: secret.name })}
      submit={secret === undefined ? words("create") : words("save")}
      task={task}
      onClose={onClose}
    >
      {secret === undefined && (
        <TextField
          label={words("name")}
          name="name"
          autoComplete="off"
          value={name}
          onChange={(text) => setName(text.toUpperCase())}
          hint={t("nameHint")}
          fault={task.faultAt("/data/name")}
          isFirst
        />
      )}
      <PasswordField
        label={secret === undefined ? t("value") : t("newValue")}
        autoComplete="new-password"
        value={value}
        onChange={setValue}
        hint={secret === undefined ? t("valueHint") : t(`newValueHint.${of}`)}
        fault={task.faultAt("/data/value")}
        words={{ show: t("show"), hide: t("hide") }}
        isFirst={secret !== undefined}
      />
      <TextArea
        label={words("description")}
        name="description"
        value={description}
        onChange={setDescription}
        fault={task.faultAt("/data/description")}
      />
    </FormDialog>
  );
}

/** Returns the function that shows a changed secret everywhere. */
function useSecretChange(of: SecretKind): () => Promise<void> {
  const cache = useQueryClient();
  return () => renew(cache, { queryKey: secretRequests[of].key });
}
