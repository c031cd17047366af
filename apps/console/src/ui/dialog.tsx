import { type ReactNode, useId } from "react";
import { classes } from "./classes.ts";
import { IconButton } from "./icon-button.tsx";
import { X } from "./icons.generated.ts";
import { ModalBox } from "./modal-box.tsx";

interface DialogProps {
  readonly title: string;
  /** Called on Escape, on a press outside, and by the button that closes. Without it, the dialog stays. */
  readonly onClose?: () => void;
  /** The name of the button that closes; without it there is none. */
  readonly closeLabel?: string;
  readonly children: ReactNode;
  readonly isWide?: boolean;
  /** Whether it takes what room there is, for a table of many columns. */
  readonly isFull?: boolean;
}

/** A modal dialog with a heading. It is shown for as long as the component is. */
export function Dialog(props: DialogProps) {
  const { title, onClose, closeLabel, children, isWide = false, isFull = false } = props;
  const id = useId();
  return (
    <ModalBox
      labelledBy={id}
      onClose={onClose}
      look={classes(
        "m-auto w-[calc(100vw-2rem)] rounded-panel",
        isFull ? "max-w-300" : isWide ? "max-w-180" : "max-w-110",
      )}
    >
      <div className="flex items-start justify-between gap-4 px-5 pt-4">
        <h2 id={id} className="min-w-0 text-4 font-semibold wrap-anywhere">
          {title}
        </h2>
        {closeLabel !== undefined && (
          <div className="-mt-1 -mr-2">
            <IconButton label={closeLabel} icon={X} onPress={onClose ?? null} />
          </div>
        )}
      </div>
      <div className="grid gap-4 px-5 pt-3 pb-5">{children}</div>
    </ModalBox>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2">{children}</div>;
}
