import { useTranslations } from "use-intl";
import { StateBadge } from "../../ui/entries.tsx";
import type { FileRecord } from "./file-record.ts";

/** That a file is public, and that it cannot be opened. */
export function FileBadges({ file }: { readonly file: FileRecord }) {
  const t = useTranslations("files");
  const { state, visibility } = file;
  return (
    <>
      {state === "PENDING" && <StateBadge look="plain">{t("state.PENDING")}</StateBadge>}
      {state === "QUARANTINED" && <StateBadge look="warn">{t("state.QUARANTINED")}</StateBadge>}
      {visibility === "PUBLIC" && <StateBadge look="ok">{t("visibility.PUBLIC")}</StateBadge>}
    </>
  );
}
