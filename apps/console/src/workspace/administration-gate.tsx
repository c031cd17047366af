import { useQuery } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { MissingPage } from "../shell/message-page.tsx";
import { personQuery } from "../shell/navigation.ts";
import { Skeleton } from "../ui/skeleton.tsx";

/** Shows pages of the administration to administrators. The service checks each of their requests. */
export function AdministrationGate() {
  const t = useTranslations("workspace");
  const { data: person } = useQuery(personQuery);
  if (person === undefined) {
    return (
      <div className="p-4 md:p-8">
        <Skeleton label={t("loading")} rows={6} />
      </div>
    );
  }
  return person.isAdministrator ? <Outlet /> : <MissingPage isInFrame />;
}
