import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { useOwnWays, type Ways } from "../../records/values/ways.ts";
import type { PanelWays } from "../model/panel-ways.ts";

/** How the values of a dashboard are written: in the person's language and in the zone of the board. */
function useBoardWays(timeZone: string): Ways {
  const own = useOwnWays();
  return useMemo(() => ({ ...own, timeZone }), [own, timeZone]);
}

/** How the content of panels is written. */
export function usePanelWays(timeZone: string): PanelWays {
  const t = useTranslations("panels");
  const values = useBoardWays(timeZone);
  return useMemo(
    () => ({
      ...{ values, timeZone, locale: values.locale },
      ...{ none: t("none"), emptyText: t("emptyText") },
      quarter: (quarter, year) => t("quarter", { quarter: String(quarter), year }),
      week: (start) => t("week", { start }),
      aggregate: (apply, name) =>
        name === null ? t("aggregate.rows") : t(`aggregate.${apply}`, { name }),
    }),
    [t, values, timeZone],
  );
}
