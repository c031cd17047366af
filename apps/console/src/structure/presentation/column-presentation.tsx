import type { AdminOperations } from "@rowhouse/client";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslations } from "use-intl";
import type { Row } from "../../records/model/resource.ts";
import { CellValue } from "../../records/values/cell-value.tsx";
import type { ValueColumn } from "../../records/values/value-kind.ts";
import { AppLink } from "../../shell/app-link.tsx";
import { client } from "../../shell/client.ts";
import { navigationQuery } from "../../shell/navigation.ts";
import { useTask } from "../../shell/use-task.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { linkClasses } from "../../ui/classes.ts";
import { Notice } from "../../ui/notice.tsx";
import { Select } from "../../ui/select.tsx";
import { LineField } from "../columns/line-field.tsx";
import { structurePath } from "../model/paths.ts";
import { columnsQuery, type ResourceColumn } from "../model/queries.ts";
import { ColorFields } from "./color-fields.tsx";
import {
  createFormat,
  type Format,
  type FormatOption,
  formatsOf,
  optionsOf,
  type Presentation,
  shownColumn,
} from "./format-choices.ts";

type Use =
  AdminOperations["PATCH /resources/{id}/columns/{column}"]["answer"]["data"]["uses"][number]["object"];

interface ColumnPresentationProps {
  readonly resourceId: string;
  readonly column: ResourceColumn;
  /** Rows for the live sample; empty without any. */
  readonly rows: readonly Row[];
}

/** Label, format, colors and relation name of a column, beside values of real rows as they will look. */
export function ColumnPresentation({ resourceId, column, rows }: ColumnPresentationProps) {
  const t = useTranslations("presentation");
  const words = useTranslations("manage");
  const queries = useQueryClient();
  const id = useId();
  const { label, format, colors, relationName, relation, source } = column;
  const stored: Presentation = { label, format, colors, relationName };
  const [edit, setEdit] = useState<Partial<Presentation>>({});
  const [uses, setUses] = useState<readonly { object: Use; name: string }[]>([]);
  const shown: Presentation = { ...stored, ...edit };
  const isChanged = JSON.stringify(shown) !== JSON.stringify(stored);
  const shape = shownColumn(column, { ...shown, format: sampleFormat(shown.format) });
  const task = useTask(async () => {
    const path = { id: resourceId, column: column.name };
    const { data } = await client.admin.patch("/resources/{id}/columns/{column}", {
      path,
      data: edit,
    });
    setUses(data.uses);
    await Promise.all([
      queries.invalidateQueries({ queryKey: columnsQuery(resourceId).queryKey }),
      queries.invalidateQueries({ queryKey: navigationQuery.queryKey }),
    ]);
    setEdit({});
  }, ["/data/label", "/data/relationName"]);
  const isLost = relationName !== null && relation !== null && relation.name !== relationName;
  return (
    <li className="grid gap-x-6 gap-y-3 border-line border-b p-4 last:border-b-0 lg:grid-cols-[minmax(0,3fr)_minmax(0,1fr)]">
      <form aria-labelledby={id} onSubmit={task.submit} className="grid gap-3">
        <h3 id={id} className="flex flex-wrap items-baseline gap-x-2 wrap-anywhere">
          <span className="font-mono text-2 font-semibold" dir="auto">
            {column.name}
          </span>
          <code className="font-mono text-2 text-ink-2">{column.dataType}</code>
        </h3>
        {source !== null ? (
          <p className="text-ink-2">
            {t("inherited")}{" "}
            <AppLink
              href={structurePath(source.schema, "table", source.table, "presentation")}
              dir="auto"
              className={linkClasses}
            >
              {`${source.schema}.${source.table}.${source.column}`}
            </AppLink>
            {label !== null && <bdi> · {label}</bdi>}
          </p>
        ) : (
          <>
            {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
            <div className="max-w-90">
              <LineField
                label={t("label")}
                value={shown.label ?? ""}
                onChange={(text) => setEdit((last) => ({ ...last, label: text || null }))}
                fault={task.faultAt("/data/label")}
              />
            </div>
            {(relation !== null || relationName !== null) && (
              <div className="max-w-90">
                <LineField
                  label={t("relationName")}
                  value={shown.relationName ?? ""}
                  placeholder={relation?.defaultName ?? ""}
                  hint={isLost ? t("relationNameTaken", { name: relation.name }) : undefined}
                  onChange={(text) =>
                    setEdit((last) => ({ ...last, relationName: text.trim() || null }))
                  }
                  fault={task.faultAt("/data/relationName")}
                  isCode
                />
              </div>
            )}
            {uses.length > 0 && (
              <Notice kind="info">
                <p>{t("relationUses")}</p>
                <ul>
                  {uses.map(({ object, name }) => (
                    <li key={`${object} ${name}`}>
                      {t(`useObjects.${object}`)} <bdi>{name}</bdi>
                    </li>
                  ))}
                </ul>
              </Notice>
            )}
            <FormatFields
              column={shape}
              isFile={column.isFile}
              format={shown.format}
              onChange={(next) => setEdit((last) => ({ ...last, format: next }))}
            />
            <ColorFields
              column={shape}
              rules={shown.colors ?? []}
              onChange={(rules) =>
                setEdit((last) => ({ ...last, colors: rules.length === 0 ? null : [...rules] }))
              }
            />
            {isChanged && (
              <div className="flex flex-wrap gap-2">
                <Button type="submit" kind="primary" isBusy={task.isBusy}>
                  {words("save")}
                </Button>
                <Button onPress={() => setEdit({})}>{words("cancel")}</Button>
              </div>
            )}
          </>
        )}
      </form>
      {rows.length > 0 && (
        <div className="grid min-w-0 content-start gap-1.5">
          <p className="text-2 text-ink-2">{t("sample")}</p>
          <div className="grid gap-1 rounded-control border border-line bg-surface p-2">
            {rows.map((row, index) => (
              // Rows of a sample have no identity but their position.
              <CellValue key={String(index)} column={shape} value={row[column.name]} />
            ))}
          </div>
        </div>
      )}
    </li>
  );
}

/** Digits that the browser can format. */
const decimalsMax = 20;

/** Returns a format that the browser can show, or null while its options are incomplete. The service checks them all. */
function sampleFormat(format: Format | null): Format | null {
  if (format === null) return null;
  if (format.type === "currency" && !/^[A-Za-z]{3}$/.test(format.currency)) return null;
  if ("decimals" in format && !isCount(format.decimals, 0, decimalsMax)) return null;
  if (format.type === "rating" && !isCount(format.max, 2, 10)) return null;
  return format;
}

function isCount(value: unknown, from: number, to: number): boolean {
  if (value === undefined) return true;
  return typeof value === "number" && value >= from && value <= to;
}

interface FormatFieldsProps {
  readonly column: ValueColumn;
  /** Whether the column refers to a file. */
  readonly isFile: boolean;
  readonly format: Format | null;
  readonly onChange: (format: Format | null) => void;
}

/** The format of a column and its options. */
function FormatFields({ column, isFile, format, onChange }: FormatFieldsProps) {
  const t = useTranslations("presentation");
  return (
    <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
      <Select
        label={t("format")}
        value={format?.type ?? ""}
        options={[
          { value: "" as const, label: t("usual") },
          ...formatsOf(column, isFile).map((value) => ({
            value,
            label: t(isFile && value === "image" ? "picture" : `formats.${value}`),
          })),
        ]}
        onChange={(type) => onChange(type === "" ? null : createFormat(type))}
      />
      {format !== null &&
        optionsOf(format.type, column).map((option) => (
          <OptionField key={option.name} option={option} format={format} onChange={onChange} />
        ))}
    </div>
  );
}

function OptionField(props: {
  readonly option: FormatOption;
  readonly format: Format;
  readonly onChange: (format: Format) => void;
}) {
  const t = useTranslations("presentation");
  const { option, format } = props;
  const { name, kind, values = [] } = option;
  const label = t(`options.${name as "decimals"}`);
  const { [name]: value, ...others } = format as Readonly<Record<string, unknown>>;
  const set = (next: unknown) =>
    props.onChange((next === undefined ? others : { ...others, [name]: next }) as Format);
  if (kind === "flag") {
    // Digits are grouped unless a format says otherwise.
    const isOn = typeof value === "boolean" ? value : name === "grouping";
    return <Checkbox label={label} isChecked={isOn} onChange={set} />;
  }
  if (kind === "choice") {
    return (
      <Select
        label={label}
        value={value === undefined ? "" : String(value)}
        options={[
          { value: "", label: t("usual") },
          ...values.map((one) => ({
            value: String(one),
            label: t.has(`choices.${one as "short"}`)
              ? t(`choices.${one as "short"}`)
              : String(one),
          })),
        ]}
        onChange={(text) => set(values.find((one) => String(one) === text))}
      />
    );
  }
  return (
    <div className="w-32">
      <LineField
        label={label}
        value={value === undefined ? "" : String(value)}
        onChange={(text) => {
          const isNumber = kind === "count" && /^\d+$/.test(text);
          set(text === "" ? undefined : isNumber ? Number(text) : text);
        }}
      />
    </div>
  );
}
