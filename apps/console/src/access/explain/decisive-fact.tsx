import type { AdminOperations } from "@rowhouse/client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { client } from "../../shell/client.ts";
import { type ResourceEntry, resourceName, resourcesQuery } from "../../shell/resource-queries.ts";
import { Notice } from "../../ui/notice.tsx";
import type { ExplainSearch } from "../access-search.ts";
import { isOf } from "../request-picker.tsx";

/** What the service says about a request of a person. */
export type Explanation = AdminOperations["POST /permissions/explain"]["answer"]["data"];

/** What decides about a request, for one sentence. */
type DecisiveFact =
  | { readonly kind: "noRole" | "noTable" | "hidden" | "noRow" }
  /** The method is not exposed. */
  | { readonly kind: "closed" }
  | { readonly kind: "noGrant" | "permitted" | "everyRow"; readonly roles: readonly string[] }
  | { readonly kind: "rowHidden" | "rowPasses" | "someRows"; readonly roles: readonly string[] }
  /** The service's own words. */
  | { readonly kind: "reason"; readonly text: string };

/** Returns the one fact that decides: of a refusal the rule behind it, else the grants that permit the request. */
export function decisiveFact(
  { outcome, refusal, row, roles, grants, relations }: Explanation,
  resource: ResourceEntry | undefined,
): DecisiveFact {
  const names = (list: readonly { readonly roleName: string }[]) => [
    ...new Set(list.map(({ roleName }) => roleName)),
  ];
  if (outcome === "ALLOWED" || refusal === null) {
    const passing = row?.grants.filter(({ passes }) => passes) ?? [];
    if (passing.length > 0) return { kind: "rowPasses", roles: names(passing) };
    const own = relations.find(({ resourceId }) => resourceId === resource?.id);
    const reading = own === undefined ? [] : names(own.grants);
    const isList = row === null && grants.every(({ action }) => action === "READ");
    if (isList && own !== undefined && reading.length > 0) {
      return own.everyRow
        ? { kind: "everyRow", roles: reading }
        : { kind: "someRows", roles: reading };
    }
    return { kind: "permitted", roles: names(grants) };
  }
  const [fault] = refusal.errors;
  const text = fault?.reason ?? fault?.message ?? "";
  switch (refusal.stage) {
    case "AUTHENTICATE":
      return roles.length === 0 ? { kind: "noRole" } : { kind: "reason", text };
    case "PLAN":
      if (resource === undefined) return { kind: "noTable" };
      return resource.exposedMethods.length === 0 ? { kind: "hidden" } : { kind: "reason", text };
    case "AUTHORIZE":
      if (fault?.code === "METHOD_NOT_ALLOWED") return { kind: "closed" };
      return grants.length === 0 && fault?.code !== "FIELD_UNKNOWN"
        ? { kind: "noGrant", roles: roles.map(({ name }) => name) }
        : { kind: "reason", text };
    case "ROW":
      return row?.exists === false
        ? { kind: "noRow" }
        : { kind: "rowHidden", roles: names(row?.grants ?? grants) };
    default:
      return { kind: "reason", text };
  }
}

/** Says the one fact that decides about a request before its details. */
export function DecisiveNotice(props: {
  readonly explanation: Explanation;
  readonly search: ExplainSearch;
}) {
  const { explanation, search } = props;
  const { user = "", method = "GET", path = "" } = search;
  const t = useTranslations("access");
  const { data: resources } = useQuery(resourcesQuery);
  const { data: person } = useQuery({
    queryKey: ["people", user],
    queryFn: async ({ signal }) =>
      (await client.admin.get("/users/{id}", { path: { id: user }, signal })).data,
  });
  const resource = resources?.find((one) => isOf(path, one));
  const fact = decisiveFact(explanation, resource);
  const counts = useHiddenRows(fact.kind === "someRows" ? resource : undefined, search);
  if (resources === undefined) return null;
  const isAllowed = explanation.outcome === "ALLOWED";
  const values = {
    person: person?.name || person?.email || t("fact.person"),
    table: resource === undefined ? "" : (resource.label ?? resourceName(resource)),
    deed: t(`matrix.head.${explanation.action ?? "READ"}`),
    method,
    role: "roles" in fact ? fact.roles.join(", ") : "",
    count: "roles" in fact ? fact.roles.length : 0,
  };
  const say = () => {
    if (fact.kind === "reason") return fact.text;
    if (fact.kind === "someRows" && counts !== undefined) {
      return t("fact.hides", { ...values, hidden: counts.all - counts.seen, all: counts.all });
    }
    return t(`fact.${fact.kind}`, values);
  };
  return (
    <Notice kind={isAllowed ? (fact.kind === "someRows" ? "info" : "ok") : "danger"}>
      <p className="font-medium wrap-anywhere" dir="auto">
        {say()}
      </p>
    </Notice>
  );
}

/** Counts the rows of a table that its administrator sees, and of these the ones that a person sees. */
function useHiddenRows(resource: ResourceEntry | undefined, { user = "" }: ExplainSearch) {
  const { data } = useQuery({
    queryKey: ["access", "hidden rows", resource?.id, user],
    enabled: resource !== undefined,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      if (resource === undefined) return null;
      const { schema, name, kind } = resource;
      const own = `/api/${[schema, kind.toLowerCase(), name].map(encodeURIComponent).join("/")}`;
      const data = { userId: user, path: `${own}?limit=0&count=exact` };
      const [seen, all] = await Promise.all([
        client.admin.post("/permissions/preview", { data, signal }),
        client
          .from({ schema, name, kind: kind === "VIEW" ? "view" : "table" })
          .list({ limit: 0, count: "exact", signal }),
      ]);
      const count = countIn(seen.data.body);
      return count === undefined || all.meta.count === undefined
        ? null
        : { seen: count, all: all.meta.count };
    },
  });
  return data ?? undefined;
}

function countIn(body: string): number | undefined {
  try {
    const { meta } = JSON.parse(body) as { readonly meta?: { readonly count?: number } };
    return meta?.count;
  } catch {
    return undefined;
  }
}
