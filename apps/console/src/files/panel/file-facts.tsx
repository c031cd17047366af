import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { FileRecord } from "../../records/library/file-record.ts";
import { useFileWords } from "../../records/library/use-file-words.ts";
import { Moment } from "../../shell/moment.tsx";
import { PanelSection } from "./panel-section.tsx";

/** What the service knows of a file, as far as the person may read it. */
export function FileFacts({ file }: { readonly file: FileRecord }) {
  const t = useTranslations("files.details");
  const words = useFileWords();
  const { media_type: type, claimed_type: claimed, width, height, sha256, id } = file;
  const moment = (at: string | undefined) => (at === undefined ? undefined : <Moment at={at} />);
  const code = (text: string) => <code className="font-mono text-2 wrap-anywhere">{text}</code>;
  const isClaim = claimed !== null && claimed !== undefined && claimed !== type;
  const facts: readonly (readonly [label: string, value: ReactNode])[] = [
    [t("mediaType"), type],
    [t("claimedType"), isClaim ? claimed : undefined],
    [t("size"), words.sizeOf(file)],
    [
      t("dimensions"),
      typeof width === "number" && typeof height === "number"
        ? t("pixels", { width, height })
        : undefined,
    ],
    [t("createdAt"), moment(file.created_at)],
    [t("updatedAt"), moment(file.updated_at)],
    [t("sha256"), typeof sha256 === "string" ? code(sha256) : undefined],
    [t("id"), code(id)],
  ];
  return (
    <PanelSection title={t("facts")}>
      <dl className="grid grid-cols-[minmax(0,116px)_minmax(0,1fr)] gap-x-2 gap-y-1.5">
        {facts
          .filter(([, value]) => value !== undefined && value !== null)
          .map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-ink-2">{label}</dt>
              <dd className="min-w-0 wrap-anywhere">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
    </PanelSection>
  );
}
