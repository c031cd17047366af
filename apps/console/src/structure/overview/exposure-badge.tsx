import { useTranslations } from "use-intl";
import { StateBadge } from "../../ui/entries.tsx";

/** Whether the Data API serves a table or view. */
export function ExposureBadge({ methods }: { readonly methods: readonly string[] | undefined }) {
  const t = useTranslations("structure");
  if (methods === undefined) return null;
  return methods.length === 0 ? (
    <StateBadge look="plain">{t("hidden")}</StateBadge>
  ) : (
    <span title={methods.join(", ")}>
      <StateBadge look="ok">{t("exposed")}</StateBadge>
    </span>
  );
}
