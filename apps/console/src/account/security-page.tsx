import { useTranslations } from "use-intl";
import { useTitle } from "../shell/use-title.ts";
import { Section } from "../ui/section.tsx";
import { AddressForm } from "./address-form.tsx";
import { LinkedAccounts } from "./linked-accounts.tsx";
import { PasswordForm } from "./password-form.tsx";

/** Password, address, and accounts at providers. */
export function SecurityPage() {
  const t = useTranslations("account");
  useTitle(t("tabs.security"));
  return (
    <div className="grid gap-8">
      <Section
        title={t("password.title")}
        text={
          <>
            {t("password.text")}{" "}
            <a href="/admin/auth/forgot" className="text-accent underline underline-offset-2">
              {t("password.none")}
            </a>
          </>
        }
      >
        <PasswordForm />
      </Section>
      <Section title={t("address.title")} text={t("address.text")}>
        <AddressForm />
      </Section>
      <LinkedAccounts />
    </div>
  );
}
