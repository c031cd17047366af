import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { Task } from "../shell/use-task.ts";
import { TextField } from "../ui/text-field.tsx";

interface AccountFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly fault: string | undefined;
  readonly hint?: ReactNode;
  readonly isFirst?: boolean;
}

/** The address of an account of somebody else, which the browser does not fill in. */
export function EmailField(props: AccountFieldProps) {
  const t = useTranslations("people");
  return <TextField label={t("email")} name="email" type="email" autoComplete="off" {...props} />;
}

/** The name of an account of somebody else. */
export function NameField(props: AccountFieldProps) {
  const words = useTranslations("manage");
  return <TextField label={words("name")} name="name" autoComplete="off" {...props} />;
}

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
