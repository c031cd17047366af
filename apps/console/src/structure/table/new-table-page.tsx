import { useParams } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { useTitle } from "../../shell/use-title.ts";
import { TableEditor } from "./table-editor.tsx";

/** A new table, as a draft beside the SQL that creates it. */
export function NewTablePage() {
  const t = useTranslations("structure");
  const { schema } = useParams({ from: "/frame/admin/structure/$schema/new/table" });
  useTitle(t("newTable"));
  return <TableEditor key={schema} schema={schema} table={null} etag={undefined} tab="columns" />;
}
