import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { LockList, LossList, PaneSection } from "../../changes/change-lists.tsx";
import { SqlText } from "../../changes/sql-text.tsx";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { classes } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { tableQuery } from "../model/queries.ts";
import { FailingList } from "./failing-list.tsx";

/** What the draft will do, as the service computed it without doing any of it. */
export function PreviewPane() {
  const t = useTranslations("tableDraft");
  const { table, preview, changeCount, compiled, draft, faultsAt } = useDraft();
  const { effects, faults, failure, isCurrent, isOutdated } = preview;
  const isEmpty = changeCount === 0 || (table === null && draft.name === "");
  const general = faultsAt("");
  return (
    <aside
      aria-label={t("preview")}
      aria-busy={!isCurrent}
      className={classes(
        "grid min-w-0 content-start border-line bg-sunken/40 max-lg:border-t lg:sticky lg:top-11 lg:max-h-[calc(100dvh-2.75rem)] lg:overflow-y-auto lg:border-l",
      )}
    >
      <p role="status" className="px-4 pt-2 text-2 text-ink-2 empty:hidden">
        {!isCurrent && effects !== undefined && t("computing")}
      </p>
      {isOutdated && <OutdatedNotice />}
      {compiled.missing.length > 0 && (
        <PaneSection>
          <Notice kind="danger">{t("missing", { names: compiled.missing.join(", ") })}</Notice>
        </PaneSection>
      )}
      {failure !== null && (
        <PaneSection>
          <FailureNotice error={failure} onRetry={preview.retry} />
        </PaneSection>
      )}
      {isEmpty && (
        <PaneSection title={t("preview")}>
          <p className="text-ink-2">{t(table === null ? "emptyNew" : "empty")}</p>
        </PaneSection>
      )}
      {!isEmpty && faults.length > 0 && (
        <PaneSection>
          <Notice kind="danger">
            {general.length > 0
              ? general.map(({ message }) => (
                  <p key={message} lang="en">
                    {message}
                  </p>
                ))
              : t("faults", { count: faults.length })}
          </Notice>
        </PaneSection>
      )}
      {!isEmpty &&
        effects === undefined &&
        faults.length === 0 &&
        failure === null &&
        !isOutdated && (
          <PaneSection>
            <Skeleton label={t("computing")} rows={4} />
          </PaneSection>
        )}
      {!isEmpty && effects !== undefined && (
        <>
          <FailingList failing={effects.failingRows} />
          {effects.locks.length > 0 && <LockList locks={effects.locks} notes={effects.notes} />}
          {effects.losses.length > 0 && <LossList losses={effects.losses} />}
          {effects.confirmations.length > 0 && (
            <PaneSection title={t("toType")}>
              <p className="text-ink-2">
                {t("toTypeText", {
                  names: effects.confirmations.map(({ confirm }) => confirm).join(", "),
                })}
              </p>
            </PaneSection>
          )}
          <PaneSection title={t("sql")} detail={t("exactly")}>
            <SqlText statements={effects.sql} />
          </PaneSection>
        </>
      )}
    </aside>
  );
}

/** Another administrator has changed the table. The draft is kept, and applies to the table as it is once it is read. */
function OutdatedNotice() {
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
