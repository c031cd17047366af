import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { client } from "../shell/client.ts";
import { FormDialog } from "../shell/form-dialog.tsx";
import { Listing } from "../shell/listing.tsx";
import { useSetting } from "../shell/settings.ts";
import {
  type GracePeriod,
  TokenActionDialog,
  type TokenDeed,
  TokenEntry,
} from "../shell/token-entry.tsx";
import { useListing } from "../shell/use-listing.ts";
import { useRecordForm } from "../shell/use-record-form.ts";
import type { Task } from "../shell/use-task.ts";
import { linkClasses } from "../ui/classes.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Entries, StateBadge } from "../ui/entries.tsx";
import { Notice } from "../ui/notice.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { NamedFields, type NamedTexts, namedPointers } from "./named-fields.tsx";
import { type Token, usePeopleChange } from "./people-queries.ts";
import { type PeopleSearch, searchOf } from "./people-search.ts";

interface TokenListingProps {
  readonly search: PeopleSearch;
  /** Whether all are of one user, whom the entries then do not name. */
  readonly isOfOne?: boolean;
}

/** Tokens with their owner, use and expiry, and what can be done with them. */
export function TokenListing({ search, isOfOne = false }: TokenListingProps) {
  const t = useTranslations("tokens");
  const account = useTranslations("account.tokens");
  const words = useTranslations("manage");
  const [acting, act] = useState<{ readonly token: Token; readonly deed: TokenDeed }>();
  const [editing, edit] = useState<Token>();
  const state = readTokenState(search.state);
  const { userId } = search;
  const use = readTokenUse(search.client);
  const filters = {
    ...searchOf(search),
    ...(userId === undefined ? {} : { userId }),
    ...(use === undefined ? {} : { client: use }),
    ...(state === "soon" ? { expiresSoon: "true" as const } : state === undefined ? {} : { state }),
  };
  const tokens = useListing(["people", "tokens", filters], (page, signal) =>
    client.admin.get("/tokens", { query: { ...filters, ...page }, signal }),
  );
  const warningDays = useWarningDays();
  const owner = ({ userId: id, owner: of }: Token): ReactNode =>
    !isOfOne && (
      <span className="inline-flex max-w-full flex-wrap items-center gap-x-2 font-normal">
        <AppLink
          href={`/admin/people/users/${id}`}
          className={`${linkClasses} wrap-anywhere`}
          title={of.email}
          dir="auto"
        >
          {of.name === "" ? of.email : of.name}
        </AppLink>
        {!of.active && <StateBadge look="warn">{t("ownerInactive")}</StateBadge>}
      </span>
    );
  return (
    <>
      {state === "soon" && warningDays !== undefined && (
        <p className="text-ink-2">{t("soonText", { count: warningDays })}</p>
      )}
      <Listing
        listing={tokens}
        isFiltered={search.search !== undefined || state !== undefined || use !== undefined}
        empty={<EmptyState title={t("empty")} text={t("emptyText")} />}
      >
        {(items) => (
          <Entries>
            {items.map((token) => (
              <TokenEntry
                key={token.id}
                token={token}
                aside={owner(token)}
                onAct={(deed) => act({ token, deed })}
                actions={
                  token.state !== "revoked" &&
                  token.state !== "expired" && (
                    <ToolButton
                      aria-label={account("actionOf", { action: words("edit"), name: token.name })}
                      onClick={() => edit(token)}
                    >
                      {words("edit")}
                    </ToolButton>
                  )
                }
              />
            ))}
          </Entries>
        )}
      </Listing>
      {acting !== undefined && <TokenDeedDialog {...acting} onClose={() => act(undefined)} />}
      {editing !== undefined && <EditTokenDialog token={editing} onClose={() => edit(undefined)} />}
    </>
  );
}

function useWarningDays(): number | undefined {
  const value = useSetting("api_keys.rotation_warning_days");
  return typeof value === "number" ? value : undefined;
}

/** Asks before something is done with a token of any user, and does it. */
function TokenDeedDialog(props: {
  readonly token: { readonly id: string; readonly name: string };
  readonly deed: TokenDeed;
  readonly onClose: () => void;
}) {
  const onChange = usePeopleChange();
  const { id, name } = props.token;
  const perform = async (deed: TokenDeed, gracePeriod: GracePeriod) => {
    const path = { id };
    try {
      if (deed === "regenerate") {
        const data = { gracePeriod };
        return (await client.admin.post("/tokens/{id}/regenerate", { path, data })).data.secret;
      }
      if (deed === "deactivate") await client.admin.post("/tokens/{id}/deactivate", { path });
      if (deed === "activate") await client.admin.post("/tokens/{id}/activate", { path });
      if (deed === "revoke") await client.admin.post("/tokens/{id}/revoke", { path });
      return undefined;
    } finally {
      await onChange();
    }
  };
  return (
    <TokenActionDialog name={name} deed={props.deed} perform={perform} onClose={props.onClose} />
  );
}

/** Changes the name or the description of a token. */
function EditTokenDialog(props: { readonly token: Token; readonly onClose: () => void }) {
  const t = useTranslations("tokens");
  const words = useTranslations("manage");
  const onChange = usePeopleChange();
  const { token, onClose } = props;
  const path = { id: token.id };
  const { base, form, setForm, outcome, task } = useRecordForm({
    record: textsOf(token),
    read: async () => {
      const { data, etag } = await client.admin.get("/tokens/{id}", { path });
      return { fields: textsOf(data), etag };
    },
    write: async (data) => {
      const answer = await client.admin.patch("/tokens/{id}", { path, data });
      await onChange();
      onClose();
      return textsOf(answer.data);
    },
    pointers: namedPointers,
  });
  return (
    <FormDialog
      title={t("editTitle", { name: token.name })}
      onClose={onClose}
      task={task}
      submit={words("save")}
    >
      {outcome === "changed" && (
        <Notice kind="danger">{t("changed", { name: base.name, text: base.description })}</Notice>
      )}
      <TokenTexts form={form} onChange={setForm} task={task} isFirst />
    </FormDialog>
  );
}

function textsOf({ name, description }: Token) {
  return { name, description };
}

/** The states of tokens, and `soon` for the active ones that expire soon. */
export const tokenStates = ["soon", "active", "deactivated", "expired", "revoked"] as const;

type TokenFilter = (typeof tokenStates)[number];

/** Reads the state in an address. */
export function readTokenState(text: string | undefined): TokenFilter | undefined {
  return tokenStates.find((one) => one === text);
}

/** Reads whether tokens of programs are wanted, or those that people have created themselves. */
export function readTokenUse(text: string | undefined): "true" | "false" | undefined {
  return text === "true" || text === "false" ? text : undefined;
}

/** The name and the description of a token. */
export function TokenTexts(props: {
  readonly form: NamedTexts;
  readonly onChange: (form: NamedTexts) => void;
  readonly task: Task;
  readonly isFirst?: boolean;
}) {
  const t = useTranslations("tokens");
  const account = useTranslations("account.tokens");
  const isTaken = props.task.code === "CONFLICT";
  return (
    <NamedFields
      {...props}
      nameFault={isTaken ? t("nameTaken") : account("nameFault")}
      nameHint={account("nameHint")}
    />
  );
}
