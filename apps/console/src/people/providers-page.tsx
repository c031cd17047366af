import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { type SecretDeed, SecretListing } from "../secrets/secret-listing.tsx";
import { client } from "../shell/client.ts";
import { ConfirmTask } from "../shell/confirm-task.tsx";
import { FormDialog } from "../shell/form-dialog.tsx";
import { Listing } from "../shell/listing.tsx";
import {
  LockedFields,
  ManagedMark,
  ManagedNotice,
  useManagedLock,
  useManagedQuestion,
} from "../shell/managed.tsx";
import { trialPath } from "../shell/paths.ts";
import { SearchField } from "../shell/search-field.tsx";
import { useListing } from "../shell/use-listing.ts";
import {
  carryOver,
  changedFields,
  isChangedMeanwhile,
  onPresentVersion,
} from "../shell/use-record-form.ts";
import { useTask } from "../shell/use-task.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Entries, Entry, StateBadge } from "../ui/entries.tsx";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { PeoplePage } from "./people-page.tsx";
import { type Provider, usePeopleChange } from "./people-queries.ts";
import { searchOf } from "./people-search.ts";
import {
  blankProvider,
  ProviderFields,
  providerChanges,
  providerFormOf,
  providerPointers,
} from "./provider-fields.tsx";

const route = getRouteApi("/frame/admin/people/providers");

/** The providers through which people sign in. */
export function ProvidersPage() {
  const t = useTranslations("providers");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [editing, edit] = useState<Provider | "new">();
  const [acting, act] = useState<{ readonly provider: Provider; readonly deed: ProviderDeed }>();
  const { ask, question } = useManagedQuestion();
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
                onAct={(deed) => ask([recordOf(provider)], () => act({ provider, deed }))}
              />
            ))}
          </Entries>
        )}
      </Listing>
      <ProviderSecrets />
      {editing !== undefined && (
        <ProviderDialog
          provider={editing === "new" ? undefined : editing}
          onClose={() => edit(undefined)}
        />
      )}
      {question}
      {acting !== undefined && <ProviderDeedDialog {...acting} onClose={() => act(undefined)} />}
    </PeoplePage>
  );
}

/** The secrets that documents of providers name. */
function ProviderSecrets() {
  const t = useTranslations("secrets");
  const [deed, setDeed] = useState<SecretDeed>();
  return (
    <Section
      title={t("title.providers")}
      text={t("text.providers")}
      aside={
        <ToolButton onClick={() => setDeed({ kind: "EDIT", secret: undefined })}>
          {t("new")}
        </ToolButton>
      }
    >
      <SecretListing of="providers" deed={deed} onDeed={setDeed} />
    </Section>
  );
}

function recordOf({ key }: Pick<Provider, "key">) {
  return { part: "providers" as const, names: [key] };
}

interface ProviderDialogProps {
  /** The provider to change; a new one without. */
  readonly provider: Provider | undefined;
  readonly onClose: () => void;
}

/** Adds a provider, or changes one. The client secret is never shown; an empty one stays as it is. */
function ProviderDialog({ provider, onClose }: ProviderDialogProps) {
  const t = useTranslations("providers");
  const words = useTranslations("manage");
  const onChange = usePeopleChange();
  const [base, setBase] = useState(() =>
    provider === undefined ? blankProvider : providerFormOf(provider),
  );
  const [form, setForm] = useState(base);
  const [isChanged, setChanged] = useState(false);
  const lock = useManagedLock("providers", provider === undefined ? [] : [provider.key]);
  const task = useTask(async () => {
    if (provider === undefined) {
      const { name = "", clientId = "", clientSecret = "", ...rest } = providerChanges(form);
      const key = form.key.trim();
      const data = { key, kind: form.kind, name, clientId, clientSecret, ...rest };
      await client.admin.post("/auth-providers", { data });
    } else {
      const path = { id: provider.id };
      const changes = changedFields(base, form);
      const isRefused = await onPresentVersion(async () => {
        const answer = await client.admin.get("/auth-providers/{id}", { path });
        const now = providerFormOf(answer.data);
        if (isChangedMeanwhile(base, now, changes)) {
          setForm(carryOver(form, base, now));
          setBase(now);
          return true;
        }
        const data = providerChanges(changes);
        await client.admin.patch("/auth-providers/{id}", { path, data, ifMatch: answer.etag });
        return false;
      });
      setChanged(isRefused);
      if (isRefused) return;
    }
    await onChange();
    onClose();
  }, providerPointers);
  return (
    <FormDialog
      title={provider === undefined ? t("new") : t("editTitle", { name: provider.name })}
      onClose={onClose}
      task={task}
      submit={provider === undefined ? words("create") : words("save")}
      isReady={!lock.isLocked}
    >
      <ManagedNotice lock={lock} />
      {isChanged && (
        <Notice kind="danger">
          {t("changed", { name: base.name, issuer: base.issuer, clientId: base.clientId })}
        </Notice>
      )}
      <LockedFields isLocked={lock.isLocked}>
        <ProviderFields
          form={form}
          onChange={setForm}
          task={task}
          storedIssuer={provider === undefined ? undefined : base.issuer}
        />
      </LockedFields>
    </FormDialog>
  );
}

/** A provider with its state, and what can be done with it. */
function ProviderEntry(props: {
  readonly provider: Provider;
  readonly onEdit: () => void;
  readonly onAct: (deed: ProviderDeed) => void;
}) {
  const t = useTranslations("providers");
  const account = useTranslations("account.tokens");
  const words = useTranslations("manage");
  const { key, name, kind, issuer, clientId, allowedDomains, roleId, enabled } = props.provider;
  const labelOf = (action: string) => account("actionOf", { action, name });
  return (
    <Entry
      name={
        <>
          <span dir="auto">{name}</span>
          <ManagedMark {...recordOf(props.provider)} />
          <StateBadge look={enabled ? "ok" : "warn"}>
            {t(enabled ? "enabled" : "disabled")}
          </StateBadge>
          <StateBadge look="plain">{t(`kinds.${kind}`)}</StateBadge>
        </>
      }
      facts={[
        t("issuerFact", { issuer, clientId }),
        allowedDomains.length === 0
          ? t("anyDomain")
          : t("domainsFact", { domains: allowedDomains.join(", ") }),
        t(roleId === null ? "linkedOnly" : "newAccounts"),
      ]}
      actions={
        <>
          {enabled && (
            <a
              href={client.auth.providerUrl(key, trialPath)}
              target="_blank"
              rel="noopener noreferrer"
              title={t("tryText")}
              aria-label={labelOf(t("try"))}
              className="inline-flex h-7 items-center rounded-control border border-line-strong bg-surface px-2.5 font-medium hover:bg-sunken"
            >
              {t("try")}
            </a>
          )}
          <ToolButton aria-label={labelOf(words("edit"))} onClick={props.onEdit}>
            {words("edit")}
          </ToolButton>
          <ToolButton
            aria-label={labelOf(t(enabled ? "disable" : "enable"))}
            onClick={() => props.onAct(enabled ? "disable" : "enable")}
          >
            {t(enabled ? "disable" : "enable")}
          </ToolButton>
          <ToolButton
            kind="danger"
            aria-label={labelOf(words("delete"))}
            onClick={() => props.onAct("delete")}
          >
            {words("delete")}
          </ToolButton>
        </>
      }
    />
  );
}

/** Something to do with a provider, which a dialog confirms first. */
type ProviderDeed = "enable" | "disable" | "delete";

/** Says what will be done with a provider, and does it. */
function ProviderDeedDialog(props: {
  readonly provider: Provider;
  readonly deed: ProviderDeed;
  readonly onClose: () => void;
}) {
  const t = useTranslations("providers");
  const words = useTranslations("manage");
  const onChange = usePeopleChange();
  const { provider, deed, onClose } = props;
  const path = { id: provider.id };
  const task = useTask(async () => {
    try {
      if (deed === "delete") await client.admin.delete("/auth-providers/{id}", { path });
      else {
        const data = { enabled: deed === "enable" };
        await client.admin.patch("/auth-providers/{id}", { path, data });
      }
    } finally {
      await onChange();
    }
    onClose();
  }, []);
  return (
    <ConfirmTask
      title={t(`${deed}Title`, { name: provider.name })}
      confirm={deed === "delete" ? words("delete") : t(deed)}
      isHarmless={deed === "enable"}
      failure={task.code === "NOT_FOUND" ? t("gone") : undefined}
      task={task}
      onClose={onClose}
    >
      {t(`${deed}Text`)}
    </ConfirmTask>
  );
}
