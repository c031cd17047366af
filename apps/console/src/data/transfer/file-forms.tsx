import { useTranslations } from "use-intl";
import { dateFormats } from "../../records/files/cell-forms.ts";
import type { Source } from "../../records/files/read-source.ts";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import type { Import } from "./use-import.ts";

const encodingNames = {
  "utf-8": "UTF-8",
  "windows-1252": "Windows-1252",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
} as const;
const separatorNames = { ",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe" } as const;

/** How a CSV file is written: what the file shows, or what the person chooses. */
export function FileForms({ run, source }: { readonly run: Import; readonly source: Source }) {
  const t = useTranslations("transfer");
  const { encoding, separator } = source;
  const { forms, proposed } = run;
  const again = (parts: Partial<Pick<Source, "encoding" | "separator">>) =>
    void run.choose(source.file, { encoding, separator, ...parts });
  const formats = [...new Set([...dateFormats, ...proposed.dateFormats, forms.dateFormat ?? ""])];
  const open = { value: "?", label: t("choose") };
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="sr-only">{t("form")}</legend>
      <div className="flex min-w-0 flex-wrap gap-x-4 gap-y-2">
        <Select
          label={t("encoding")}
          value={encoding}
          options={source.encodings.map((value) => ({ value, label: encodingNames[value] }))}
          onChange={(value) => again({ encoding: value })}
        />
        <Select
          label={t("separator")}
          value={separator}
          options={([",", ";", "\t", "|"] as const).map((value) => ({
            ...{ value, label: t(separatorNames[value]) },
          }))}
          onChange={(value) => again({ separator: value })}
        />
        <Select
          label={t("decimal")}
          value={forms.decimal ?? "?"}
          options={[
            ...(forms.decimal === undefined ? [{ ...open, value: "?" as const }] : []),
            { value: "dot" as const, label: t("decimalDot") },
            { value: "comma" as const, label: t("decimalComma") },
          ]}
          onChange={(decimal) => decimal !== "?" && run.changeForms({ decimal })}
        />
        <Select
          label={t("dates")}
          value={forms.dateFormat ?? "?"}
          options={[
            ...(forms.dateFormat === undefined ? [open] : []),
            ...formats.map((value) => ({ value, label: value === "" ? t("isoDates") : value })),
          ]}
          onChange={(dateFormat) => dateFormat !== "?" && run.changeForms({ dateFormat })}
        />
      </div>
      {forms.dateFormat === undefined && (
        <Notice kind="info">
          {t(proposed.dateFormats.length === 0 ? "unknownDate" : "ambiguousDate", {
            text: proposed.dateExample ?? "",
          })}
        </Notice>
      )}
      {forms.decimal === undefined && (
        <Notice kind="info">
          {t("ambiguousDecimal", { text: proposed.decimalExample ?? "" })}
        </Notice>
      )}
    </fieldset>
  );
}
