import { useFormatter, useTranslations } from "use-intl";
import { ResultTable } from "../../records/results/result-table.tsx";
import { Download } from "../../ui/icons.generated.ts";
import { Notice } from "../../ui/notice.tsx";
import { fileName, saveFile } from "../../ui/save-file.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { SqlAnswer, SqlResult } from "../run-request.ts";
import { csvOf, ndjsonOf } from "./export-result.ts";

/** The results of a run under each other, with its messages and its duration. */
export function ResultList({ answer, isWrite }: { answer: SqlAnswer; isWrite: boolean }) {
  const t = useTranslations("sql");
  const format = useFormatter();
  const results = answer.results.map((result, index) => ({ number: index + 1, result }));
  const notices = answer.notices.map((notice, index) => ({ ...notice, key: String(index) }));
  const duration = format.number(answer.durationMs);
  return (
    <div className="grid gap-5">
      <p role="status" className="text-ink-2">
        {t(isWrite ? "committed" : "done", { count: results.length, duration })}
      </p>
      {notices.length > 0 && (
        <Notice kind="info">
          <ul aria-label={t("notices")}>
            {notices.map(({ key, severity, message }) => (
              <li key={key} dir="auto">
                {severity}: {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {results.map(({ number, result }) => (
        <Result key={number} number={number} result={result} />
      ))}
    </div>
  );
}

function Result({ number, result }: { readonly number: number; readonly result: SqlResult }) {
  const t = useTranslations("sql");
  const format = useFormatter();
  const label = t("result", { number });
  const hasRows = result.columns.length > 0;
  const save = (text: string, ending: string, type: string) =>
    saveFile(new Blob([text], { type }), fileName(`result-${number}`, ending));
  const count = result.rowCount ?? (hasRows ? result.rows.length : null);
  return (
    <section aria-label={label} className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="text-4 font-semibold">{label}</h2>
        <code className="font-mono text-2 text-ink-2">{result.command}</code>
        {count !== null && (
          <span className="text-ink-2">
            {t(hasRows ? "rows" : "changedRows", { count, number: format.number(count) })}
          </span>
        )}
        {hasRows && (
          <div className="ml-auto flex gap-2">
            <ToolButton
              aria-label={t("exportCsv", { number })}
              onClick={() => save(csvOf(result), "csv", "text/csv")}
            >
              <Download size={14} aria-hidden="true" />
              <span lang="en">CSV</span>
            </ToolButton>
            <ToolButton
              aria-label={t("exportNdjson", { number })}
              onClick={() => save(ndjsonOf(result), "ndjson", "application/x-ndjson")}
            >
              <Download size={14} aria-hidden="true" />
              <span lang="en">NDJSON</span>
            </ToolButton>
          </div>
        )}
      </div>
      {result.truncated && <Notice kind="info">{t("truncated")}</Notice>}
      {hasRows && <ResultTable label={t("rowsOf", { number })} result={result} />}
    </section>
  );
}
