import type { KeyboardEvent } from "react";
import { useTranslations } from "use-intl";
import { Checkbox } from "../../ui/checkbox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { CircleSlash2, RotateCcw } from "../../ui/icons.generated.ts";
import { valueKindOf } from "../values/value-kind.ts";
import { UnreadList, UnreadText } from "./draft.ts";
import { EditorFault, type EditorProps, useEditorParts } from "./editor-props.tsx";
import { ListEditor } from "./list-editor.tsx";
import { endType, parseRange, type RangeEnds, writeRange } from "./range-text.ts";
import { ScalarEditor } from "./scalar-editor.tsx";
import { TextEditor } from "./text-editor.tsx";

interface ValueEditorProps extends EditorProps {
  /** Whether the value is one of a new row, which may leave it to the default of its column. */
  readonly isNew?: boolean;
}

/**
 * The editor of a value by the type of its column. A text that is no value becomes `UnreadText`; nothing that was typed
 * is lost. In a form, Backspace in an empty field sets null and the default, which differ from the empty text; so do the
 * buttons beside it, which are no Tab stops.
 */
export function ValueEditor({ isNew = false, ...props }: ValueEditorProps) {
  const t = useTranslations("values");
  const { column, value, onChange, isCell = false, isBare = false } = props;
  if (isCell) return <ByKind {...props} />;
  const title = column.label ?? column.name;
  const mayDefault = isNew && column.hasDefault === true && value !== undefined;
  const mayNone = column.nullable && value !== null && value !== undefined;
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target, key } = event;
    const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
    if (key !== "Backspace" || !isField || target.value !== "" || event.isDefaultPrevented())
      return;
    if (mayNone) onChange(null);
    else if (mayDefault) onChange(undefined);
    else return;
    event.preventDefault();
  };
  return (
    <div className="flex min-w-0 items-start gap-0.5" onKeyDownCapture={onKeyDown}>
      <div className="min-w-0 flex-1">
        <ByKind {...props} />
      </div>
      {!isBare && mayDefault && (
        <IconButton
          label={t("toDefault", { name: title })}
          icon={RotateCcw}
          fieldKey="Backspace"
          onPress={() => onChange(undefined)}
        />
      )}
      {!isBare &&
        (mayNone ? (
          <IconButton
            label={t("toNone", { name: title })}
            icon={CircleSlash2}
            fieldKey="Backspace"
            onPress={() => onChange(null)}
          />
        ) : (
          // The right edges of all editors of a form are in one line.
          <span className="w-7 shrink-0" />
        ))}
    </div>
  );
}

function ByKind(props: EditorProps) {
  const { column, value, isCell = false } = props;
  const kind = valueKindOf(column);
  if (kind === "RANGE") return <RangeEditor {...props} />;
  if (kind !== "ARRAY") return <ScalarEditor {...props} />;
  return !isCell && isFlat(value) ? <ListEditor {...props} /> : <TextEditor {...props} />;
}

/** Whether a value is a list without lists in it, which an editor of items can show. */
function isFlat(value: unknown): boolean {
  if (value instanceof UnreadList || value === null || value === undefined) return true;
  return Array.isArray(value) && !value.some((item) => typeof item === "object" && item !== null);
}

const open: RangeEnds = { lower: null, upper: null, hasLower: true, hasUpper: false };

/** A range by its ends. In a cell, and for the empty range, it is PostgreSQL's text. */
function RangeEditor(props: EditorProps) {
  const { column, value, onChange, isCell = false } = props;
  const t = useTranslations("values");
  const parts = useEditorParts(props);
  const unread = value instanceof UnreadRange ? value.ends : undefined;
  const ends =
    value === null || value === undefined
      ? open
      : typeof value === "string"
        ? parseRange(value)
        : undefined;
  const shown = unread ?? ends;
  if (isCell || shown === undefined) return <TextEditor {...props} />;
  const change = (part: Partial<Record<keyof RangeEnds, unknown>>) => {
    const next = { ...shown, ...part };
    const fault = [next.lower, next.upper].find((one) => one instanceof UnreadText);
    if (fault instanceof UnreadText) return onChange(new UnreadRange(next, fault));
    const text = (end: unknown) => (end === null ? null : String(end));
    onChange(
      writeRange({ ...(next as RangeEnds), lower: text(next.lower), upper: text(next.upper) }),
    );
  };
  const baseType = endType(column.baseType);
  const endColumn = { ...column, baseType, dataType: baseType, nullable: true };
  const side = (name: "lower" | "upper", isIncluded: "hasLower" | "hasUpper") => (
    <div className="grid min-w-0 gap-1">
      <ScalarEditor
        column={{ ...endColumn, label: `${column.label ?? column.name}: ${t(name)}` }}
        value={shown[name]}
        onChange={(end) => change({ [name]: end })}
        onCommit={props.onCommit}
        onCancel={props.onCancel}
        autoFocus={props.autoFocus === true && name === "lower"}
      />
      <Checkbox
        label={t(name === "lower" ? "lowerIncluded" : "upperIncluded")}
        isChecked={shown[isIncluded] === true}
        onChange={(isChecked) => change({ [isIncluded]: isChecked })}
      />
    </div>
  );
  return (
    <fieldset aria-label={column.label ?? column.name}>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(150px,1fr))] gap-2">
        {side("lower", "hasLower")}
        {side("upper", "hasUpper")}
      </div>
      <EditorFault id={parts.faultId} text={props.fault} isCell={false} />
    </fieldset>
  );
}

type TypedEnds = { readonly [Name in keyof RangeEnds]: unknown };

/** A range of which an end could not be read. */
class UnreadRange extends UnreadText {
  readonly ends: TypedEnds;

  constructor(ends: TypedEnds, { text, fault }: UnreadText) {
    super(text, fault);
    this.ends = ends;
  }
}
