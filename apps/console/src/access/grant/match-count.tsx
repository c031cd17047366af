import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import type { FilterFault } from "../../records/filter/filter-faults.ts";
import type { FilterNode, Where } from "../../records/filter/filter-tree.ts";
import { readWhere } from "../../records/filter/read-where.ts";
import { type Resources, resolveField } from "../../records/filter/resolve-field.ts";
import type { FilterResource } from "../../records/filter/use-filter-resource.ts";
import { addressOf } from "../../records/model/resource.ts";
import { client } from "../../shell/client.ts";
import type { NavigationResource } from "../../shell/navigation.ts";

/** The number of rows that a filter matches now, as the Data API counts them for this administrator. */
export function useMatchCount(found: FilterResource, where: Where | null) {
  const { resource } = found;
  return useQuery({
    queryKey: ["access", "matches", resource.id, where],
    enabled: isCountable(found, where),
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const options = { limit: 0, count: "exact", signal } as const;
      const page = await client
        .from(addressOf(resource))
        .list(where === null ? options : { ...options, where });
      return page.meta.count ?? 0;
    },
  });
}

function isCountable(found: FilterResource, where: Where | null): boolean {
  return found.isReadable && (where === null || !usesHiddenTable(found, where));
}

/** The faults of the request that counted, at the places of its filter. */
export function faultsOf(error: unknown): readonly FilterFault[] {
  const isShaped = typeof error === "object" && error !== null && "faults" in error;
  return isShaped && Array.isArray(error.faults) ? (error.faults as readonly FilterFault[]) : [];
}

/** Says how many rows a filter matches at present, of how many. */
export function MatchCount(props: {
  readonly found: FilterResource;
  readonly where: Where | null;
  /** Whether the condition is asked of new rows alone. */
  readonly isOfNewRows: boolean;
  /** Whether the filter has a variable of the person. */
  readonly isPersonal: boolean;
}) {
  const { found, where, isPersonal, isOfNewRows } = props;
  const t = useTranslations("access");
  const matching = useMatchCount(found, where);
  const all = useMatchCount(found, null);
  const say = () => {
    if (!found.isReadable) return t("grant.notCounted");
    if (!isCountable(found, where)) return t("grant.hiddenTable");
    if (matching.error !== null) return t("grant.countFailed");
    if (matching.data === undefined || all.data === undefined) return t("grant.counting");
    const word = isPersonal ? "grant.matchesYours" : "grant.matches";
    return t(isOfNewRows ? "grant.matchesNew" : word, {
      count: matching.data,
      all: all.data,
    });
  };
  return (
    <p role="status" className="text-2 text-ink-2 tabular-nums">
      {say()}
    </p>
  );
}

/**
 * Whether a condition uses a related table that the navigation does not have. A grant may use tables that are not
 * exposed, but the Data API cannot count rows by them.
 */
function usesHiddenTable({ resource, resources }: FilterResource, where: Where): boolean {
  return isHidden(readWhere(where), resource, new Map(resources.map((one) => [one.id, one])));
}

function isHidden(node: FilterNode, resource: NavigationResource, resources: Resources): boolean {
  if (node.kind === "UNKNOWN") return false;
  if (node.kind === "GROUP") return node.nodes.some((one) => isHidden(one, resource, resources));
  const target = resolveField(resource, resources, node.keys)?.resource;
  if (node.kind === "RELATED") {
    return target === undefined || isHidden(node.group, target, resources);
  }
  return target === undefined && node.keys.join(".").includes(".");
}
