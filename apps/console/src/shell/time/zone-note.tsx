import { useTimeZone, useTranslations } from "use-intl";

/** Names the zone of the times on a page, once a page. */
export function ZoneNote() {
  const t = useTranslations("values");
  const zone = useTimeZone() ?? "UTC";
  return (
    <span data-zone className="mr-1 min-w-0 truncate text-2 text-ink-2">
      {t("zone", { zone: zone.replaceAll("_", " ") })}
    </span>
  );
}
