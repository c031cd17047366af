import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { FailureNotice } from "../shell/failure-notice.tsx";
import { Snippet } from "../shell/snippet.tsx";
import { useTask } from "../shell/use-task.ts";
import { useTitle } from "../shell/use-title.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Download, Upload } from "../ui/icons.generated.ts";
import { Notice } from "../ui/notice.tsx";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { saveFile } from "../ui/save-file.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { ToolButton, toolClasses } from "../ui/tool-button.tsx";
import { driftQuery, readFiles } from "./configuration-queries.ts";
import { DriftSection } from "./drift-section.tsx";
import { LastApplyCard } from "./last-apply-card.tsx";
import { writeZip } from "./zip.ts";

/** The configuration as files: what was applied last, what differs from it, and the files themselves. */
export function ConfigurationPage() {
  const t = useTranslations("configuration");
  const words = useTranslations("manage");
  const { data: drift, error, refetch } = useQuery(driftQuery);
  const parts = drift?.parts;
  /** Downloads the present files: those of the parts that applies cover, or of all. */
  const download = async (ofParts?: readonly string[]) =>
    saveFile(await writeZip(await readFiles(ofParts)), "configuration.zip");
  const exporting = useTask(() => download(), []);
  const taking = useTask(() => download(parts), []);
  const failure = exporting.failure ?? taking.failure;
  useTitle(t("title"));
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("text")}>
        <AppLink href="/admin/configuration/import" className={toolClasses("plain")}>
          <Upload size={14} aria-hidden="true" />
          {t("import")}
        </AppLink>
        <ToolButton aria-disabled={exporting.isBusy} onClick={exporting.run}>
          <Download size={14} aria-hidden="true" />
          {t("export")}
        </ToolButton>
      </PageHead>
      {failure !== undefined && <Notice kind="danger">{failure}</Notice>}
      {drift === undefined && error !== null && (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
      {drift === undefined && error === null && <Skeleton label={words("loading")} rows={6} />}
      {drift?.lastApply === null && (
        <EmptyState title={t("none")} text={t("noneText")}>
          <div className="w-full max-w-140">
            <Snippet heading="h2" title={t("commands")} text={commands(window.location.origin)} />
          </div>
        </EmptyState>
      )}
      {drift !== undefined && drift.lastApply !== null && (
        <>
          <LastApplyCard apply={drift.lastApply} parts={drift.parts} />
          <DriftSection files={drift.files} onTake={taking.run} isTaking={taking.isBusy} />
        </>
      )}
    </div>
  );
}

function commands(url: string): string {
  return [
    `export ROWHOUSE_URL=${url} ROWHOUSE_TOKEN=…`,
    "rowhouse pull config",
    "rowhouse plan config",
    "rowhouse apply config",
  ].join("\n");
}
