import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { foldersAddress } from "../../../records/library/file-record.ts";
import { client } from "../../../shell/client.ts";
import type { Found } from "../../../shell/find-box.tsx";
import { findAccounts } from "../../../shell/find-people.ts";
import { Combobox } from "../../../ui/combobox.tsx";
import { type ControlProps, controlClasses } from "../control-props.ts";
import { ExpressionField } from "../expression-field.tsx";

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A user by name or address; the value is the id. */
export function UserControl(props: ControlProps) {
  const t = useTranslations("workflowForm.user");
  const id = typeof props.value === "string" && idForm.test(props.value) ? props.value : undefined;
  const { data, isError } = useQuery({
    queryKey: ["workflow-form", "user", id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) =>
      (await client.admin.get("/users/{id}", { path: { id: id ?? "" }, signal })).data,
  });
  const name =
    data === undefined || data.name === "" ? data?.email : `${data.name} (${data.email})`;
  return (
    <>
      <FindControl
        {...props}
        findKey="users"
        find={findAccounts}
        shown={name}
        placeholder={props.field.isRequired ? t("choose") : t("caller")}
      />
      {isError && <p className="text-2 text-warn">{t("missing")}</p>}
    </>
  );
}

/** Another workflow by its slug. */
export function WorkflowControl(props: ControlProps) {
  return (
    <FindControl {...props} findKey="workflows" find={findWorkflows} shown={undefined} isFree />
  );
}

/** The template of a document by its key. */
export function DocumentControl(props: ControlProps) {
  return (
    <FindControl {...props} findKey="documents" find={findDocuments} shown={undefined} isFree />
  );
}

/** A folder by its name, or a template that yields the id of one. */
export function FolderControl(props: ControlProps) {
  const { label, describedBy, value, onChange } = props;
  const t = useTranslations("workflowForm.folder");
  const id = typeof value === "string" && idForm.test(value) ? value : undefined;
  const { data } = useQuery({
    queryKey: ["workflow-form", "folder", id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const list = await client
        .from(foldersAddress)
        .list({ where: { id: { _eq: id ?? "" } }, fields: ["id", "name"], limit: 1, signal });
      return list.rows[0]?.name;
    },
  });
  const isTemplate = typeof value === "string" && id === undefined;
  return (
    <div className="grid gap-1">
      {isTemplate ? (
        <ExpressionField
          kind="TEMPLATE"
          isLine
          label={label}
          describedBy={describedBy}
          text={value}
          onChange={(text) => onChange(text === "" ? undefined : text)}
        />
      ) : (
        <FindControl
          {...props}
          findKey="folders"
          find={findFolders}
          shown={typeof data === "string" ? data : undefined}
          placeholder={t("top")}
          isFree
        />
      )}
    </div>
  );
}

const limit = 20;

/** Finds workflows by a part of the name or slug; the id of each is its slug. */
async function findWorkflows(search: string, signal: AbortSignal): Promise<readonly Found[]> {
  const query = { limit, ...(search === "" ? {} : { search }) };
  const { data } = await client.admin.get("/workflows", { query, signal });
  return data.map(({ slug, name }) => ({ id: slug, label: slug, detail: name }));
}

/** Finds templates of documents by a part of the key or title; the id of each is its key. */
async function findDocuments(search: string, signal: AbortSignal): Promise<readonly Found[]> {
  const query = { kind: "DOCUMENT", limit: 1000 } as const;
  const { data } = await client.admin.get("/templates", { query, signal });
  const titles = new Map<string, string>();
  for (const one of data) {
    const title = one.kind === "DOCUMENT" ? one.title : "";
    if (`${one.key} ${title}`.toLowerCase().includes(search.toLowerCase())) {
      titles.set(one.key, titles.get(one.key) ?? title);
    }
  }
  return [...titles].map(([key, title]) => ({ id: key, label: key, detail: title }));
}

/** Finds folders by a part of the name. */
async function findFolders(search: string, signal: AbortSignal): Promise<readonly Found[]> {
  const where = search === "" ? {} : { where: { name: { _icontains: search } } };
  const rows = await client
    .from(foldersAddress)
    .list({ limit, fields: ["id", "name"], signal, ...where });
  return rows.rows.map((row) => ({ id: String(row.id), label: String(row.name) }));
}

interface FindControlProps extends ControlProps {
  readonly findKey: string;
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Found[]>;
  /** The name of the present value; undefined while it is unknown. */
  readonly shown: string | undefined;
  /** Whether any text may be chosen, found or not. */
  readonly isFree?: boolean;
  readonly placeholder?: string;
}

/** A choice of a record by a part of its name. */
function FindControl(props: FindControlProps) {
  const {
    id,
    describedBy,
    isInvalid,
    field,
    value,
    onChange,
    findKey,
    find,
    isFree = false,
  } = props;
  const words = useTranslations("manage");
  const t = useTranslations("workflowForm");
  const [typed, setTyped] = useState<string>();
  const [isWanted, want] = useState(false);
  const { data, error, isLoading } = useQuery({
    queryKey: ["workflow-form", findKey, typed ?? ""],
    queryFn: ({ signal }) => find(typed ?? "", signal),
    enabled: isWanted,
  });
  const present = typeof value === "string" ? value : "";
  const own: readonly Found[] =
    isFree && typed !== undefined && typed !== "" && data?.every((one) => one.id !== typed)
      ? [{ id: typed, label: t("asWritten", { text: typed }) }]
      : [];
  // While the records load, it would be the only option, and Enter would remove the present value.
  const none: readonly Found[] =
    field.isRequired || present === "" || isLoading ? [] : [{ id: "", label: t("none") }];
  const options = [...(data ?? []), ...own, ...(typed === undefined || typed === "" ? none : [])];
  const message = () => {
    if (error !== null) return words("notLoaded");
    if (data === undefined) return words("loading");
    return options.length === 0 ? words("nothingFound") : undefined;
  };
  return (
    <Combobox
      id={id}
      label={undefined}
      text={typed ?? props.shown ?? present}
      onText={(text) => {
        want(true);
        setTyped(text);
      }}
      options={options}
      chosen={present === "" ? undefined : present}
      onChoose={(chosen) => {
        setTyped(undefined);
        onChange(chosen === "" ? undefined : chosen);
      }}
      onOpen={() => {
        want(true);
        setTyped("");
      }}
      onLeave={() => setTyped(undefined)}
      message={message()}
      placeholder={placeholderOf(props.placeholder, props.shown ?? present, typed)}
      inputClassName={controlClasses}
      describedBy={describedBy}
      isInvalid={isInvalid}
    />
  );
}

/** While the person types, the present choice; without a choice, what can be chosen. */
function placeholderOf(usual: string | undefined, shown: string, typed: string | undefined) {
  if (shown === "") return usual;
  return typed === undefined ? undefined : shown;
}
