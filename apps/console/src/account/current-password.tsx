import { useTranslations } from "use-intl";
import { PasswordField } from "../ui/password-field.tsx";

/** The password that confirms a change of the account. */
export function CurrentPassword(props: {
  /** For password managers, which keep a password under its address. */
  readonly email: string | undefined;
  /** By default "Current password". */
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isWrong: boolean;
}) {
  const t = useTranslations("account.password");
  return (
    <>
      <input type="text" autoComplete="username" value={props.email ?? ""} readOnly hidden />
      <PasswordField
        label={props.label ?? t("current")}
        autoComplete="current-password"
        value={props.value}
        onChange={props.onChange}
        fault={props.isWrong ? t("wrong") : undefined}
        words={{ show: t("show"), hide: t("hide") }}
      />
    </>
  );
}
