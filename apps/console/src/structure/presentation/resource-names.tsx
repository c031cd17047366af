import { parseTitle } from "@rowhouse/access/record-title";
import { wordsOfName } from "@rowhouse/access/written-name";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslations } from "use-intl";
import { recordTitle, withReferences } from "../../records/model/record-title.ts";
import type { Row } from "../../records/model/resource.ts";
import { useWays } from "../../records/values/ways.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { panelClasses } from "../../ui/section.tsx";
import { Select } from "../../ui/select.tsx";
import { TextArea } from "../../ui/text-area.tsx";
import { LineField } from "../columns/line-field.tsx";
import type { ResourceColumn } from "../model/queries.ts";
import type { PresentationDraft, ResourceTexts } from "./use-presentation.ts";

interface ResourceNamesProps {
  readonly resourceId: string;
  readonly name: string;
  readonly stored: ResourceTexts;
  readonly proposedTitle: string | null;
  readonly columns: readonly ResourceColumn[];
  readonly draft: PresentationDraft;
  /** Rows whose titles are shown; empty without any. */
  readonly rows: readonly Row[];
}

/** What people call a table or view, and the title of one of its records. */
export function ResourceNames(props: ResourceNamesProps) {
  const { name, stored, proposedTitle, columns, draft, rows } = props;
  const t = useTranslations("presentation");
  const { task, texts, editTexts } = draft;
  const shown = { ...stored, ...texts };
  const title = shown.title ?? "";
  return (
    <div className={panelClasses}>
      <LineField
        label={t("tableLabel")}
        value={shown.label ?? ""}
        placeholder={wordsOfName(name)}
        onChange={(text) => editTexts({ label: text || null })}
        fault={task.faultAt("/data/label")}
      />
      <TextArea
        label={t("description")}
        name="description"
        value={shown.description ?? ""}
        onChange={(text) => editTexts({ description: text || null })}
        fault={task.faultAt("/data/description")}
      />
      <div className="grid gap-2">
        <LineField
          label={t("recordTitle")}
          value={title}
          placeholder={proposedTitle ?? t("titleOfKey")}
          hint={t("recordTitleHint")}
          onChange={(text) => editTexts({ title: text || null })}
          fault={task.faultAt("/data/title")}
          isCode
        />
        <Select
          label={t("insertField")}
          value=""
          options={[
            { value: "", label: t("chooseField") },
            ...columns.map((column) => ({ value: column.name, label: column.name, isName: true })),
          ]}
          onChange={(field) => {
            const begun = title === "" ? "" : `${title} `;
            if (field !== "") editTexts({ title: `${begun}{${field}}` });
          }}
        />
        <TitleSamples {...props} template={title === "" ? proposedTitle : title} rows={rows} />
      </div>
    </div>
  );
}

/** The titles that the first rows have by a template. */
function TitleSamples({
  resourceId,
  template,
  rows,
}: Pick<ResourceNamesProps, "resourceId" | "rows"> & { readonly template: string | null }) {
  const t = useTranslations("presentation");
  const ways = useWays();
  const id = useId();
  const { data: navigation } = useQuery(navigationQuery);
  const own = navigation?.resources.find((one) => one.id === resourceId);
  const title = template === null ? "" : parseTitle(template);
  if (own === undefined || rows.length === 0 || typeof title === "string") return null;
  const titled = { ...own, title: withReferences(title, own, navigation?.resources ?? []) };
  const names = rows.flatMap((row) => recordTitle(titled, row, ways) ?? []);
  if (names.length === 0) return null;
  return (
    <div className="grid gap-1">
      <p id={id} className="text-2 text-ink-2">
        {t("titleSamples")}
      </p>
      <ul aria-labelledby={id} className="flex flex-wrap gap-1.5">
        {names.map((text, index) => (
          <li
            // Rows of a sample have no identity but their position.
            key={String(index)}
            dir="auto"
            className="max-w-full truncate rounded-control border border-line bg-sunken px-2 py-0.5"
          >
            {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
