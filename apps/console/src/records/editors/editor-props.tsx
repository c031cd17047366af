import { type RefObject, useId, useRef } from "react";
import { classes } from "../../ui/classes.ts";
import { floatingClasses, useFloating } from "../../ui/use-floating.ts";
import { type EditedColumn, PendingText, UnreadText } from "./draft.ts";

/** The properties of every editor. */
export interface EditorProps {
  readonly column: EditedColumn;
  /** Undefined for the default of a new row, `UnreadText` for a text that no value could be made of. */
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Enter. */
  readonly onCommit?: (() => void) | undefined;
  /** Escape. */
  readonly onCancel?: (() => void) | undefined;
  /** Whether the editor fills a cell of the grid. */
  readonly isCell?: boolean;
  readonly autoFocus?: boolean;
  /** Whether nothing stands beside the input, such as a button that sets null. */
  readonly isBare?: boolean;
  /** Whether it edits the value of a condition: in one line, and undefined is a value that is not entered yet. */
  readonly isOperand?: boolean;
  /** What an undefined value means; without it, that the column has its default. */
  readonly unset?: string | undefined;
  /** The text with which the person began to edit; it is continued instead of replaced. */
  readonly typed?: string | undefined;
  /** Whether the person continues the text at its end, which is otherwise selected. */
  readonly isContinued?: boolean;
  /** A sentence of the service about the value. */
  readonly fault?: string | undefined;
  /** The id of the input, for a label elsewhere. Without it, the title of the column is its name. */
  readonly id?: string | undefined;
}

/**
 * The parts of an editor that connect its input to its name and fault.
 *
 * @param isTyping whether the person is still typing, so that it is too early for a fault
 */
export function useEditorParts(
  { column, value, fault, id, isCell = false }: EditorProps,
  isTyping = false,
) {
  const own = useId();
  const inputId = id ?? own;
  const isFaulty = value instanceof UnreadText && !(value instanceof PendingText) && !isTyping;
  const shown = fault ?? (isFaulty ? value.fault : undefined);
  return {
    inputId,
    fault: shown,
    faultId: `${inputId}-fault`,
    label: id === undefined ? (column.label ?? column.name) : undefined,
    describedBy: shown === undefined ? undefined : `${inputId}-fault`,
    inputClassName: classes(
      "w-full min-w-0 bg-surface text-3 text-ink placeholder:text-ink-3 placeholder:italic aria-invalid:border-danger",
      isCell
        ? "h-full min-h-7 border-0 px-2.25 outline-none"
        : "h-7 rounded-control border border-line-input px-2.5 focus-visible:outline-offset-0",
    ),
  };
}

interface EditorFaultProps {
  readonly id: string;
  readonly text: string | undefined;
  /** In a cell there is no place below, so the fault floats beside it. */
  readonly isCell: boolean;
}

/** The fault of a value, below its editor. */
export function EditorFault({ id, text, isCell }: EditorFaultProps) {
  if (text === undefined) return null;
  if (isCell) return <FloatingFault id={id} text={text} />;
  return (
    <p id={id} className="mt-1 text-2 text-danger" role="alert">
      {text}
    </p>
  );
}

function FloatingFault({ id, text }: { readonly id: string; readonly text: string }) {
  const anchor = useRef<HTMLSpanElement>(null);
  const place = useFloating<HTMLParagraphElement>(
    anchor as RefObject<HTMLElement | null>,
    true,
    true,
  );
  return (
    <>
      <span ref={anchor} aria-hidden="true" className="pointer-events-none absolute inset-0" />
      <p
        id={id}
        ref={place}
        popover="manual"
        role="alert"
        className={`${floatingClasses} border-danger px-2 text-2 text-danger`}
      >
        {text}
      </p>
    </>
  );
}
