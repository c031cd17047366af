import { useTranslations } from "use-intl";
import { viewedAs } from "../../shell/viewed-as.ts";
import { linkClasses } from "../../ui/link-classes.ts";

/**
 * Leads to the explanation of a request, in a workspace that an administrator views as a person. The explanation opens in a
 * new tab, which is the administrator's own.
 *
 * @param path path and query of the request
 */
export function WhyLink({ path }: { readonly path: string }) {
  const t = useTranslations("grid");
  const userId = viewedAs()?.userId;
  if (userId === undefined) return null;
  const query = new URLSearchParams({ user: userId, method: "GET", path });
  return (
    <a
      href={`/admin/access/explain?${query}`}
      target="_blank"
      rel="noopener"
      className={linkClasses}
    >
      {t("why")}
    </a>
  );
}
