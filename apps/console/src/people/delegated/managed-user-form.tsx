import { useTranslations } from "use-intl";
import { MailLanguageSelect } from "../../shell/mail-language-select.tsx";
import { TimeZoneField } from "../../shell/time-zone-field.tsx";
import { useRecordForm } from "../../shell/use-record-form.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { Notice } from "../../ui/notice.tsx";
import { panelClasses } from "../../ui/section.tsx";
import { EmailField, NameField, useUserFaults } from "../account-fields.tsx";
import { usePeopleChange } from "../people-queries.ts";
import {
  type ManagedTable,
  type ManagedUser,
  nameOf,
  readManagedUser,
  userRows,
} from "./managed-users.ts";

/** The fields of an account that the person may change. Only fields that differ are sent. */
export function ManagedUserForm(props: {
  readonly user: ManagedUser;
  readonly users: ManagedTable;
}) {
  const t = useTranslations("people");
  const words = useTranslations("manage");
  const { user, users } = props;
  const onChange = usePeopleChange();
  const has = (name: string) => users.canRead(name) && users.canSet(name, "updatable");
  const { base, form, setForm, outcome, task } = useRecordForm({
    record: formOf(user),
    tidy: (typed) => ({ ...typed, email: typed.email.trim(), timeZone: typed.timeZone.trim() }),
    read: async () => {
      const { user: now, etag } = await readManagedUser(users, user.id);
      return { fields: formOf(now), etag };
    },
    write: async ({ timeZone, language, ...others }, ifMatch) => {
      const changes = {
        ...others,
        ...(timeZone === undefined ? {} : { time_zone: timeZone === "" ? null : timeZone }),
        ...(language === undefined ? {} : { language: language === "" ? null : language }),
      };
      if (Object.keys(changes).length > 0) {
        await userRows.update(user.id, changes, ifMatch === undefined ? {} : { ifMatch });
      }
      await onChange();
      return formOf((await readManagedUser(users, user.id)).user);
    },
    pointers: ["/data/email", "/data/name", "/data/time_zone"],
  });
  const faults = useUserFaults(task);
  return (
    <form noValidate onSubmit={task.submit} className={panelClasses}>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      {outcome === "changed" && (
        <Notice kind="danger">
          {t("changed", {
            name: nameOf({ ...base, id: user.id }),
            email: base.email === "" ? "–" : base.email,
            timeZone: base.timeZone === "" ? "–" : base.timeZone,
          })}
        </Notice>
      )}
      {has("name") && (
        <NameField
          value={form.name}
          onChange={(name) => setForm({ ...form, name })}
          fault={faults.name}
        />
      )}
      {has("email") && (
        <EmailField
          value={form.email}
          onChange={(email) => setForm({ ...form, email })}
          fault={faults.email}
        />
      )}
      {has("time_zone") && (
        <TimeZoneField
          label={t("timeZone")}
          hint={t("timeZoneHint")}
          fault={faults.timeZone}
          value={form.timeZone}
          onChange={(timeZone) => setForm({ ...form, timeZone })}
        />
      )}
      {has("language") && (
        <MailLanguageSelect
          label={t("language")}
          anyLabel={t("languageAny")}
          value={form.language}
          onChange={(language) => setForm({ ...form, language })}
        />
      )}
      {has("active") && (
        <div className="grid gap-1.5">
          <Checkbox
            label={t("active")}
            isChecked={form.active}
            onChange={(active) => setForm({ ...form, active })}
          />
          {base.active && !form.active && (
            <p className="text-2 text-ink-2">{t("deactivateText")}</p>
          )}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" isBusy={task.isBusy}>
          {words("save")}
        </Button>
        {outcome === "saved" && <Notice kind="ok">{words("saved")}</Notice>}
      </div>
    </form>
  );
}

function formOf({ name = "", email = "", active = false, ...user }: ManagedUser) {
  const { time_zone: timeZone, language } = user;
  return { name, email, active, timeZone: timeZone ?? "", language: language ?? "" };
}
