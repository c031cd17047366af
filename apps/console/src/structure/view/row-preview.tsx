import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { ResultTable } from "../../records/results/result-table.tsx";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { Section } from "../../ui/section.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";

const rowsMax = 20;

interface RowPreviewProps {
  readonly schema: string;
  readonly definition: string;
  readonly isDisabled: boolean;
}

/** The first rows of a definition, before it is saved. It runs read-only. */
export function RowPreview({ schema, definition, isDisabled }: RowPreviewProps) {
  const t = useTranslations("viewEditor");
  const run = useMutation({
    mutationFn: async (text: string) => {
      const data = { sql: text, readOnly: true, rowsMax };
      return (await client.admin.post("/sql", { data })).data.results.at(-1);
    },
  });
  const start = () => run.mutate(rowsSql(schema, definition));
  const isCurrent = run.variables === rowsSql(schema, definition);
  return (
    <Section title={t("rows")} text={t("rowsText", { count: rowsMax })}>
      <div className="grid justify-items-start gap-3">
        <ToolButton disabled={isDisabled || run.isPending} onClick={start}>
          {t(run.isPending ? "runningRows" : "showRows")}
        </ToolButton>
        {isCurrent && run.error !== null && <FailureNotice error={run.error} onRetry={start} />}
        {isCurrent && run.data !== undefined && (
          <div className="w-full">
            {run.data.rows.length === 0 ? (
              <p className="text-ink-2">{t("noRows")}</p>
            ) : (
              <ResultTable label={t("rows")} result={run.data} />
            )}
          </div>
        )}
      </div>
    </Section>
  );
}

/** A table without a schema is one of the view's schema, as in the stored view. */
function rowsSql(schema: string, definition: string): string {
  const select = definition.trim().replace(/;$/, "");
  const path = `"${schema.replaceAll('"', '""')}"`;
  return `set local search_path = ${path};\nselect * from (\n${select}\n) as definition limit ${rowsMax}`;
}
