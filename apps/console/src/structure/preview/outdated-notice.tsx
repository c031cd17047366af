import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { Notice } from "../../ui/notice.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { tableQuery } from "../model/queries.ts";
import { PaneSection } from "./pane-section.tsx";

/** Another administrator has changed the table. The draft is kept, and applies to the table as it is once it is read. */
export function OutdatedNotice() {
  const t = useTranslations("tableDraft");
  const queries = useQueryClient();
  const { schema, table } = useDraft();
  if (table === null) return null;
  const reload = () =>
    void queries.invalidateQueries({ queryKey: tableQuery(schema, table.name).queryKey });
  return (
    <PaneSection>
      <Notice kind="danger">
        <div className="grid justify-items-start gap-2">
          <p>{t("outdated")}</p>
          <ToolButton onClick={reload}>{t("readAgain")}</ToolButton>
        </div>
      </Notice>
    </PaneSection>
  );
}
