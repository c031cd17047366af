import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { IntlProvider, useTranslations } from "use-intl";
import { useLanguage } from "../language-provider.tsx";
import { personQuery } from "../navigation.ts";
import { useTitle } from "../use-title.ts";
import { localeOf } from "./locale.ts";
import { browserZone } from "./time-text.ts";

/**
 * Gives the pages the zone and the region of the person: the zone of the account, else that of the installation, else that
 * of the browser. The service applies the same rule to days in requests. Pages wait for it, so that none shows a time, or
 * reads a typed one, in another zone first.
 */
export function PersonProvider({ children }: { readonly children: ReactNode }) {
  const { data: person, isPending } = useQuery(personQuery);
  const language = useLanguage();
  if (isPending) return <Pending />;
  return (
    <IntlProvider
      locale={localeOf(language, person?.region ?? null)}
      timeZone={person?.timeZone ?? person?.systemTimeZone ?? browserZone()}
    >
      {children}
    </IntlProvider>
  );
}

function Pending() {
  const t = useTranslations("workspace");
  useTitle(t("loading"));
  return null;
}
