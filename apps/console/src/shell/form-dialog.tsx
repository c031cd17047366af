import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { useLeaveGuard } from "./use-leave-guard.ts";
import type { Task } from "./use-task.ts";

interface FormDialogProps {
  readonly title: string;
  readonly task: Pick<Task, "isBusy" | "run" | "failure">;
  /** What the button does, in words of the deed. */
  readonly submit: string;
  /** Whether data goes for good. */
  readonly isDanger?: boolean;
  /** Whether the form can be sent. */
  readonly isReady?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A dialog with a form that runs a task: the failure of its request, the fields, and the buttons. Escape, a press outside and
 * another page ask first once something was typed.
 */
export function FormDialog(props: FormDialogProps) {
  const { task, isReady = true, onClose } = props;
  const words = useTranslations("manage");
  const [isTyped, setTyped] = useState(false);
  useLeaveGuard(isTyped && !task.isBusy, words("leave"));
  return (
    <Dialog
      title={props.title}
      onClose={() => {
        if (!isTyped || confirm(words("discard"))) onClose();
      }}
    >
      <form
        noValidate
        onInput={() => setTyped(true)}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) task.run();
        }}
      >
        {task.failure !== undefined && <Notice kind="danger">{task.failure}</Notice>}
        {props.children}
        <DialogActions>
          <Button onPress={onClose}>{words("cancel")}</Button>
          <Button
            type="submit"
            kind={props.isDanger === true ? "danger" : "primary"}
            isBusy={task.isBusy || !isReady}
          >
            {props.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
