import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../shell/client.ts";
import { MailLanguageSelect } from "../shell/mail-language-select.tsx";
import { TimeZoneField } from "../shell/time-zone-field.tsx";
import { useRecordForm } from "../shell/use-record-form.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Notice } from "../ui/notice.tsx";
import { panelClasses } from "../ui/section.tsx";
import { EmailField, NameField, useUserFaults } from "./account-fields.tsx";
import { type User, usePeopleChange, userQuery } from "./people-queries.ts";

/** Name, address, time zone and language of a person. Only fields that differ are sent. */
export function UserForm({ user }: { readonly user: User }) {
  const t = useTranslations("people");
  const words = useTranslations("manage");
  const cache = useQueryClient();
  const onChange = usePeopleChange();
  const [isVouched, vouch] = useState(false);
  const path = { id: user.id };
  const { base, form, setForm, outcome, task } = useRecordForm({
    record: formOf(user),
    tidy: (typed) => ({ ...typed, email: typed.email.trim(), timeZone: typed.timeZone.trim() }),
    read: async () => {
      const { data, etag } = await client.admin.get("/users/{id}", { path });
      cache.setQueryData(userQuery(user.id).queryKey, data);
      return { fields: formOf(data), etag };
    },
    write: async ({ timeZone, language, ...texts }, ifMatch) => {
      const { data } = await client.admin.patch("/users/{id}", {
        path,
        ifMatch,
        data: {
          ...texts,
          ...(timeZone === undefined ? {} : { timeZone: timeZone === "" ? null : timeZone }),
          ...(language === undefined ? {} : { language: language === "" ? null : language }),
          ...(texts.email !== undefined && isVouched ? { emailVerified: true } : {}),
        },
      });
      vouch(false);
      await onChange();
      return formOf(data);
    },
    pointers: ["/data/email", "/data/name", "/data/timeZone"],
  });
  const isMoved = form.email.trim() !== base.email;
  const faults = useUserFaults(task);
  return (
    <form noValidate onSubmit={task.submit} className={panelClasses}>
      {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
      {outcome === "changed" && (
        <Notice kind="danger">
          {t("changed", {
            name: base.name,
            email: base.email,
            timeZone: base.timeZone === "" ? "–" : base.timeZone,
          })}
        </Notice>
      )}
      <NameField
        value={form.name}
        onChange={(name) => setForm({ ...form, name })}
        fault={faults.name}
      />
      <div className="grid gap-2">
        <EmailField
          value={form.email}
          onChange={(email) => setForm({ ...form, email })}
          hint={isMoved ? t(isVouched ? "movedVouched" : "moved") : undefined}
          fault={faults.email}
        />
        {isMoved && <Checkbox label={t("vouch")} isChecked={isVouched} onChange={vouch} />}
      </div>
      <TimeZoneField
        label={t("timeZone")}
        hint={t("timeZoneHint")}
        fault={faults.timeZone}
        value={form.timeZone}
        onChange={(timeZone) => setForm({ ...form, timeZone })}
      />
      <MailLanguageSelect
        label={t("language")}
        anyLabel={t("languageAny")}
        value={form.language}
        onChange={(language) => setForm({ ...form, language })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" kind="primary" isBusy={task.isBusy}>
          {words("save")}
        </Button>
        {outcome === "saved" && <Notice kind="ok">{words("saved")}</Notice>}
      </div>
    </form>
  );
}

function formOf({ name, email, timeZone, language }: User) {
  return { name, email, timeZone: timeZone ?? "", language: language ?? "" };
}
