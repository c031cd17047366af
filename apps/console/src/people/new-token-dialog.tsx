import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { FindBox, type Found } from "../shell/find-box.tsx";
import { findUsers } from "../shell/find-people.ts";
import { FormDialog } from "../shell/form-dialog.tsx";
import { SecretDialog } from "../shell/secret-dialog.tsx";
import { useTask } from "../shell/use-task.ts";
import { Notice } from "../ui/notice.tsx";
import { SelectField } from "../ui/select.tsx";
import { namedPointers } from "./named-fields.tsx";
import { usePeopleChange } from "./people-queries.ts";
import { TokenTexts } from "./token-listing.tsx";

/** Days; the first leaves the choice to the setting of the service. */
const lifetimes = ["", "7", "30", "90", "365"] as const;
const planes = ["api", "admin"] as const;

/** Creates a token for a person or a service account, and shows its secret once. */
export function NewTokenDialog(props: {
  /** The owner, if the page is that of one user. */
  readonly owner?: Found;
  readonly onClose: () => void;
}) {
  const t = useTranslations("tokens");
  const account = useTranslations("account.tokens");
  const onChange = usePeopleChange();
  const [owner, setOwner] = useState(props.owner);
  const [form, setForm] = useState({ name: "", description: "" });
  const [plane, setPlane] = useState<(typeof planes)[number]>("api");
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number]>("90");
  const [secret, show] = useState<string>();
  const [isOwnerMissing, missOwner] = useState(false);
  const task = useTask(async () => {
    missOwner(owner === undefined);
    if (owner === undefined) return;
    const { data } = await client.admin.post("/tokens", {
      data: {
        ...form,
        userId: owner.id,
        plane,
        ...(lifetime === "" ? {} : { lifetime: Number(lifetime) }),
      },
    });
    show(data.secret);
    await onChange();
  }, [...namedPointers, "/data/plane", "/data/userId"]);
  if (secret !== undefined) {
    return <SecretDialog name={form.name.trim()} secret={secret} onClose={props.onClose} />;
  }
  const isRefused = task.faultAt("/data/plane") !== undefined;
  return (
    <FormDialog
      title={account("new")}
      onClose={props.onClose}
      task={task}
      submit={account("create")}
    >
      {isRefused && <Notice kind="danger">{t(`planeFault.${plane}`)}</Notice>}
      {props.owner === undefined && (
        <FindBox
          label={t("owner")}
          hint={t("ownerHint")}
          fault={
            isOwnerMissing || task.faultAt("/data/userId") !== undefined
              ? t("ownerFault")
              : undefined
          }
          chosen={owner}
          onChoose={setOwner}
          findKey={["people", "find-users"]}
          find={findUsers}
          isFirst
        />
      )}
      <TokenTexts form={form} onChange={setForm} task={task} isFirst={props.owner !== undefined} />
      <SelectField
        label={account("plane")}
        value={plane}
        options={planes.map((value) => ({ value, label: account(`planes.${value}`) }))}
        onChange={setPlane}
      />
      <SelectField
        label={account("lifetime")}
        value={lifetime}
        options={lifetimes.map((value) => ({
          value,
          label:
            value === "" ? account("lifetimeDefault") : account("days", { count: Number(value) }),
        }))}
        onChange={setLifetime}
      />
      <p className="text-2 text-ink-2">{t("rights")}</p>
    </FormDialog>
  );
}
