import { useTranslations } from "use-intl";
import type { Task } from "../shell/use-task.ts";

/** Returns the words for faults at the fields of a user; undefined for a field without one. */
export function useUserFaults(task: Task) {
  const t = useTranslations("people");
  const at = (pointer: string, text: string) =>
    task.faultAt(pointer) === undefined ? undefined : text;
  return {
    email:
      task.code === "UNIQUE_VIOLATION"
        ? t("emailTaken")
        : at("/data/email", t(task.code === "CONFLICT" ? "emailTaken" : "emailFault")),
    name: at("/data/name", t("nameFault")),
    timeZone: at("/data/timeZone", t("timeZoneFault")) ?? at("/data/time_zone", t("timeZoneFault")),
  };
}
