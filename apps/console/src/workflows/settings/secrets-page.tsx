import type { AdminOperations } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { Listing } from "../../shell/listing.tsx";
import { Moment } from "../../shell/moment.tsx";
import { renew } from "../../shell/renew.ts";
import { SearchField } from "../../shell/search-field.tsx";
import { useListing } from "../../shell/use-listing.ts";
import { useTask } from "../../shell/use-task.ts";
import { linkClasses } from "../../ui/classes.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { secretListKey } from "../form/use-secrets.ts";
import { WorkflowsFrame } from "../parts/workflows-frame.tsx";

const route = getRouteApi("/frame/admin/workflows/secrets");

/** The secrets that workflows name. No page shows a value. */
export function SecretsPage() {
  const t = useTranslations("workflowSecrets");
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  const [deed, setDeed] = useState<Deed>();
  const filters = search === undefined ? {} : { search };
  const secrets = useListing([...secretListKey, filters], (page, signal) =>
    client.admin.get("/workflow-secrets", { query: { ...filters, ...page }, signal }),
  );
  const close = () => setDeed(undefined);
  return (
    <WorkflowsFrame
      tab="secrets"
      text={t("text")}
      actions={
        <ToolButton kind="primary" onClick={() => setDeed({ kind: "EDIT", secret: undefined })}>
          {t("new")}
        </ToolButton>
      }
    >
      <SearchField
        label={t("search")}
        value={search}
        onChange={(text) => void navigate({ search: { search: text }, replace: true })}
      />
      <Listing
        listing={secrets}
        isFiltered={search !== undefined}
        empty={<EmptyState title={t("empty")} text={t("emptyText")} />}
      >
        {(items) => <SecretList secrets={items} onDeed={setDeed} />}
      </Listing>
      {deed?.kind === "EDIT" && <SecretForm secret={deed.secret} onClose={close} />}
      {deed?.kind === "DELETE" && <DeleteSecretDialog secret={deed.secret} onClose={close} />}
    </WorkflowsFrame>
  );
}

type Deed =
  | { readonly kind: "EDIT"; readonly secret: Secret | undefined }
  | { readonly kind: "DELETE"; readonly secret: Secret };

function SecretList(props: {
  readonly secrets: readonly Secret[];
  readonly onDeed: (deed: Deed) => void;
}) {
  const { secrets, onDeed } = props;
  const t = useTranslations("workflowSecrets");
  const words = useTranslations("manage");
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
    { key: "usedBy", label: t("usedBy"), cell: ({ usedBy }) => <UsedBy slugs={usedBy} /> },
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
    <ListTable label={t("title")} items={secrets} columns={columns} keyOf={({ name }) => name} />
  );
}

const shownMax = 3;

/** The published workflows that use a secret, as links. */
function UsedBy({ slugs }: { readonly slugs: readonly string[] }) {
  const t = useTranslations("workflowSecrets");
  if (slugs.length === 0) return <span className="text-ink-2">{t("unused")}</span>;
  return (
    <span className="flex flex-wrap gap-x-2">
      {slugs.slice(0, shownMax).map((slug) => (
        <AppLink
          key={slug}
          href={`/admin/workflows?search=${encodeURIComponent(slug)}`}
          className={linkClasses}
        >
          <bdi>{slug}</bdi>
        </AppLink>
      ))}
      {slugs.length > shownMax && <span>{t("more", { count: slugs.length - shownMax })}</span>}
    </span>
  );
}

interface DeleteSecretDialogProps {
  readonly secret: Secret;
  readonly onClose: () => void;
}

/** Says which workflows use a secret, and deletes it. */
function DeleteSecretDialog({ secret, onClose }: DeleteSecretDialogProps) {
  const t = useTranslations("workflowSecrets");
  const onChange = useSecretChange();
  const task = useTask(async () => {
    await client.admin.delete("/workflow-secrets/{name}", { path: { name: secret.name } });
    await onChange();
    onClose();
  }, []);
  return (
    <ConfirmTask title={t("deleteTitle", { name: secret.name })} task={task} onClose={onClose}>
      <p>{t("deleteText")}</p>
      {secret.usedBy.length > 0 && (
        <p className="mt-2 wrap-anywhere">
          {t("deleteUsed", { count: secret.usedBy.length, slugs: secret.usedBy.join(", ") })}
        </p>
      )}
    </ConfirmTask>
  );
}

interface SecretFormProps {
  /** Undefined for a new one. */
  readonly secret: Secret | undefined;
  readonly onClose: () => void;
}

/** Creates a secret, or replaces its value. A value that is stored is never shown again. */
function SecretForm({ secret, onClose }: SecretFormProps) {
  const t = useTranslations("workflowSecrets");
  const words = useTranslations("manage");
  const onChange = useSecretChange();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const [description, setDescription] = useState(secret?.description ?? "");
  const task = useTask(async () => {
    if (secret === undefined) {
      await client.admin.post("/workflow-secrets", { data: { name, value, description } });
    } else {
      const path = { name: secret.name };
      const changed = {
        ...(value === "" ? {} : { value }),
        ...(description === secret.description ? {} : { description }),
      };
      await client.admin.patch("/workflow-secrets/{name}", { path, data: changed });
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
        hint={secret === undefined ? t("valueHint") : t("newValueHint")}
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

/** A secret without its value. */
type Secret = AdminOperations["GET /workflow-secrets/{name}"]["answer"]["data"];

/** Returns the function that shows a changed secret everywhere. */
function useSecretChange(): () => Promise<void> {
  const cache = useQueryClient();
  return () => renew(cache, { queryKey: secretListKey });
}
