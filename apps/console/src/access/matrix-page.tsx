import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { GrantMatrix } from "../grants/matrix/grant-matrix.tsx";
import { useTitle } from "../shell/use-title.ts";
import { PageHead, pageClasses } from "../ui/page-head.tsx";
import { AccessTabs } from "./access-tabs.tsx";

const route = getRouteApi("/frame/admin/access");

/** Who may do what, for all roles. */
export function MatrixPage() {
  const t = useTranslations("access");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  useTitle(t("title"));
  return (
    <div className={pageClasses}>
      <PageHead title={t("title")} text={t("matrix.text")} />
      <AccessTabs />
      <GrantMatrix
        label={t("title")}
        search={search}
        onSearch={(change) =>
          void navigate({ search: (last) => ({ ...last, ...change }), replace: true })
        }
      />
    </div>
  );
}
