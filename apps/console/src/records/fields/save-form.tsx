import { useBlocker } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { classes } from "../../ui/classes.ts";
import { KeyHint, ToolButton } from "../../ui/tool-button.tsx";

interface SaveFormProps {
  readonly label: string;
  /** Whether the values can be saved now. */
  readonly isReady: boolean;
  /** Whether a save runs. The button waits for it; `onSave` decides what a key does meanwhile. */
  readonly isBusy?: boolean;
  /** Whether a typed text is being looked up. A save that is asked for meanwhile is made after it. */
  readonly isPending?: boolean;
  readonly onSave: () => void;
  /** Saves and begins the next one. */
  readonly onNext?: { readonly label: string; readonly run: () => void } | null;
  /** The buttons and the state below the fields; null for none. */
  readonly bar: {
    readonly status: string;
    readonly save: string;
    readonly cancel: string;
    readonly onCancel: () => void;
  } | null;
  readonly children: ReactNode;
}

/**
 * The form of a record: fields that scroll, and a bar below them. Ctrl S saves from every field, Ctrl Enter begins the next
 * record too. After a save, the focus is in the field in which the person was.
 */
export function SaveForm(props: SaveFormProps) {
  const { label, isReady, isBusy = false, isPending = false, bar, children } = props;
  const { onSave, onNext = null } = props;
  const [asked, ask] = useState<"NONE" | "SAVE" | "NEXT">("NONE");
  const last = useRef<HTMLElement>(null);
  const act = (kind: "SAVE" | "NEXT"): void => {
    if (isPending) ask(kind);
    else if (isReady) (kind === "NEXT" ? onNext?.run : onSave)?.();
  };
  useEffect(() => {
    if (isPending || asked === "NONE") return;
    ask("NONE");
    act(asked);
  });
  const hasBar = bar !== null;
  useEffect(() => {
    // The button that was pressed is gone with its bar.
    if (!hasBar && document.activeElement === document.body) last.current?.focus();
  }, [hasBar]);
  const save = () => act("SAVE");
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (!(event.ctrlKey || event.metaKey) || event.isDefaultPrevented()) return;
    if (key.toLowerCase() === "s") save();
    else if (key === "Enter" && onNext !== null) act("NEXT");
    else return;
    event.preventDefault();
  };
  return (
    <form
      data-record={hasBar ? "unsaved" : "saved"}
      aria-label={label}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div
        onFocusCapture={({ target }) => {
          last.current = target;
        }}
        className="grid min-h-0 grid-cols-[minmax(0,1fr)] flex-1 auto-rows-max content-start gap-1.5 overflow-auto p-4"
      >
        {children}
      </div>
      {bar !== null && (
        <div className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-2.5">
          <span
            role="status"
            className={classes("flex-1 text-2 text-ink-2", onNext !== null && "basis-full")}
          >
            {bar.status}
          </span>
          <ToolButton onClick={bar.onCancel}>{bar.cancel}</ToolButton>
          {onNext !== null && (
            <ToolButton disabled={!isReady || isBusy} onClick={() => act("NEXT")}>
              {onNext.label}
              <KeyHint>Ctrl Enter</KeyHint>
            </ToolButton>
          )}
          <ToolButton kind="primary" disabled={!isReady || isBusy} onClick={save}>
            {bar.save}
            <KeyHint>Ctrl S</KeyHint>
          </ToolButton>
        </div>
      )}
    </form>
  );
}

/** Asks before a tab closes or another record opens while there are unsaved changes. */
export function useUnsaved(isUnsaved: boolean): void {
  const t = useTranslations("record");
  useBlocker({
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
    shouldBlockFn: ({ current, next }) => {
      // A filter or an order leaves the record open.
      const isSame = current.pathname === next.pathname && openIn(current) === openIn(next);
      return !isSame && !confirm(t("leave"));
    },
  });
}

function openIn({ search }: { readonly search: object }): string {
  return "open" in search ? JSON.stringify(search.open) : "";
}
