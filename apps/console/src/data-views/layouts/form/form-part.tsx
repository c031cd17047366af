import { type ReactNode, useId } from "react";
import { useTranslations } from "use-intl";
import { titleOf } from "../../../records/model/resource.ts";
import { CellValue } from "../../../records/values/cell-value.tsx";
import type { NavigationColumn } from "../../../shell/navigation.ts";

/** A section of a form: a heading, help, and fields. */
export function FormPart(props: {
  readonly title: string;
  readonly help?: string | undefined;
  readonly children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-4">
      <div className="grid gap-1">
        <h2 id={id} dir="auto" className="text-4 font-semibold wrap-anywhere">
          {props.title}
        </h2>
        {props.help !== undefined && (
          <p dir="auto" className="text-ink-2 wrap-anywhere">
            {props.help}
          </p>
        )}
      </div>
      {props.children}
    </section>
  );
}

/** A field with its name above and its help below. */
export function FormLine(props: {
  readonly title: string;
  readonly help: string | undefined;
  readonly isRequired: boolean;
  readonly children: ReactNode;
}) {
  const t = useTranslations("record");
  return (
    <div className="grid min-w-0 gap-1.5">
      {/* The editor below has the same name for screen readers. */}
      <span className="font-medium wrap-anywhere">
        <bdi>{props.title}</bdi>
        {props.isRequired && (
          <span className="text-danger" title={t("required")}>
            {" *"}
          </span>
        )}
      </span>
      {props.children}
      {props.help !== undefined && (
        <p dir="auto" className="text-2 text-ink-2 wrap-anywhere">
          {props.help}
        </p>
      )}
    </div>
  );
}

/** Columns that the system sets, with their present values if there are any. */
export function PresetFields(props: {
  readonly columns: readonly NavigationColumn[];
  readonly values: Readonly<Record<string, unknown>> | undefined;
}) {
  const { columns, values } = props;
  const t = useTranslations("viewForm");
  if (columns.length === 0) return null;
  return (
    <FormPart title={t("presets")} help={t("presetsText")}>
      <dl className="grid gap-2 sm:grid-cols-2">
        {columns.map((column) => (
          <div key={column.name} className="min-w-0 rounded-control bg-sunken px-3 py-2">
            <dt className="truncate font-medium" dir="auto" title={titleOf(column)}>
              {titleOf(column)}
            </dt>
            <dd className="min-w-0 text-ink-2">
              {values === undefined || !(column.name in values) ? (
                t("bySystem")
              ) : (
                <span className="flex min-w-0 flex-wrap gap-x-1.5">
                  <CellValue column={column} value={values[column.name]} />
                  <span>· {t("bySystem")}</span>
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </FormPart>
  );
}
