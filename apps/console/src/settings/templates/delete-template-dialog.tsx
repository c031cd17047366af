import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useOpen } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { ConfirmTask } from "../../shell/confirm-task.tsx";
import { renew } from "../../shell/renew.ts";
import { useTask } from "../../shell/use-task.ts";
import type { Template } from "./template-parts.ts";
import { documentsQuery, templatesQuery } from "./template-queries.ts";

interface DeleteTemplateDialogProps {
  readonly template: Template;
  readonly name: string;
  readonly onClose: () => void;
}

/** Deletes a language of a mail. */
export function DeleteTemplateDialog({ template, name, onClose }: DeleteTemplateDialogProps) {
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
