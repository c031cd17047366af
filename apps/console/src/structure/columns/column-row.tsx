import { type ReactNode, useEffect, useId, useRef } from "react";
import { useTranslations } from "use-intl";
import { LockedFields } from "../../shell/managed.tsx";
import { classes } from "../../ui/classes.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import {
  ArrowUpRight,
  ChevronDown,
  ChevronUp,
  KeyRound,
  Minus,
  Pencil,
  Plus,
} from "../../ui/icons.generated.ts";
import { useDraft } from "../draft/draft-context.ts";
import type { ColumnModel } from "../model/column-model.ts";
import { endFileColumn, makeFileColumn } from "../model/edit-draft.ts";
import { ColumnDetails, useColumnEdit } from "./column-details.tsx";
import { inputLook } from "./line-field.tsx";

const marks = {
  added: { Icon: Plus, look: "text-ok" },
  changed: { Icon: Pencil, look: "text-accent" },
  dropped: { Icon: Minus, look: "text-danger" },
} as const;

interface ColumnRowProps {
  readonly column: ColumnModel;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** A column in one line: name, type, whether it is required; the rest opens below it. */
export function ColumnRow({ column, isOpen, onToggle }: ColumnRowProps) {
  const t = useTranslations("tableDraft");
  const id = useId();
  const { edit } = useColumnEdit(column);
  const { isLocked, faultsAt } = useDraft();
  const faults = faultsAt(`column/${column.id}`);
  const place = useRef<HTMLInputElement>(null);
  const isBare = column.mark === "added" && column.name === "";
  useEffect(() => {
    if (isBare) place.current?.focus();
  }, [isBare]);
  const isDropped = column.mark === "dropped";
  const name = column.name === "" ? t("newColumn") : column.name;
  const describedBy = faults.length > 0 ? `${id}-faults` : undefined;
  const hasFault = (member: string) => faults.some((fault) => fault.member === member);
  return (
    <li
      className={classes(
        "grid gap-x-2 gap-y-1.5 border-line border-b px-1 py-1 max-sm:py-2",
        column.mark === "added" && "rounded-control bg-ok-soft",
        isDropped && "rounded-control bg-danger-soft",
      )}
    >
      <div className="grid grid-cols-[1.25rem_minmax(0,1fr)_1.75rem] items-center gap-x-2 gap-y-1.5 sm:grid-cols-[1.25rem_minmax(0,3fr)_minmax(0,3fr)_5rem_minmax(0,3fr)_1.75rem]">
        <ColumnMark column={column} />
        <LockedFields isLocked={isLocked}>
          <input
            ref={place}
            type="text"
            aria-label={t("nameOf", { name })}
            placeholder={t("newColumn")}
            value={column.name}
            disabled={isDropped}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            dir="auto"
            aria-invalid={hasFault("name") || hasFault("column")}
            aria-describedby={describedBy}
            onChange={(event) => edit({ name: event.target.value })}
            className={classes(inputLook, isDropped && "line-through")}
          />
        </LockedFields>
        <span className="sm:order-last">
          <IconButton
            label={t(isOpen ? "closeDetails" : "openDetails", { name })}
            icon={isOpen ? ChevronUp : ChevronDown}
            onPress={onToggle}
          />
        </span>
        <LockedFields isLocked={isLocked}>
          <div className="max-sm:col-start-2">
            {isDropped ? (
              <code className="font-mono text-2 text-ink-2">{column.dataType}</code>
            ) : (
              <TypeField
                label={t("typeOf", { name })}
                column={column}
                describedBy={describedBy}
                isInvalid={hasFault("dataType") || hasFault("using")}
              />
            )}
          </div>
          <label className="flex min-h-6 items-center gap-2 max-sm:col-start-2">
            <input
              type="checkbox"
              aria-label={t("requiredOf", { name })}
              checked={column.isRequired || column.isKey || column.isIdentity}
              disabled={isDropped || column.isKey || column.isIdentity}
              aria-describedby={describedBy}
              onChange={(event) => edit({ isRequired: event.target.checked })}
              className="size-4 accent-accent"
            />
            <span aria-hidden="true" className="text-ink-2 sm:sr-only">
              {t("required")}
            </span>
          </label>
        </LockedFields>
        <div className="min-w-0 max-sm:col-start-2">
          <ColumnFacts column={column} />
        </div>
      </div>
      {faults.length > 0 && (
        <ul id={`${id}-faults`} className="pl-7 text-2 text-danger">
          {faults.map(({ member, message }) => (
            <li key={`${member} ${message}`} lang="en">
              {message}
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <LockedFields isLocked={isLocked}>
          <ColumnDetails column={column} faults={faults} />
        </LockedFields>
      )}
    </li>
  );
}

function ColumnMark({ column }: { readonly column: ColumnModel }) {
  const t = useTranslations("tableDraft");
  if (column.mark !== undefined) {
    const { Icon, look } = marks[column.mark];
    return (
      <span role="img" aria-label={t(column.mark)} title={t(column.mark)} className={look}>
        <Icon size={14} aria-hidden="true" />
      </span>
    );
  }
  if (column.isKey) {
    return (
      <span role="img" aria-label={t("primaryKey")} title={t("primaryKey")}>
        <KeyRound size={14} aria-hidden="true" />
      </span>
    );
  }
  if (column.reference === undefined) return <span />;
  return (
    <span role="img" aria-label={t("reference")} title={t("reference")}>
      <ArrowUpRight size={14} aria-hidden="true" />
    </span>
  );
}

/** The type of a column: a usual one, one of the table, or any other as a text; a new column can be one of files. */
function TypeField(props: {
  readonly label: string;
  readonly column: ColumnModel;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}) {
  const t = useTranslations("tableDraft");
  const { table, change } = useDraft();
  const { column } = props;
  const { id, dataType, fileFormat, origin } = column;
  const { edit } = useColumnEdit(column);
  const text = fileFormat === undefined ? dataType : t(`fileTypes.${fileFormat}`);
  const types = findTypes(dataType, table?.columns.map((one) => one.dataType) ?? []);
  const wanted = text.trim().toLowerCase();
  const isWhole = fileFormat !== undefined || types[0] === wanted;
  const files = fileFormats
    .map((format) => ({
      ...{ id: `system.files ${format}`, format, label: t(`fileTypes.${format}`) },
      detail: t("fileTypes.detail"),
    }))
    .filter(
      ({ label }) => origin === undefined && (isWhole || label.toLowerCase().includes(wanted)),
    );
  const onType = (type: string) =>
    fileFormat === undefined
      ? edit({ dataType: type })
      : change((last) => endFileColumn(last, id, type));
  const usual = types.map((type) => ({ id: type, label: type }));
  // The present type stays the first; a typed one is sought among the usual types first.
  const before = fileFormat !== undefined ? 0 : isWhole ? 1 : usual.length;
  const options = [...usual.slice(0, before), ...files, ...usual.slice(before)];
  return (
    <Combobox
      label={props.label}
      text={text}
      onText={onType}
      options={options}
      chosen={fileFormat === undefined ? dataType : `system.files ${fileFormat}`}
      onChoose={(chosen) => {
        const file = files.find((one) => one.id === chosen);
        if (file === undefined) onType(chosen);
        else change((last) => makeFileColumn(last, id, file.format === "image"));
      }}
      message={options.length === 0 ? t("ownType") : undefined}
      inputClassName={inputLook}
      describedBy={props.describedBy}
      isInvalid={props.isInvalid}
    />
  );
}

const fileFormats = ["image", "file"] as const;

/** The types that most columns have; every other type of PostgreSQL can be typed. */
const usualTypes = [
  "text",
  "bigint",
  "integer",
  "smallint",
  "numeric",
  "numeric(12,2)",
  "double precision",
  "boolean",
  "date",
  "time",
  "timestamptz",
  "timestamp",
  "interval",
  "uuid",
  "jsonb",
  "text[]",
  "integer[]",
  "character varying(255)",
  "bytea",
  "daterange",
  "tstzrange",
  "inet",
] as const;

/** The types that contain a text, the columns' own types first. */
function findTypes(text: string, own: readonly string[]): readonly string[] {
  const all = [...new Set([...usualTypes, ...own])];
  const wanted = text.trim().toLowerCase();
  // The present type is no search. It is the first, because Enter chooses the first one after typing.
  if (all.includes(wanted)) return [wanted, ...all.filter((type) => type !== wanted)];
  return all.filter((type) => type.toLowerCase().includes(wanted));
}

/** What else is known of a column, in one line: what it was, its default, where it refers to. */
function ColumnFacts({ column }: { readonly column: ColumnModel }) {
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
