import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { FailureNotice } from "../../shell/failure-notice.tsx";
import { pageClasses } from "../../ui/page-head.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { draftOf, type GrantDraft } from "./grant-draft.ts";
import { GrantView } from "./grant-view.tsx";

const route = getRouteApi("/frame/admin/access/grants/$id");

/** A grant by its id, or under `new` one that is created. */
export function GrantPage() {
  const { id } = route.useParams();
  const { role = "", resource = "", action = "READ" } = route.useSearch();
  const words = useTranslations("manage");
  const isNew = id === "new";
  const grant = useQuery({
    queryKey: ["grants", id],
    enabled: !isNew,
    // What a person has typed must not change under them; a save compares with the present version.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      (await client.admin.get("/grants/{id}", { path: { id }, signal })).data,
  });
  if (isNew) {
    const empty: GrantDraft = {
      ...{ roleId: role, resourceId: resource, action },
      ...{ fields: null, rowFilter: null, check: null, presets: {} },
    };
    return <GrantView key={`new ${role} ${resource} ${action}`} grant={undefined} first={empty} />;
  }
  if (grant.data !== undefined) {
    return <GrantView key={id} grant={grant.data} first={draftOf(grant.data)} />;
  }
  return (
    <div className={pageClasses}>
      {grant.error === null ? (
        <Skeleton label={words("loading")} rows={6} />
      ) : (
        <FailureNotice error={grant.error} onRetry={() => void grant.refetch()} />
      )}
    </div>
  );
}
