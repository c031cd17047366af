import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { foldersAddress } from "../../../records/library/file-record.ts";
import { client } from "../../../shell/client.ts";
import { findAccounts } from "../../../shell/find-people.ts";
import type { ControlProps } from "../control-props.ts";
import { ExpressionField } from "../expression-field.tsx";
import { findDocuments, findFolders, findWorkflows } from "../use-find.ts";
import { FindControl } from "./find-control.tsx";

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
