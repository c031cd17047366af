import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { Badge } from "../../records/values/badge.tsx";
import { columnsQuery } from "../model/queries.ts";

/** The values of a column whose type lists them. */
export function EnumValues(props: { readonly resourceId: string; readonly column: string }) {
  const t = useTranslations("tableDraft");
  const { data } = useQuery(columnsQuery(props.resourceId));
  const values = data?.find(({ name }) => name === props.column)?.values ?? null;
  if (values === null) return null;
  return (
    <div className="grid gap-1.5">
      <p className="font-medium">{t("values")}</p>
      <div className="flex flex-wrap gap-1">
        {values.map((value) => (
          <Badge key={value} color="gray">
            {value}
          </Badge>
        ))}
      </div>
    </div>
  );
}
