import type { KeyboardEvent } from "react";
import { useTranslations } from "use-intl";
import type { NavigationColumn, NavigationResource } from "../../shell/navigation.ts";
import { classes } from "../../ui/classes.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { ChevronRight, Trash2, Undo2 } from "../../ui/icons.generated.ts";
import { FieldEditor, ReferenceEditor } from "../fields/field-editor.tsx";
import { type FormField, fieldName } from "../fields/form-fields.ts";
import type { GridColumn } from "../grid/grid-column.ts";
import { referenceText } from "../grid/grid-column.ts";
import { GridValue } from "../grid/grid-value.tsx";
import { isEqual } from "../model/is-equal.ts";
import type { PushRecord } from "../model/record-path.ts";
import { targetOf } from "../model/reference.ts";
import { keyOf, type Row, referenceOf, titleOf } from "../model/resource.ts";
import { valueText } from "../values/show-value.ts";
import { isNumeric, valueKindOf } from "../values/value-kind.ts";
import { useWays } from "../values/ways.ts";
import type { LineList } from "./line-list.ts";
import type { Line, LineFaults } from "./lines-draft.ts";

/** The lines of a list, and what the person may do with them. */
export interface LinesProps {
  readonly list: LineList;
  readonly resources: readonly NavigationResource[];
  readonly lines: readonly Line[];
  /** The columns of the lines as the rows have them, for the titles of what they refer to. */
  readonly columns: readonly GridColumn[];
  /** The id of the line that begins when the person adds one. */
  readonly nextId: string;
  readonly faults: ReadonlyMap<string, LineFaults>;
  readonly onChange: (line: Pick<Line, "id" | "base">, values: Row) => void;
  readonly onRemove: (line: Pick<Line, "id" | "base">) => void;
  readonly onRestore: (line: Pick<Line, "id">) => void;
  /** Null where no other record can be opened. */
  readonly onPush: PushRecord | null;
}

interface LineTableProps extends LinesProps {
  readonly idOf: (line: Line) => string;
}

/** The key that removes a line. */
const removeKey = "Alt+Delete";

/**
 * Lines with an editor in each cell, and an empty line below, which becomes one when the person types in it. Tab and Enter
 * lead to the next cell, the arrows to the line above and below.
 */
export function LineTable(props: LineTableProps) {
  const { list, lines } = props;
  const t = useTranslations("record");
  const empty: Line = {
    ...{ id: props.nextId, base: undefined, values: {} },
    ...{ isRemoved: false, theirs: undefined },
  };
  const all = list.mayAdd ? [...lines, empty] : lines;
  const required = (field: FormField) =>
    field.kind === "COLUMN"
      ? field.column.required
      : field.reference.columns.some((column) => column.required);
  return (
    <table
      aria-label={list.relation.label}
      className="w-full border-collapse text-left"
      onKeyDown={onArrow}
    >
      <thead className="text-2 text-ink-2">
        <tr>
          {list.fields.map((field) => (
            <th
              key={fieldName(field)}
              scope="col"
              className={classes("pr-1.5 pb-1 font-medium", widthOf(field))}
              dir="auto"
            >
              {fieldTitle(field)}
              {list.mayAdd && required(field) && (
                <span className="text-danger" title={t("required")}>
                  {" *"}
                </span>
              )}
            </th>
          ))}
          <th scope="col" className="w-14 pb-1">
            <span className="sr-only">{t("lineTools")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {all.map((line, index) => (
          <LineRow
            {...props}
            key={props.idOf(line)}
            line={line}
            number={index + 1}
            isNext={line === empty}
            fault={props.faults.get(`${list.relation.name} ${line.id}`)}
          />
        ))}
      </tbody>
    </table>
  );
}

function LineRow(
  props: LineTableProps & {
    readonly line: Line;
    /** Its position, from 1. */
    readonly number: number;
    /** Whether it is the empty one below the others. */
    readonly isNext: boolean;
    readonly fault: LineFaults | undefined;
  },
) {
  const { list, line, number, isNext, onPush } = props;
  const t = useTranslations("record");
  const { target } = list;
  const key = line.base === undefined ? null : keyOf(target, line.base.values);
  const isLocked =
    line.isRemoved || (line.base !== undefined && (!list.mayChange || line.base.key === null));
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>): void => {
    if (event.key === "Enter" && !event.isDefaultPrevented() && !event.altKey && !event.ctrlKey) {
      const isText = event.target instanceof HTMLTextAreaElement && event.shiftKey;
      if (isText || !(event.target instanceof Element) || event.target.matches("button")) return;
      event.preventDefault();
      focusNext(event.target);
    } else if (event.key === "Delete" && event.altKey && !isNext) {
      event.preventDefault();
      remove(event.currentTarget);
    }
  };
  const remove = (row: Element | null): void => {
    if (line.isRemoved) {
      props.onRestore(line);
      return;
    }
    if (line.base !== undefined && !list.mayRemove) return;
    const next = row?.nextElementSibling?.querySelector<HTMLElement>(fieldSelector);
    props.onRemove(line);
    next?.focus();
  };
  const mayRemove = !isNext && (line.base === undefined || list.mayRemove);
  const name = t("lineNumber", { number });
  const notes = useNotes(props);
  return (
    <>
      <tr
        data-line
        onKeyDown={onKeyDown}
        className={classes("align-top", line.isRemoved && "opacity-60")}
      >
        {list.fields.map((field, index) => (
          <td
            key={fieldName(field)}
            className={classes("pr-1.5 pb-1.5", line.isRemoved && "line-through")}
          >
            <LineCell
              {...props}
              field={field}
              isLocked={isLocked}
              placeholder={isNext ? (index === 0 ? t("addLine") : "") : undefined}
            />
          </td>
        ))}
        <td className="w-14 pb-1.5">
          <span className="flex justify-end">
            {mayRemove && (
              <IconButton
                label={
                  line.isRemoved ? t("keepLine", { line: name }) : t("removeLine", { line: name })
                }
                icon={line.isRemoved ? Undo2 : Trash2}
                fieldKey={removeKey}
                onPress={() => remove(null)}
              />
            )}
            {key !== null && onPush !== null && (
              <IconButton
                label={t("openLine", { line: name })}
                icon={ChevronRight}
                onPress={() => onPush(target, key)}
                fieldKey="Alt+Enter"
              />
            )}
          </span>
        </td>
      </tr>
      {notes.length > 0 && (
        <tr>
          <td colSpan={list.fields.length + 1} className="pb-2 text-2 text-danger">
            <span role="alert">{t("lineFault", { line: name, fault: notes.join(" ") })}</span>
          </td>
        </tr>
      )}
    </>
  );
}

/** What stands below a line: the faults that no field has, and what another person has written meanwhile. */
function useNotes(props: {
  readonly line: Line;
  readonly columns: readonly GridColumn[];
  readonly fault: LineFaults | undefined;
}): readonly string[] {
  const { line } = props;
  const t = useTranslations("record");
  const ways = useWays();
  const theirs = Object.entries(line.theirs ?? {}).flatMap(([column, value]) => {
    const item = props.columns.find((one) => one.name === column);
    if (item === undefined) return [];
    const text =
      referenceText(item, line.base?.values ?? {}, ways) ?? valueText(item.column, value, ways);
    return [`${titleOf(item.column)}: ${text ?? ""}`];
  });
  return [
    ...(props.fault?.others ?? []),
    ...(line.theirs === undefined ? [] : [t("lineTheirs", { values: theirs.join(", ") })]),
  ];
}

/** One value of a line. */
function LineCell(
  props: LineTableProps & {
    readonly line: Line;
    readonly number: number;
    readonly field: FormField;
    readonly isLocked: boolean;
    readonly fault: LineFaults | undefined;
    /** What an empty cell shows; undefined for what its value means. */
    readonly placeholder: string | undefined;
  },
) {
  const { list, line, field, fault, placeholder, onChange } = props;
  const t = useTranslations("record");
  const ways = useWays();
  const { target } = list;
  const isNew = line.base === undefined;
  const isOpen = ({ creatable, updatable }: NavigationColumn) => (isNew ? creatable : updatable);
  const label = t("fieldOfLine", { name: fieldTitle(field), number: props.number });
  const faultOf = (name: string) => fault?.fields.of(name);
  if (field.kind === "REFERENCE") {
    const { reference } = field;
    if (props.isLocked || !reference.columns.some(isOpen)) {
      const texts = reference.columns.map(({ name }) => String(line.values[name] ?? ""));
      return <div className="flex min-h-7 items-center">{texts.join(", ")}</div>;
    }
    return (
      <ReferenceEditor
        resource={target}
        reference={reference}
        row={line.values}
        label={label}
        {...(placeholder === undefined ? {} : { unset: placeholder })}
        fault={reference.columns.map(({ name }) => faultOf(name)).find((one) => one !== undefined)}
        onChange={(values) => onChange(line, values)}
      />
    );
  }
  const { column } = field;
  const item = props.columns.find(({ name }) => name === column.name);
  if (props.isLocked || !isOpen(column)) {
    return (
      <div className={classes("flex min-h-7 items-center", isNumeric(column) && "justify-end")}>
        {item !== undefined && line.base !== undefined && (
          <GridValue item={item} values={line.values} />
        )}
      </div>
    );
  }
  const value = line.values[column.name];
  const isStored = line.base !== undefined && isEqual(value, line.base.values[column.name]);
  const text =
    item !== undefined && isStored ? referenceText(item, line.base?.values ?? {}, ways) : undefined;
  return (
    <FieldEditor
      resource={target}
      column={{ ...column, label }}
      target={targetOf(props.resources, referenceOf(target, column))}
      row={line.values}
      isNew={isNew}
      isBare
      value={value}
      text={text}
      {...(placeholder === undefined ? {} : { unset: placeholder })}
      fault={faultOf(column.name)}
      onChange={(next) => onChange(line, { [column.name]: next })}
    />
  );
}

function fieldTitle(field: FormField): string {
  return field.kind === "COLUMN" ? titleOf(field.column) : field.reference.relation.label;
}

function widthOf(field: FormField): string {
  if (field.kind === "REFERENCE") return "min-w-32";
  if (isNumeric(field.column)) return "w-24 min-w-18";
  if (valueKindOf(field.column) === "BOOLEAN") return "w-24 min-w-20";
  return field.column.baseType === "text" ? "min-w-40" : "min-w-34";
}

const fieldSelector = "input, textarea, [role=combobox]";

/** Goes to the field after one, in the order of the page within the form. */
function focusNext(field: Element): void {
  const all = [...(field.closest("form")?.querySelectorAll<HTMLElement>(fieldSelector) ?? [])];
  const shown = all.filter((one) => one.tabIndex >= 0 && one.offsetParent !== null);
  const next = shown[shown.indexOf(field as HTMLElement) + 1];
  next?.focus();
  if (next instanceof HTMLInputElement) next.select();
}

/** The arrows lead to the same field of the line above and below, where the field itself does not use them. */
function onArrow(event: KeyboardEvent<HTMLTableElement>): void {
  const { key, target } = event;
  const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
  if (step === 0 || event.altKey || event.isDefaultPrevented()) return;
  if (!(target instanceof HTMLInputElement) || target.role === "combobox") return;
  const cell = target.closest("td");
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-line]")];
  const row = rows[rows.findIndex((one) => one.contains(target)) + step];
  const place = cell === null ? -1 : [...(cell.parentElement?.children ?? [])].indexOf(cell);
  const next = row?.children[place]?.querySelector<HTMLInputElement>(fieldSelector);
  if (next === undefined || next === null) return;
  event.preventDefault();
  next.focus();
}
