import { useState } from "react";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { MailTemplate } from "./template-parts.ts";
import type { TemplateDraft } from "./use-template-draft.ts";
import type { TemplateDraft as SentDraft } from "./use-template-preview.ts";

interface TemplateActionsProps {
  readonly template: MailTemplate;
  readonly draft: TemplateDraft;
  /** The draft as the service takes it. */
  readonly sent: SentDraft;
}

/** What can be done with a draft: saved, discarded, and sent to oneself. */
export function TemplateActions({ template, draft, sent }: TemplateActionsProps) {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const { saving, isChanged } = draft;
  const [delivered, setDelivered] = useState<{ readonly to: string; readonly response: string }>();
  const test = useTask(async () => {
    setDelivered(undefined);
    const options = { path: { id: template.id }, data: sent };
    const { data } = await client.admin.post("/templates/{id}/test-mail", options);
    setDelivered(data);
  }, []);
  return (
    <div className="-mx-1 bottom-0 z-10 grid gap-2 border-line border-t bg-canvas px-1 py-3 md:sticky">
      {saving.failure !== undefined && <Notice kind="danger">{saving.failure}</Notice>}
      {test.failure !== undefined && <Notice kind="danger">{test.failure}</Notice>}
      {draft.outcome === "saved" && <Notice kind="ok">{words("saved")}</Notice>}
      {delivered !== undefined && <Notice kind="ok">{t("delivered", delivered)}</Notice>}
      <div className="flex flex-wrap items-center gap-3">
        {isChanged && (
          <>
            <Button type="submit" kind="primary" isBusy={saving.isBusy}>
              {words("save")}
            </Button>
            <Button onPress={draft.discard}>{t("discard")}</Button>
          </>
        )}
        <Button isBusy={test.isBusy} onPress={test.run}>
          {t("testMail")}
        </Button>
        {isChanged && <span className="text-ink-2">{t("unsaved")}</span>}
      </div>
    </div>
  );
}
