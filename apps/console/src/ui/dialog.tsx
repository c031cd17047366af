import { type ReactNode, useEffect, useId, useRef } from "react";
import { classes } from "./classes.ts";

interface DialogProps {
  readonly title: string;
  readonly children: ReactNode;
  /** Escape, or a press beside the dialog. */
  readonly onClose: () => void;
  readonly isWide?: boolean;
}

/** A modal dialog by the element of the browser, which keeps the focus inside and returns it. */
export function Dialog({ title, children, onClose, isWide = false }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = place.current;
    const before = document.activeElement;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={place}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      className={classes(
        "m-auto w-full max-w-[calc(100vw-24px)] rounded-panel border border-line-strong bg-surface p-0 text-ink backdrop:bg-[oklch(0%_0_0/0.4)]",
        isWide ? "sm:max-w-200" : "sm:max-w-110",
      )}
    >
      <div className="grid max-h-[calc(100dvh-48px)] gap-4 overflow-auto p-5">
        <h2 id={id} className="text-4 font-semibold">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  );
}
