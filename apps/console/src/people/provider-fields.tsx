import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { FindBox } from "../shell/find-box.tsx";
import { findRoles } from "../shell/find-people.ts";
import { publicBase, useSetting } from "../shell/settings.ts";
import type { Task } from "../shell/use-task.ts";
import { PasswordField } from "../ui/password-field.tsx";
import { SelectField } from "../ui/select.tsx";
import { TextField } from "../ui/text-field.tsx";
import { ToolButton } from "../ui/tool-button.tsx";
import { type Provider, roleQuery } from "./people-queries.ts";

/** What an administrator sets of a provider. */
interface ProviderForm {
  readonly key: string;
  readonly kind: Provider["kind"];
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Empty: the stored secret stays. */
  readonly clientSecret: string;
  /** Domains, with commas or spaces between them. */
  readonly allowedDomains: string;
  readonly roleId: string;
}

/** The form of a new provider. */
export const blankProvider: ProviderForm = {
  key: "",
  kind: "oidc",
  name: "",
  issuer: "",
  clientId: "",
  clientSecret: "",
  allowedDomains: "",
  roleId: "",
};

/** The form of a provider. */
export function providerFormOf(provider: Provider): ProviderForm {
  const { key, kind, name, issuer, clientId, allowedDomains, roleId } = provider;
  return {
    ...{ key, kind, name, issuer, clientId },
    clientSecret: "",
    allowedDomains: allowedDomains.join(", "),
    roleId: roleId ?? "",
  };
}

/** The fields of a form as the service takes them. A field that is undefined or an empty secret is left out. */
export function providerChanges(form: Partial<ProviderForm>) {
  const { name, issuer, clientId, clientSecret, allowedDomains, roleId } = form;
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(issuer === undefined || issuer.trim() === "" ? {} : { issuer: issuer.trim() }),
    ...(clientId === undefined ? {} : { clientId: clientId.trim() }),
    ...(clientSecret === undefined || clientSecret === "" ? {} : { clientSecret }),
    ...(allowedDomains === undefined
      ? {}
      : { allowedDomains: allowedDomains.split(/[\s,]+/).filter((one) => one !== "") }),
    ...(roleId === undefined ? {} : { roleId: roleId === "" ? null : roleId }),
  };
}

const texts = ["key", "name", "issuer", "clientId", "allowedDomains"] as const;
const kinds = ["oidc", "google", "github"] as const;

/** JSON pointers of the fields that show their own faults. */
export const providerPointers = [...texts, "clientSecret", "roleId"].map((name) => `/data/${name}`);

/** The fields of a provider. Key and kind are chosen once. */
export function ProviderFields(props: {
  readonly form: ProviderForm;
  readonly onChange: (form: ProviderForm) => void;
  readonly task: Task;
  /** The issuer of the provider as it is stored; undefined for a new provider. */
  readonly storedIssuer: string | undefined;
}) {
  const t = useTranslations("providers");
  const password = useTranslations("account.password");
  const { form, onChange, task, storedIssuer } = props;
  const isNew = storedIssuer === undefined;
  const { issuer = storedIssuer } = providerChanges(form);
  const isMoved = !isNew && issuer !== storedIssuer;
  const faultOf = (name: (typeof texts)[number]) => {
    if (task.faultAt(`/data/${name}`) === undefined) return undefined;
    return name === "key" && task.code === "CONFLICT" ? t("keyTaken") : t(`faults.${name}`);
  };
  const shown = texts.filter((name) => isNew || name !== "key");
  const base = publicBase(useSetting("system.public_url"));
  const callback = `${base}/api/auth/oauth/${form.key === "" ? "…" : form.key}/callback`;
  const hintOf = (name: (typeof texts)[number]) => {
    if (name === "name" || name === "clientId") return undefined;
    return name === "issuer" ? t(`hints.issuer.${form.kind}`) : t(`hints.${name}`);
  };
  return (
    <>
      {isNew && (
        <SelectField
          label={t("kind")}
          value={form.kind}
          options={kinds.map((value) => ({ value, label: t(`kinds.${value}`) }))}
          onChange={(kind) => onChange({ ...form, kind })}
        />
      )}
      {shown.map((name, index) => (
        <TextField
          key={name}
          label={t(`fields.${name}`)}
          name={name}
          autoComplete="off"
          value={form[name]}
          onChange={(value) => onChange({ ...form, [name]: value })}
          hint={hintOf(name)}
          fault={faultOf(name)}
          isFirst={index === 0}
        />
      ))}
      <PasswordField
        label={t("fields.clientSecret")}
        autoComplete="new-password"
        value={form.clientSecret}
        onChange={(clientSecret) => onChange({ ...form, clientSecret })}
        hint={t(isNew ? "hints.secret" : isMoved ? "hints.secretAgain" : "hints.secretKept")}
        fault={
          task.faultAt("/data/clientSecret") === undefined ? undefined : t("faults.clientSecret")
        }
        words={{ show: password("show"), hide: password("hide") }}
      />
      <ProviderRole
        roleId={form.roleId}
        onChange={(roleId) => onChange({ ...form, roleId })}
        fault={task.faultAt("/data/roleId") === undefined ? undefined : t("faults.roleId")}
      />
      <div className="grid gap-1 text-2 text-ink-2">
        <p>{t("callback")}</p>
        <code className="block rounded-control bg-sunken px-3 py-2 font-mono break-all select-all">
          {callback}
        </code>
      </div>
    </>
  );
}

/** The role of accounts that a provider's sign-in creates; without one it creates none. */
function ProviderRole(props: {
  readonly roleId: string;
  readonly onChange: (roleId: string) => void;
  readonly fault: string | undefined;
}) {
  const t = useTranslations("providers");
  const { roleId, onChange } = props;
  const { data: role } = useQuery({ ...roleQuery(roleId), enabled: roleId !== "" });
  return (
    <div className="grid gap-2">
      <FindBox
        label={t("role")}
        hint={t(roleId === "" ? "hints.noRole" : "hints.role")}
        fault={props.fault}
        chosen={roleId === "" || role === undefined ? undefined : { id: roleId, label: role.name }}
        onChoose={({ id }) => onChange(id)}
        findKey={["people", "find-roles"]}
        find={findRoles}
      />
      {roleId !== "" && (
        <div>
          <ToolButton onClick={() => onChange("")}>{t("removeRole")}</ToolButton>
        </div>
      )}
    </div>
  );
}
