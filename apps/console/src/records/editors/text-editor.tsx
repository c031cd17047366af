import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { closeMarks } from "../../ui/isolated.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { bytesText } from "../values/show-number.ts";
import { isNumeric, valueKindOf } from "../values/value-kind.ts";
import { useWays } from "../values/ways.ts";
import { type EditedColumn, editText, typedValue } from "./draft.ts";
import { EditorFault, type EditorProps, useEditorParts } from "./editor-props.tsx";

/** Lines that a text has without a scroll bar. */
const rowsMax = 8;
/** Characters of a longer text that a form shows at first: the browser lays out no more of it than is read. */
const shownMax = 20_000;

/** Texts, numbers and everything else that has one text. Shift+Enter begins a line in a text. */
export function TextEditor(props: EditorProps) {
  const { value, isCell = false } = props;
  const [isWhole, setWhole] = useState(false);
  const isLong = typeof value === "string" && value.length > shownMax && !isCell;
  // A text that is typed or pasted here stays in its field.
  const [isFirst] = useState(isLong);
  if (isLong && isFirst && !isWhole) {
    return <LongText {...props} text={value} onEdit={() => setWhole(true)} />;
  }
  return <WholeText {...props} autoFocus={isWhole || props.autoFocus === true} />;
}

/** The start of a long text. It can be edited as a whole. */
function LongText(props: EditorProps & { readonly text: string; readonly onEdit: () => void }) {
  const { column, text } = props;
  const t = useTranslations("values");
  const ways = useWays();
  const parts = useEditorParts(props);
  const size = bytesText(String(text.length), ways.locale);
  return (
    <div className="grid min-w-0 justify-items-start gap-1">
      <ScrollRegion
        label={column.label ?? column.name}
        className="max-h-[calc(8lh+0.625rem)] w-full px-2.5 py-1"
      >
        <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
          {closeMarks(text.slice(0, shownMax))}…
        </p>
      </ScrollRegion>
      <ToolButton id={parts.inputId} aria-describedby={parts.describedBy} onClick={props.onEdit}>
        {t("editWhole", { size })}
      </ToolButton>
      <EditorFault id={parts.faultId} text={parts.fault} isCell={false} />
    </div>
  );
}

/** The field of a whole text. */
function WholeText(props: EditorProps) {
  const { column, value, onCommit, onCancel, isCell = false, autoFocus, typed } = props;
  const { isContinued = false } = props;
  const [isTyping, setTyping] = useState(typed !== undefined);
  const t = useTranslations("values");
  const parts = useEditorParts(props, isTyping);
  const { text, type } = useTextDraft(column, value, props.onChange);
  const place = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  // The browser would lay out all of it again for each key to find its height.
  const isHuge = useRef(text.length > shownMax);
  useEffect(() => {
    if (autoFocus !== true) return;
    place.current?.focus();
    if (isHuge.current) place.current?.setSelectionRange(0, 0);
    else if (typed === undefined && !isContinued) place.current?.select();
    else place.current?.setSelectionRange(-1, -1);
  }, [autoFocus, typed, isContinued]);
  const kind = valueKindOf(column);
  const isLong = kind === "TEXT" && props.isOperand !== true && (!isCell || text.includes("\n"));
  const onKeyDown = (event: KeyboardEvent) => {
    // Ctrl S saves the form around it, or shows why it cannot.
    if (event.key.toLowerCase() === "s" && (event.ctrlKey || event.metaKey)) setTyping(false);
    if (event.nativeEvent.isComposing || event.shiftKey || event.altKey) return;
    const act = event.key === "Enter" ? onCommit : event.key === "Escape" ? onCancel : undefined;
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setTyping(false);
    act();
  };
  const shared = {
    ref: place,
    id: parts.inputId,
    "aria-label": parts.label,
    "aria-invalid": parts.fault !== undefined,
    "aria-describedby": parts.describedBy,
    value: text,
    placeholder: placeholderOf(props, t),
    // With "auto" a browser takes seconds to lay out a megabyte.
    dir: isNumeric(column) ? "ltr" : isHuge.current ? directionOf(text.slice(0, 1000)) : "auto",
    autoComplete: "off",
    onChange: (event: { readonly target: { readonly value: string } }) => {
      setTyping(true);
      type(event.target.value);
    },
    onBlur: () => setTyping(false),
    onKeyDown,
  };
  return (
    <div className={isCell ? "relative size-full" : "min-w-0"}>
      {isLong ? (
        <textarea
          {...shared}
          rows={isHuge.current ? rowsMax : Math.min(rowsMax, text.split("\n").length)}
          spellCheck={!isHuge.current}
          className={classes(
            parts.inputClassName,
            "block h-auto! min-h-7 max-h-[calc(8lh+8px)] resize-none overflow-y-auto py-[3px]",
            !isHuge.current && "field-sizing-content",
          )}
        />
      ) : (
        <input
          {...shared}
          type="text"
          inputMode={isNumeric(column) ? "decimal" : undefined}
          autoCapitalize="none"
          spellCheck={kind === "TEXT"}
          className={classes(
            parts.inputClassName,
            isNumeric(column) && "tabular-nums",
            isNumeric(column) && isCell && "text-right",
          )}
        />
      )}
      <EditorFault id={parts.faultId} text={parts.fault} isCell={isCell} />
    </div>
  );
}

/** The direction of a text by its first letter. */
function directionOf(text: string): "ltr" | "rtl" {
  const isRightToLeft =
    /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
  return isRightToLeft.test(text) ? "rtl" : "ltr";
}

/** What an empty field means. */
export function placeholderOf(
  {
    column,
    value,
    unset,
    isOperand = false,
  }: Pick<EditorProps, "column" | "value" | "unset" | "isOperand">,
  t: ReturnType<typeof useTranslations<"values">>,
): string | undefined {
  if (value === undefined) {
    if (isOperand) return undefined;
    // A new row without a value has null where the column has no default; a required one has nothing yet.
    const without = column.nullable ? t("none") : undefined;
    return unset ?? (column.hasDefault === false ? without : t("default"));
  }
  if (value === null) return t("none");
  return value === "" ? t("emptyText") : undefined;
}

/** The text of an editor. It follows the value unless the person has typed something that has the same value. */
export function useTextDraft(
  column: EditedColumn,
  value: unknown,
  onChange: (value: unknown) => void,
): { readonly text: string; readonly type: (text: string) => void } {
  const ways = useWays();
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: unknown } | null>(
    null,
  );
  const first = useRef({ value, text: editText(column, value, ways) });
  const isOwn = typed !== null && Object.is(typed.value, value);
  const text = isOwn ? typed.text : editText(column, value, ways);
  return {
    text,
    type: (next) => {
      // A text as it was in the beginning means the value of the beginning, with every digit that is not shown.
      const { current } = first;
      const read = next === current.text ? current.value : typedValue(column, next, ways);
      setTyped({ text: next, value: read });
      onChange(read);
    },
  };
}
