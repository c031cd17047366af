import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import type { Task } from "./use-task.ts";

interface ConfirmTaskProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly task: Pick<Task, "isBusy" | "run" | "failure">;
  /** What the button does, in words of the deed; by default it deletes. */
  readonly confirm?: string;
  /** Whether nothing is lost, so that the button is no warning. */
  readonly isHarmless?: boolean;
  /** The words for a failure that the dialog knows better than the task. */
  readonly failure?: string | undefined;
  readonly onClose: () => void;
}

/** Asks before a task that cannot be taken back, and shows the failure of its request. */
export function ConfirmTask({ task, confirm, failure = task.failure, ...props }: ConfirmTaskProps) {
  const words = useTranslations("manage");
  return (
    <ConfirmDialog
      {...props}
      confirm={confirm ?? words("delete")}
      cancel={words("cancel")}
      failure={failure}
      isBusy={task.isBusy}
      onConfirm={task.run}
    />
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** What the button does, in words of the deed. */
  readonly confirm: string;
  readonly isHarmless?: boolean;
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
          <Button
            kind={props.isHarmless === true ? "primary" : "danger"}
            isBusy={props.isBusy}
            onPress={props.onConfirm}
          >
            {props.confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
