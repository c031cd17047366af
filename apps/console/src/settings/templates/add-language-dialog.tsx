import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useTask } from "../../shell/use-task.ts";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { type MailTemplate, partsOf, useMailNames } from "./template-parts.ts";
import { templatesQuery } from "./template-queries.ts";

interface AddLanguageDialogProps {
  readonly templates: readonly MailTemplate[];
  readonly onClose: () => void;
}

/** Adds a language to a mail, with the English text to begin with, and opens its page. */
export function AddLanguageDialog({ templates, onClose }: AddLanguageDialogProps) {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const { nameOf } = useMailNames();
  const open = useOpen();
  const cache = useQueryClient();
  const english = templates.filter(({ language }) => language === "en");
  const [id, setId] = useState(english[0]?.id ?? "");
  const [language, setLanguage] = useState("");
  const task = useTask(async () => {
    const source = english.find((template) => template.id === id);
    if (source === undefined) return;
    const { data } = await client.admin.post("/templates", {
      data: { key: source.key, language: language.trim(), ...partsOf(source) },
    });
    await cache.invalidateQueries({ queryKey: templatesQuery.queryKey });
    open(`/admin/settings/templates/${data.id}`);
  }, ["/data/language"]);
  return (
    <FormDialog title={t("add")} task={task} submit={words("create")} onClose={onClose}>
      <Select
        label={t("mail")}
        value={id}
        options={english.map((one) => ({ value: one.id, label: nameOf(one.key) }))}
        onChange={setId}
      />
      <TextField
        label={t("tag")}
        name="language"
        autoComplete="off"
        value={language}
        onChange={setLanguage}
        hint={t("tagHint")}
        fault={task.faultAt("/data/language")}
      />
      <p className="text-2 text-ink-2">{t("addText")}</p>
    </FormDialog>
  );
}
