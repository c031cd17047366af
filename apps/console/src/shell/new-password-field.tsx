import { passwordLength } from "@rowhouse/accounts/password-rules";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { PasswordField } from "../ui/password-field.tsx";
import { passwordHint } from "./password-hint.ts";

interface NewPasswordFieldProps {
  /** By default "Password". */
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Addresses and names that the password must not consist of. */
  readonly about: readonly string[];
  /** The message of the service. */
  readonly fault: string | undefined;
}

/** A new password with a hint that follows the typing and agrees with the service. */
export function NewPasswordField({ label, value, onChange, about, fault }: NewPasswordFieldProps) {
  const t = useTranslations("password");
  const [hint, setHint] = useState<string>(t("rule", passwordLength));
  // The words of the service are English; those of the hint are in the language of the page.
  const [reason, setReason] = useState<string>();
  const words = about.join("\n");
  useEffect(() => {
    let isCurrent = true;
    const length = [...value].length;
    if (length < passwordLength.min) {
      const left = passwordLength.min - length;
      setHint(length === 0 ? t("rule", passwordLength) : t("more", { left }));
      setReason(t("LENGTH", passwordLength));
      return;
    }
    void passwordHint(value, words.split("\n")).then((found) => {
      if (!isCurrent) return;
      const text = found === undefined ? undefined : t(found, passwordLength);
      setReason(text);
      setHint(text ?? t("good"));
    });
    return () => {
      isCurrent = false;
    };
  }, [value, words, t]);
  return (
    <PasswordField
      label={label ?? t("label")}
      autoComplete="new-password"
      value={value}
      onChange={onChange}
      fault={fault === undefined ? undefined : (reason ?? fault)}
      hint={<span aria-live="polite">{hint}</span>}
      words={{ show: t("show"), hide: t("hide") }}
    />
  );
}
