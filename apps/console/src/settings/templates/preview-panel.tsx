import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { classes } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { TemplatePreview } from "./use-template-preview.ts";

interface PreviewPanelProps<Shown> {
  readonly preview: TemplatePreview<Shown>;
  readonly text: string;
  /** Says that the panel shows what was rendered before the faults. */
  readonly refused: string;
  readonly children: (shown: Shown) => ReactNode;
}

/** What a draft makes, beside its parts. */
export function PreviewPanel<Shown>({
  preview,
  text,
  refused,
  children,
}: PreviewPanelProps<Shown>) {
  const t = useTranslations("templates");
  const words = useTranslations("manage");
  const { shown, failure, isCurrent, isRefused, retry } = preview;
  return (
    <Section title={t("preview")} text={text}>
      {failure !== null && <FailureNotice error={failure} onRetry={retry} />}
      {isRefused && <Notice kind="info">{refused}</Notice>}
      {shown === undefined && failure === null && !isRefused && (
        <Skeleton label={words("loading")} rows={6} />
      )}
      {shown !== undefined && (
        <div
          aria-busy={!isCurrent && !isRefused && failure === null}
          className={classes(
            "grid rounded-panel border border-line bg-surface",
            !isCurrent && "text-ink-2",
          )}
        >
          {children(shown)}
        </div>
      )}
    </Section>
  );
}
