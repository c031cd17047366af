import { useTranslations } from "use-intl";
import type { Task } from "../shell/use-task.ts";

/** The words for a failure of what needs a recent sign-in and another way to sign in. */
export function useRecentFailure(task: Task): string | undefined {
  const t = useTranslations("account.linked");
  if (task.code === "RECENT_SIGN_IN_REQUIRED") return t("recent");
  return task.code === "CONFLICT" ? t("last") : task.failure;
}
