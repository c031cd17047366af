import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { resourceQuery } from "../model/queries.ts";
import { ResourceSwitch } from "./resource-switch.tsx";

/** Whether a table with two foreign keys relates the rows of two tables, although its key is another. */
export function JunctionSection({ resourceId }: { readonly resourceId: string }) {
  const t = useTranslations("presentation");
  const { data: resource } = useQuery(resourceQuery(resourceId));
  if (resource === undefined) return null;
  const { junction, primaryKey, relations } = resource;
  const keys = relations.filter(({ foreignKey }) => foreignKey === "OWN");
  const named = new Set(keys.flatMap(({ columns }) => columns.map(({ own }) => own)));
  const isOfKeys = primaryKey.length === named.size && primaryKey.every((name) => named.has(name));
  if (!junction && (keys.length !== 2 || isOfKeys)) return null;
  const words = { title: t("junction"), text: t("junctionText"), label: t("isJunction") };
  return <ResourceSwitch resourceId={resourceId} field="junction" {...words} />;
}
