import { useBlocker } from "@tanstack/react-router";
import type { KeyboardEvent, ReactNode } from "react";
import { useTranslations } from "use-intl";
import { KeyHint, ToolButton } from "../../ui/tool-button.tsx";

interface SaveFormProps {
  readonly label: string;
  /** Whether the values can be saved now. */
  readonly isReady: boolean;
  /** Whether a save runs. The button waits for it; `onSave` decides what a key does meanwhile. */
  readonly isBusy?: boolean;
  readonly onSave: () => void;
  /** The buttons and the state below the fields; null for none. */
  readonly bar: {
    readonly status: string;
    readonly save: string;
    readonly cancel: string;
    readonly onCancel: () => void;
  } | null;
  readonly children: ReactNode;
}

/** The form of a record: fields that scroll, and a bar below them. Ctrl S saves from every field. */
export function SaveForm(props: SaveFormProps) {
  const { label, isReady, isBusy = false, onSave, bar, children } = props;
  const save = (): void => {
    if (isReady) onSave();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  };
  return (
    <form
      aria-label={label}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="grid min-h-0 flex-1 auto-rows-max content-start gap-1.5 overflow-auto p-4">
        {children}
      </div>
      {bar !== null && (
        <div className="flex items-center gap-2 border-line border-t px-4 py-2.5">
          <span role="status" className="flex-1 text-2 text-ink-2">
            {bar.status}
          </span>
          <ToolButton onClick={bar.onCancel}>{bar.cancel}</ToolButton>
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
