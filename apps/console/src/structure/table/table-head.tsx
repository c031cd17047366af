import { useFormatter, useLocale, useTranslations } from "use-intl";
import { bytesText } from "../../records/values/show-number.ts";
import { AppLink } from "../../shell/app-link.tsx";
import { resourcePath } from "../../shell/resource-path.ts";
import { linkClasses } from "../../ui/link-classes.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useDraft } from "../draft/draft-context.ts";
import type { Table } from "../model/queries.ts";
import { StructureTrail } from "./structure-trail.tsx";

interface TableHeadProps {
  readonly onApply: () => void;
  readonly onDrop: () => void;
}

/** Where one is, how large the table is, and what can be done with the draft. */
export function TableHead({ onApply, onDrop }: TableHeadProps) {
  const t = useTranslations("structure");
  const words = useTranslations("tableDraft");
  const { schema, table, changeCount, isChanged, compiled, preview, discard } = useDraft();
  const failing = preview.effects?.failingRows ?? [];
  const mayApply =
    changeCount > 0 &&
    preview.isCurrent &&
    preview.effects !== undefined &&
    failing.length === 0 &&
    compiled.missing.length === 0;
  return (
    <div className="sticky top-0 z-10 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-b bg-canvas px-4 py-2 max-md:static md:px-6">
      <h1 className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 text-4 font-semibold wrap-anywhere">
        <StructureTrail schema={schema} />
        <span dir="auto">{table === null ? t("newTable") : table.name}</span>
        {table !== null && <TableFacts table={table} />}
      </h1>
      <div className="flex flex-wrap items-center gap-2">
        {table !== null && (
          <AppLink
            href={resourcePath({ schema, name: table.name, kind: "TABLE" })}
            className={linkClasses}
          >
            {t("openRows")}
          </AppLink>
        )}
        {table !== null && !isChanged && (
          <ToolButton kind="danger" onClick={onDrop}>
            {words("dropTable")}
          </ToolButton>
        )}
        {isChanged && (
          <>
            <span
              role="status"
              className="rounded-full bg-accent-soft px-2.5 py-0.5 text-2 font-medium text-accent"
            >
              {table === null ? words("newDraft") : words("draft", { count: changeCount })}
            </span>
            <ToolButton onClick={discard}>{words("discard")}</ToolButton>
            <ToolButton kind="primary" disabled={!mayApply} onClick={onApply}>
              {words(table === null ? "create" : "apply")}
            </ToolButton>
          </>
        )}
      </div>
    </div>
  );
}

function TableFacts({ table }: { readonly table: Table }) {
  const t = useTranslations("structure");
  const format = useFormatter();
  const locale = useLocale();
  const { rowEstimate, tableBytes, indexBytes } = table;
  const rows = rowEstimate === null ? t("unknown") : format.number(rowEstimate);
  const size =
    tableBytes === null || indexBytes === null
      ? t("unknown")
      : bytesText(String(tableBytes + indexBytes), locale);
  return <span className="font-normal text-3 text-ink-2">{t("facts", { rows, size })}</span>;
}
