import { readUnifiedDiff, unifiedDiff } from "@rowhouse/wire";
import { useMemo, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { AppLink } from "../shell/app-link.tsx";
import { StateBadge } from "../ui/entries.tsx";
import { FoldButton } from "../ui/fold-button.tsx";
import { Download } from "../ui/icons.generated.ts";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/section.tsx";
import { ToolButton, toolClasses } from "../ui/tool-button.tsx";
import type { Drift } from "./configuration-queries.ts";
import { FileDiff, LineCounts } from "./file-diff.tsx";

interface DriftSectionProps {
  readonly files: Drift["files"];
  /** Downloads the present files. */
  readonly onTake: () => void;
  readonly isTaking: boolean;
}

/** So many files show their lines at once. */
const openMax = 3;

/** What differs from the files after the last apply, with the two ways to end it. */
export function DriftSection({ files, onTake, isTaking }: DriftSectionProps) {
  const t = useTranslations("configuration");
  const format = useFormatter();
  if (files.length === 0) {
    return (
      <Section title={t("drift")}>
        <Notice kind="ok">{t("noDrift")}</Notice>
      </Section>
    );
  }
  return (
    <Section
      title={t("drift")}
      text={t("driftText", { count: files.length, number: format.number(files.length) })}
      aside={
        <div className="flex flex-wrap gap-2">
          <ToolButton aria-disabled={isTaking} onClick={onTake} title={t("takeText")}>
            <Download size={14} aria-hidden="true" />
            {t("take")}
          </ToolButton>
          <AppLink href="/admin/configuration/set-back" className={toolClasses("plain")}>
            {t("setBack")}
          </AppLink>
        </div>
      }
    >
      <ul className="rounded-panel border border-line bg-surface">
        {files.map((file) => (
          <DriftedFile key={file.path} file={file} isFirst={files.length <= openMax} />
        ))}
      </ul>
      <p className="max-w-140 text-2 text-ink-2">{t("takeText")}</p>
    </Section>
  );
}

type File = Drift["files"][number];

function DriftedFile(props: { readonly file: File; readonly isFirst: boolean }) {
  const t = useTranslations("configuration");
  const { file } = props;
  const [isOpen, setOpen] = useState(props.isFirst);
  const diff = useMemo(
    () => readUnifiedDiff(unifiedDiff(file.before ?? "", file.after ?? "")),
    [file],
  );
  return (
    <li className="border-line border-b last:border-b-0">
      <FoldButton isOpen={isOpen} onToggle={setOpen} className="gap-2 px-3 py-2 hover:bg-sunken">
        <code dir="auto" className="min-w-0 font-mono text-2 wrap-anywhere">
          {file.path}
        </code>
        {file.kind === "NOT_IN_FILES" && <StateBadge look="ok">{t("newFile")}</StateBadge>}
        {file.kind === "MISSING" && <StateBadge look="warn">{t("goneFile")}</StateBadge>}
        <LineCounts diff={diff} />
      </FoldButton>
      {isOpen && (
        <div className="border-line border-t">
          <FileDiff diff={diff} label={file.path} />
        </div>
      )}
    </li>
  );
}
