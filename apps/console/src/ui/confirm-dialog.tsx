import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./notice.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** What the button does, in words of the deed. */
  readonly confirm: string;
  readonly cancel: string;
  readonly failure: string | undefined;
  readonly isBusy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <div className="grid gap-4">
        {props.failure !== undefined && <Notice kind="danger">{props.failure}</Notice>}
        <div className="text-ink-2">{props.children}</div>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onPress={props.onClose}>{props.cancel}</Button>
          <Button kind="primary" isBusy={props.isBusy} onPress={props.onConfirm}>
            {props.confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
