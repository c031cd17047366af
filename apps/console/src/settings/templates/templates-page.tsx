import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { ManagedMark } from "../../shell/managed.tsx";
import { Moment } from "../../shell/moment.tsx";
import { NameLink } from "../../shell/name-link.tsx";
import { useTask } from "../../shell/use-task.ts";
import { useTitle } from "../../shell/use-title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { type ListColumn, ListTable } from "../../ui/list-table.tsx";
import { Section } from "../../ui/section.tsx";
import { SelectField } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { firstSources, formats } from "./formats.ts";
import { LanguageName, TemplateList } from "./template-list.tsx";
import {
  type DocumentFormat,
  type DocumentTemplate,
  type MailTemplate,
  partsOf,
  useMailNames,
} from "./template-parts.ts";
import { documentsQuery, templatesQuery } from "./template-queries.ts";

/** The mails about accounts and the documents, in every language. */
export function TemplatesPage() {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const { data, error, refetch } = useQuery(templatesQuery);
  const documents = useQuery(documentsQuery);
  const [isAdding, add] = useState(false);
  const [isAddingDocument, addDocument] = useState(false);
  useTitle(t("title"));
  if (error !== null && data === undefined) {
    return <FailureNotice error={error} onRetry={() => void refetch()} />;
  }
  if (documents.error !== null && documents.data === undefined) {
    return <FailureNotice error={documents.error} onRetry={() => void documents.refetch()} />;
  }
  if (data === undefined || documents.data === undefined)
    return <Skeleton label={words("loading")} rows={8} />;
  return (
    <div className="grid gap-8">
      <Section
        title={t("title")}
        text={t("text")}
        aside={<ToolButton onClick={() => add(true)}>{t("add")}</ToolButton>}
      >
        <TemplateList templates={data} />
      </Section>
      <Section
        title={t("documents")}
        text={t("documentsText")}
        aside={<ToolButton onClick={() => addDocument(true)}>{t("addDocument")}</ToolButton>}
      >
        <DocumentList templates={documents.data} />
      </Section>
      {isAdding && <AddLanguageDialog templates={data} onClose={() => add(false)} />}
      {isAddingDocument && <AddDocumentDialog onClose={() => addDocument(false)} />}
    </div>
  );
}

/** Templates of documents with their languages and formats. */
function DocumentList({ templates }: { readonly templates: readonly DocumentTemplate[] }) {
  const t = useTranslations("templates");
  if (templates.length === 0) return <EmptyState title={t("noDocuments")} />;
  const columns: readonly ListColumn<DocumentTemplate>[] = [
    {
      key: "title",
      label: t("parts.title"),
      cell: ({ id, title, key, language }) => (
        <NameLink
          href={`/admin/settings/templates/${id}`}
          name={title}
          mark={<ManagedMark part="templates" names={[key, language]} />}
        />
      ),
    },
    {
      key: "language",
      label: t("language"),
      width: "w-40",
      cell: ({ language }) => <LanguageName tag={language} />,
    },
    { key: "key", label: t("key"), cell: ({ key }) => <code className="font-mono">{key}</code> },
    {
      key: "format",
      label: t("parts.format"),
      width: "w-44",
      cell: ({ format }) => t(`formats.${format}`),
    },
    {
      key: "changed",
      label: t("changedAt"),
      width: "w-44",
      cell: ({ updatedAt }) => <Moment at={updatedAt} />,
    },
  ];
  return (
    <ListTable label={t("documents")} items={templates} columns={columns} keyOf={({ id }) => id} />
  );
}

interface AddLanguageDialogProps {
  readonly templates: readonly MailTemplate[];
  readonly onClose: () => void;
}

/** Adds a language to a mail, with the English text to begin with, and opens its page. */
function AddLanguageDialog({ templates, onClose }: AddLanguageDialogProps) {
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
      <SelectField
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

/** Adds a document in a language, with a few words to begin with, and opens its page. */
function AddDocumentDialog({ onClose }: { readonly onClose: () => void }) {
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
      <SelectField
        label={t("parts.format")}
        value={format}
        options={formats.map((value) => ({ value, label: t(`formats.${value}`) }))}
        onChange={setFormat}
      />
    </FormDialog>
  );
}
