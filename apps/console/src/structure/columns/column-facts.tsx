import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { ColumnModel } from "../model/column-model.ts";

/** What else is known of a column, in one line: what it was, its default, where it refers to. */
export function ColumnFacts({ column }: { readonly column: ColumnModel }) {
  const t = useTranslations("tableDraft");
  const { origin, reference, mark } = column;
  const facts: ReactNode[] = [];
  if (origin !== undefined && mark === "changed") {
    const { name, dataType, nullable } = origin;
    if (column.name !== name) facts.push(t("was", { value: name }));
    if (column.dataType !== dataType) facts.push(t("was", { value: dataType }));
    if (column.isRequired === nullable) facts.push(t(nullable ? "wasOptional" : "wasRequired"));
  }
  if (mark === "added" && column.isKey) facts.push(t("primaryKey"));
  if (column.isIdentity) facts.push(t("identity"));
  if (column.generatedAs !== null) facts.push(`= ${column.generatedAs}`);
  if (reference !== undefined) {
    const { targetSchema, targetTable, targetColumns, onDelete } = reference;
    facts.push(
      t("refersTo", {
        target: `${targetSchema}.${targetTable}.${targetColumns.join(", ")}`,
        action: onDelete.toLowerCase(),
      }),
    );
  }
  if (column.default !== "") facts.push(<code className="font-mono">{column.default}</code>);
  if (column.check !== "") facts.push(<code className="font-mono">{column.check}</code>);
  const text = facts.filter((fact) => typeof fact === "string").join(" · ");
  return (
    <span className="block truncate text-2 text-ink-2" title={text || column.default || undefined}>
      {facts.map((fact, index) => (
        // The order is fixed.
        <span key={String(index)}>
          {index > 0 && " · "}
          {fact}
        </span>
      ))}
    </span>
  );
}
