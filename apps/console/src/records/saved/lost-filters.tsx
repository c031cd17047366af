import { useTranslations } from "use-intl";
import { Notice } from "../../ui/notice.tsx";
import type { ReadingEntry } from "./reading-api.ts";

/** Says that filters were written for other columns, until they are saved again. */
export function LostFilters({ lost }: Pick<ReadingEntry, "lost">) {
  const t = useTranslations("readings");
  const fields = [...new Set(lost.map(({ field }) => field))];
  return fields.length === 0 ? null : (
    <Notice kind="danger">{t("lost", { count: fields.length, fields: fields.join(", ") })}</Notice>
  );
}
