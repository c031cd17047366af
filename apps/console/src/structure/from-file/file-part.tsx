import { useFormatter, useTranslations } from "use-intl";
import { FileField } from "../../records/files/file-field.tsx";
import { useFailureText } from "../../shell/failure-text.ts";
import { Notice } from "../../ui/notice.tsx";
import { ProgressBar } from "../../ui/progress-bar.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { Proposal } from "./propose-table.ts";
import type { FileProposal } from "./use-file-proposal.ts";

/** Takes the file whose rows a new table gets, and says what was found in it. */
export function FilePart({ file }: { readonly file: FileProposal }) {
  const t = useTranslations("fromFile");
  const words = useTranslations("manage");
  const format = useFormatter();
  const describe = useFailureText();
  const { reading, proposal } = file;
  const isReading = reading.name === "READING";
  return (
    <div className="grid max-w-140 gap-3">
      {isReading && (
        <>
          <p role="status">{t("reading", { rows: format.number(reading.rows) })}</p>
          <ProgressBar label={t("title")} part={undefined} />
          <div>
            <ToolButton onClick={file.cancel}>{words("cancel")}</ToolButton>
          </div>
        </>
      )}
      {proposal !== undefined && !isReading && <Found proposal={proposal} />}
      {reading.name === "FAILED" && <Notice kind="danger">{describe(reading.error)}</Notice>}
      {reading.name === "EMPTY" && <Notice kind="danger">{t("noNames")}</Notice>}
      {/* It stays while the file is read, because a new one would have lost the name of the file. */}
      <div hidden={isReading}>
        <FileField
          label={t(proposal === undefined ? "title" : "another")}
          hint={t("hint")}
          accept=".csv,.tsv,.txt"
          onFile={(chosen) => void file.choose(chosen)}
        />
      </div>
    </div>
  );
}

/** What a file has, as far as the draft does not show it. */
function Found({ proposal }: { readonly proposal: Proposal }) {
  const t = useTranslations("fromFile");
  const format = useFormatter();
  const { source, rows, columns } = proposal.profile;
  const unique = source.names.filter((_name, index) => columns[index]?.isUnique);
  const hasChoices = columns.some(({ choices }) => choices !== undefined);
  return (
    <Notice kind="info">
      <span className="grid gap-1">
        <span className="wrap-anywhere">
          {t("found", { rows: format.number(rows), name: source.file.name })}
        </span>
        <span className="wrap-anywhere">
          {unique.length === 0 ? t("noneUnique") : t("unique", { names: unique.join(", ") })}
        </span>
        {hasChoices && <span>{t("choices")}</span>}
      </span>
    </Notice>
  );
}
