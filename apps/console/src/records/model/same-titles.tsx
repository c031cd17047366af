import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { AppLink } from "../../shell/app-link.tsx";
import { type NavigationResource, personQuery } from "../../shell/navigation.ts";
import { linkClasses } from "../../ui/classes.ts";
import { useWays, type Ways } from "../values/ways.ts";
import { recordTitle } from "./record-title.ts";
import { kindOf, type Row } from "./resource.ts";

/** Rows that are compared. */
const rowsMax = 500;

/** Offers an administrator another title where rows of a list have the same one; nothing otherwise. */
export function SameTitles(props: {
  readonly resource: NavigationResource;
  readonly rows: readonly Row[];
}) {
  const { resource, rows } = props;
  const t = useTranslations("record");
  const ways = useWays();
  const { data: person } = useQuery(personQuery);
  const hasSame = useMemo(() => hasSameTitles(resource, rows, ways), [resource, rows, ways]);
  if (person?.isAdministrator !== true || !hasSame) return null;
  const parts = [resource.schema, kindOf(resource), resource.name].map(encodeURIComponent);
  return (
    <AppLink
      href={`/admin/structure/${parts.join("/")}?tab=presentation`}
      className={`${linkClasses} truncate`}
    >
      {t("sameTitles")}
    </AppLink>
  );
}

/** Whether two of the first rows have one title, among those of which all of the title was read. */
function hasSameTitles(resource: NavigationResource, rows: readonly Row[], ways: Ways): boolean {
  const { title } = resource;
  const seen = new Set<string>();
  for (const row of rows.slice(0, rowsMax)) {
    const isRead = title.every(
      ({ field, reference }) =>
        field in row &&
        (reference === undefined ||
          reference.relation in row ||
          `${reference.relation}_row` in row),
    );
    const text = isRead ? recordTitle(resource, row, ways) : undefined;
    if (text === undefined) continue;
    if (seen.has(text)) return true;
    seen.add(text);
  }
  return false;
}
