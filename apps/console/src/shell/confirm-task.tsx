import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import type { Task } from "./use-task.ts";

interface ConfirmTaskProps {
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  readonly task: Pick<Task, "isBusy" | "run" | "failure">;
  /** What the button does, in words of the deed; by default it deletes. */
  readonly confirm?: string;
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
