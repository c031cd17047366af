import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { useTask } from "../../shell/use-task.ts";
import { Select } from "../../ui/select.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { firstSources, formats } from "./formats.ts";
import type { DocumentFormat } from "./template-parts.ts";
import { documentsQuery } from "./template-queries.ts";

/** Adds a document in a language, with a few words to begin with, and opens its page. */
export function AddDocumentDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const open = useOpen();
  const cache = useQueryClient();
  const [title, setTitle] = useState("");
  const [key, setKey] = useState("");
  const [language, setLanguage] = useState("en");
  const [format, setFormat] = useState<DocumentFormat>("HTML");
  const task = useTask(async () => {
    const { data } = await client.admin.post("/templates", {
      data: {
        kind: "DOCUMENT",
        key: key.trim(),
        language: language.trim(),
        title: title.trim(),
        format,
        source: firstSources[format],
        sample: { title: title.trim() },
      },
    });
    await cache.invalidateQueries({ queryKey: documentsQuery.queryKey });
    open(`/admin/settings/templates/${data.id}`);
  }, ["/data/key", "/data/language", "/data/title"]);
  return (
    <FormDialog title={t("addDocument")} task={task} submit={words("create")} onClose={onClose}>
      <TextField
        label={t("parts.title")}
        name="title"
        autoComplete="off"
        value={title}
        onChange={setTitle}
        fault={task.faultAt("/data/title")}
      />
      <TextField
        label={t("key")}
        name="key"
        autoComplete="off"
        value={key}
        onChange={setKey}
        hint={t("keyHint")}
        fault={task.faultAt("/data/key")}
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
      <Select
        label={t("parts.format")}
        value={format}
        options={formats.map((value) => ({ value, label: t(`formats.${value}`) }))}
        onChange={setFormat}
      />
    </FormDialog>
  );
}
