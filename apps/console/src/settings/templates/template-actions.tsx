import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { TemplateDraft } from "./use-template-draft.ts";

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
