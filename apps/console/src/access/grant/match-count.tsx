import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import type { FilterFault } from "../../records/filter/filter-faults.ts";
import type { Where } from "../../records/filter/filter-tree.ts";
import type { FilterResource } from "../../records/filter/use-filter-resource.ts";
import { addressOf } from "../../records/model/resource.ts";
import { client } from "../../shell/client.ts";
import { usesHiddenTable } from "./hidden-table.ts";

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
  /** Whether the filter has a variable of the person. */
  readonly isPersonal: boolean;
}) {
  const { found, where, isPersonal } = props;
  const t = useTranslations("access");
  const matching = useMatchCount(found, where);
  const all = useMatchCount(found, null);
  const say = () => {
    if (!found.isReadable) return t("grant.notCounted");
    if (!isCountable(found, where)) return t("grant.hiddenTable");
    if (matching.error !== null) return t("grant.countFailed");
    if (matching.data === undefined || all.data === undefined) return t("grant.counting");
    return t(isPersonal ? "grant.matchesYours" : "grant.matches", {
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
