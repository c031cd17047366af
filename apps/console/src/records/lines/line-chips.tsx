import { type KeyboardEvent, useRef } from "react";
import { useTranslations } from "use-intl";
import type { NavigationRelation, NavigationResource } from "../../shell/navigation.ts";
import { classes } from "../../ui/classes.ts";
import { Undo2, X } from "../../ui/icons.generated.ts";
import { UnreadText } from "../editors/draft.ts";
import { useReferenceText } from "../editors/row-search.ts";
import { FieldEditor, ReferenceEditor } from "../fields/field-editor.tsx";
import type { FormField } from "../fields/form-fields.ts";
import { referenceText } from "../grid/grid-column.ts";
import { referencedKey, targetOf } from "../model/reference.ts";
import { type Row, referenceOf } from "../model/resource.ts";
import { useWays } from "../values/ways.ts";
import type { LineList } from "./line-list.ts";
import type { LinesProps } from "./line-table.tsx";
import type { Line } from "./lines-draft.ts";

/** The line of a text that names no row yet. */
const typedId = "typed";

/**
 * The rows that a junction table relates to a record. A row is added by its title; Backspace in the empty field removes the
 * last one, the left arrow leads to the others.
 */
export function LineChips(props: LinesProps) {
  const { list, resources, lines, nextId, onChange } = props;
  const t = useTranslations("record");
  const box = useRef<HTMLDivElement>(null);
  const [field] = list.fields;
  if (field === undefined) return null;
  const shown = lines.filter(({ id }) => id !== typedId);
  const typed = lines.find(({ id }) => id === typedId)?.values ?? {};
  const label = list.relation.label;
  const { target } = list;
  const relation =
    field.kind === "COLUMN" ? referenceOf(target, field.column) : field.reference.relation;
  const other = targetOf(resources, relation);
  if (relation === undefined || other === undefined) return null;
  const pairs = relation.columns ?? [];
  const taken = new Set(
    shown.map(({ values }) => JSON.stringify(pairs.map(({ from }) => String(values[from])))),
  );
  const chips = () => [...(box.current?.querySelectorAll<HTMLElement>("[data-chip]") ?? [])];
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, target: place } = event;
    if (!(place instanceof HTMLElement) || event.isDefaultPrevented()) return;
    const at = chips().indexOf(place);
    const isField = place instanceof HTMLInputElement && place.value === "";
    const last = shown.at(-1);
    if (key === "ArrowLeft" && isField) chips().at(-1)?.focus();
    else if (key === "ArrowLeft" && at > 0) chips()[at - 1]?.focus();
    else if (key === "ArrowRight" && at >= 0) (chips()[at + 1] ?? fieldOf(box.current))?.focus();
    else if (key === "Backspace" && isField && last !== undefined && !last.isRemoved) {
      remove(last);
    } else if ((key === "Delete" || key === "Backspace") && at >= 0) {
      const line = shown[at];
      if (line !== undefined) toggle(line);
      fieldOf(box.current)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const remove = (line: Line): void => {
    if (line.base === undefined || list.mayRemove) props.onRemove(line);
  };
  const toggle = (line: Line): void => (line.isRemoved ? props.onRestore(line) : remove(line));
  const faults = shown.flatMap(({ id }) => {
    const fault = props.faults.get(`${list.relation.name} ${id}`);
    return fault === undefined
      ? []
      : [...pairs.flatMap(({ from }) => fault.fields.of(from) ?? []), ...fault.others];
  });
  const add = (values: Row): void => {
    const isUnread = Object.values(values).some((value) => value instanceof UnreadText);
    const own = { id: typedId, base: undefined };
    if (isUnread) {
      onChange(own, values);
      return;
    }
    onChange(own, Object.fromEntries(Object.keys(typed).map((name) => [name, undefined])));
    if (Object.values(values).every((value) => value !== null && value !== undefined)) {
      onChange({ id: nextId, base: undefined }, values);
    }
  };
  return (
    // The keys belong to the chips and the field inside.
    <div ref={box} onKeyDownCapture={onKeyDown} className="grid min-w-0 gap-1.5">
      {shown.length > 0 && (
        <ul aria-label={label} className="flex min-w-0 flex-wrap gap-1.5">
          {shown.map((line) => (
            <Chip
              key={line.id}
              {...props}
              {...{ relation, other, line }}
              onToggle={() => toggle(line)}
            />
          ))}
        </ul>
      )}
      {shown.length === 0 && !list.mayAdd && <p className="text-ink-2">{t("noLines")}</p>}
      {list.mayAdd && <ChipPicker {...{ list, field, other, typed, taken }} onChange={add} />}
      {faults.map((fault) => (
        <p key={fault} role="alert" className="text-2 text-danger">
          {fault}
        </p>
      ))}
    </div>
  );
}

/** The field that adds a chip. */
function ChipPicker(props: {
  readonly list: LineList;
  readonly field: FormField;
  /** The resource that chips refer to. */
  readonly other: NavigationResource;
  /** A text that names no row yet. */
  readonly typed: Row;
  readonly taken: ReadonlySet<string>;
  readonly onChange: (values: Row) => void;
}) {
  const { list, field, other, typed, taken, onChange } = props;
  const { target } = list;
  const { label } = list.relation;
  const t = useTranslations("record");
  return (
    <div className="max-w-80">
      {field.kind === "REFERENCE" ? (
        <ReferenceEditor
          resource={target}
          reference={field.reference}
          row={typed}
          label={t("addTo", { name: label })}
          unset={t("addChip")}
          taken={taken}
          fault={undefined}
          onChange={onChange}
        />
      ) : (
        <FieldEditor
          resource={target}
          column={{ ...field.column, nullable: false, label: t("addTo", { name: label }) }}
          target={other}
          row={{}}
          isNew
          isBare
          value={typed[field.column.name]}
          unset={t("addChip")}
          taken={taken}
          fault={undefined}
          onChange={(value) => onChange({ [field.column.name]: value })}
        />
      )}
    </div>
  );
}

function Chip(
  props: LinesProps & {
    readonly line: Line;
    readonly relation: NavigationRelation;
    readonly other: NavigationResource;
    readonly onToggle: () => void;
  },
) {
  const { list, line, relation, other, columns, onPush, onToggle } = props;
  const t = useTranslations("record");
  const ways = useWays();
  const item = columns.find(({ reference }) => reference === relation);
  const known = item === undefined ? undefined : referenceText(item, line.values, ways);
  const values = (relation.columns ?? []).map(({ from }) => line.values[from]);
  const read = useReferenceText({ relation, target: other }, known === undefined ? values : []);
  const text = known ?? read ?? values.map((value) => String(value ?? "")).join(", ");
  const key = referencedKey(relation, other, line.values);
  const mayToggle = line.isRemoved || line.base === undefined || list.mayRemove;
  const isNew = line.base === undefined;
  return (
    <li
      className={classes(
        "flex max-w-full items-center rounded-control border bg-sunken",
        isNew ? "border-accent" : "border-line-strong",
      )}
    >
      <button
        type="button"
        data-chip
        tabIndex={-1}
        onClick={() => key !== null && onPush?.(other, key)}
        className={classes(
          "min-h-6 min-w-0 truncate px-2 text-ink",
          line.isRemoved && "text-ink-2 line-through",
        )}
        dir="auto"
      >
        {text}
      </button>
      {mayToggle && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={t(line.isRemoved ? "keepLine" : "removeLine", { line: text })}
          title={t(line.isRemoved ? "keepLine" : "removeLine", { line: text })}
          onClick={onToggle}
          className="grid size-6 shrink-0 place-items-center rounded-control text-ink-2 hover:text-ink"
        >
          {line.isRemoved ? (
            <Undo2 size={13} aria-hidden="true" />
          ) : (
            <X size={13} aria-hidden="true" />
          )}
        </button>
      )}
    </li>
  );
}

function fieldOf(box: HTMLElement | null): HTMLElement | null {
  return box?.querySelector<HTMLElement>("[role=combobox]") ?? null;
}
