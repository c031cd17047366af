import { type ReactNode, useLayoutEffect, useRef } from "react";
import { classes } from "./classes.ts";

/**
 * The modal element of the browser, which holds the focus and returns it. It is shown for as long as the component is.
 * `Dialog` has the usual look of one.
 */
export function ModalBox(props: {
  readonly label?: string;
  readonly labelledBy?: string;
  /** Called on Escape and on a press outside. Without it, the box stays. */
  readonly onClose?: (() => void) | undefined;
  readonly look: string;
  readonly children: ReactNode;
}) {
  const { onClose } = props;
  const place = useRef<HTMLDialogElement>(null);
  // Before the effects of the content, which may move the focus.
  useLayoutEffect(() => {
    const element = place.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      // React removes the element before the browser can return the focus.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={place}
      aria-label={props.label}
      aria-labelledby={props.labelledBy}
      closedby={onClose === undefined ? "none" : "closerequest"}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // Some browsers close a dialog on a second Escape, whatever its page says.
        if (place.current?.open !== false) return;
        if (onClose === undefined) place.current.showModal();
        else onClose();
      }}
      onKeyDown={(event) => {
        // React passes it on to the component that shows the box, which may close on Escape too.
        if (event.key === "Escape") event.stopPropagation();
      }}
      onPointerDown={(event) => {
        // A press on the element itself is one outside of its content.
        if (event.target === event.currentTarget) onClose?.();
      }}
      className={classes(
        "max-h-[calc(100dvh-2rem)] overflow-auto border border-line-strong bg-surface p-0 text-ink backdrop:bg-[oklch(0%_0_0/0.35)]",
        props.look,
      )}
    >
      {props.children}
    </dialog>
  );
}
