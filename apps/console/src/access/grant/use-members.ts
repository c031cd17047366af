import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";

const countedMax = 1000;

/** Says how many people a role has. */
export function useMembers(roleId: string): string {
  const t = useTranslations("access");
  const { data } = useQuery({
    queryKey: ["roles", roleId, "members", "count"],
    enabled: roleId !== "",
    queryFn: async ({ signal }) => {
      const query = { limit: countedMax };
      const path = { id: roleId };
      const page = await client.admin.get("/roles/{id}/members", { path, query, signal });
      return { count: page.data.length, hasMore: page.meta.nextCursor !== null };
    },
  });
  if (data === undefined) return t("members.unknown");
  return data.hasMore
    ? t("members.more", { count: data.count })
    : t("members.count", { count: data.count });
}
