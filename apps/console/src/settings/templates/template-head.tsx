import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { AppLink, useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import { type ManagedLock, ManagedNotice } from "../../shell/managed.tsx";
import { renew } from "../../shell/renew.ts";
import { useTask } from "../../shell/use-task.ts";
import { useTitle } from "../../shell/use-title.ts";
import { Button } from "../../ui/button.tsx";
import { linkClasses } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { LanguageName } from "./template-list.tsx";
import type { Template } from "./template-parts.ts";
import { documentsQuery, templatesQuery } from "./template-queries.ts";
import type { ForeignPart, TemplateDraft } from "./use-template-draft.ts";

interface TemplateHeadProps {
  readonly template: Template;
  readonly name: string;
  /** Whether the name is a text of an administrator, which has a direction of its own. */
  readonly isOwnName?: boolean;
  readonly text: ReactNode;
  /** Beside the language. */
  readonly state?: ReactNode;
  readonly canDelete: boolean;
  readonly lock: ManagedLock;
  /** Further actions. */
  readonly children?: ReactNode;
}

/** The head of a template: its name and language, and what it is for. */
export function TemplateHead({
  template,
  name,
  isOwnName = false,
  text,
  state,
  canDelete,
  lock,
  children,
}: TemplateHeadProps) {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const [isDeleting, startDelete] = useState(false);
  useTitle(name);
  return (
    <>
      <PageHead
        trail={
          <>
            <AppLink href="/admin/settings/templates" className={linkClasses}>
              {t(template.kind === "MAIL" ? "title" : "documents")}
            </AppLink>
            <span aria-hidden="true"> / </span>
          </>
        }
        title={
          <>
            {isOwnName ? <bdi>{name}</bdi> : name}
            <span className="flex flex-wrap gap-1.5 font-normal text-3 text-ink-2">
              <LanguageName tag={template.language} />
              {state}
            </span>
          </>
        }
        text={text}
      >
        {children}
        {canDelete && (
          <ToolButton kind="danger" disabled={lock.isLocked} onClick={() => startDelete(true)}>
            {words("delete")}
          </ToolButton>
        )}
      </PageHead>
      <ManagedNotice lock={lock} />
      {isDeleting && (
        <DeleteTemplateDialog template={template} name={name} onClose={() => startDelete(false)} />
      )}
    </>
  );
}

interface DeleteTemplateDialogProps {
  readonly template: Template;
  readonly name: string;
  readonly onClose: () => void;
}

/** Deletes a language of a mail. */
function DeleteTemplateDialog({ template, name, onClose }: DeleteTemplateDialogProps) {
  const t = useTranslations("templates");
  const cache = useQueryClient();
  const isMail = template.kind === "MAIL";
  const open = useOpen();
  const task = useTask(async () => {
    await client.admin.delete("/templates/{id}", { path: { id: template.id } });
    const { queryKey } = isMail ? templatesQuery : documentsQuery;
    await renew(cache, { queryKey, exact: true });
    open("/admin/settings/templates");
  }, []);
  return (
    <ConfirmTask title={t("deleteTitle", { name })} task={task} onClose={onClose}>
      {t(isMail ? "deleteText" : "deleteDocumentText")}
    </ConfirmTask>
  );
}

interface TemplateActionsProps {
  readonly draft: Omit<TemplateDraft<unknown>, "set">;
  /** Further actions. */
  readonly children?: ReactNode;
}

/** What can be done with a draft: saved, discarded, and more. */
export function TemplateActions({ draft, children }: TemplateActionsProps) {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const { saving, isChanged, outcome } = draft;
  if (!isChanged && outcome === undefined && children === undefined) return null;
  return (
    <div className="-mx-1 bottom-0 z-10 grid gap-2 border-line border-t bg-canvas px-1 py-3 md:sticky">
      {saving.failure !== undefined && <Notice kind="danger">{saving.failure}</Notice>}
      {outcome === "saved" && <Notice kind="ok">{words("saved")}</Notice>}
      <div className="flex flex-wrap items-center gap-3">
        {isChanged && (
          <>
            <Button type="submit" kind="primary" isBusy={saving.isBusy}>
              {words("save")}
            </Button>
            <Button onPress={draft.discard}>{t("discard")}</Button>
          </>
        )}
        {children}
        {isChanged && <span className="text-ink-2">{t("unsaved")}</span>}
      </div>
    </div>
  );
}

/** Says that another administrator has saved the template meanwhile, with the text of the parts that both have changed. */
export function ForeignParts({ parts }: { readonly parts: readonly ForeignPart[] }) {
  const t = useTranslations("templates");
  return (
    <Notice kind="danger">
      <p>{t(parts.length === 0 ? "mergedMeanwhile" : "changedMeanwhile")}</p>
      {parts.map(({ name, text }) => (
        <div key={name} className="mt-2 grid gap-1">
          <p className="font-medium">{t("theirs", { part: t(`parts.${name}`) })}</p>
          <code className="block font-mono text-2 whitespace-pre-wrap wrap-anywhere" dir="auto">
            {text ?? t("noHtml")}
          </code>
        </div>
      ))}
    </Notice>
  );
}
